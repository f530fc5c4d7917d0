"""What a worker asks the switchboard for: settings as data, of which nothing is run."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from harness.browser.launch import BrowserSettings
from harness.browser.shared_browser import order_of, read_order

SETTINGS = BrowserSettings("http://127.0.0.1:8000", live_clock=True, fresh_context=True, timeout=7.5)


def test_an_order_says_what_is_asked_for():
    assert read_order(order_of(SETTINGS)) == SETTINGS


@pytest.mark.claim("shared-orders")
@pytest.mark.parametrize("order", [b"", b"{}", pickle.dumps(SETTINGS), b'{"origin": 1}'])
def test_what_is_no_order_is_refused(order):
    with pytest.raises(msgspec.DecodeError):
        read_order(order)
