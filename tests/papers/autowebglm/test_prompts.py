"""The set of prompts ``autowebglm``: a scripted model walks through the shop by AutoWebGLM's functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from harness.actions.autowebglm import ELEMENT
from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.site_browser import SiteBrowser
from harness.episode.action_sets import AutoWebGLMActions, actions_of
from harness.episode.assignment import Page
from harness.episode.site_assignment import User
from harness.episode.trajectory import Trajectory
from harness.models.messages import Request
from harness.observe import picture_texts
from harness.papers.autowebglm.prompter import AutoWebGLMPrompter
from harness.solvers.models.prompt_sets import why_unfit
from harness.solvers.models.recipe import Recipe
from tests.actions.gbnf import Grammar
from tests.site import Site
from tests.solvers.models.site_pages import GOAL, ORIGIN, Visit, recipe, shop_browser, work

HOW = {"prompts": "autowebglm", "encoding": "autowebglm"}
ORDER = ("<html> ", "#Provided functions:", "#Previous commands:", "#Window tabs:", "#Current viewport", "#Task: ")


@pytest.fixture(scope="module")
def browser(site: Site) -> Iterator[SiteBrowser]:
    with shop_browser(site) as opened:
        yield opened


def visit(browser: SiteBrowser) -> Visit:
    browser.clear()
    browser.open(f"{ORIGIN}/")
    specs = actions_of("autowebglm")
    act = AutoWebGLMActions(browser, DevtoolsInput(browser), Trajectory(), specs, user=User({"": "nobody"}))
    return Visit(act, Page(f"{ORIGIN}/", (), (), 1, GOAL, (ORIGIN,)))


def test_a_model_acts_by_letters_and_is_told_of_its_commands_with_their_elements(browser: SiteBrowser) -> None:
    replies = iter(["click('Z')", "click('B') # the kettle", "user_input('Who are you?')", "finish('done')"])
    visited = visit(browser)
    asked = work(visited, lambda _: next(replies), **HOW).requests
    first, *_, last = [request_text(each) for each in asked]
    places = [first.index(each) for each in ORDER]
    assert places == sorted(places)
    assert "<html> < <h1| Shop> <input[A]| >" in first
    assert "<a[B]| Red kettle>" in first
    assert "#Previous commands: None" in first
    assert "#Window tabs: 1. Shop <-- current tab" in first
    assert re.search(r"#Current viewport \(pages\): 0 / 1\.0\n", first)
    assert f"#Task: {GOAL}" in first
    assert "def type_string(element_id: str, content: str, press_enter: bool = False) -> None:" in first
    assert "click('B') #HTML Segment: <a[B]| Red kettle>\n" in last
    assert "click('Z') #error: " in last
    assert "user_input('Who are you?') #ok: the user answers: nobody" in last
    assert visited.act.answer == "done"


def request_text(request: Request) -> str:
    [message] = request.messages
    assert message.role == "user"
    return message.text


def test_commands_before_can_be_left_out(browser: SiteBrowser) -> None:
    replies = iter(["click('B')", "finish()"])
    asked = work(visit(browser), lambda _: next(replies), {"memory": 0}, **HOW).requests
    assert "#Previous commands: None" in request_text(asked[-1])


def test_what_pictures_say_is_shown_where_it_is_asked_for(
    browser: SiteBrowser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.put("<p>Now: <canvas width=200 height=50></canvas></p>", "/banner")
    monkeypatch.setattr(picture_texts, "read_words", lambda _: "Half price")
    for ocr, shown in ((True, "<p| Now: <canvas| Half price> >"), (False, "<p| Now:>")):
        visited = visit(browser)
        browser.open(f"{ORIGIN}/banner")
        [asked] = work(visited, lambda _: "finish()", {"ocr": ocr}, **HOW).requests
        assert shown in request_text(asked)


def test_a_grammar_admits_the_letters_of_the_page() -> None:
    prompter = AutoWebGLMPrompter(recipe(grammar=True, **HOW), actions_of("autowebglm"))
    grammar = Grammar(prompter.grammar((1, 27)) or "")
    calls = [parse(grammar.draw(Random(seed)), prompter.specs) for seed in range(60)]  # noqa: S311 - no secret
    elements = {call.args.get(ELEMENT) for [call] in calls if isinstance(call, ActionCall)}
    assert elements == {"A", "AA", None}
    assert "click" not in (prompter.grammar(()) or "")


def test_what_does_not_go_with_it_is_refused() -> None:
    assert "--protocol site" in str(why_unfit(Recipe("m", protocol="form", **HOW)))
    assert "--output text" in str(why_unfit(Recipe("m", protocol="site", output="tools", **HOW)))
    numbered = Recipe("m", protocol="site", prompts="autowebglm", encoding="text")
    assert "--encoding autowebglm" in str(why_unfit(numbered))
    assert why_unfit(Recipe("m", protocol="site", **HOW)) is None
