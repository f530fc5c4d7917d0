"""One notion of what can be pressed: what an observation numbers, what ``buttons`` names and what the oracle tries."""

from __future__ import annotations

from oracle.page_input import PageInput
from tests.conftest import Show
from tests.site import Shown, done

BODY = """<input name="answer"><button type="button" id="one" onclick="this.textContent += '!'">One</button>
<a href="#more" id="two" onclick="this.textContent += '!'">Two</a><p id="card" style="cursor: pointer">Three</p>"""


def shown_refs(shown: Shown) -> dict[str, int]:
    """The numbers of the last observation, by the elements' ids; of the field by its name."""
    nodes = shown.actions.observation.snapshot().nodes
    return {node.get("id") or node.get("name") or "": node.ref for node in nodes if node.ref}


def buttons(shown: Shown) -> dict[str, int]:
    return {each["text"]: each["number"] for each in shown.browser.run("pressables.buttons")}


def pressables(shown: Shown) -> dict[str, int]:
    return {thing.id: thing.number for thing in PageInput(shown.actions, shown.probe).pressables()}


def texts(shown: Shown) -> list[str]:
    return shown.page("[one, two].map((each) => each.textContent)")


def test_what_an_observation_numbers_has_that_number_for_all_who_look(show: Show) -> None:
    shown = show(BODY)
    refs = shown_refs(shown)
    assert refs == {"answer": 1, "one": 2, "two": 3, "card": 4, "submitButton": 5}
    assert buttons(shown) == {"One": refs["one"], "Two": refs["two"]}
    assert pressables(shown) == {id_: refs[id_] for id_ in ("one", "two", "card")}


def test_a_button_by_its_text_and_by_its_number_is_the_same(show: Show) -> None:
    shown = show(BODY)
    number = shown_refs(shown)["two"]
    place = shown.actions.locate_button("Two")
    assert place is not None
    done(shown.actions.click(*place))
    assert texts(shown) == ["One", "Two!"]
    done(shown.actions.click_element(number))
    assert texts(shown) == ["One", "Two!!"]
    assert PageInput(shown.actions, shown.probe).press(number)
    assert texts(shown) == ["One", "Two!!!"]


def test_looks_between_observations_do_not_change_what_observations_count(show: Show) -> None:
    """Recorded actions name these numbers, and a replay takes the observations alone."""
    shown = show(BODY)
    before = {**buttons(shown), **pressables(shown)}
    assert all(number < 0 for number in before.values())
    assert shown_refs(shown) == {"answer": 1, "one": 2, "two": 3, "card": 4, "submitButton": 5}


def test_a_number_that_was_told_before_an_observation_stays_good(show: Show) -> None:
    shown = show(BODY)
    early = pressables(shown)
    assert pressables(shown) == early
    shown_refs(shown)
    assert pressables(shown) != early
    assert PageInput(shown.actions, shown.probe).press(early["one"])
    assert texts(shown) == ["One!", "Two"]


def test_who_asks_for_what_can_be_pressed_is_told_what_they_need(show: Show) -> None:
    shown = show(
        '<input name="answer"><button id="send">Send</button><button id="next">Next</button>'
        '<div id="tab" role="tab">Tab</div><div id="edit" contenteditable>Text</div><a id="bare">Bare</a>'
        '<button type="button" id="off" disabled>Off</button><a id="away" href="http://example.org/">Away</a>'
    )
    assert set(shown_refs(shown)) == {"answer", "send", "next", "tab", "edit", "submitButton"}
    assert set(buttons(shown)) == set()
    assert set(pressables(shown)) == {"next", "tab", "bare"}
