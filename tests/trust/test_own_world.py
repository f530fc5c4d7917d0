"""No program gets into the world in which the harness reads the form and hears of input; in real Chromium."""

from __future__ import annotations

import json

import pytest

from harness.browser.browser import Browser
from harness.browser.devtools import Devtools
from harness.browser.form.submission import submit
from harness.browser.site_devtools import SiteDevtools
from tests.trust.program import Program, wait_for
from tests.walks import walking

FORGE = """function () {
    return this.constructor(`
        const entries = [{ name: "a", value: "forged" }];
        harness.form.submit = () =>
            ({ entries, accepted: true, via: "press", blocked: "", dialogs: [], refused: [] });`)();
}"""
TELL = """function () {
    const button = { place: [], tag: "button", css: "#buy", text: "Buy", value: null };
    const told = { event: "click", moment: 1, same: false, ...button };
    return this.constructor("told", "harness.tell(told)")(JSON.stringify(told));
}"""


def handlers(program: Program) -> list[str]:
    """The functions that listen in a page, as far as a program is told of them, however it asks."""
    found = []
    for thing in ("document", "window", "navigation"):
        seen = program.result("Runtime.evaluate", expression=thing, objectGroup="g")["result"]["objectId"]
        asked = {"objectId": seen, "pierce": True, "depth": -1, "objectGroup": "g"}
        told = program.result("DOMDebugger.getEventListeners", **asked)["listeners"]
        found += [each[key]["objectId"] for each in told for key in ("handler", "originalHandler") if key in each]
    return found


@pytest.mark.claim("gate-world")
def test_no_listener_of_a_page_leads_to_what_reads_its_form(
    browser: Browser, devtools: Devtools, program: Program
) -> None:
    program.value("document.querySelector('[name=a]').value = 'typed'")
    for handler in handlers(program):
        program.ask("Runtime.callFunctionOn", objectId=handler, functionDeclaration=FORGE)
    devtools.take_back()
    assert submit(browser).values["a"] == ("typed",)


@pytest.mark.slow
@pytest.mark.claim("gate-world")
def test_no_listener_of_a_site_leads_to_what_tells_of_input() -> None:
    with walking() as walk:
        walk.open("<button id=buy>Buy</button>")
        with SiteDevtools(walk.browser) as devtools:
            program = Program(devtools.page)
            for handler in handlers(program):
                program.ask("Runtime.callFunctionOn", objectId=handler, functionDeclaration=TELL)
            program.close()
            devtools.take_back()
        assert not [each for each in walk.told() if each.startswith("click")]


@pytest.mark.claim("gate-ids")
def test_no_other_spelling_of_an_id_is_known(devtools: Devtools, program: Program) -> None:
    seen = program.result("Runtime.evaluate", expression="window")["result"]["objectId"]
    process, world, number = seen.split(".")
    others = [
        f"{process}.+{world}.{number}",
        f" {seen}",
        f"{seen} ",
        f"{process}.{world}.+{number}",
        f"+{seen}",
        f"{process}.{world}.0{number}",
        f"{process}.0{world}.{number}",
        f"{seen}.",
        seen.replace(".", " ."),
    ]
    for other in others:
        assert "that it was told of" in program.refusal("Runtime.getProperties", objectId=other)
        argument = {"objectId": other}
        asked = {"functionDeclaration": "x => x", "objectId": seen, "arguments": [argument]}
        assert "that it was told of" in program.refusal("Runtime.callFunctionOn", **asked)
    assert len(devtools.refusals) == 2 * len(others)


@pytest.mark.claim("gate-ids")
@pytest.mark.parametrize("number", [True, 1.0, "1", [1], None, -1, 2**40])
def test_a_number_of_a_world_is_a_number_that_was_told(program: Program, number: object) -> None:
    program.result("Runtime.enable")
    assert "error" in program.ask("Runtime.evaluate", expression="1", contextId=number)


@pytest.mark.claim("gate-world")
def test_a_binding_is_in_the_program_s_own_worlds_alone(browser: Browser, devtools: Devtools, program: Program) -> None:
    program.result("Runtime.enable")
    program.result("Runtime.addBinding", name="mine")
    program.result("Page.enable")
    program.result("Page.reload")
    wait_for(program, "document.readyState === 'complete' && performance.navigation.type === 1")
    assert program.value("typeof mine") == "function"
    devtools.take_back()
    assert browser.page.remote("typeof mine")["value"] == "undefined"


@pytest.mark.parametrize("name", ["addEventListener", "FormData", "Object", "navigation", "toString"])
def test_no_binding_takes_the_place_of_what_scripts_use(program: Program, name: str) -> None:
    assert f"the name '{name}' is taken" in program.refusal("Runtime.addBinding", name=name)


def test_bindings_are_in_the_worlds_that_a_program_names_and_call_it(devtools: Devtools, program: Program) -> None:
    program.result("Runtime.addBinding", name="early")
    frame = {"frameId": devtools.target}
    first = program.result("Page.createIsolatedWorld", **frame, worldName="mine")["executionContextId"]
    program.result("Runtime.addBinding", name="late")
    program.result("Runtime.addBinding", name="named", executionContextName="mine")
    program.result("Runtime.addBinding", name="numbered", executionContextId=first)
    call = "for (const name of ['early', 'late', 'named', 'numbered']) globalThis[name]?.(name)"
    program.result("Runtime.evaluate", expression=call, contextId=first)
    program.value(call)
    calls = [each["params"] for each in program.events if each["method"] == "Runtime.bindingCalled"]
    assert [call["name"] for call in calls if call["executionContextId"] == first] == [
        "early",
        "late",
        "named",
        "numbered",
    ]
    assert [call["name"] for call in calls if call["executionContextId"] != first] == ["early", "late"]


def test_a_world_of_the_program_s_own_can_be_used_without_a_word_about_worlds(
    devtools: Devtools, program: Program
) -> None:
    world = program.result("Page.createIsolatedWorld", frameId=devtools.target)["executionContextId"]
    asked = {"expression": "document.forms.length", "contextId": world, "returnByValue": True}
    assert program.result("Runtime.evaluate", **asked)["result"]["value"] == 1
    root = program.result("DOM.getDocument")["root"]
    found = program.result("DOM.resolveNode", nodeId=root["nodeId"], executionContextId=world)["object"]["objectId"]
    asked = {"functionDeclaration": "function (other) { return this === other }", "arguments": [{"objectId": found}]}
    assert program.result("Runtime.callFunctionOn", objectId=found, **asked)["result"]["value"] is True


@pytest.mark.claim("gate-ids")
def test_what_an_answer_holds_that_the_protocol_has_not_is_left_out(program: Program) -> None:
    program.result("Runtime.enable")
    told = [each["params"] for each in program.events if each["method"] == "Runtime.executionContextCreated"]
    assert all(set(each["context"]) <= {"id", "origin", "name", "uniqueId", "auxData"} for each in told)
    listeners = program.result(
        "DOMDebugger.getEventListeners",
        objectId=program.result("Runtime.evaluate", expression="document", objectGroup="g")["result"]["objectId"],
    )["listeners"]
    assert not any({"handler", "originalHandler"} & set(each) for each in listeners), json.dumps(listeners)
