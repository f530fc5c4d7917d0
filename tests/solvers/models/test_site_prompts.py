"""The sets of prompts of websites: what is sent, which replies are read, and which recipes are refused."""

from __future__ import annotations

import json
import sys
from importlib.machinery import ModuleSpec
from random import Random
from types import ModuleType

import pytest

from harness.actions.call import ActionCall, ActionError
from harness.episode.action_sets import actions_of
from harness.episode.registry import find_solver
from harness.episode.site_observation import OpenTab
from harness.episode.solver import WrongOptions
from harness.kit.options import names_of
from harness.models.asking_options import PROMPTS, SiteAsking
from harness.models.messages import Reply
from harness.observe.picture_texts import LIBRARY
from harness.solvers.models.progress import GRAMMAR, SCORES, STATUSES, JudgedProgress, read_progress
from harness.solvers.models.prompt_sets import PROMPT_SETS, words_hash
from harness.solvers.models.replies import json_object
from harness.solvers.models.site_prompter import SitePrompter, site_prompter_for
from harness.solvers.models.site_step import SiteMemory, SiteNews
from tests.actions.gbnf import Grammar
from tests.solvers.models.site_pages import SPECS, recipe

REFS = (3, 4, 17)


def prompter(prompts: str = "site", site=None, **more) -> SitePrompter:
    return site_prompter_for(recipe(site, prompts=prompts, **more), SPECS)


def read(text: str, prompts: str = "site", site=None) -> list[str]:
    """What a reply is read as; an error by its reason."""
    items = prompter(prompts, site).read(Reply(text)).items
    return [str(each.what) if isinstance(each.what, ActionCall) else f"error: {each.what.reason}" for each in items]


def drawn(gbnf: str) -> list[str]:
    """Texts of a grammar."""
    grammar, chance = Grammar(gbnf), Random(0)  # noqa: S311
    return [grammar.draw(chance) for _ in range(80)]


def canvas(action: str, element="", entered="", **more) -> str:
    told = {"thought": "t", "action": action, "element_id": element, "action_input": entered, "description": "d"}
    return json.dumps({**told, **more})


# ---- the set ``site`` ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "thought", "calls"),
    [
        ("Thought: the cart is next\nAction: click_element(3)", "the cart is next", ["click_element(3)"]),
        ("Thought: a\nb\nAction:\nfill(4, 'x')", "a\nb", ["fill(4, 'x')"]),
        ("Action: reload()", "", ["reload()"]),
        ("Thought: it says finish()\nAction: go_back()\nThought: Action: reload()", "it says finish()", ["go_back()"]),
    ],
)
def test_thought_and_action_are_told_apart(text, thought, calls):
    said = prompter().read(Reply(text))
    assert said.thought == thought
    assert [str(item.what) for item in said.items] == calls


@pytest.mark.parametrize(
    "text", ["", "click_element(3)", "Thought: then Action: reload()", "Action : reload()", "ACTION: reload()"]
)
def test_without_a_line_of_action_nothing_is_done(text):
    assert read(text) == ['error: No line of it begins with "Action:".']


def test_actions_of_forms_are_not_offered_by_the_usual_set_and_points_only_beside_a_picture():
    assert "modify_text" not in prompter().specs
    every = actions_of("all")
    assert "click" not in site_prompter_for(recipe(), every).specs
    assert "capture_screen" not in site_prompter_for(recipe(), every).specs
    assert {"click", "modify_text"} <= set(site_prompter_for(recipe(screenshot="viewport"), every).specs)


def test_whatever_the_grammar_of_a_site_allows_is_read_as_one_action_on_what_is_shown():
    for site in ({"planning": "thought"}, {"planning": "none"}):
        held = prompter("site", site, grammar=True)
        for text in drawn(held.grammar(REFS)):
            (item,) = held.read(Reply(text)).items
            assert isinstance(item.what, ActionCall)
            assert item.what.args.get("ref", "3") in {"3", "4", "17"}


def test_on_a_page_without_elements_the_grammar_has_no_action_on_one():
    assert "click-element" not in prompter(grammar=True).grammar(())
    assert "reload" in prompter(grammar=True).grammar(())


def test_a_model_that_writes_freely_is_held_to_no_grammar():
    assert prompter().grammar(REFS) is None
    assert prompter("webcanvas").grammar(REFS) is None


# ---- the set ``webcanvas`` ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "call"),
    [
        (canvas("click", "3"), "click_element('3')"),
        (canvas("click", 3, "button"), "click_element(3)"),
        (canvas("hover", "3"), "hover_element('3')"),
        (canvas("fill_form", "4", "Lisbon"), "fill('4', 'Lisbon')"),
        (canvas("fill_form", "4", ""), "fill('4', '')"),
        (canvas("fill_search", "4", "wool"), "fill_search('4', 'wool')"),
        (canvas("select_option", "4", "Price"), "select_option('4', 'Price')"),
        (canvas("goto", "", "http://shop.test/"), "goto('http://shop.test/')"),
        (canvas("go_back", "", "1"), "go_back()"),
        (canvas("switch_tab", "1"), "switch_tab(1)"),
        (canvas("close_tab"), "close_tab(None)"),
        (canvas("scroll", "", "0, 600"), "scroll(0, 600)"),
        (canvas("scroll"), "scroll(0, 0)"),
        (canvas("finish"), "finish(None)"),
        (canvas("finish", "", "17.50"), "finish('17.50')"),
        (f"I see.\n```json\n{canvas('click', '3')}\n```", "click_element('3')"),
    ],
)
def test_the_papers_json_is_read_as_an_action(reply, call):
    assert read(reply, "webcanvas") == [call]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("click 3", "it is no JSON object"),
        (canvas("press_it", "3"), "'press_it' is not an action"),
        (canvas("click_element", "3"), "'click_element' is not an action (did you mean"),
        (canvas("click"), "click: missing: 'ref'"),
        (canvas("switch_tab", "second"), "switch_tab: the argument 'number' must be int"),
        (canvas("goto"), "goto: missing: 'url' (element_id is unused, action_input url)"),
        (canvas("scroll", "", "down"), "scroll: the argument 'dx' must be float"),
        (canvas("click", "3", description=" "), "'description' is empty"),
        (canvas("click", "3", thought=7), "'thought' and 'description' are texts"),
        (canvas("click", "3", code="x"), "it has 'code' beside"),
        ('{"action": "click", "element_id": "3"}', "it lacks 'thought', 'action_input', 'description'"),
        (f"```\n{canvas('click', '3')}\n```\n```\n{canvas('click', '4')}\n```", "more than one fenced block"),
        ('{"action": "click", "action": "reload"}', "a key stands in it twice"),
        ("[" * 5_000, "it is"),
        ("null", "it is no JSON object"),
    ],
)
def test_any_other_json_is_refused_with_the_reason(reply, reason):
    (said,) = read(reply, "webcanvas")
    assert said.startswith("error: ")
    assert reason in said


def test_without_planning_a_thought_is_a_key_too_many():
    site = {"planning": "none"}
    told = json.loads(canvas("reload"))
    assert "it has 'thought' beside" in read(canvas("reload"), "webcanvas", site)[0]
    assert read(json.dumps({key: told[key] for key in told if key != "thought"}), "webcanvas", site) == ["reload()"]
    assert '"thought"' not in prompter("webcanvas", site).system().text
    assert '"thought"' in prompter("webcanvas").system().text


def test_the_papers_names_of_actions_are_told():
    said = prompter("webcanvas").system().text
    assert "- click (element_id): " in said
    assert "- fill_form (element_id, action_input): " in said
    assert "- go_back: " in said
    assert "- scroll (action_input: dx, dy): " in said
    assert "click_element" not in said


def test_whatever_the_grammar_of_webcanvas_allows_is_json_with_the_right_keys():
    held = prompter("webcanvas", grammar=True)
    for text in drawn(held.grammar(REFS)):
        found = json_object(text, ("thought", "action", "element_id", "action_input", "description"))
        assert found["element_id"] in ("", "3", "4", "17")
        (item,) = held.read(Reply(text)).items
        # Which of its keys an action takes, a grammar cannot tell.
        assert isinstance(item.what, ActionCall) or "missing: " in item.what.reason or "must be" in item.what.reason


# ---- progress -----------------------------------------------------------------------------------------------------


def progress(**changed) -> str:
    return json.dumps({"status": "doing", "score": 7, "reason": "r", "description": "d", **changed})


def test_a_judgement_is_read():
    assert read_progress(progress(score="9")) == JudgedProgress("doing", 9, "r", "d")
    assert {read_progress(progress(status=each)).status for each in STATUSES} == set(STATUSES)
    assert [read_progress(progress(score=each)).score for each in SCORES] == list(SCORES)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (progress(status="done"), "the status 'done' is none of doing, finished, loop"),
        (progress(status=["finished"]), "is none of doing"),
        (progress(score=5), "the score '5' is none of 1, 3, 7, 9, 10"),
        (progress(score=True), "the score 'True' is none of"),
        (progress(score=7.0), "the score '7.0' is none of"),
        (progress(description=""), "'description' is no text, or an empty one"),
        (progress(reason=None), "'reason' is no text"),
        (progress(more=1), "it has 'more' beside"),
        ("finished", "it is no JSON object"),
    ],
)
def test_any_other_judgement_is_refused_with_the_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_progress(text)


def test_whatever_the_grammar_of_a_judgement_allows_is_one():
    for text in drawn(GRAMMAR):
        assert read_progress(text).score in SCORES


# ---- what is told of the past -------------------------------------------------------------------------------------


def test_steps_keep_their_numbers_when_others_are_forgotten():
    memory = SiteMemory(2)
    for place in range(4):
        memory.add(f"goto('{place}')", "", "ok: done", "")
    assert [number for number, _ in memory.last()] == [3, 4]
    assert [number for number, _ in memory.last(1)] == [4]


def test_what_a_page_says_stands_for_no_name_of_a_prompt():
    memory = SiteMemory(None)
    memory.add("click_element(3)", "link '${goal}'", "ok: ${url}", "$steps")
    said = prompter().turn("${tabs}", [OpenTab(0, "u", "${goal}", shown=True)], memory.last(), SiteNews(), ()).text
    assert "Goal: ${tabs}" in said
    assert "0: ${goal}, u (shown)" in said
    assert "[link '${goal}'] -> ok: ${url}" in said
    assert "$steps" in said


# ---- recipes ------------------------------------------------------------------------------------------------------


def checked(options=None, kind: str = "site", name: str = "gpt4-text"):
    return find_solver(name).check(options or {}, kind)


def test_websites_are_asked_about_by_protocol_site_without_being_told():
    found = checked()
    usual = {"protocol": "site", "prompts": "site", "encoding": "axtree", "demos": 0, "planning": "thought"}
    assert {name: found[name] for name in usual} == usual
    assert {name: found.get(name) for name in ("memory", "reward", "reference")} == {
        "memory": None,
        "reward": "none",
        "reference": "none",
    }
    assert checked(found) == found


def test_forms_are_asked_about_as_ever():
    found = checked(kind="form")
    assert found["protocol"] in ("field", "form")
    assert not set(names_of(SiteAsking)) & set(found)


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"memory": 3}, "form", "--memory: for websites only"),
        ({"protocol": "site"}, "form", "--protocol site: these tasks are forms, which have --protocol field or form;"),
        (
            {"prompts": "webcanvas"},
            "form",
            "--prompts webcanvas is for websites, and these tasks are forms: give --prompts harness or turkingbench",
        ),
        ({"prompts": "harness"}, "site", "--prompts harness is for forms, and these tasks are websites: give"),
        ({"protocol": "form"}, "site", "--protocol form: these tasks are websites, which have --protocol site;"),
        ({"encoding": "full"}, "site", "--prompts site needs numbers to act by: --encoding simplified or axtree"),
        ({"demos": 2}, "site", "--demos 2: there are no demonstrations of websites"),
        ({"reward": "much"}, "site", "--reward much: there are none, text, picture, both"),
        ({"planning": "long"}, "site", "--planning long: there are thought, none"),
        ({"reference": "golden"}, "site", "give --reward, too"),
        (
            {"reward_model": "claude"},
            "site",
            "--reward-model claude judges the progress of the work: give --reward, too",
        ),
        ({"reward_model": "claude"}, "form", "--reward-model: for websites only"),
        ({"ocr": True}, "site", "--ocr: --encoding axtree does not tell what pictures say"),
        ({"ocr": True}, "form", "--ocr: for websites only"),
        ({"prompts": "webcanvas", "output": "tools"}, "site", "--prompts webcanvas needs --output text"),
    ],
)
def test_what_does_not_go_together_is_refused_in_a_line(options, kind, said):
    with pytest.raises(WrongOptions) as refused:
        checked(options, kind)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_reading_pictures_needs_its_library(monkeypatch):
    wanted = {"ocr": True, "prompts": "autowebglm", "encoding": "autowebglm"}
    monkeypatch.setitem(sys.modules, LIBRARY, None)
    with pytest.raises(WrongOptions, match=r"RapidOCR is not installed; install it with: .*ocr"):
        checked(wanted)
    there = ModuleType(LIBRARY)
    there.__spec__ = ModuleSpec(LIBRARY, None)
    monkeypatch.setitem(sys.modules, LIBRARY, there)
    assert checked(wanted)["ocr"] is True


def test_a_model_that_sees_no_pictures_judges_by_none():
    with pytest.raises(WrongOptions, match="takes no pictures; there is --reward text"):
        checked({"reward": "both"}, name="local")
    assert checked({"reward": "text", "prompts": "webcanvas"}, name="local")["reward"] == "text"


def test_a_model_that_sees_pictures_judges_by_them_what_one_does_that_sees_none():
    found = checked({"reward": "both", "reward_model": "claude", "prompts": "webcanvas"}, name="local")
    assert (found["reward_model"], found["vision"]) == ("claude", False)


def test_every_set_of_prompts_can_be_chosen_and_has_a_hash_of_all_its_words():
    assert tuple(PROMPT_SETS) == PROMPTS
    here = [name for name in PROMPTS if not any(words.missing for words in PROMPT_SETS[name].words)]
    assert len({words_hash(name) for name in here}) == len(here)


def test_an_error_is_no_action():
    (item,) = prompter().read(Reply("Action: click_element(")).items
    assert isinstance(item.what, ActionError)
