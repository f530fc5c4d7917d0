"""How long providers ask to wait, in the ways in which they say it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from harness.models.providers.failures import duration, wait

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


def retry_info(delay):
    return {
        "error": {
            "details": [
                {"@type": "type.googleapis.com/google.rpc.QuotaFailure"},
                "not a detail",
                {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
            ]
        }
    }


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({}, None, None),
        ({"Retry-After": "30"}, None, 30.0),
        ({"retry-after": " 2.5 "}, None, 2.5),
        ({"Retry-After": "-3"}, None, 0.0),
        ({"Retry-After": "nan"}, None, None),
        ({"Retry-After": "inf"}, None, None),
        ({"Retry-After": "1e999"}, None, None),
        ({"Retry-After": "a while"}, None, None),
        ({"Retry-After-Ms": "250", "Retry-After": "1"}, None, 0.25),
        ({"Retry-After": "Thu, 01 Jan 2026 12:00:45 GMT"}, None, 45.0),
        ({"Retry-After": "Thu, 01 Jan 2026 13:00:45 +0100"}, None, 45.0),
        ({"Retry-After": "Thu, 01 Jan 2026 11:00:00 GMT"}, None, 0.0),
        ({}, retry_info("37s"), 37.0),
        ({}, [retry_info("1.250s")], 1.25),
        ({}, retry_info(37), None),
        ({}, {"error": {"details": "none"}}, None),
        ({}, "<html>", None),
        ({"Retry-After": "5"}, retry_info("37s"), 5.0),
    ],
)
def test_a_hint_is_read(headers, body, seconds):
    assert wait(headers, body, NOW) == seconds


def test_a_date_counts_from_the_servers_own_clock():
    headers = {"Retry-After": "Thu, 01 Jan 1998 00:01:00 GMT", "Date": "Thu, 01 Jan 1998 00:00:00 GMT"}
    assert wait(headers, None) == 60.0


@pytest.mark.parametrize(
    ("requests_left", "tokens_left", "seconds"),
    [("0", "50", 1.0), ("5", "0", 360.0), ("0", "0", 360.0), ("5", "50", 1.0)],
)
def test_the_limit_that_is_used_up_decides(requests_left, tokens_left, seconds):
    headers = {
        "x-ratelimit-remaining-requests": requests_left,
        "x-ratelimit-remaining-tokens": tokens_left,
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-reset-tokens": "6m0s",
    }
    assert wait(headers, None) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("20ms", 0.02),
        ("1h2m3.5s", 3723.5),
        ("7.66s", 7.66),
        ("5", None),
        ("", None),
        (5, None),
    ],
)
def test_durations_are_read(text, seconds):
    assert duration(text) == (None if seconds is None else pytest.approx(seconds))
