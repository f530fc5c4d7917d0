"""The community board in Chromium: narrow and wide, in every theme, by keyboard, without barriers."""

from __future__ import annotations

import pytest

from tests.server.person import AXE, needs_axe
from tests.sites.served import begin, site_browser

HOST = "http://board.test"
PAGES = (
    "/",
    "/forum/bicycles/",
    "/forum/bread/new/",
    "/thread/1003/?quote=100302",
    "/post/100902/edit/",
    "/post/102103/report/",
    "/search/?q=blight",
    "/members/",
    "/member/tin_kettle/",
    "/messages/",
    "/messages/501/",
    "/messages/new/?to=oak_gall",
    "/moderation/",
    "/settings/?tab=notifications",
    "/settings/?tab=privacy",
    "/take-part/",
    "/apply/event/1/",
    "/events/",
    "/events/31/",
    "/texts/602/",
    "/texts/new/",
    "/followed/",
    "/nowhere/",
)


@pytest.fixture(scope="module")
def session():
    with site_browser("board") as live:
        yield live


def in_page(session, expression):
    """What an expression is in the page's own world."""
    told = session.site.channel.call(
        "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
    )
    assert "exceptionDetails" not in told, told
    return told["result"].get("value")


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["", "moved"])
def test_nothing_is_wider_than_a_telephone(session, variant):
    begin(session, "board", 2, variant)
    session.site.open(f"{HOST}/")
    session.site.channel.call(
        "Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=False
    )
    widths = {}
    for address in PAGES:
        session.site.open(HOST + address)
        widths[address] = in_page(session, "document.documentElement.scrollWidth")
    session.site.channel.call("Emulation.clearDeviceMetricsOverride")
    assert {address: width for address, width in widths.items() if width > 390} == {}


@needs_axe
@pytest.mark.parametrize("theme", ["light", "dark", "sepia"])
def test_pages_are_without_barriers(session, theme):
    state = begin(session, "board", 2)
    state.settings["appearance"]["theme"] = theme
    found = {}
    for address in PAGES:
        session.site.open(HOST + address)
        in_page(session, AXE.read_text(encoding="utf-8") + "; 0")
        found[address] = in_page(
            session,
            "axe.run(document).then((all) => all.violations.flatMap((each) => each.nodes.map((node) =>"
            " `${each.id}: ${node.html.slice(0, 120)} ${node.failureSummary.slice(0, 160)}`)))",
        )
    assert {address: each for address, each in found.items() if each} == {}


def test_tabs_of_the_settings_are_changed_by_the_arrow_keys_and_stay_in_the_address(session):
    begin(session, "board")
    session.site.open(f"{HOST}/settings/")
    in_page(session, "document.getElementById('tab-profile').focus()")
    key = {"key": "ArrowRight", "code": "ArrowRight", "windowsVirtualKeyCode": 39}
    for _ in range(2):
        session.site.channel.call("Input.dispatchKeyEvent", type="keyDown", **key)
        session.site.channel.call("Input.dispatchKeyEvent", type="keyUp", **key)
    shown = "[...document.querySelectorAll('[role=tabpanel]')].filter((one) => !one.hidden).map((one) => one.id).join()"
    assert in_page(session, shown) == "panel-notifications"
    assert in_page(session, "location.search") == "?tab=notifications"
    assert in_page(session, "document.activeElement.id") == "tab-notifications"
    session.site.reload()
    assert in_page(session, shown) == "panel-notifications"


@pytest.mark.slow
def test_a_forum_is_sorted_as_soon_as_an_order_is_chosen(session):
    begin(session, "board")
    session.site.open(f"{HOST}/forum/bread/")
    in_page(
        session,
        "const list = document.getElementById('sort'); list.value = 'votes';"
        "list.dispatchEvent(new Event('change', { bubbles: true })); 0",
    )
    session.site.settle()
    assert in_page(session, "location.search") == "?sort=votes"
