from __future__ import annotations

import pytest

from harness.catalog.mirror.addresses import absolute, file_name, is_remote, join, key, without_query


@pytest.mark.parametrize(
    "url",
    [
        "https://Code.jQuery.com/jquery-3.3.1.js",
        "http://code.jquery.com/jquery-3.3.1.js",
        "//code.jquery.com/jquery-3.3.1.js",
        "HTTPS://code.jquery.com:443/jquery-3.3.1.js",
        "  https://code.jquery.com/jquery%2D3.3.1.js#top\n",
        "https:\\\\code.jquery.com\\jquery-3.3.1.js",
        "https://code.jquery.com./jquery-3.3.1.js",
    ],
)
def test_all_spellings_of_an_address_have_one_key(url: str) -> None:
    assert is_remote(url)
    assert key(url) == "code.jquery.com/jquery-3.3.1.js"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.js",
        "/a.js",
        "#a",
        "data:text/css,a",
        "blob:https://x.org/1",
        "about:blank",
        "javascript:void(0)",
        "https://",
    ],
)
def test_any_other_address_has_none(url: str) -> None:
    assert not is_remote(url)
    assert key(url) == ""


def test_an_address_without_sense_has_no_key() -> None:
    assert key("https://x.org:port/a.js") == key("http://[::1/a.js") == ""


def test_a_query_and_a_port_tell_addresses_apart() -> None:
    assert (
        len({key("https://x.org/a"), key("https://x.org/a?b"), key("https://x.org/a?c"), key("https://x.org:81/a")})
        == 4
    )


def test_the_query_of_a_file_can_be_left_out_that_of_a_service_cannot() -> None:
    assert without_query("//x.org/a.min.js?v=3") == "x.org/a.min.js"
    assert without_query("//x.org/css?family=A") == ""


def test_an_address_gets_a_scheme_and_loses_what_stands_behind_the_hash() -> None:
    assert absolute("//x.org/a?b#c") == "https://x.org/a?b"
    assert absolute("a.js") == "a.js"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://x.org/js/a.min.js?x=1", "a.min.js"),
        ("https://x.org/", "script"),
        ("https://x.org/a%20b%2Fc.js", "c.js"),
        ("https://x.org/..", "script"),
        ("https://x.org/äö.js", "js"),
    ],
)
def test_a_file_name_holds_plain_characters_only(url: str, name: str) -> None:
    assert file_name(url, "script") == name


def test_an_address_is_seen_from_another_one() -> None:
    assert join("https://x.org/css/a.css", "../b.png") == "https://x.org/b.png"
    assert join("https://x.org/css/a.css", "//[b.png") == "//[b.png"
