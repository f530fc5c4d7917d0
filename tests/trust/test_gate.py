"""Programs from outside reach the episode's page and nothing else: hostile ones against the gate, in real Chromium."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from harness.browser.browser import Browser
from harness.browser.devtools import ANSWER_SECONDS, Devtools
from harness.browser.form.submission import NoForm, submit
from harness.browser.gate import gate
from harness.browser.launch import BrowserSettings
from harness.browser.live_page import WORLD, PageLost
from tests.conftest import Show
from tests.site import Site, whole_page
from tests.trust.program import Program, get, wait_for


@pytest.fixture
def at_browser(devtools: Devtools) -> Iterator[Program]:
    """A program at the browser."""
    client = Program(devtools.browser)
    yield client
    client.close()


def knock(address: str, **how: Any) -> None:
    """Connect, and leave again."""
    with connect(address, proxy=None, **how):
        pass


# ---- the door -----------------------------------------------------------------------------------------------------


@pytest.mark.claim("gate-door")
def test_without_the_token_there_is_nothing(devtools: Devtools) -> None:
    token = devtools.http.rpartition("/")[2]
    port = devtools.http.split(":")[2].partition("/")[0]
    for path in ("", "json/list", "json/version", f"{'0' * len(token)}/json/list", f"{token[:-1]}/json/list"):
        assert get(f"http://127.0.0.1:{port}/{path}") == (404, b"")
    for path in (f"devtools/page/{devtools.target}", "devtools/browser", f"{token[:-1]}/devtools/browser"):
        with pytest.raises(InvalidStatus, match="404"):
            knock(f"ws://127.0.0.1:{port}/{path}")


def test_the_token_may_stand_in_the_name_of_the_host(devtools: Devtools) -> None:
    port = devtools.host.rpartition(":")[2]
    status, body = get(f"http://127.0.0.1:{port}/json/version", host=devtools.host)
    assert (status, json.loads(body)["webSocketDebuggerUrl"]) == (200, devtools.browser)


@pytest.mark.claim("gate-door")
def test_a_name_that_leads_to_this_machine_opens_no_door(devtools: Devtools) -> None:
    assert get(f"{devtools.http}/json/list", host="rebound.example:80")[0] == 404


@pytest.mark.claim("gate-door")
def test_a_page_of_any_browser_is_turned_away(devtools: Devtools) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        knock(devtools.page, origin="http://127.0.0.1:1")


@pytest.mark.claim("gate-one-page")
def test_the_page_alone_is_listed(devtools: Devtools, at_browser: Program) -> None:
    listed = json.loads(get(f"{devtools.http}/json/list")[1])
    assert [each["id"] for each in listed] == [devtools.target]
    assert [each["targetId"] for each in at_browser.result("Target.getTargets")["targetInfos"]] == [devtools.target]
    at_browser.result("Target.setDiscoverTargets", discover=True, filter=[{}])
    kinds = [each["params"]["targetInfo"]["type"] for each in at_browser.events]
    assert sorted(kinds) == ["page", "tab"]


@pytest.mark.claim("gate-settings-end")
def test_nobody_gets_in_any_more_when_the_program_has_ended(devtools: Devtools, program: Program) -> None:
    devtools.take_back()
    with pytest.raises(ConnectionClosed):
        program.ask("Runtime.evaluate", expression="1")
    with pytest.raises(OSError, match="refused"):
        knock(devtools.page)


@pytest.mark.claim("gate-only-way")
def test_no_port_of_the_browser_or_of_a_driver_listens(show: Show) -> None:
    group = show().browser.process_group
    folders = [each for each in Path("/proc").iterdir() if each.name.isdecimal()]
    of_browser = [each for each in folders if _group(each) == group]
    held = {str(link.readlink()) for each in of_browser for link in _links(each)}
    listening = {f"socket:[{line.split()[9]}]" for line in _tcp() if line.split()[3] == "0A"}
    assert of_browser
    assert not held & listening


def _group(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[2])
    except (OSError, ValueError):
        return -1


def _links(process: Path) -> list[Path]:
    try:
        return [each for each in (process / "fd").iterdir() if each.is_symlink()]
    except OSError:
        return []


def _tcp() -> list[str]:
    return [line for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]


# ---- what it does not let through ---------------------------------------------------------------------------------

REFUSED: dict[str, dict[str, Any]] = {
    "DOM.setFileInputFiles": {"files": ["/etc/passwd"], "nodeId": 1},
    "DOM.getFileInfo": {"objectId": "1.1.1"},
    "Input.dispatchDragEvent": {
        "type": "drop",
        "x": 1,
        "y": 1,
        "data": {"items": [], "files": ["/etc/passwd"], "dragOperationsMask": 1},
    },
    "Page.close": {},
    "Page.crash": {},
    "Page.setWebLifecycleState": {"state": "frozen"},
    "Browser.close": {},
    "Browser.crash": {},
    "Browser.crashGpuProcess": {},
    "Browser.executeBrowserCommand": {"commandId": "openTabSearch"},
    "Browser.grantPermissions": {"permissions": ["localFonts"]},
    "Browser.setPermission": {"permission": {"name": "clipboard-read"}, "setting": "granted"},
    "Target.createTarget": {"url": "about:blank"},
    "Target.closeTarget": {"targetId": "x"},
    "Target.createBrowserContext": {"proxyServer": "direct://"},
    "Target.exposeDevToolsProtocol": {"targetId": "x"},
    "Target.attachToBrowserTarget": {},
    "Target.getTargets": {},
    "Target.sendMessageToTarget": {"message": "{}"},
    "Debugger.enable": {},
    "HeapProfiler.takeHeapSnapshot": {},
    "Runtime.queryObjects": {"prototypeObjectId": "1.1.1"},
    "Network.loadNetworkResource": {"url": "file:///etc/passwd", "options": {}},
    "Storage.getStorageKey": {},
    "IndexedDB.requestDatabaseNames": {},
    "Tracing.start": {},
    "SystemInfo.getInfo": {},
    "Memory.forciblyPurgeJavaScriptMemory": {},
    "Extensions.loadUnpacked": {"path": "extension"},
    "Page.createIsolatedWorld": {"worldName": WORLD},
    "Page.addScriptToEvaluateOnNewDocument": {"source": "0", "worldName": WORLD},
    "Runtime.addBinding": {"name": "FormData"},
    "No.such": {},
}


@pytest.mark.claim("gate-refusals")
@pytest.mark.parametrize("method", REFUSED)
def test_it_is_refused_with_a_reason_and_taken_down(devtools: Devtools, program: Program, method: str) -> None:
    assert program.refusal(method, **REFUSED[method]).startswith(f"{method} is refused: ")
    assert [each.method for each in devtools.refusals] == [method]
    assert program.value("1 + 1") == 2


@pytest.mark.claim("gate-refusals")
@pytest.mark.parametrize(
    "method", ["Target.createTarget", "Target.createBrowserContext", "Target.closeTarget", "No.such"]
)
def test_the_browser_refuses_what_the_page_does(devtools: Devtools, at_browser: Program, method: str) -> None:
    assert "is refused" in at_browser.refusal(method, targetId=devtools.target)


@pytest.mark.claim("gate-one-page")
def test_another_target_cannot_be_attached_to(devtools: Devtools, at_browser: Program) -> None:
    targets = show_all(devtools)
    others = [each["targetId"] for each in targets if each["targetId"] != devtools.target]
    assert others
    for other in others:
        assert "no such target" in at_browser.refusal("Target.attachToTarget", targetId=other, flatten=True)
        assert "no such target" in at_browser.refusal("Target.getTargetInfo", targetId=other)


def show_all(devtools: Devtools) -> list[dict[str, Any]]:
    """What the browser itself lists."""
    targets: list[dict[str, Any]] = devtools._browser.root.call("Target.getTargets", filter=[{}])["targetInfos"]
    return targets


@pytest.mark.claim("gate-one-page")
def test_another_connections_session_cannot_be_spoken_in(
    at_browser: Program, browser: Browser, devtools: Devtools
) -> None:
    session = at_browser.result("Target.attachToTarget", targetId=devtools.target, flatten=True)["sessionId"]
    other = Program(devtools.browser)
    assert "not found" in other.refusal("Runtime.evaluate", session=session, expression="1")
    assert "not found" in other.refusal("Runtime.evaluate", session=browser.channel._session, expression="1")
    other.close()


@pytest.mark.claim("gate-refusals")
def test_a_farewell_to_the_browser_ends_the_connection_and_not_the_browser(
    devtools: Devtools, at_browser: Program, program: Program
) -> None:
    assert at_browser.result("Browser.close") == {}
    with pytest.raises(ConnectionClosed):
        at_browser.ask("Target.getTargets")
    assert program.value("1 + 1") == 2
    assert [each.method for each in devtools.refusals] == ["Browser.close"]


@pytest.mark.claim("gate-refusals")
def test_where_downloads_go_is_answered_and_not_done(devtools: Devtools, program: Program, tmp_path: Path) -> None:
    where = {"behavior": "allow", "downloadPath": str(tmp_path)}
    assert program.result("Page.setDownloadBehavior", **where) == {}
    assert program.result("Browser.setDownloadBehavior", **where) == {}
    program.value(
        "Object.assign(document.createElement('a'), {download: 'x.txt', href: 'data:text/plain,stolen'}).click()"
    )
    devtools.take_back()
    assert not list(tmp_path.iterdir())


# ---- the world in which the form is read --------------------------------------------------------------------------


@pytest.mark.claim("gate-world")
def test_the_harnesss_world_is_not_shown(program: Program) -> None:
    program.result("Runtime.enable")
    program.result("Page.reload")
    deadline = time.monotonic() + 20
    while not any(each["method"] == "Runtime.executionContextsCleared" for each in program.events):
        assert time.monotonic() < deadline
        program.value("1")
    told = [each["params"]["context"] for each in program.events if "Created" in each["method"]]
    assert told
    assert WORLD not in {context["name"] for context in told}


@pytest.mark.claim("gate-world")
def test_no_context_can_be_guessed(program: Program) -> None:
    program.result("Runtime.enable")
    told = {each["params"]["context"]["id"] for each in program.events if "Created" in each["method"]}
    assert told
    node = program.result("DOM.getDocument")["root"]["backendNodeId"]
    for number in set(range(1, 40)) - told:
        assert "no context" in program.refusal("Runtime.evaluate", expression="harness", contextId=number)
        assert "no context" in program.refusal("DOM.resolveNode", backendNodeId=node, executionContextId=number)
        assert "no context" in program.refusal(
            "Runtime.callFunctionOn", functionDeclaration="() => harness", executionContextId=number
        )
    for number in told:
        assert program.result("Runtime.evaluate", expression="typeof harness", contextId=number)["result"]["value"] == (
            "undefined"
        )


@pytest.mark.claim("gate-read-back")
@pytest.mark.parametrize(
    "attack",
    [
        "for (const key of ['FormData', 'JSON', 'Array', 'Promise']) { try { window[key] = null } catch {} }",
        "FormData.prototype.entries = () => [['a', 'forged']]; HTMLFormElement.prototype.submit = () => {}",
        "Object.defineProperty(HTMLInputElement.prototype, 'value', { get: () => 'forged' }); 0",
        "document.addEventListener('submit', event => event.stopImmediatePropagation(), true)",
        "globalThis.harness = { form: { submit: () => ({ entries: [{ name: 'a', value: 'forged' }] }) } }",
    ],
)
def test_what_is_read_back_is_what_the_form_holds_whatever_the_program_did_to_the_page(
    browser: Browser, devtools: Devtools, program: Program, attack: str
) -> None:
    program.value("document.querySelector('[name=a]').value = 'typed'")
    program.value(attack)
    devtools.take_back()
    assert submit(browser).values["a"] == ("typed",)


@pytest.mark.claim("gate-read-back")
def test_the_harnesss_scripts_cannot_be_removed_and_a_page_that_was_loaded_again_is_noted(
    browser: Browser, devtools: Devtools, program: Program
) -> None:
    program.result("Page.enable")
    for number in range(10):
        program.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=str(number))
    program.result("Page.reload")
    wait_for(program, "document.readyState === 'complete' && performance.navigation.type === 1")
    program.value("document.querySelector('[name=a]').value = 'again'")
    devtools.take_back()
    assert devtools.take_notes() == ["the program has had the page loaded again; its last state counts"]
    assert submit(browser).values["a"] == ("again",)


# ---- addresses that are blocked -----------------------------------------------------------------------------------

ELSEWHERE = [
    "https://example.org/somewhere",
    "{origin}/task/labels/",
    "http://localhost:{port}/page/1/0/",
    "file:///etc/passwd",
    "view-source:{origin}/page/1/0/",
    "data:text/html,x",
    "chrome://version/",
]
FILL = "window.mark = 1; document.querySelector('[name=a]').value = 'typed'"


@pytest.mark.claim("gate-blocked-address")
@pytest.mark.parametrize("address", ELSEWHERE)
def test_a_program_that_asks_for_a_blocked_address_stays_on_the_page_once(
    devtools: Devtools, program: Program, site: Site, address: str
) -> None:
    url = address.format(origin=site.origin, port=site.origin.rpartition(":")[2])
    program.value(FILL)
    told = program.result("Page.navigate", url=url)
    devtools.listen()
    back = "the episode's page was brought back with its form as it was"
    assert devtools.take_notes() == [f"the program asked for {url}, which is blocked; {back}"]
    assert program.value("[window.mark, document.querySelector('[name=a]').value]") == [1, "typed"]
    assert program.result("Page.navigate", url=url) | {"loaderId": told["loaderId"]} == told
    with pytest.raises(PageLost, match="though it had been brought back once"):
        devtools.take_back()


def test_a_page_that_an_address_led_away_is_loaded_again_where_only_the_browser_sees_that_it_is_blocked(
    devtools: Devtools, program: Program, site: Site
) -> None:
    program.value(FILL)
    program.result("Page.navigate", url=f"{site.origin}/page/../task/labels/")
    devtools.listen(ANSWER_SECONDS)
    (note,) = devtools.take_notes()
    assert note.endswith("was brought back loaded again, with what the browser had kept of its form")
    assert program.value("[typeof window.mark, document.querySelector('[name=a]').value]") == ["undefined", "typed"]


def test_a_program_that_asks_for_pages_faster_than_they_come_is_answered(
    devtools: Devtools, program: Program, site: Site
) -> None:
    address = site.put(whole_page("<input name=a>"))
    for number in range(6):
        assert "errorText" not in program.result("Page.navigate", url=f"{address}?{number}")
    devtools.listen(ANSWER_SECONDS)


def test_a_blocked_address_of_a_frame_costs_the_page_nothing(devtools: Devtools, program: Program) -> None:
    (frame,) = program.result("Page.getFrameTree")["frameTree"]["childFrames"]
    program.value(FILL)
    program.result("Page.navigate", url=ELSEWHERE[0], frameId=frame["frame"]["id"])
    devtools.listen()
    assert program.value("window.mark") == 1
    assert devtools.take_notes() == []


@pytest.mark.claim("gate-blocked-address")
@pytest.mark.parametrize(
    "way",
    [
        "location.href = 'https://example.org/'",
        "location.replace('file:///etc/passwd')",
        "window.open('https://example.org/', '_self')",
        "history.back()",
        "Object.assign(document.createElement('a'), { href: 'https://example.org/' }).click()",
        "document.body.innerHTML += '<a id=away href=\"https://example.org/\">x</a>';"
        " document.querySelector('[name=a]').value = 'typed'; document.getElementById('away').click()",
        "document.forms[0].action = 'https://example.org/'; document.forms[0].submit()",
        "document.forms[0].action = 'https://example.org/'; document.forms[0].method = 'get';"
        " document.forms[0].requestSubmit()",
        "document.head.innerHTML += '<meta http-equiv=refresh content=\"0; url=https://example.org/\">'",
    ],
)
def test_no_script_of_a_program_leads_the_page_away(devtools: Devtools, program: Program, way: str) -> None:
    program.value(FILL)
    program.ask("Runtime.evaluate", expression=way)
    wait = "new Promise((resume) => requestAnimationFrame(() => setTimeout(resume, 20)))"
    program.result("Runtime.evaluate", expression=wait, awaitPromise=True)
    assert program.value("[window.mark, document.querySelector('[name=a]').value]") == [1, "typed"]
    devtools.take_back()
    assert devtools.take_notes() == []


@pytest.mark.claim("gate-reply-shape")
@pytest.mark.parametrize(
    "reply",
    [
        None,
        [],
        {"entries": []},
        {"entries": {"a": "1"}, "accepted": True, "via": "press", "blocked": "", "dialogs": [], "refused": []},
        {"entries": [["a", "1"]], "accepted": True, "via": "press", "blocked": "", "dialogs": [], "refused": []},
        {"entries": [{"name": "a"}], "accepted": True, "via": "press", "blocked": "", "dialogs": [], "refused": []},
        {"entries": [], "accepted": 1, "via": "press", "blocked": "", "dialogs": [], "refused": []},
    ],
)
def test_a_reply_that_is_no_record_of_a_form_is_refused(reply: object) -> None:
    class Page:
        def run(self, *_: object) -> object:
            return reply

    with pytest.raises(NoForm, match="is no record of one"):
        submit(Page())


# ---- noise --------------------------------------------------------------------------------------------------------


@pytest.mark.claim("gate-noise")
@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"id": "1", "method": "A.a"}', '{"id": 1}', '{"id": 1, "method": 2}', "[" * 100_000],
)
def test_what_is_no_command_is_answered_with_an_error(program: Program, text: str) -> None:
    program.socket.send(text)
    assert json.loads(program.socket.recv(20))["error"]["code"] == -32600
    assert program.value("1 + 1") == 2


@pytest.mark.claim("gate-noise")
def test_many_refusals_are_counted_and_do_not_fill_the_record(devtools: Devtools, program: Program) -> None:
    for number in range(300):
        program.refusal(f"No.such{number % 150}")
    assert len(devtools.refusals) == 100
    assert sum(each.times for each in devtools.refusals) == 300


@pytest.mark.claim("gate-noise")
def test_a_program_that_asks_for_much_and_reads_nothing_loses_its_connection(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "MOST_WAITING_CHARACTERS", 4_000_000)
    asked = {"method": "Runtime.evaluate", "params": {"expression": "'x'.repeat(1e6)"}}
    for number in range(60):
        program.socket.send(json.dumps({"id": number, **asked}))

    def go_on() -> None:
        while True:  # until the answers have come that nobody reads: a machine may take its time with them
            program.socket.send(" " * 100_000)

    with pytest.raises(ConnectionClosed):
        go_on()


@pytest.mark.claim("gate-noise")
def test_connections_have_an_end_and_those_that_are_there_go_on(devtools: Devtools, program: Program) -> None:
    with ExitStack() as held:

        def come_in() -> None:
            for _ in range(1_000):
                held.enter_context(connect(devtools.page, proxy=None))

        with pytest.raises(InvalidStatus, match="503"):
            come_in()
    assert program.value("1 + 1") == 2
    assert [each.method for each in devtools.refusals] == ["connection"]


@pytest.mark.claim("gate-settings-end")
def test_what_a_program_has_set_ends_with_it(browser: Browser, devtools: Devtools, program: Program) -> None:
    program.result("Emulation.setScriptExecutionDisabled", value=True)
    program.result("Network.enable")
    program.result("Network.setBlockedURLs", urls=["*"])
    devtools.take_back()
    url = browser.channel.call("Page.getFrameTree")["frameTree"]["frame"]["url"]
    browser.open(url)
    assert browser.run("fields.list")[0]["name"] == "a"


@pytest.mark.slow
def test_two_browsers_have_two_tokens(site: Site, devtools: Devtools) -> None:
    with Browser(BrowserSettings(site.origin)) as other:
        other.open(site.put(whole_page("<input name=a>")))
        with Devtools(other) as second:
            assert second.http.rpartition("/")[2] != devtools.http.rpartition("/")[2]
