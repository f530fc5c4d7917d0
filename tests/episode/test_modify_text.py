"""modify_text on real pages: what it writes, what the page notices, what it says when it cannot."""

from __future__ import annotations

import unicodedata

import pytest

from harness.actions.result import ErrorCode
from tests.conftest import Show
from tests.site import done, refused

TEXTS = {
    "plain": "A dog waits for its owner.",
    "quotes of both kinds": "\"double\", 'single', `back` and “curly”",
    "emoji and other planes": "🦊 👩‍👩‍👧‍👦 🏳️‍🌈 𝕳𝖊𝖑𝖑𝖔 𠜎",
    "right to left": "שלום עולם, مرحبا بالعالم",
    "combining characters": "q\u0307\u0323 nin\u0303o \u0915\u094d\u0937\u093f",
    "looks like HTML": "<b>bold</b> &amp; </textarea><script>alert(1)</script>",
    "looks like script": "${value} {{value}} \\n \\u0041 %s \\",
    "10,000 characters": "0123456789" * 1000,
}


@pytest.mark.devtools("textarea-looks like script", "text-emoji and other planes", "10,000 characters")
@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("page", ["text", "textarea"])
def test_any_text_is_written_as_it_is(show: Show, page: str, text: str) -> None:
    shown = show(file=page)
    name = {"text": "person", "textarea": "story"}[page]
    done(shown.actions.modify_text(name, text))
    assert shown.page(f"document.forms[0].elements['{name}'].value.normalize()") == unicodedata.normalize("NFC", text)


def test_line_breaks_and_tabs_go_into_a_text_area(show: Show) -> None:
    shown = show(file="textarea")
    done(shown.actions.modify_text("story", "one\ntwo\r\n\n\tfour\n"))
    assert shown.sent()["story"] == ("one\ntwo\n\n\tfour\n",)


def test_line_breaks_in_a_one_line_field_are_refused_with_what_it_holds(show: Show) -> None:
    shown = show(file="text")
    refused(shown.actions.modify_text("person", "one\ntwo"), ErrorCode.NOT_TAKEN, "'person'", "holds 'one two'")


def test_text_replaces_what_the_field_holds(show: Show) -> None:
    shown = show(file="text")
    done(shown.actions.modify_text("filled", "new"))
    assert shown.sent()["filled"] == ("new",)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name"), [("text", "filled"), ("textarea", "filled")])
def test_the_empty_text_clears_the_field(show: Show, page: str, name: str) -> None:
    shown = show(file=page)
    done(shown.actions.modify_text(name, ""))
    assert shown.sent()[name] == ("",)


@pytest.mark.slow
def test_the_page_gets_trusted_key_input_change_and_blur_events(show: Show) -> None:
    shown = show(file="text")
    done(shown.actions.modify_text("person", "Ada"))
    seen = shown.page("seen")
    assert all(event["trusted"] for event in seen)
    order = [event["type"] for event in seen if event["name"] == "person"]
    assert set(order) >= {"mousedown", "focus", "click", "keydown", "input", "keyup", "change", "blur"}
    assert (
        order.index("focus")
        < order.index("keydown")
        < order.index("input")
        < order.index("change")
        < order.index("blur")
    )


def test_a_page_that_listens_to_keys_only_sees_the_new_text(show: Show) -> None:
    shown = show(
        "<input name=a value=old><output id=copy></output><script>"
        "const a = document.querySelector('[name=a]');"
        "a.addEventListener('keyup', () => { document.getElementById('copy').textContent = a.value; });</script>"
    )
    done(shown.actions.modify_text("a", "new text"))
    assert shown.page("document.getElementById('copy').textContent") == "new text"
    done(shown.actions.modify_text("a", ""))
    assert shown.page("document.getElementById('copy').textContent") == ""


@pytest.mark.slow
def test_a_page_gets_a_key_event_at_the_end_of_a_long_text_but_not_one_for_each_character(show: Show) -> None:
    shown = show(file="text")
    done(shown.actions.modify_text("person", "0123456789" * 100))
    kinds = [event["type"] for event in shown.page("seen") if event["name"] == "person"]
    assert 0 < kinds.count("keydown") < 500
    assert "keyup" in kinds[kinds.index("input") :]
    assert all(event["trusted"] for event in shown.page("seen"))


def test_a_text_that_the_field_already_holds_fires_no_event(show: Show) -> None:
    shown = show(file="text")
    shown.page("seen.splice(0)")
    result = shown.actions.modify_text("filled", "as it was")
    done(result)
    assert "already" in result.message
    assert shown.page("seen") == []


@pytest.mark.slow
def test_a_longer_text_than_maxlength_is_refused_with_the_limit(show: Show) -> None:
    shown = show(file="text")
    refused(shown.actions.modify_text("short", "too long"), ErrorCode.TOO_LONG, "'short'", "'too l'", "5 characters")


@pytest.mark.devtools("read-only")
@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("fixed", ErrorCode.READ_ONLY, "read-only"),
        ("off", ErrorCode.DISABLED, "disabled"),
        ("unseen", ErrorCode.NOT_VISIBLE, "not visible"),
    ],
)
def test_a_field_that_takes_no_input_is_refused_with_the_reason(
    show: Show, name: str, code: ErrorCode, reason: str
) -> None:
    shown = show(file="text")
    refused(shown.actions.modify_text(name, "x"), code, f"'{name}'", reason)


@pytest.mark.slow
def test_a_page_whose_handler_changes_the_text_back_gives_an_error_with_what_it_holds(show: Show) -> None:
    shown = show("<input name=a value=mine oninput=\"this.value = 'mine'\">")
    refused(shown.actions.modify_text("a", "yours"), ErrorCode.NOT_TAKEN, "'a' holds 'mine', not 'yours'")


def test_a_page_that_removes_the_field_while_it_is_written_gives_an_error(show: Show) -> None:
    shown = show('<input name=a oninput="this.remove()"><input name=b>')
    refused(shown.actions.modify_text("a", "x"), ErrorCode.FIELD_REMOVED, "removed", "'a'")
    done(shown.actions.modify_text("b", "y"))


def test_a_field_without_a_page_field_of_that_name_lists_the_names(show: Show) -> None:
    shown = show(file="text")
    refused(
        shown.actions.modify_text("nobody", "x"),
        ErrorCode.NO_SUCH_FIELD,
        "'nobody'",
        "no field of this name",
        "'person'",
        "'filled'",
    )


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("body", "action"),
    [
        ("<input type=radio name=a value=1>", "modify_radio"),
        ("<input type=checkbox name=a>", "modify_checkbox"),
        ("<select name=a><option>1</select>", "modify_select"),
        ("<input type=range name=a>", "modify_range"),
    ],
)
def test_a_field_of_another_kind_is_refused_with_the_action_that_fits(show: Show, body: str, action: str) -> None:
    refused(show(body).actions.modify_text("a", "1"), ErrorCode.ANOTHER_KIND, "'a'", action)


def test_a_hidden_field_cannot_be_written(show: Show) -> None:
    shown = show("<input type=hidden name=a>")
    refused(shown.actions.modify_text("a", "1"), ErrorCode.HIDDEN_FIELD, "'a'", "hidden field")


@pytest.mark.devtools("number-42", "date-2024-02-29", "datetime-2031-10-09T18:07", "color-#ff8800")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", "42"),
        ("number", "-3.50"),
        ("number", "1e3"),
        ("date", "2024-02-29"),
        ("date", "1987-12-01"),
        ("date", "0999-01-02"),
        ("time", "00:00"),
        ("time", "12:05"),
        ("time", "23:59"),
        ("seconds", "01:02:03"),
        ("datetime", "2031-10-09T18:07"),
        ("month", "1999-11"),
        ("week", "2020-W53"),
        ("email", "ada@example.org"),
        ("url", 'https://example.org/?a=b&c="d"'),
        ("tel", "+31 (0)20 / 123"),
        ("color", "#ff8800"),
        ("password", "pa'ss\"wörd 🗝"),
        ("search", "needle in a haystack"),
    ],
)
def test_every_typed_input_takes_the_value_that_its_form_sends(show: Show, name: str, value: str) -> None:
    shown = show(file="typed")
    done(shown.actions.modify_text(name, value))
    assert shown.sent()[name] == (value,)


@pytest.mark.devtools("number", "datetime")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["number", "date", "time", "datetime", "month", "week"])
def test_a_typed_input_can_be_rewritten_and_cleared(show: Show, name: str) -> None:
    first, second = {
        "number": ("1", "2"),
        "date": ("2024-12-31", "2025-01-01"),
        "time": ("13:45", "01:02"),
        "datetime": ("2024-12-31T23:59", "2000-01-01T00:00"),
        "month": ("2024-12", "2001-01"),
        "week": ("2024-W52", "2001-W01"),
    }[name]
    shown = show(file="typed")
    done(shown.actions.modify_text(name, first))
    done(shown.actions.modify_text(name, second))
    assert shown.page(f"document.forms[0].elements['{name}'].value") == second
    done(shown.actions.modify_text(name, ""))
    assert shown.sent()[name] == ("",)


@pytest.mark.devtools("color-#FF8800-#ff8800")
@pytest.mark.parametrize(
    ("name", "value", "held"),
    [("time", "10:30:00", "10:30"), ("seconds", "10:30", "10:30:00"), ("color", "#FF8800", "#ff8800")],
)
def test_a_value_that_the_control_spells_otherwise_is_taken(show: Show, name: str, value: str, held: str) -> None:
    shown = show(file="typed")
    done(shown.actions.modify_text(name, value))
    assert shown.sent()[name] == (held,)


@pytest.mark.devtools("date-2024-02-30-wrong_argument-a date such as", "color-red-wrong_argument-a colour such as")
@pytest.mark.parametrize(
    ("name", "value", "code", "takes"),
    [
        ("number", "many", ErrorCode.NOT_A_NUMBER, "a number"),
        ("date", "tomorrow", ErrorCode.WRONG_ARGUMENT, "a date such as"),
        ("date", "2024-02-30", ErrorCode.WRONG_ARGUMENT, "a date such as"),
        ("time", "25:00", ErrorCode.WRONG_ARGUMENT, "a time such as"),
        ("month", "2024", ErrorCode.WRONG_ARGUMENT, "a month such as"),
        ("color", "red", ErrorCode.WRONG_ARGUMENT, "a colour such as"),
    ],
)
def test_a_value_that_a_typed_input_cannot_hold_is_refused_with_what_it_takes(
    show: Show, name: str, value: str, code: ErrorCode, takes: str
) -> None:
    shown = show(file="typed")
    refused(shown.actions.modify_text(name, value), code, f"'{name}'", "holds", repr(value), f"it takes {takes}")


def test_trusted_events_reach_date_inputs(show: Show) -> None:
    shown = show(file="typed")
    done(shown.actions.modify_text("date", "2024-05-06"))
    seen = [event for event in shown.page("seen") if event["name"] == "date"]
    assert {"input", "change", "blur"} <= {event["type"] for event in seen}
    assert all(event["trusted"] for event in seen)


def test_a_file_input_is_refused_and_opens_no_file_chooser(show: Show) -> None:
    shown = show(file="typed")
    refused(shown.actions.modify_text("file", "/etc/passwd"), ErrorCode.TAKES_FILE, "'file'", "file")
    assert shown.events("click") == []


def test_a_field_that_lets_digits_in_only_takes_digits_in_place_of_others(show: Show) -> None:
    shown = show(
        '<input name=a value=12 onkeydown="return /^[0-9]$|Tab|Backspace/.test(event.key)"'
        ' onkeypress="return /[0-9]/.test(event.key)">'
    )
    done(shown.actions.modify_text("a", "34"))
    assert shown.sent()["a"] == ("34",)


def test_of_two_fields_with_one_name_the_first_that_takes_input_is_written(show: Show) -> None:
    shown = show('<input name=a style="display: none" value=x><input name=a><input name=a value=z>')
    done(shown.actions.modify_text("a", "y"))
    assert shown.sent()["a"] == ("x", "y", "z")


def test_a_text_box_beside_radios_of_its_name_takes_text(show: Show) -> None:
    shown = show("<input type=radio name=a value=1><input type=radio name=a value=other><input name=a>")
    done(shown.actions.modify_text("a", "x"))
    assert shown.sent()["a"] == ("x",)


@pytest.mark.slow
def test_a_lone_surrogate_becomes_the_replacement_character(show: Show) -> None:
    shown = show(file="text")
    done(shown.actions.modify_text("person", "a\ud800b"))
    assert shown.sent()["person"] == ("a\ufffdb",)


@pytest.mark.slow
def test_control_characters_do_no_harm(show: Show) -> None:
    shown = show(file="textarea")
    shown.actions.modify_text("story", "a\x00b\x07c\x1bd\x7fe\u2028f\u200bg")
    done(shown.actions.modify_text("story", "after"))


@pytest.mark.slow
def test_names_of_any_characters_are_addressed(show: Show) -> None:
    shown = show(file="names")
    names = shown.page("Array.from(document.querySelectorAll('input[name]'), (each) => each.name)")
    for index, name in enumerate(names):
        done(shown.actions.modify_text(name, f"value {index}"))
    held = shown.page("Array.from(document.querySelectorAll('input[name]'), (each) => each.value)")
    assert held == [f"value {index}" for index in range(len(names))]


HIDING = [
    "elements", "submit", "id", "name", "children", "parentElement", "requestSubmit", "noValidate", "outerHTML",
    "contains", "closest", "querySelectorAll", "getBoundingClientRect", "length", "action", "method", "target",
]  # fmt: skip
"""Names of fields by which the form's properties of these names cannot be read any more."""


@pytest.mark.devtools
@pytest.mark.parametrize("name", [*HIDING, "parentNode"])
def test_names_that_hide_the_forms_own_properties_do_no_harm(show: Show, name: str) -> None:
    shown = show(file="clobbering")
    done(shown.actions.modify_text(name, "x"))
    done(shown.actions.get_html(name))


@pytest.mark.slow
def test_names_that_hide_properties_of_their_form_do_no_harm(show: Show) -> None:
    """But for ``parentNode`` and ``ownerDocument``: scripts of the driver itself go astray by these."""
    shown = show("".join(f'<input type="text" name="{name}">' for name in HIDING))
    for name in HIDING:
        done(shown.actions.modify_text(name, "x"))
