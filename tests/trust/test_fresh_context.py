"""``--fresh-context``: each page in a browser context of its own, as shut in as any other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.form.submission import submit
from harness.browser.launch import BrowserSettings
from tests.site import Site, in_page, whole_page


@pytest.fixture(scope="module")
def fresh(site: Site) -> Iterator[Browser]:
    """A browser that shows each page in a context of its own."""
    with Browser(BrowserSettings(site.origin, fresh_context=True)) as live:
        yield live


@pytest.mark.claim("page-context")
def test_a_page_in_a_context_of_its_own_finds_nothing_and_is_worked_as_any_other(fresh: Browser, site: Site) -> None:
    contexts = set()
    for _ in range(2):
        fresh.open(site.put(whole_page("<input name=a value=as-it-was>")))
        assert in_page(fresh, "[localStorage.length, document.cookie, innerWidth]") == [0, "", 1280]
        in_page(fresh, "localStorage.left = 1; document.cookie = 'left=1'")
        contexts |= set(fresh.root.call("Target.getBrowserContexts")["browserContextIds"])
        assert submit(fresh).values == {"a": ("as-it-was",)}
        assert len(fresh.root.call("Target.getBrowserContexts")["browserContextIds"]) == 1
    assert len(contexts) == 2


@pytest.mark.claim("page-context")
@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://example.org/", "chrome://version/", "{}/other/"])
def test_the_list_of_addresses_holds_in_a_context_of_its_own(fresh: Browser, site: Site, address: str) -> None:
    with pytest.raises(PageFailed, match="BLOCKED_BY_ADMINISTRATOR"):
        fresh.open(address.format(site.origin))
    fresh.open(site.put(whole_page("<input name=a>")))
    port_of_another = "http://127.0.0.1:9/"
    asked = f"fetch('{port_of_another}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused')"
    assert in_page(fresh, asked) == "refused"
