"""Programs from outside reach the tabs of a site through the gate, and nothing else of the browser."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from harness.browser.live_page import WORLD, PageLost
from harness.browser.site_devtools import SiteDevtools
from harness.browser.site_tabs import MOST_TABS
from tests.trust.program import Program, get
from tests.walks import SHOP, Walk


@pytest.fixture
def walk(walk_of_all: Walk) -> Walk:
    """The one browser of this file, emptied, with a page open."""
    walk_of_all.browser.clear()
    walk_of_all.put("<h1>new</h1>", "/new")
    walk_of_all.open("<button style='position: fixed; left: 0; top: 0'>press</button>")
    return walk_of_all


@pytest.fixture
def devtools(walk: Walk) -> Iterator[SiteDevtools]:
    with SiteDevtools(walk.browser) as open_gate:
        yield open_gate


@pytest.fixture
def program(devtools: SiteDevtools) -> Iterator[Program]:
    """A program at the browser, which is told of tabs and attached to them."""
    client = Program(devtools.browser)
    client.result("Target.setDiscoverTargets", discover=True)
    client.result("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
    yield client
    client.close()


def sessions(program: Program) -> dict[str, str]:
    """The sessions that a program was told of, by page."""
    told = [event["params"] for event in program.events if event["method"] == "Target.attachedToTarget"]
    return {each["targetInfo"]["targetId"]: each["sessionId"] for each in told}


def urls(program: Program) -> list[str]:
    return [info["url"] for info in program.result("Target.getTargets")["targetInfos"]]


@pytest.mark.claim("gate-site-tabs")
def test_the_tabs_of_the_task_are_what_there_is(walk: Walk, devtools: SiteDevtools, program: Program) -> None:
    assert urls(program) == [f"{SHOP}/"]
    made = program.result("Target.createTarget", url=f"{SHOP}/new")["targetId"]
    assert made in sessions(program)
    walk.browser.root.wait_until(lambda: walk.browser.tab.url == f"{SHOP}/new")
    listed = json.loads(get(f"{devtools.http}/json/list")[1])
    assert [each["id"] for each in listed] == [tab.target for tab in walk.browser.tabs]
    assert [event["params"]["targetInfo"]["targetId"] for event in program.events
            if event["method"] == "Target.targetCreated"] == [tab.target for tab in walk.browser.tabs]  # fmt: skip
    keeper = walk.browser.root.call("Target.getTargets")["targetInfos"]
    (hidden,) = {info["targetId"] for info in keeper} - {tab.target for tab in walk.browser.tabs}
    assert "no such target" in program.refusal("Target.attachToTarget", targetId=hidden, flatten=True)
    assert "no such target" in program.refusal("Target.closeTarget", targetId=hidden)


@pytest.mark.claim("gate-site-tabs")
def test_a_tab_that_a_page_opens_is_told_and_can_be_worked(walk: Walk, program: Program) -> None:
    (first,) = sessions(program).values()
    program.result("Runtime.evaluate", session=first, expression="void window.open('/new')", userGesture=True)
    walk.browser.root.wait_until(lambda: len(walk.browser.tabs) == 2)
    program.result("Browser.getVersion")
    target = walk.browser.tabs[1].target
    seen = program.result(
        "Runtime.evaluate", session=sessions(program)[target], expression="location.href", returnByValue=True
    )
    assert seen["result"]["value"] == f"{SHOP}/new"
    program.result("Target.closeTarget", targetId=target)
    walk.browser.root.wait_until(lambda: len(walk.browser.tabs) == 1)
    program.result("Browser.getVersion")
    ends = [event["params"]["targetId"] for event in program.events if event["method"] == "Target.detachedFromTarget"]
    assert ends == [target]
    assert "the only tab" in program.refusal("Target.closeTarget", targetId=walk.browser.tabs[0].target)


@pytest.mark.claim("gate-site-tabs")
@pytest.mark.parametrize(
    "url", ["http://evil.test/", f"{SHOP}:81/", "file:///etc/passwd", "data:text/html,x", "chrome://version"]
)
def test_a_program_gets_to_no_other_address(walk: Walk, program: Program, url: str) -> None:
    (session,) = sessions(program).values()
    answer = program.result("Page.navigate", session=session, url=url)
    assert answer["errorText"] == "net::ERR_BLOCKED_BY_ADMINISTRATOR"
    assert f"the task may visit {SHOP} only" in program.refusal("Target.createTarget", url=url)
    assert walk.browser.refused == [url]
    assert urls(program) == [f"{SHOP}/"]


@pytest.mark.slow
@pytest.mark.claim("gate-site-tabs")
def test_tabs_are_the_episode_s_and_not_without_end(walk: Walk, program: Program) -> None:
    assert program.refusal("Target.createBrowserContext")
    assert program.refusal("Storage.getCookies")
    for _ in range(MOST_TABS - 1):
        program.result("Target.createTarget", url="about:blank", browserContextId="another")
    assert {info["browserContextId"] for info in program.result("Target.getTargets")["targetInfos"]} == {
        walk.browser.context
    }
    assert f"there are {MOST_TABS} tabs already" in program.refusal("Target.createTarget", url="about:blank")


@pytest.mark.claim("gate-site-tabs")
def test_the_harness_s_world_is_shown_in_no_tab(walk: Walk, program: Program) -> None:
    target = program.result("Target.createTarget", url=f"{SHOP}/new")["targetId"]
    session = sessions(program)[target]
    program.result("Runtime.enable", session=session)
    program.result("Page.navigate", session=session, url=f"{SHOP}/")
    walk.browser.root.wait_until(lambda: walk.browser.tab.url == f"{SHOP}/")
    program.result("Browser.getVersion")
    told = [
        event["params"]["context"] for event in program.events if event["method"] == "Runtime.executionContextCreated"
    ]
    assert told
    assert all(context["name"] != WORLD for context in told)
    walk.browser.settle()
    number = walk.browser.tab.world_number
    assert "was told of" in program.refusal("Runtime.evaluate", session=session, expression="harness", contextId=number)
    assert program.refusal("Page.createIsolatedWorld", session=session, frameId=target, worldName=WORLD)


def test_what_a_program_does_is_told_in_the_tab_that_it_works_in(
    walk: Walk, devtools: SiteDevtools, program: Program
) -> None:
    first = walk.browser.tab.target
    program.result("Target.createTarget", url=f"{SHOP}/new")
    for kind in ("mousePressed", "mouseReleased"):
        program.result(
            "Input.dispatchMouseEvent",
            session=sessions(program)[first],
            type=kind,
            x=5,
            y=5,
            button="left",
            clickCount=1,
        )
    devtools.take_back()
    assert walk.browser.tab.number == 0
    assert "click 0 html > body > button" in walk.told()


def test_a_program_that_leaves_the_page_has_lost_nothing(walk: Walk, devtools: SiteDevtools) -> None:
    client = Program(devtools.page)
    client.result("Emulation.setDeviceMetricsOverride", width=300, height=300, deviceScaleFactor=1, mobile=False)
    client.result("Page.navigate", url=f"{SHOP}/new")
    client.close()
    devtools.take_back()
    assert walk.browser.tab.url == f"{SHOP}/new"
    assert walk.page("[innerWidth, innerHeight]") == list(walk.input.size)
    assert devtools.take_notes() == []


def test_what_a_program_does_to_the_size_of_a_page_is_undone_before_anything_is_read(walk: Walk) -> None:
    for _ in range(6):  # between two frames of the page, where it is told of the second change after the first
        devtools, root = SiteDevtools(walk.browser), walk.browser.root
        session = root.call("Target.attachToTarget", targetId=walk.browser.tab.target, flatten=True)["sessionId"]
        root.beside(session).call(
            "Emulation.setDeviceMetricsOverride", width=300, height=300, deviceScaleFactor=1, mobile=False
        )
        root.call("Target.detachFromTarget", sessionId=session)
        devtools.take_back()
        assert walk.page("[innerWidth, innerHeight]") == list(walk.input.size)


def test_a_browser_whose_tabs_are_all_gone_is_told_in_words(walk: Walk, devtools: SiteDevtools) -> None:
    walk.browser.root.call("Target.closeTarget", targetId=walk.browser.tab.target)
    walk.browser.root.wait_until(lambda: not walk.browser.tabs)
    with pytest.raises(PageLost, match="it closed all tabs"):
        devtools.listen()
