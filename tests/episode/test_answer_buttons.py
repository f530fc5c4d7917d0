"""Pages on which the answer is which button is pressed."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from harness.browser.form.fields import find_fields
from tests.conftest import Show
from tests.site import done, refused

ANIMALS = """<!DOCTYPE html><form><button name=label value=cat>Cat (1)</button>
<input type=submit name=label value=dog><button name=label value=neither>Neither</button><input name=why></form>"""
APART = """<!DOCTYPE html><form><button name=yes value=1>Yes</button><button name=no value=1>No</button></form>"""


def test_named_submit_buttons_of_one_name_are_a_choice_after_all_other_fields(show: Show) -> None:
    why, label = find_fields(show(whole=ANIMALS).browser)
    assert (why.name, label.name, label.kind, label.submits, label.initial) == ("why", "label", "radio", True, ())
    assert [(option.value, option.text) for option in label.options] == [
        ("cat", "Cat (1)"),
        ("dog", "dog"),
        ("neither", "Neither"),
    ]


def test_a_choice_of_buttons_is_pressed_and_submits_the_form(show: Show) -> None:
    shown = show(whole=ANIMALS)
    done(shown.actions.modify_text("why", "barks"))
    done(shown.actions.modify_radio("label", "dog"))
    refused(shown.actions.modify_text("why", "late"), ErrorCode.ALREADY_SUBMITTED)
    submission = shown.submit()
    assert submission.values == {"why": ("barks",), "label": ("dog",)}
    assert (submission.accepted, submission.via) == (True, "solver")


@pytest.mark.devtools
def test_nothing_is_sent_for_a_choice_of_buttons_that_nobody_made(show: Show) -> None:
    submission = show(whole=ANIMALS).submit()
    assert submission.values == {"why": ("",)}
    assert not submission.accepted
    assert submission.blocked == "no button was pressed, and which one is pressed is the answer: label"


@pytest.mark.devtools
def test_a_button_that_only_submits_is_pressed_rather_than_one_that_is_an_answer(show: Show) -> None:
    shown = show(
        whole=ANIMALS.replace(
            "<input name=why>", "<button id=send onclick=\"why.value='sent'\">Send</button><input name=why id=why>"
        )
    )
    submission = shown.submit()
    assert (submission.values, submission.accepted) == ({"why": ("sent",)}, True)


def test_a_page_that_refuses_the_form_refuses_the_choice(show: Show) -> None:
    shown = show(whole=ANIMALS.replace("<input name=why>", "<input name=why required>"))
    refused(shown.actions.modify_radio("label", "dog"), ErrorCode.NOT_TAKEN, "'label'")
    done(shown.actions.modify_text("why", "barks"))
    done(shown.actions.modify_radio("label", "dog"))


def test_buttons_of_a_name_each_are_a_box_each(show: Show) -> None:
    shown = show(whole=APART)
    assert [(field.name, field.kind) for field in find_fields(shown.browser)] == [
        ("yes", "checkbox"),
        ("no", "checkbox"),
    ]
    done(shown.actions.modify_checkbox("no", ["1"]))
    assert shown.sent() == {"no": ("1",)}


@pytest.mark.devtools
@pytest.mark.parametrize(
    "button",
    [
        "<button name=go value=1>Go on</button>",
        "<button name=go value=1>Go</button><button name=go value=1>Go</button>",
        "<input type=submit name=go><button>Send</button>",
        "<button name=save value=1>Save</button><button name=go value=1>Submit</button>",
    ],
)
def test_a_button_that_only_submits_is_no_field(show: Show, button: str) -> None:
    shown = show(whole=f"<!DOCTYPE html><form><input name=a value=1>{button}</form>")
    assert [field.name for field in find_fields(shown.browser)] == ["a"]
    assert shown.submit().accepted


PICTURES = """<!DOCTYPE html><form><input name=why value=so>
<input type=image name=spot style="position: fixed; left: 100px; top: 50px; width: 200px; height: 100px"></form>"""


def test_a_picture_sends_where_it_was_pressed(show: Show) -> None:
    shown = show(whole=PICTURES)
    assert [(field.name, field.kind) for field in find_fields(shown.browser)] == [
        ("why", "text"),
        ("spot.x", "hidden"),
        ("spot.y", "hidden"),
    ]
    done(shown.actions.click(130, 70))
    assert shown.sent() == {"why": ("so",), "spot.x": ("30",), "spot.y": ("20",)}


@pytest.mark.devtools
def test_no_place_of_a_picture_is_sent_that_nobody_pressed(show: Show) -> None:
    assert show(whole=PICTURES).sent() == {"why": ("so",)}
