"""Fields wherever they are: off the screen, in containers, under covers, not there yet."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from tests.conftest import Show
from tests.site import done, refused


def test_scrolling_says_where_the_page_stands(show: Show) -> None:
    shown = show('<div style="height: 3000px; width: 2000px"></div>')
    for dx, dy, place in ((0, 600, "(0, 600)"), (100, -200, "(100, 400)"), (0, -9999, "(100, 0)"), (0, 0, "(100, 0)")):
        result = shown.actions.scroll(dx, dy)
        done(result)
        assert f"the page stands at {place} of" in result.message


SMOOTH = "<style>html { scroll-behavior: smooth; }</style>"


@pytest.mark.parametrize("head", ["", SMOOTH], ids=["plain", "smooth-scrolling page"])
def test_scroll_to_brings_a_field_into_the_middle(show: Show, head: str) -> None:
    shown = show('<div style="height: 3000px"></div><input name=a><div style="height: 3000px"></div>', head=head)
    done(shown.actions.scroll_to("a"))
    top = shown.page("document.querySelector('[name=a]').getBoundingClientRect().top")
    assert 380 < top < 420


def test_scroll_to_a_name_that_no_field_has_lists_the_names(show: Show) -> None:
    refused(show(file="text").actions.scroll_to("nobody"), ErrorCode.NO_SUCH_FIELD, "'nobody'", "'person'")


@pytest.mark.devtools
def test_maximize_reports_the_fixed_size(show: Show) -> None:
    result = show().actions.maximize()
    done(result)
    assert "1280 x 800" in result.message


@pytest.mark.devtools(
    "text-sideways container", "text-transformed", "text-smooth scrolling", "radio-under a fixed footer"
)
@pytest.mark.parametrize(
    ("style", "around"),
    [
        ("", '<div style="height: 4000px"></div>{}'),
        ("", '<div style="height: 100px; overflow: auto"><div style="height: 900px"></div>{}</div>'),
        ("", '<div style="width: 100px; overflow: auto"><div style="width: 900px; white-space: nowrap">'
             '<span style="display: inline-block; width: 600px"></span>{}</div></div>'),
        ("", '<div style="transform: scale(0.5) rotate(3deg)">{}</div>'),
        ("", '<div style="zoom: 1.7">{}</div>'),
        ("", '<div style="position: fixed; right: 0; bottom: 0">{}</div>'),
        ("", '<header style="position: sticky; top: 0; height: 300px; background: #eee; z-index: 5"></header>{}'
             '<div style="height: 2000px"></div>'),
        ("", '<footer style="position: fixed; bottom: 0; left: 0; right: 0; height: 500px; background: #eee"></footer>'
             '<div style="height: 700px"></div>{}<div style="height: 900px"></div>'),
        (SMOOTH, '<div style="height: 4000px"></div>{}<div style="height: 4000px"></div>'),
    ],
    ids=["below the screen", "scroll container", "sideways container", "transformed", "zoomed", "fixed",
         "under a sticky header", "under a fixed footer", "smooth scrolling"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("control", "action", "value"),
    [
        ("<input name=a>", "modify_text", "x"),
        ("<label><input type=radio name=a value=x> X</label>", "modify_radio", "x"),
        ("<select name=a><option>w<option>x</select>", "modify_select", "x"),
    ],
    ids=["text", "radio", "select"],
)
def test_a_field_is_reached_wherever_it_is(  # noqa: PLR0917 - what pytest hands over by name
    show: Show, style: str, around: str, control: str, action: str, value: str
) -> None:
    shown = show(around.format(control), head=style)
    done(getattr(shown.actions, action)("a", value))
    assert shown.sent()["a"] == (value,)


@pytest.mark.slow
@pytest.mark.parametrize("action", ["modify_text", "modify_radio"])
def test_a_covered_field_is_refused_with_what_covers_it(show: Show, action: str) -> None:
    control = {"modify_text": "<input name=a>", "modify_radio": "<input type=radio name=a value=x>"}[action]
    shown = show(f'{control}<div id="curtain" class="dark wide" style="position: fixed; inset: 0"></div>')
    refused(getattr(shown.actions, action)("a", "x"), ErrorCode.COVERED, "'a'", "covered by <div#curtain.dark>")


@pytest.mark.slow
def test_a_field_covered_by_its_form_is_described_although_controls_hide_the_forms_properties(show: Show) -> None:
    shown = show("<input name=id><input name=classList><input name=a style='pointer-events: none'>")
    refused(shown.actions.modify_text("a", "x"), ErrorCode.COVERED, "'a'", "covered by <")


def test_a_field_that_moves_when_the_one_before_is_answered_is_still_reached(show: Show) -> None:
    shown = show(
        "<div id=late></div><input type=radio name=a value=1 onclick=\"late.style.height = '350px'\">"
        "<input type=radio name=b value=1>"
    )
    done(shown.actions.modify_radio("a", "1"))
    done(shown.actions.modify_radio("b", "1"))
    assert shown.sent()["b"] == ("1",)


def test_fields_inside_frames_are_no_fields_of_the_page(show: Show) -> None:
    shown = show('<input name=a><iframe srcdoc="<form><input name=inner></form>"></iframe>')
    assert [field.name for field in shown.actions.fields()] == ["a"]
    refused(shown.actions.modify_text("inner", "x"), ErrorCode.NO_SUCH_FIELD, "no field of this name")


@pytest.mark.devtools
def test_what_scripts_build_step_by_step_is_there_when_a_page_has_been_opened(show: Show) -> None:
    shown = show(file="built")
    assert [field.name for field in shown.actions.fields()] == [f"built-{number}" for number in range(1, 6)]
    done(shown.actions.wait_till_loaded())


@pytest.mark.slow
@pytest.mark.devtools
def test_waiting_for_a_page_that_never_rests_ends(show: Show) -> None:
    shown = show("<p id=p></p><script>setInterval(() => { p.textContent = performance.now(); }, 5)</script>")
    done(shown.actions.wait_till_loaded())


def test_revealed_fields_are_worked_once_they_are_there(show: Show) -> None:
    shown = show(file="revealed")
    actions = shown.actions
    refused(actions.modify_text("which", "x"), ErrorCode.NOT_VISIBLE, "not visible", "answered or pressed first")
    refused(actions.modify_text("question", "x"), ErrorCode.NO_SUCH_FIELD, "no field of this name")
    done(actions.modify_radio("more", "yes"))
    done(actions.modify_text("which", "this one"))
    assert actions.buttons() == ["Show question"]
    place = actions.locate_button("Show question")
    assert place is not None
    done(actions.click(*place))
    done(actions.modify_text("question", "why?"))
    assert shown.sent() | {"which": ("this one",), "question": ("why?",)} == shown.sent()


def test_buttons_are_numbered_where_their_texts_are_equal_and_submit_is_none_of_them(show: Show) -> None:
    shown = show(
        "<button type=button>More</button><button type=button>More</button><button type=button disabled>Off</button>"
    )
    assert shown.actions.buttons() == ["More", "More #2"]
    assert shown.actions.locate_button("Off") is None
