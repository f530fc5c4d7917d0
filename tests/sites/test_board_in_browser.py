"""The scripts of the community board in Chromium."""

from __future__ import annotations

import pytest

from tests.site import in_page
from tests.sites.served import begin, site_browser

HOST = "http://board.test"


@pytest.fixture(scope="module")
def session():
    with site_browser("board") as live:
        yield live


def test_tabs_of_the_settings_are_changed_by_the_arrow_keys_and_stay_in_the_address(session):
    begin(session, "board")
    session.site.open(f"{HOST}/settings/")
    in_page(session.site, "document.getElementById('tab-profile').focus()")
    key = {"key": "ArrowRight", "code": "ArrowRight", "windowsVirtualKeyCode": 39}
    for _ in range(2):
        session.site.channel.call("Input.dispatchKeyEvent", type="keyDown", **key)
        session.site.channel.call("Input.dispatchKeyEvent", type="keyUp", **key)
    shown = "[...document.querySelectorAll('[role=tabpanel]')].filter((one) => !one.hidden).map((one) => one.id).join()"
    assert in_page(session.site, shown) == "panel-notifications"
    assert in_page(session.site, "location.search") == "?tab=notifications"
    assert in_page(session.site, "document.activeElement.id") == "tab-notifications"
    session.site.reload()
    assert in_page(session.site, shown) == "panel-notifications"


@pytest.mark.slow
def test_a_forum_is_sorted_as_soon_as_an_order_is_chosen(session):
    begin(session, "board")
    session.site.open(f"{HOST}/forum/bread/")
    in_page(
        session.site,
        "const list = document.getElementById('sort'); list.value = 'votes';"
        "list.dispatchEvent(new Event('change', { bubbles: true })); 0",
    )
    session.site.settle()
    assert in_page(session.site, "location.search") == "?sort=votes"
