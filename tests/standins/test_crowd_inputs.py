"""AMT's elements that stand for one control: what the harness finds, what a page's scripts see, what is sent."""

from __future__ import annotations

from typing import Any

import pytest

from harness.actions.result import ErrorCode
from tests.site import done, refused
from tests.standins.conftest import ELEMENTS, ShowCrowd

IDS = {"assignmentId": ("assignment",), "hitId": ("hit",), "workerId": ("worker",)}


def test_every_element_is_a_field_of_its_kind_with_its_name_and_options(crowd: ShowCrowd) -> None:
    shown = crowd(file="inputs")
    found = {field.name: field for field in shown.actions.fields() if field.name not in IDS}
    assert {name: (field.kind, field.type, field.visible, field.initial) for name, field in found.items()} == {
        "given": ("text", "text", True, ("Ada",)),
        "age": ("text", "number", True, ("",)),
        "story": ("textarea", "textarea", True, ("",)),
        "mood": ("range", "range", True, ("1",)),
        "weight": ("range", "range", True, ("30",)),
        "odd": ("checkbox", "checkbox", True, ()),
        "seen": ("checkbox", "checkbox", True, ("yes",)),
        "loud": ("checkbox", "checkbox", True, ()),
        "tree": ("radio", "radio", True, ("pine",)),
    }
    options = {name: [(each.value, each.text) for each in field.options] for name, field in found.items()}
    assert options["odd"] == [("on", "This is odd.")]
    assert options["tree"] == [("maple", "Maple"), ("pine", "Pine")]
    assert found["mood"].scale == (1, 5, 2)


def test_what_is_filled_in_is_sent_as_amt_sends_it(crowd: ShowCrowd) -> None:
    actions = (shown := crowd(file="inputs")).actions
    done(actions.modify_text("given", "Grace"))
    done(actions.modify_text("age", "36"))
    done(actions.modify_text("story", "It was"))
    done(actions.modify_range("mood", 3))
    done(actions.modify_range("weight", 71))
    done(actions.modify_checkbox("odd", True))
    done(actions.modify_checkbox("seen", False))
    done(actions.modify_checkbox("loud", True))
    done(actions.modify_radio("tree", "maple"))
    submission = shown.submit()
    assert submission.accepted
    assert submission.values == IDS | {
        "given": ("Grace",),
        "age": ("36",),
        "story": ("It was",),
        "mood": ("3",),
        "weight": ("71",),
        "odd": ("on",),
        "loud": ("on",),
        "tree": ("maple",),
    }


def test_captions_and_words_of_the_page_are_seen_and_label_the_control(crowd: ShowCrowd) -> None:
    shown = crowd(file="inputs")
    controls = "document.querySelectorAll('[data-crowd] :is(input[name], textarea)')"
    assert shown.page(f"Array.from({controls}, (control) => control.labels[0].innerText.trim())") == [
        "Given name", "", "Your story", "1", "From 0 to 100", "This is odd.", "I have seen it", "Loud", "Maple", "Pine",
    ]  # fmt: skip
    assert shown.page("document.querySelector('[name=given] input').placeholder") == "as on your card"


@pytest.mark.parametrize(
    ("element", "script", "sent"),
    [
        ("<crowd-input name=a>", "e.value = 'x'", "x"),
        ("<crowd-input name=a value=y>", "e.setAttribute('value', 'x')", "x"),
        ("<crowd-input name=a value=x>", "e.setAttribute('name', 'b'); e.name = 'a'", "x"),
        ("<crowd-input name=a value=x>", "e.disabled = true", None),
        ("<crowd-input name=a value=x disabled>", "e.removeAttribute('disabled')", "x"),
        ("<crowd-text-area name=a>", "e.value = 'x\\ny'", "x\ny"),
        ("<crowd-slider name=a>", "e.value = 40", "40"),
        ("<crowd-slider name=a value=40>", "e.max = 30", "30"),
        ("<crowd-slider name=a>", "e.setAttribute('min', 7)", "7"),
        ("<crowd-slider name=a>", "e.value = 40; e.setAttribute('min', 7)", "40"),
        ("<crowd-checkbox name=a>", "e.checked = true", "on"),
        ("<crowd-checkbox name=a checked>", "e.checked = false", None),
        ("<crowd-checkbox name=a>", "e.setAttribute('checked', ''); e.setAttribute('value', 'x')", "x"),
        ("<crowd-toggle-button name=a>", "e.click()", "on"),
        ("<crowd-radio-button name=a value=x>", "e.checked = true", "x"),
        ("<crowd-checkbox name=a checked>", "e.textContent = 'new words'", "on"),
        ("<crowd-input name=a>", "const copy = e.cloneNode(true); e.replaceWith(copy); copy.value = 'x'", "x"),
        ("<p name=a>", "e.outerHTML = '<crowd-input name=a value=x></crowd-input>'", "x"),
    ],
)
def test_what_scripts_set_is_sent(crowd: ShowCrowd, element: str, script: str, sent: str | None) -> None:
    shown = crowd(f"{element}</{element[1:].split(maxsplit=1)[0]}>")
    shown.page(f"void ((e) => {{ {script} }})(document.querySelector('crowd-form [name=a]'))")
    assert shown.sent().get("a") == (None if sent is None else (sent,))


def test_scripts_read_what_was_filled_in_from_the_element(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-input name=a></crowd-input><crowd-checkbox name=b>x</crowd-checkbox><crowd-slider"
        " name=c></crowd-slider>"
    )
    shown.page(
        "void (heard = [], document.querySelector('crowd-form').addEventListener('change', (e) =>"
        " heard.push(e.target.name)))"
    )
    done(shown.actions.modify_text("a", "x"))
    done(shown.actions.modify_checkbox("b", True))
    done(shown.actions.modify_range("c", 5))
    read = (
        "['crowd-input', 'crowd-slider', 'crowd-checkbox'].map((n) => document.querySelector(n)).map((e) =>"
        " [e.value, e.checked])"
    )
    assert shown.page(read) == [["x", None], ["5", None], ["on", True]]
    assert set(shown.page("heard")) == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("<crowd-input name=a required></crowd-input>", "a"),
        ("<crowd-text-area name=a required></crowd-text-area>", "a"),
        ("<crowd-checkbox name=a required>x</crowd-checkbox>", "a"),
        ("<crowd-input name=a type=email value=nobody></crowd-input>", "a"),
        ("<crowd-input name=a type=number value=9 max=3></crowd-input>", "a"),
    ],
)
def test_a_value_that_html_refuses_blocks_the_submission(crowd: ShowCrowd, body: str, name: str) -> None:
    submission = crowd(body).submit()
    assert not submission.accepted
    assert submission.blocked == f"HTML validation: {name}"


def test_the_words_of_the_page_say_what_is_wrong_until_it_is_right(crowd: ShowCrowd) -> None:
    shown = crowd('<crowd-input name=a required error-message="A name, please"></crowd-input>')
    assert shown.page("document.querySelector('crowd-input').reportValidity()") is False
    assert "A name, please" in shown.page("document.querySelector('crowd-input').innerText")
    done(shown.actions.modify_text("a", "x"))
    assert "A name" not in shown.page("document.querySelector('crowd-input').innerText")


def test_typing_stops_at_the_greatest_length_and_at_letters_that_are_not_allowed(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-input name=a max-length=3></crowd-input><crowd-input id=b name=b allowed-pattern='[0-9]'></crowd-input>"
    )
    refused(shown.actions.modify_text("a", "abcdef"), ErrorCode.TOO_LONG, "3")
    shown.page("void document.getElementById('b').focus()")
    done(shown.actions.type("1a2"))
    assert shown.sent()["b"] == ("12",)


def test_the_keyboard_reaches_and_works_every_control(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-input name=a></crowd-input><crowd-slider name=b></crowd-slider><crowd-checkbox"
        " name=c>c</crowd-checkbox>"
        "<crowd-radio-group><crowd-radio-button name=d value=1>1</crowd-radio-button>"
        "<crowd-radio-button name=d value=2>2</crowd-radio-button></crowd-radio-group>"
    )
    shown.page("void document.querySelector('crowd-input').focus()")
    done(shown.actions.type("x"))
    for key in ("Tab", "ArrowRight", "ArrowRight", "Tab", "Space", "Tab", "Space", "ArrowDown"):
        done(shown.actions.press(key))
    assert shown.sent() == IDS | {"a": ("x",), "b": ("2",), "c": ("on",), "d": ("2",)}


def test_buttons_of_a_group_are_alternatives_even_if_their_names_differ(crowd: ShowCrowd) -> None:
    shown = crowd(
        "<crowd-radio-group><crowd-radio-button name=a value=1>A</crowd-radio-button>"
        "<crowd-radio-button name=b value=1 checked>B</crowd-radio-button></crowd-radio-group>"
    )
    done(shown.actions.modify_radio("a", "1"))
    assert shown.sent() == IDS | {"a": ("1",)}


def test_a_label_of_the_page_that_names_the_element_works_its_control(crowd: ShowCrowd) -> None:
    shown = crowd("<label for=box id=words>Words</label><crowd-checkbox id=box name=a></crowd-checkbox>")
    shown.page("void document.getElementById('words').click()")
    assert shown.sent()["a"] == ("on",)


def test_a_slider_with_a_box_takes_a_number_typed_there(crowd: ShowCrowd) -> None:
    shown = crowd("<crowd-slider name=a min=0 max=10 editable></crowd-slider>")
    shown.page("void document.querySelector('input[type=number]').select()")
    shown.page("void document.querySelector('input[type=number]').focus()")
    done(shown.actions.type("7"))
    assert shown.sent() == IDS | {"a": ("7",)}


def test_a_reset_brings_back_what_the_page_began_with(crowd: ShowCrowd) -> None:
    shown = crowd(file="inputs")
    before = shown.page("Array.from(new FormData(document.forms[0]).values())")
    done(shown.actions.modify_text("given", "Grace"))
    done(shown.actions.modify_range("mood", 5))
    done(shown.actions.modify_radio("tree", "maple"))
    shown.page("new Promise((resolve) => { document.forms[0].reset(); setTimeout(resolve); })")
    assert shown.page("Array.from(new FormData(document.forms[0]).values())") == before
    assert shown.page("document.querySelector('crowd-slider output').innerText") == "1"


@pytest.mark.parametrize("copy", ["cloneNode(true)", "outerHTML"])
def test_a_copy_of_a_finished_element_has_one_control_and_its_words(crowd: ShowCrowd, copy: str) -> None:
    shown = crowd("<crowd-checkbox name=a>words</crowd-checkbox><div id=there></div>")
    shown.page(f"void document.getElementById('there').append(document.querySelector('crowd-checkbox').{copy})")
    if copy == "outerHTML":
        shown.page("void (document.getElementById('there').innerHTML = document.getElementById('there').textContent)")
    made = shown.page(
        "[document.querySelectorAll('#there input').length, document.getElementById('there').innerText.trim()]"
    )
    assert made == [1, "words"]


PAGE = (
    "<crowd-form><crowd-input name=a value=x></crowd-input><crowd-checkbox name=b"
    " checked>w</crowd-checkbox></crowd-form>"
)


@pytest.mark.parametrize(
    "page", [PAGE + ELEMENTS, ELEMENTS + ELEMENTS + PAGE, f"<html><head>{ELEMENTS}</head><body>{PAGE}</body></html>"]
)
def test_it_does_not_matter_where_and_how_often_the_script_is_loaded(crowd: ShowCrowd, page: str) -> None:
    shown = crowd(whole=page)
    fields: list[Any] = [field.name for field in shown.actions.fields()]
    assert fields.count("a") == 1
    assert shown.page("document.querySelectorAll('crowd-form input:not([type=hidden], [type=submit])').length") == 2
    assert shown.sent() == IDS | {"a": ("x",), "b": ("on",)}


def test_what_a_script_set_before_the_elements_were_there_is_kept(crowd: ShowCrowd) -> None:
    early = "<script>document.querySelector('crowd-input').value = 'early';</script>"
    shown = crowd(whole=f"<crowd-form><crowd-input name=a value=x></crowd-input></crowd-form>{early}{ELEMENTS}")
    assert shown.sent()["a"] == ("early",)
    shown.page("void (document.querySelector('crowd-input').value = 'late')")
    assert shown.page("document.querySelector('crowd-input input').value") == "late"
