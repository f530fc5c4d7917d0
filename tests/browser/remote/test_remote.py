"""A browser that the harness has not started: what its pages reach, and what is left of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.browser.browser_choice import RemoteBrowser
from harness.browser.channel import Channel
from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.remote.attached import attached
from harness.run.server import own_server
from tests.browser.remote.far_browsers import SomebodysBrowser, grid, somebodys_browser
from tests.needs import CHROMEDRIVER, needs
from tests.run.processes import until
from tests.task_folders import make_task

THEIRS = "data:,theirs"
REMEMBERS = """<p>${text}</p><input name=a><script>
document.querySelector("input").value = `${localStorage.was || "nothing"}, ${document.cookie || "nothing"}`;
localStorage.was = document.cookie = "was=here";
</script>"""
needs_driver = needs(CHROMEDRIVER)


@pytest.fixture(scope="module")
def theirs() -> Iterator[SomebodysBrowser]:
    with somebodys_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tasks = tmp_path_factory.mktemp("tasks")
    make_task(tasks, "T", template=REMEMBERS, table="text,Answer.a\r\none,yes\r\ntwo,no\r\n")
    with own_server(tasks, None) as served:
        yield served


def attach(origin: str, there: SomebodysBrowser, **how: bool) -> Browser:
    return Browser(BrowserSettings(origin, remote=RemoteBrowser("attached", there.url), **how))


def value(browser: Browser) -> str:
    return str(evaluated(browser.channel, "document.querySelector('input').value"))


@contextmanager
def owner(there: SomebodysBrowser) -> Iterator[Channel]:
    """The page of the browser's owner, for its owner."""
    browser = attached(there.url)
    try:
        root = Channel(browser.wire)
        targets = root.call("Target.getTargets")["targetInfos"]
        yield root.page(next(target["targetId"] for target in targets if target["url"] == THEIRS))
    finally:
        browser.end()


def evaluated(channel: Channel, expression: str) -> object:
    answer = channel.call(
        "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
    )
    return answer["result"].get("value")


@pytest.mark.slow
@pytest.mark.claim("attached-left")
def test_what_we_have_in_somebodys_browser_is_gone_when_we_leave_and_all_else_stays(origin, theirs) -> None:
    with attach(origin, theirs) as browser:
        assert (browser.sandbox, browser.account) == ("unknown", "")
        browser.open(f"{origin}/page/T/0/")
        assert sorted(theirs.pages()) == [THEIRS, f"{origin}/page/T/0/"]
        with owner(theirs) as page:
            evaluated(page, "void (window.opened = window.open())")
            browser.catch_up()
            browser.open(f"{origin}/page/T/1/")
            assert sorted(theirs.pages())[1:] == [THEIRS, f"{origin}/page/T/1/"]
            evaluated(page, "window.opened.close()")
    until(lambda: theirs.pages() == [THEIRS])


@pytest.mark.slow
@pytest.mark.claim("attached-left")
def test_when_we_are_killed_nothing_is_left_there(origin, theirs) -> None:
    browser = attach(origin, theirs)
    browser.open(f"{origin}/page/T/0/")
    os.killpg(browser.process_group, signal.SIGKILL)
    until(lambda: theirs.pages() == [THEIRS])
    browser.close()


@pytest.mark.slow
@pytest.mark.claim("attached-network")
@pytest.mark.parametrize("fresh_context", [False, True])
def test_a_page_there_finds_nothing_of_the_one_before(origin, theirs, fresh_context) -> None:
    with attach(origin, theirs, fresh_context=fresh_context) as browser:
        for index in (0, 1, 0):
            browser.open(f"{origin}/page/T/{index}/")
            assert value(browser) == "nothing, nothing"


@pytest.mark.slow
@pytest.mark.claim("attached-network")
def test_pages_there_reach_the_task_server_alone(origin, theirs) -> None:
    with attach(origin, theirs) as browser:
        browser.open(f"{origin}/page/T/0/")
        for address, reached in ((theirs.url, False), (origin, True)):
            asked = f"fetch('{address}/json/version', {{ mode: 'no-cors' }}).then(() => true, () => false)"
            assert evaluated(browser.channel, asked) is reached
        assert evaluated(browser.channel, "Intl.DateTimeFormat().resolvedOptions().timeZone") == "UTC"
        for address in (theirs.url, "file:///etc/passwd", "chrome://version"):
            with pytest.raises(PageFailed, match="none of the task server's pages"):
                browser.open(address)


def test_where_no_browser_is_one_line_says_so(origin) -> None:
    with pytest.raises(NoBrowser, match=r"no browser tells of itself at .*--remote-debugging-port"):
        attached(origin)
    socket = origin.replace("http", "ws")
    with pytest.raises(NoBrowser, match=f"no browser answers at {socket}: .*404"):
        attached(socket)


@pytest.mark.slow
@pytest.mark.claim("attached-grid")
@needs_driver
def test_a_browser_of_a_grid_is_shut_in_as_ours_and_given_back(origin) -> None:
    with grid() as lending:
        settings = BrowserSettings(origin, remote=RemoteBrowser("grid", lending.url))
        with Browser(settings) as browser:
            browser.open(f"{origin}/page/T/0/")
            assert value(browser) == "nothing, nothing"
            for address in ("file:///etc/passwd", "http://example.org/", f"{origin}/agent-mode/"):
                with pytest.raises(PageFailed, match="ERR_BLOCKED_BY_ADMINISTRATOR"):
                    browser.open(address)
        until(lambda: "DELETE " in [command + " " for command in lending.commands()])


@pytest.mark.slow
@needs_driver
def test_a_grid_without_devtools_lends_nothing_and_keeps_nothing(origin) -> None:
    with grid("127.0.0.1", "--bare") as lending:
        settings = BrowserSettings(origin, remote=RemoteBrowser("grid", lending.url))
        with pytest.raises(NoBrowser, match="se:cdp"):
            Browser(settings)
        assert lending.commands() == ["POST", "DELETE"]
    with pytest.raises(NoBrowser, match="no Grid answers at"):
        Browser(settings)
