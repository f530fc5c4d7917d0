"""Words that are marked, clips that are played, fields that are waited for, over each input back end."""

from __future__ import annotations

import json

import pytest

from harness.actions.result import ErrorCode
from tests.conftest import Show
from tests.site import PAGES, Shown, done, refused


@pytest.fixture
def page(show: Show) -> Shown:
    return show((PAGES / "content.html").read_text(encoding="utf-8"))


def marks(page: Shown) -> list[str]:
    return [" ".join(each.split()) for each in json.loads(value(page, "marks"))]


def value(page: Shown, name: str) -> str:
    return page.page(f"document.querySelector('[name={name}]').value")


@pytest.mark.parametrize(
    "words", ["superb", "T", "soup was superb", "b, but the b", "bread was stale", "a few more", "was cold."]
)
def test_words_are_selected_to_the_very_character(page: Shown, words):
    done(page.actions.select_text(words))
    assert marks(page) == [words]


def test_the_place_of_words_that_are_shown_more_than_once_can_be_said(page: Shown):
    done(page.actions.select_text("soup was", 2))
    assert page.page("getSelection().toString() + getSelection().anchorOffset").startswith("soup was1")
    refused(page.actions.select_text("soup was", 3), ErrorCode.NO_SUCH_TEXT, "2 times only")


def test_words_that_are_not_shown_cannot_be_selected(page: Shown):
    refused(page.actions.select_text("nobody sees"), ErrorCode.NO_SUCH_TEXT)
    refused(page.actions.select_text("soup", 0), ErrorCode.OUT_OF_RANGE)


def test_a_clip_is_played_once_and_waited_for(page: Shown):
    done(page.actions.play_clip())
    assert (value(page, "plays"), page.page("clip.ended")) == ("1", True)
    done(page.actions.modify_text("heard", "nothing"))
    done(page.actions.play_clip())
    assert value(page, "plays") == "1"


def test_a_clip_that_the_page_has_started_is_only_waited_for(page: Shown):
    x, y = page.page(
        "(({ left, top }) => [left + 5, top + 5])(document.querySelector('button').getBoundingClientRect())"
    )
    done(page.actions.click(x, y))
    done(page.actions.play_clip(1))
    assert (value(page, "plays"), page.page("clip.ended")) == ("1", True)


def test_what_cannot_be_played_is_refused(page: Shown):
    refused(page.actions.play_clip(2), ErrorCode.NOT_VISIBLE)
    refused(page.actions.play_clip(3), ErrorCode.NO_SUCH_CLIP)


def test_a_field_is_waited_for_until_it_can_be_answered(page: Shown):
    refused(page.actions.modify_text("late", "now"), ErrorCode.NOT_VISIBLE)
    done(page.actions.wait_until_enabled("late"))
    done(page.actions.modify_text("late", "now"))


def test_a_field_that_stays_closed_is_given_up(page: Shown):
    refused(page.actions.wait_until_enabled("never", 0.1), ErrorCode.DISABLED, "it is still disabled")
    refused(page.actions.wait_until_enabled("nowhere", 0.1), ErrorCode.NO_SUCH_FIELD)
