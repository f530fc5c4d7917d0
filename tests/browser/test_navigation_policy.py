"""Where tabs may go, told by how an address is spelt."""

from __future__ import annotations

import pytest

from harness.browser.browser_choice import NavigationPolicy

SHOP = NavigationPolicy(origins=("http://shop.test", "http://pay.test:8080"))


@pytest.mark.parametrize(
    "url",
    [
        *("http://shop.test/", "http://SHOP.test:80/a?b#c", "http://ann:pw@shop.test", "http://pay.test:8080"),
        *("http://shop.test/?q=a\\b", "http://shop.test/#a\\b", "about:blank"),
    ],
)
def test_an_address_of_one_of_the_origins_may_be_shown(url):
    assert SHOP.allows(url)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://evil.test/",
            "https://shop.test/",
            "http://shop.test:8080/",
            "http://pay.test/",
            "http://shop.test./",
        ),
        *("http://shop.test@evil.test/", "http://shop.test.evil.test/", "//shop.test/", "shop.test", ""),
        *("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "view-source:http://shop.test/"),
        *("http://[shop.test]/", "http://[", "http://shop.test:port/", "about:blank#x"),
    ],
)
def test_any_other_may_not(url):
    assert not SHOP.allows(url)


@pytest.mark.parametrize(
    "url",
    ["http://evil.test\\@shop.test/", "http:\\\\evil.test@shop.test/", "http:/\\evil.test/@shop.test/"],
)
def test_what_a_browser_reads_as_another_host_may_not(url):
    assert not SHOP.allows(url)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("http://shop.test/cart", "http://shop.test/cart"),
        (" /cart ", "http://shop.test/cart"),
        ("cart?all#end", "http://shop.test/a/cart?all#end"),
        ("?page=2", "http://shop.test/a/b?page=2"),
        ("shop.test/cart", "http://shop.test/cart"),
        ("secure.test", "https://secure.test"),
        ("secure.test/in", "https://secure.test/in"),
        ("about:blank", "about:blank"),
    ],
)
def test_an_address_may_be_written_from_the_shown_one_or_without_its_beginning(written, meant):
    policy = NavigationPolicy(origins=("http://shop.test", "https://secure.test"))
    assert policy.address(written, "http://shop.test/a/b") == meant


@pytest.mark.parametrize(
    "written", ["http://secure.test/", "//evil.test/", "evil.test\\@x", "http://[", "mailto:a@b.test"]
)
def test_an_address_of_nowhere_that_may_be_shown_is_none(written):
    policy = NavigationPolicy(origins=("https://secure.test",))
    assert policy.address(written, "https://secure.test/") is None
