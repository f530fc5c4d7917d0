"""modify_radio and modify_checkbox on real pages, and what all modify_ actions say of names."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from harness.browser.form.fields import find_fields
from tests.conftest import Show
from tests.site import done, refused

# ---- radio ------------------------------------------------------------------------------------------------------


@pytest.mark.devtools("It is bad-bad")
@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("good", "good"),
        ("It is bad", "bad"),
        ("3.0", "3"),
        ("GOOD ", "good"),
        ('say "it\'s" 🦊', 'say "it\'s" 🦊'),
    ],
)
def test_a_radio_option_is_chosen_by_value_by_number_or_by_its_text(show: Show, asked: str, held: str) -> None:
    shown = show(file="radio")
    done(shown.actions.modify_radio("mood", asked))
    assert shown.sent()["mood"] == (held,)


def test_another_radio_option_takes_the_place_of_the_chosen_one(show: Show) -> None:
    shown = show(file="radio")
    done(shown.actions.modify_radio("chosen", "no"))
    assert shown.sent()["chosen"] == ("no",)


def test_a_radio_press_is_trusted_and_fires_one_click_input_and_change(show: Show) -> None:
    shown = show(file="radio")
    done(shown.actions.modify_radio("mood", "good"))
    seen = [event for event in shown.page("seen") if event["name"] == "mood"]
    assert all(event["trusted"] for event in seen)
    types = [event["type"] for event in seen]
    assert [types.count(type_) for type_ in ("click", "input", "change")] == [1, 1, 1]


def test_a_radio_that_is_chosen_already_fires_no_event(show: Show) -> None:
    shown = show(file="radio")
    result = shown.actions.modify_radio("chosen", "yes")
    done(result)
    assert "already" in result.message
    assert shown.page("seen") == []


def test_an_unknown_radio_option_is_refused_with_the_options_and_their_texts(show: Show) -> None:
    shown = show(file="radio")
    refused(
        shown.actions.modify_radio("mood", "fine"),
        ErrorCode.NO_SUCH_OPTION,
        "'mood'",
        "'fine'",
        "'good' (It is good)",
        "'3' (Three)",
    )


@pytest.mark.parametrize(
    ("value", "code", "reason"),
    [("off", ErrorCode.OPTION_DISABLED, "disabled"), ("unseen", ErrorCode.NOT_VISIBLE, "not visible")],
)
def test_a_radio_option_that_cannot_be_pressed_is_refused_with_the_reason(
    show: Show, value: str, code: ErrorCode, reason: str
) -> None:
    shown = show(file="radio")
    refused(shown.actions.modify_radio("partly", value), code, "'partly'", reason)


def test_of_two_radio_options_with_one_value_the_first_visible_is_pressed(show: Show) -> None:
    shown = show(file="radio")
    done(shown.actions.modify_radio("twins", "same"))
    assert shown.page("document.querySelector('[name=twins]:checked').id") == "seen-twin"


@pytest.mark.slow
def test_readonly_is_no_hindrance_where_it_has_no_meaning(show: Show) -> None:
    shown = show(
        "<input type=radio name=r value=1 readonly><input type=checkbox name=c value=1 readonly>"
        "<input type=range name=s readonly>"
    )
    done(shown.actions.modify_radio("r", "1"))
    done(shown.actions.modify_checkbox("c", "1"))
    done(shown.actions.modify_range("s", 10))


@pytest.mark.parametrize(
    ("action", "name", "value"),
    [("modify_radio", "answer", "no"), ("modify_checkbox", "kinds", "two"), ("modify_checkbox", "kinds", "one|two")],
)
def test_clipped_button_groups_that_swallow_presses_are_worked(show: Show, action: str, name: str, value: str) -> None:
    shown = show(file="button-group")
    done(getattr(shown.actions, action)(name, value))
    assert shown.sent()[name] == tuple(value.split("|"))


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("modify_radio", "aside"),
        ("modify_radio", "inside"),
        ("modify_radio", "custom"),
        ("modify_checkbox", "box"),
        ("modify_checkbox", "linked"),
    ],
)
def test_controls_with_broken_or_covering_labels_are_worked(show: Show, action: str, name: str) -> None:
    shown = show(file="broken-labels")
    done(getattr(shown.actions, action)(name, "1"))
    assert shown.sent()[name] == ("1",)


def test_a_page_that_takes_a_radio_choice_back_gives_an_error_with_what_it_holds(show: Show) -> None:
    shown = show("<input type=radio name=a value=1 onchange='this.checked = false'><input type=radio name=a value=2>")
    refused(shown.actions.modify_radio("a", "1"), ErrorCode.NOT_TAKEN, "'a' holds nothing, not '1'")


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("body", "action"),
    [
        ("<input name=a>", "modify_text"),
        ("<textarea name=a></textarea>", "modify_text"),
        ("<input type=checkbox name=a value=1>", "modify_checkbox"),
        ("<select name=a><option>1</select>", "modify_select"),
        ("<input type=range name=a>", "modify_range"),
    ],
)
def test_modify_radio_refuses_other_kinds_with_the_action_that_fits(show: Show, body: str, action: str) -> None:
    refused(show(body).actions.modify_radio("a", "1"), ErrorCode.ANOTHER_KIND, "'a'", action)


def test_a_choice_that_submits_the_form_ends_the_episode(show: Show) -> None:
    shown = show(
        "<input type=radio name=a value=1 onchange='this.form.requestSubmit()'><input name=b>"
        "<input type=checkbox name=c onchange='this.form.requestSubmit()'>"
    )
    shown.actions.modify_radio("a", "1")
    assert shown.actions.submitted
    refused(shown.actions.modify_text("b", "x"), ErrorCode.ALREADY_SUBMITTED, "submitted")


def test_a_tick_that_submits_the_form_ends_the_episode(show: Show) -> None:
    shown = show("<input type=checkbox name=a onchange='this.form.requestSubmit()'><input name=b>")
    shown.actions.modify_checkbox("a", True)
    assert shown.actions.submitted
    refused(shown.actions.click(5, 5), ErrorCode.ALREADY_SUBMITTED, "submitted")
    assert shown.submit().via == "solver"


# ---- checkbox ---------------------------------------------------------------------------------------------------


@pytest.mark.devtools("a|b-held5", "asked6-held6", "False-held11")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("sports", {"sports"}),
        ("sports|weather", {"sports", "weather"}),
        (["weather", "sports"], {"sports", "weather"}),
        (("weather", "sports"), {"sports", "weather"}),
        ("The weather|politics", {"weather", "politics"}),
        ("a|b", {"a|b"}),
        (["a|b", "sports"], {"a|b", "sports"}),
        (["\"quoted\" 'twice' 🦉"], {"\"quoted\" 'twice' 🦉"}),
        ("politics", {"politics"}),
        ([], set()),
        ("", set()),
        (False, set()),
    ],
)
def test_exactly_the_asked_boxes_are_ticked(show: Show, asked: str | list[str] | bool, held: set[str]) -> None:
    shown = show(file="checkbox")
    done(shown.actions.modify_checkbox("topics", asked))
    assert set(shown.sent().get("topics", ())) == held


@pytest.mark.devtools("True0-consent-on")
@pytest.mark.parametrize(("name", "value"), [("consent", "on"), ("ticked", "yes"), ("empty", "")])
@pytest.mark.parametrize("asked", [True, "True", "on"])
def test_a_lone_box_is_ticked_by_true_or_on(show: Show, name: str, value: str, asked: str | bool) -> None:
    shown = show(file="checkbox")
    done(shown.actions.modify_checkbox(name, asked))
    assert shown.sent()[name] == (value,)


@pytest.mark.devtools("False0")
@pytest.mark.parametrize("asked", [False, "False", "off", "", []])
def test_a_ticked_lone_box_is_unticked_by_false_or_nothing(show: Show, asked: str | bool | list[str]) -> None:
    shown = show(file="checkbox")
    done(shown.actions.modify_checkbox("ticked", asked))
    assert "ticked" not in shown.sent()


def test_a_box_that_is_ticked_beforehand_stays_ticked_without_an_event(show: Show) -> None:
    shown = show(file="checkbox")
    result = shown.actions.modify_checkbox("topics", "politics")
    done(result)
    assert "already" in result.message
    assert shown.page("seen") == []
    assert shown.sent()["topics"] == ("politics",)


def test_a_group_cannot_be_ticked_by_true(show: Show) -> None:
    shown = show(file="checkbox")
    refused(shown.actions.modify_checkbox("topics", True), ErrorCode.NO_SUCH_OPTION, "'topics'", "'sports' (Sports)")


def test_an_unknown_box_is_refused_with_the_options_and_nothing_changes(show: Show) -> None:
    shown = show(file="checkbox")
    refused(
        shown.actions.modify_checkbox("topics", "sports|chess"),
        ErrorCode.NO_SUCH_OPTION,
        "'chess'",
        "'sports'",
        "'weather' (The weather)",
    )
    assert shown.sent()["topics"] == ("politics",)


def test_box_presses_are_trusted(show: Show) -> None:
    shown = show(file="checkbox")
    done(shown.actions.modify_checkbox("topics", "sports"))
    seen = shown.page("seen")
    assert {"click", "input", "change"} <= {event["type"] for event in seen}
    assert all(event["trusted"] for event in seen)


def test_of_two_boxes_with_one_value_the_first_visible_is_ticked_alone(show: Show) -> None:
    shown = show(
        '<input type=checkbox name=a value=1 style="display: none"><input type=checkbox name=a value=1 id=seen>'
        "<input type=checkbox name=a value=1><input type=checkbox name=a value=2 checked>"
    )
    done(shown.actions.modify_checkbox("a", "1"))
    assert shown.page("Array.from(document.querySelectorAll('[name=a]:checked'), (box) => box.id)") == ["seen"]


def test_two_ticked_boxes_with_the_asked_value_stay_as_they_are(show: Show) -> None:
    shown = show(
        '<input type=checkbox name=a value=1 style="display: none" checked><input type=checkbox name=a value=1 checked>'
    )
    done(shown.actions.modify_checkbox("a", "1"))
    assert shown.page("seen") == []


def test_a_ticked_disabled_box_sends_nothing_and_is_no_hindrance(show: Show) -> None:
    shown = show("<input type=checkbox name=a value=example checked disabled><input type=checkbox name=a value=1>")
    done(shown.actions.modify_checkbox("a", "1"))
    assert shown.sent()["a"] == ("1",)
    refused(shown.actions.modify_checkbox("a", "example"), ErrorCode.ALREADY_SUBMITTED, "submitted")


def test_boxes_are_unticked_first_where_a_page_limits_their_number(show: Show) -> None:
    shown = show(
        "<input type=checkbox name=a value=1><input type=checkbox name=a value=2 checked><script>"
        "const boxes = Array.from(document.querySelectorAll('[name=a]'));"
        "for (const box of boxes) box.addEventListener('click', (event) => {"
        "  if (boxes.filter((each) => each.checked).length > 1) event.preventDefault(); });</script>"
    )
    done(shown.actions.modify_checkbox("a", "1"))
    assert shown.sent()["a"] == ("1",)


def test_a_page_that_does_not_keep_a_tick_gives_an_error(show: Show) -> None:
    shown = show("<input type=checkbox name=a value=1 onclick='return false'>")
    refused(shown.actions.modify_checkbox("a", "1"), ErrorCode.BOX_NOT_KEPT, "does not keep", "'a'")


TEXT_ONLY = (
    "<label><input type={kind} name=a value=1>First of the options</label><script>"
    "document.addEventListener('click', (event) => {{ if (event.target.localName === 'input' && event.isTrusted"
    " && event.clientX && event.detail) {{ const box = document.querySelector('input').getBoundingClientRect();"
    " if (event.clientX < box.right) event.preventDefault(); }} }});</script>"
)


@pytest.mark.parametrize("kind", ["radio", "checkbox"])
def test_where_a_page_undoes_a_press_on_the_button_itself_the_text_beside_it_is_pressed(show: Show, kind: str) -> None:
    shown = show(TEXT_ONLY.format(kind=kind))
    done({"radio": shown.actions.modify_radio, "checkbox": shown.actions.modify_checkbox}[kind]("a", "1"))
    assert shown.sent()["a"] == ("1",)


@pytest.mark.parametrize(
    ("asked", "code", "reason"),
    [("off", ErrorCode.OPTION_DISABLED, "disabled"), ("unseen", ErrorCode.NOT_VISIBLE, "not visible")],
)
def test_a_box_that_cannot_be_pressed_is_refused_with_the_reason(
    show: Show, asked: str, code: ErrorCode, reason: str
) -> None:
    shown = show(
        "<input type=checkbox name=a value=1><input type=checkbox name=a value=off disabled>"
        '<input type=checkbox name=a value=unseen style="display: none">'
    )
    refused(shown.actions.modify_checkbox("a", asked), code, "'a'", reason)


@pytest.mark.devtools
@pytest.mark.parametrize(
    ("body", "action"),
    [
        ("<input name=a>", "modify_text"),
        ("<input type=radio name=a value=1>", "modify_radio"),
        ("<select name=a><option>1</select>", "modify_select"),
        ("<input type=range name=a>", "modify_range"),
    ],
)
def test_modify_checkbox_refuses_other_kinds_with_the_action_that_fits(show: Show, body: str, action: str) -> None:
    refused(show(body).actions.modify_checkbox("a", "1"), ErrorCode.ANOTHER_KIND, "'a'", action)


@pytest.mark.devtools
@pytest.mark.parametrize("action", ["modify_text", "modify_radio", "modify_checkbox", "modify_select", "modify_range"])
def test_a_name_that_no_field_has_is_refused_with_the_names(show: Show, action: str) -> None:
    shown = show(file="radio")
    refused(getattr(shown.actions, action)("nowhere", "1"), ErrorCode.NO_SUCH_FIELD, "'nowhere'", "'mood'", "'chosen'")


@pytest.mark.devtools
@pytest.mark.parametrize("action", ["modify_text", "modify_radio", "modify_checkbox", "modify_select", "modify_range"])
def test_a_hidden_field_is_refused_by_every_action(show: Show, action: str) -> None:
    refused(
        getattr(show(file="written-at-submit").actions, action)("written", "1"),
        ErrorCode.HIDDEN_FIELD,
        "'written'",
        "hidden field",
    )


LANGUAGES = """<input name="langs[]" placeholder="which?"><label><input type=checkbox name="langs[]" value=en>en</label>
<label><input type=checkbox name="langs[]" value=fr>fr</label>
<label><input type=checkbox name="langs[]" value=other>other</label>"""


def test_a_value_that_is_no_box_goes_into_the_text_box_of_the_same_name(show: Show) -> None:
    shown = show(LANGUAGES)
    (field,) = (each for each in find_fields(shown.browser) if each.name == "langs[]")
    assert (field.kind, field.open, field.values) == ("checkbox", True, ("en", "fr", "other"))
    done(shown.actions.modify_checkbox("langs[]", ["other", "Basque"]))
    assert next(each for each in shown.actions.fields() if each.name == "langs[]").initial == ("other", "Basque")
    done(shown.actions.modify_checkbox("langs[]", ["en"]))
    done(shown.actions.modify_text("langs[]", "Welsh"))
    refused(shown.actions.modify_checkbox("langs[]", ["Basque", "Welsh"]), ErrorCode.NO_SUCH_OPTION, "'en'")
    assert shown.sent()["langs[]"] == ("Welsh", "en")


def test_a_text_box_beside_boxes_is_emptied_where_only_boxes_are_asked_for(show: Show) -> None:
    shown = show(LANGUAGES)
    done(shown.actions.modify_checkbox("langs[]", ["other|Basque"]))
    done(shown.actions.modify_checkbox("langs[]", ["en", "fr"]))
    assert shown.sent()["langs[]"] == ("", "en", "fr")


TONGUE = """<label><input type=radio name=tongue value=en onchange="what.hidden = true">English</label>
<label><input type=radio name=tongue value=other onchange="what.hidden = false">other</label>
<label id=what hidden>what? <input name=tongue></label>
<label><input type=radio name=tongue value=none>none</label>"""


def test_a_value_that_is_no_radio_button_goes_into_the_text_box_of_the_same_name(show: Show) -> None:
    shown = show(TONGUE)
    (field,) = (each for each in find_fields(shown.browser) if each.name == "tongue")
    assert (field.kind, field.open, field.values) == ("radio", True, ("en", "other", "none"))
    refused(shown.actions.modify_radio("tongue", "en|other"), ErrorCode.NO_SUCH_OPTION, "'en'")
    done(shown.actions.modify_radio("tongue", "Basque"))
    assert next(each for each in shown.actions.fields() if each.name == "tongue").initial == ("Basque",)
    done(shown.actions.modify_text("tongue", "Welsh"))
    done(shown.actions.modify_radio("tongue", "none|Irish"))
    assert shown.sent()["tongue"] == ("Irish", "none")


def test_a_text_box_beside_radio_buttons_is_emptied_before_an_option_hides_it(show: Show) -> None:
    shown = show(TONGUE)
    done(shown.actions.modify_radio("tongue", "other|Basque"))
    done(shown.actions.modify_radio("tongue", "English"))
    assert shown.sent()["tongue"] == ("en", "")


def test_a_text_box_before_radio_buttons_goes_with_the_last_of_them(show: Show) -> None:
    shown = show("""<input name=a><input type=radio name=a value=1><input type=radio name=a value=2>""")
    done(shown.actions.modify_radio("a", "3|4"))
    assert shown.sent()["a"] == ("3|4", "2")
