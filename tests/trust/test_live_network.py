"""With ``--network live`` pages reach the network, and of this machine still nothing but the task server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings
from tests.site import Site, in_page, whole_page

HOSTS = ("127.0.0.1", "localhost", "a.localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "0")  # noqa: S104 - asked, not bound


@pytest.fixture
def other() -> Iterator[Site]:
    """Another server on this machine, such as one that starts programs."""
    server = Site()
    yield server
    server.close()


@pytest.mark.slow
@pytest.mark.claim("network-live")
def test_no_other_port_of_this_machine_is_reached(site: Site, other: Site) -> None:
    port = other.origin.rpartition(":")[2]
    with Browser(BrowserSettings(site.origin, live=True)) as browser:
        browser.open(site.put(whole_page("<input name=a>")))
        assert in_page(browser, f"fetch('{site.origin}/', {{mode: 'no-cors'}}).then(() => 'reached')") == "reached"
        for host in HOSTS:
            body = "{method: 'POST', mode: 'no-cors', body: '{}'}"
            asked = f"fetch('http://{host}:{port}/session', {body}).then(() => 'reached', () => 'refused')"
            assert (host, in_page(browser, asked)) == (host, "refused")
    assert other.requests == []
