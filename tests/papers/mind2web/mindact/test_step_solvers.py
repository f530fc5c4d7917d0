"""MindAct and its rivals against a scripted model, behind the real service."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from harness.kit.errors import UserError
from harness.models.ledger import LEDGER, Ledger
from harness.models.messages import Reply, Request
from harness.models.presets import resolve
from harness.models.tokens.counting import tokens_for
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.mindact.few_examples import TooFewExamples, few_examples
from harness.papers.mind2web.mindact.questions import Questions, StepTooLarge
from harness.papers.mind2web.mindact.ranker import LexicalRanker, OrderRanker
from harness.papers.mind2web.mindact.step_solvers import (
    NO_CANDIDATES,
    REJECTED,
    Classification,
    Generation,
    MindAct,
    Prompting,
)
from tests.models.servers import Server, openai_reply
from tests.needs import LOCAL_MODEL, require
from tests.papers.mind2web.mindact.pages import IDS, asked, demonstrations

PRESET = resolve("gpt-4o", {})
OPTION = re.compile(r"^(\w+)\. (.*)$", re.MULTILINE)


@dataclass
class Model:
    """Chooses options that hold a text, and says what to do with them; keeps what it was asked."""

    likes: str
    says: str = "Action: CLICK"
    requests: list[Any] = field(default_factory=list)

    def __call__(self, request: Any) -> Reply:
        self.requests.append(request)
        options = OPTION.findall(request.messages[-1].text.partition("Which of these")[2])
        label = next((label for label, words in options[1:] if self.likes in words), options[0][0])
        return Reply(f"Answer: {label}" if label == options[0][0] else f"Answer: {label}\n{self.says}")


def questions(model: Any, **more: Any) -> Questions:
    return Questions(model, PRESET, **more)


def test_the_one_that_is_left_is_predicted_with_what_its_last_answer_says():
    model = Model("Glass kettle", "Action: TYPE\nValue: a kettle")
    said = MindAct(LexicalRanker(), questions(model)).predict(asked())
    assert said.backend_node_id in ("13", "14", "15", "1")
    assert (said.op, said.value, said.problem) == ("TYPE", "a kettle", "")
    assert said.told["candidates"] == 19
    assert said.told["rounds"][0] == [5, 5, 5, 4]
    assert len(model.requests) == sum(map(len, said.told["rounds"]))


def test_each_question_shows_five_candidates_and_none_of_them_and_the_pruned_page():
    model = Model("nothing like it")
    MindAct(LexicalRanker(), questions(model)).predict(asked(previous=("[a]  Home -> CLICK",)))
    for request in model.requests:
        text = request.messages[-1].text
        assert len(OPTION.findall(text.partition("Which of these")[2])) in (6, 5)
        assert "A. None of these" in text
        assert "Find the cheapest glass kettle" in text
        assert "[a]  Home -> CLICK" in text
        assert request.grammar is None
    assert len({request.messages[-1].text for request in model.requests}) == len(model.requests)


def test_only_the_best_are_asked_about():
    model = Model("nothing like it")
    said = MindAct(OrderRanker(), questions(model), top=7).predict(asked())
    assert said.told["rounds"] == [[5, 2]]


def test_the_seed_decides_the_groups_and_the_same_seed_makes_the_same():
    def groups(seed: int) -> list[str]:
        model = Model("nothing like it")
        MindAct(OrderRanker(), questions(model), seed=seed).predict(asked())
        return [request.messages[-1].text for request in model.requests]

    assert groups(1) == groups(1)
    assert groups(1) != groups(2)


def test_if_all_are_rejected_nothing_is_predicted():
    said = MindAct(OrderRanker(), questions(Model("nothing like it"))).predict(asked())
    assert (said.backend_node_id, said.op, said.problem) == (None, None, REJECTED)


def test_answers_that_cannot_be_read_reject_their_group_and_are_counted():
    said = MindAct(OrderRanker(), questions(lambda _: Reply("Sure, the search button!"))).predict(asked())
    assert said.backend_node_id is None
    assert said.problem == f"{REJECTED}; unread: it gives no answer"
    assert said.told["unread"] == {"it gives no answer": 4}


def test_an_element_without_a_readable_operation_keeps_the_element():
    said = MindAct(OrderRanker(), questions(Model('type="submit"', "Action: PRESS"))).predict(asked())
    assert (said.op, said.problem) == (None, "its action is none: 'PRESS'")
    assert said.backend_node_id is not None


def test_without_candidates_nobody_is_asked():
    for kind in (MindAct, Prompting, Generation):
        said = kind(OrderRanker(), questions(pytest.fail)).predict(asked(ids=()))
        assert (said.backend_node_id, said.problem) == (None, NO_CANDIDATES)
    assert Classification(OrderRanker()).predict(asked(ids=("99",))).problem == NO_CANDIDATES


def test_the_ranker_alone_takes_the_best_with_the_usual_operation_of_its_tag():
    assert Classification(LexicalRanker()).predict(asked()).op == "CLICK"
    for id_, op in (("7", "TYPE"), ("8", "SELECT"), ("11", "CLICK")):
        said = Classification(OrderRanker()).predict(asked(ids=(id_,)))
        assert (said.backend_node_id, said.op, said.value) == (id_, op, "")


def test_prompting_asks_once_with_all_of_the_best():
    model = Model("Wool socks </a>")
    said = Prompting(OrderRanker(), questions(model)).predict(asked())
    assert (said.backend_node_id in ("13", "16", "17"), said.op, len(model.requests)) == (True, "CLICK", 1)
    assert "\n19. " in model.requests[0].messages[-1].text
    none = Prompting(OrderRanker(), questions(Model("nothing like it"))).predict(asked())
    assert (none.backend_node_id, none.problem) == (None, REJECTED)


@pytest.mark.parametrize(
    ("written", "id_"),
    [
        ('<button type="submit"> <span> Search </span> </button>', "11"),
        ("Wool socks", "16"),
        ('<select aria-label="Order">', None),
        ("<button> Buy </button>", None),
    ],
)
def test_a_generated_element_counts_where_the_page_has_one_with_its_words(written, id_):
    reply = Reply(f"Element: {written}\nAction: CLICK")
    said = Generation(OrderRanker(), questions(lambda _: reply)).predict(asked())
    assert said.backend_node_id == id_
    assert bool(said.problem) == (id_ is None)


def test_nothing_in_a_question_without_options_is_numbered():
    seen: list[str] = []

    def model(request: Any) -> Reply:
        seen.append(request.messages[-1].text)
        return Reply("")

    said = Generation(OrderRanker(), questions(model)).predict(asked())
    assert said.problem == "it says nothing"
    assert " id=" not in seen[0]


def test_a_page_is_cut_narrower_until_the_question_fits_and_given_up_then():
    model = Model("nothing like it")
    wide = MindAct(OrderRanker(), questions(model), top=5)
    wide.predict(asked())
    size = len(model.requests[-1].messages[-1].text)
    # Counted or estimated: the vocabulary need not be there.
    needed = tokens_for(PRESET.model, PRESET.provider).request(model.requests[-1])
    small = resolve("gpt-4o", {"max_input_tokens": needed - 1})
    MindAct(OrderRanker(), Questions(model, small), top=5).predict(asked())
    assert len(model.requests[-1].messages[-1].text) < size
    with pytest.raises(StepTooLarge, match="or --max-input-tokens"):
        MindAct(OrderRanker(), Questions(model, resolve("gpt-4o", {"max_input_tokens": 20}))).predict(asked())


# ---- examples ---------------------------------------------------------------------------------------------------


def test_examples_are_of_other_websites_and_other_tasks_and_one_in_three_has_no_answer():
    found = few_examples(demonstrations(), 3).choices("shop", "any")
    assert len(found) == 3
    assert not any("shop thing" in each.question for each in found)
    assert [each.answer == "Answer: A" for each in found] == [False, False, True]
    assert "Action: " in found[0].answer
    task = demonstrations()[4].confirmed_task
    assert not any(task in each.question for each in few_examples(demonstrations(), 3).choices("board", task))


def test_examples_come_before_the_question():
    model = Model("nothing like it")
    examples = few_examples(demonstrations(("travel", "board")), 3)
    Prompting(OrderRanker(), questions(model, examples=examples)).predict(asked())
    roles = [message.role for message in model.requests[0].messages]
    assert roles == ["system", *["user", "assistant"] * 3, "user"]


def test_generated_examples_hold_the_element_as_it_is_asked_for():
    found = few_examples(demonstrations(("travel",)), 1).generations("shop", "any")
    element = found[0].answer.partition("\n")[0].removeprefix("Element: ")
    assert element in found[0].question


def test_too_few_examples_are_said():
    with pytest.raises(TooFewExamples, match=r"3 examples are wanted, and of other websites than shop .* there are 0"):
        few_examples(demonstrations(("shop",)), 3).choices("shop", "any")


# ---- by name, from options --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setup:
    name: str
    folder: Path
    options: dict[str, Any]
    seed: int = 0


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Server(lambda _: openai_reply("Answer: B\nAction: CLICK")) as server:
        yield server


def test_every_model_is_asked_through_the_service_with_its_account_and_replies(tmp_path, server):
    options = {"model": "gpt-4o", "base_url": f"{server.url}/v1", "top": 5}
    solver = MindAct.set_up(Setup("mindact", tmp_path, options))
    assert solver.predict(asked()).op == "CLICK"
    assert len(server.requests) == 1
    assert Ledger(tmp_path / LEDGER).totals().calls == 1
    assert MindAct.set_up(Setup("mindact", tmp_path, options)).predict(asked()).op == "CLICK"
    assert len(server.requests) == 1


def test_examples_are_read_from_the_demonstrations_that_an_option_names(tmp_path, server):
    file = tmp_path / "held.jsonl"
    written(demonstrations(("travel", "board")), file)
    options = {"model": "gpt-4o", "base_url": f"{server.url}/v1", "examples_from": str(file), "examples": 2}
    Prompting.set_up(Setup("prompt", tmp_path, options)).predict(asked())
    assert len(server.requests[0].json["messages"]) == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "the solver 'mindact' asks a model: give --preset NAME"),
        ({"model": "gpt-4o", "top": 0}, "top=0: it is a whole number from 1"),
        ({"model": "gpt-4o", "examples": 3}, "say of which demonstrations"),
        ({"model": "gpt-4o", "examples": True, "examples_from": "x"}, "--examples True: expected int, got bool"),
        ({"model": "gpt-4o", "ranker": "best"}, "unknown ranker 'best'"),
        ({"model": "gpt-4o", "ranker": "cross-encoder:/nowhere"}, "/nowhere is no folder"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_in_a_line(tmp_path, options, words):
    with pytest.raises(UserError, match=re.escape(words)):
        MindAct.set_up(Setup("mindact", tmp_path, options))


@pytest.mark.slow
def test_a_model_in_the_process_is_held_to_the_form_and_answers_a_step(tmp_path):
    require(*LOCAL_MODEL)
    options = {"model": "local", "top": 3}
    said = MindAct.set_up(Setup("mindact", tmp_path, options)).predict(asked(ids=IDS[6:12]))
    assert said.told["unread"] == {}
    assert said.problem in ("", REJECTED)


@pytest.mark.parametrize("kind", [MindAct, Prompting, Generation])
def test_what_is_asked_can_be_told_before_and_nothing_is_sent(kind):
    sent: list[Request] = []

    def first_of_each_group(request: Request) -> Reply:
        sent.append(request)
        return Reply("Answer: B\nAction: CLICK")

    solver = kind(OrderRanker(), questions(first_of_each_group))
    planned = list(solver.questions(asked()))
    assert not sent
    solver.predict(asked())
    tokens = tokens_for(PRESET.model, PRESET.provider)
    assert len(planned) == len(sent)
    assert all(told.input_tokens >= tokens.request(each) for told, each in zip(planned, sent, strict=True))
    assert {told.output_tokens for told in planned} == {sent[0].max_tokens}
    assert solver.price == PRESET.price
    assert list(solver.questions(asked(ids=()))) == []


def test_a_step_that_cannot_be_asked_is_no_question():
    asker = Questions(pytest.fail, resolve("gpt-4o", {"max_input_tokens": 20}))
    for kind in (MindAct, Prompting, Generation):
        assert list(kind(OrderRanker(), asker).questions(asked())) == []
