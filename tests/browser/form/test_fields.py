"""Fields found in the live page."""

from __future__ import annotations

import json

import pytest

from harness.browser.browser import PageFailed
from harness.browser.form.fields import Field, find_fields
from harness.catalog.kinds import CHOICES, KINDS
from harness.kit.files.codec import decode, plain
from tests.conftest import Show
from tests.site import Shown, whole_page


def found(shown: Shown) -> dict[str, Field]:
    return {field.name: field for field in find_fields(shown.browser)}


@pytest.mark.parametrize(
    ("page", "kinds"),
    [
        ("text", dict.fromkeys(("person", "filled", "short", "fixed", "off", "unseen"), "text")),
        (
            "typed",
            dict.fromkeys(
                ("number", "date", "time", "seconds", "datetime", "month", "week", "email", "url", "tel", "color",
                 "password", "search", "file"),
                "text",
            ),
        ),
        ("textarea", {"story": "textarea", "filled": "textarea", "wrapped": "textarea"}),
        ("radio", {"mood": "radio", "chosen": "radio", "partly": "radio", "twins": "radio"}),
        ("checkbox", {"topics": "checkbox", "consent": "checkbox", "ticked": "checkbox", "empty": "checkbox"}),
        ("select", dict.fromkeys(("country", "odd", "middle", "list", "many"), "select")),
        ("written-at-submit", {"seen": "text", "written": "hidden", "constant": "hidden"}),
        ("contenteditable", {"field": "text", "image.x": "hidden", "image.y": "hidden"}),
    ],
)  # fmt: skip
def test_every_named_control_of_the_form_is_a_field_of_its_kind_in_page_order(
    show: Show, page: str, kinds: dict[str, str]
) -> None:
    fields = found(show(file=page))
    assert {name: field.kind for name, field in fields.items()} == kinds
    assert list(fields) == list(kinds)
    assert set(kinds.values()) <= set(KINDS)
    assert {"radio", "checkbox", "select"} == CHOICES


def test_a_typed_input_says_its_type(show: Show) -> None:
    fields = found(show(file="typed"))
    assert {fields[name].type for name in ("number", "date", "datetime", "color")} == {
        "number",
        "date",
        "datetime-local",
        "color",
    }
    assert found(show(file="textarea"))["story"].type == "textarea"


def test_options_have_value_text_and_visibility(show: Show) -> None:
    fields = found(show(file="radio"))
    assert [(option.value, option.text) for option in fields["mood"].options][:2] == [
        ("good", "It is good"),
        ("bad", "It is bad"),
    ]
    assert fields["mood"].values == ("good", "bad", "3", 'say "it\'s" 🦊')
    assert [option.visible for option in fields["partly"].options] == [True, True, False]


def test_options_of_a_list_that_cannot_be_chosen_are_not_visible(show: Show) -> None:
    options = {option.value: option.visible for option in found(show(file="select"))["odd"].options}
    assert options == {"": False, "a": True, "b": False, "c": False, "d": False, "e": False, "f": True}


def test_initial_values_are_those_of_the_loaded_page(show: Show) -> None:
    assert {name: field.initial for name, field in found(show(file="checkbox")).items()} == {
        "topics": ("politics",),
        "consent": (),
        "ticked": ("yes",),
        "empty": (),
    }
    assert found(show(file="select"))["many"].initial == ("green",)
    assert found(show(file="select"))["country"].initial == ("",)
    assert found(show(file="textarea"))["filled"].initial == ("first line\nsecond line",)
    assert found(show(file="radio"))["mood"].initial == ()


def test_visibility_disabledness_and_multiplicity_are_told(show: Show) -> None:
    fields = found(show(file="text"))
    assert [fields[name].visible for name in ("person", "unseen")] == [True, False]
    assert [fields[name].disabled for name in ("person", "off")] == [False, True]
    lists = found(show(file="select"))
    assert [lists[name].multiple for name in ("country", "many")] == [False, True]


@pytest.mark.parametrize(
    "hiding", ["display: none", "visibility: hidden", "width: 0; height: 0; padding: 0; border: 0"]
)
def test_a_field_that_cannot_be_seen_is_told_as_such_and_so_is_its_coming(show: Show, hiding: str) -> None:
    shown = show(f"<style>.off {{ {hiding} }}</style><input name=a class=off>")
    assert not found(shown)["a"].visible
    shown.page("document.querySelector('[name=a]').className = ''")
    assert found(shown)["a"].visible


def test_a_control_that_its_label_stands_for_is_visible(show: Show) -> None:
    assert found(show(file="broken-labels"))["custom"].visible
    assert found(show(file="button-group"))["answer"].visible


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("plain", (0, 100, 1)),
        ("half", (0, 10, 0.5)),
        ("negative", (-100, -10, 5)),
        ("any", (0, 1, 0)),
        ("odd", (0, 100, 1)),
    ],
)
def test_a_slider_has_a_scale_by_the_rules_of_html(show: Show, name: str, scale: tuple[float, float, float]) -> None:
    assert found(show(file="range"))[name].scale == scale


def test_fields_that_scripts_build_or_values_bring_are_found(show: Show) -> None:
    shown = show(file="built")
    shown.actions.wait_till_loaded()
    assert list(found(shown)) == [f"built-{number}" for number in range(1, 6)]
    assert list(found(show("<p>Value: <b><input name='from a value'></b></p>"))) == ["from a value"]


def test_names_of_any_characters_are_found_and_white_space_counts(show: Show) -> None:
    names = list(found(show(file="names")))
    assert names[:8] == [
        "it's",
        'say "hi"',
        "both \" and '",
        "two\nlines",
        "tab\tinside",
        "list[0][key]",
        "Answer.with.dots",
        "smile 😀 and 雪",
    ]
    assert names[-2:] == ["__proto__", " "]


def test_controls_of_one_name_are_one_field_and_a_hidden_companion_does_not_decide_its_kind(show: Show) -> None:
    fields = found(
        show(
            "<input type=hidden name=a value=0><input type=checkbox name=a value=1><input name=b><input name=b value=2>"
        )
    )
    assert (fields["a"].kind, fields["a"].values) == ("checkbox", ("1",))
    assert (fields["b"].kind, fields["b"].initial) == ("text", ("", "2"))


def test_of_several_forms_the_one_with_most_fields_is_the_answer_form(show: Show) -> None:
    html = (
        "<!DOCTYPE html><form><input name=search></form>"
        "<form id=f><input name=a><input name=b></form><form><input name=c><input type=hidden name=d></form>"
        "<input name=outside><input name=linked form=f>"
    )
    assert list(found(show(whole=html))) == ["a", "b", "linked"]


def test_a_page_without_a_form_has_no_fields(show: Show) -> None:
    assert found(show(whole="<!DOCTYPE html><input name=a>")) == {}


def test_a_field_survives_json(show: Show) -> None:
    for page in ("radio", "range", "select", "names"):
        for field in found(show(file=page)).values():
            assert decode(json.dumps(plain(field)).encode(), Field) == field


def test_looking_changes_nothing_in_the_page(show: Show) -> None:
    shown = show(file="select")
    before = shown.page("document.documentElement.outerHTML")
    shown.actions.fields()
    assert shown.page("document.documentElement.outerHTML") == before
    assert shown.page("seen") == []
    assert shown.actions.trajectory.steps == []


def test_the_page_helper_serves_a_form_with_a_submit_button() -> None:
    assert 'id="submitButton"' in whole_page("")


@pytest.mark.slow
@pytest.mark.claim("page-size")
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("s.hidden = true; s.length = 100_000", "100001 controls and options, of which at most 100000 are read"),
        ("s.add(new Option('x', 'v'.repeat(17 * 1024 * 1024)))", "of which at most 16777216 are read"),
    ],
    ids=["options", "a value"],
)
def test_fields_of_more_than_anybody_reads_cannot_be_read(show: Show, script: str, words: str) -> None:
    shown = show(f"<input name=a><select name=s></select><script>const s = document.forms[0].s; {script}</script>")
    with pytest.raises(PageFailed, match=words):
        find_fields(shown.browser)
