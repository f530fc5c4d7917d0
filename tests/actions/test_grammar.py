"""The grammar that models can be held to: what it allows is read without an error, and it allows what is needed."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.actions.call import ActionCall
from harness.actions.grammar import to_gbnf
from harness.actions.parser import parse
from harness.actions.signature import ActionSpec, Parameter
from harness.episode.library import ACTIONS
from tests.actions.gbnf import Grammar

NAMES = ["q1", "it's", 'say "so"', "a-b.c d", "größe", "back\\slash", "line\nend", "\x07", "Answer.q2"]
OPTIONS = {"q1": ["yes", "no"], "it's": ["5", "it's", "|", ""], "nowhere": ["lost"]}


def only(*names: str) -> dict[str, ActionSpec]:
    return {name: ACTIONS[name] for name in names}


def drawn(gbnf: str, times: int = 60) -> list[str]:
    grammar = Grammar(gbnf)
    return [grammar.draw(Random(seed)) for seed in range(times)]  # noqa: S311 - a draw, not a secret


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text() | st.sampled_from(NAMES), max_size=4),
    st.lists(st.text() | st.sampled_from(["1", "'", '"']), max_size=4),
    st.sets(st.sampled_from(sorted(ACTIONS)), min_size=1),
    st.integers(),
)
def test_whatever_the_grammar_allows_is_read_as_calls_of_its_actions_without_an_error(names, values, actions, seed):
    options = dict.fromkeys(names[::2], values)
    chance = Random(seed)  # noqa: S311 - a draw, not a secret
    specs = {name: spec for name, spec in ACTIONS.items() if name in actions}
    for known in (names, None):
        if known == [] and not any(all(each.name != "name" for each in spec.parameters) for spec in specs.values()):
            continue
        text = Grammar(to_gbnf(specs, known, options, max_calls=3, max_text=12, max_items=3)).draw(chance)
        results = parse(text, ACTIONS)
        assert all(isinstance(each, ActionCall) for each in results), (text, results)
        assert len(results) == text.count("\n") + 1, text
        assert {each.name for each in results} <= actions


def test_a_field_is_named_only_if_it_exists() -> None:
    texts = drawn(to_gbnf(only("modify_text", "scroll_to"), NAMES))
    named = {call.args["name"] for text in texts for call in parse(text, ACTIONS)}
    assert named == set(NAMES)


def test_a_field_with_options_takes_only_these_whichever_action_sets_it() -> None:
    texts = drawn(to_gbnf(only("modify_radio", "modify_select", "modify_checkbox"), list(OPTIONS)[:2], OPTIONS), 200)
    for text in texts:
        (call,) = parse(text, ACTIONS)
        value = call.args["value"]
        values = value if isinstance(value, list) else [value]
        assert set(values) <= {*OPTIONS[call.args["name"]], True, False}, text


def test_a_field_is_set_by_its_own_actions_alone_and_looked_at_by_all() -> None:
    specs = only("modify_text", "modify_radio", "get_html")
    texts = drawn(to_gbnf(specs, ["q1", "q2"], {"q1": ["yes"]}, setters={"q1": ["modify_radio"]}), 200)
    pairs = {(call.name, call.args["name"]) for text in texts for call in parse(text, ACTIONS)}
    assert ("modify_text", "q1") not in pairs
    assert pairs >= {("modify_radio", "q1"), ("modify_text", "q2"), ("modify_radio", "q2"), ("get_html", "q1")}


def test_a_field_without_options_takes_any_text_of_at_most_the_given_length() -> None:
    texts = drawn(to_gbnf(only("modify_text"), ["q1", "q9"], {"q1": ["yes"]}, max_text=5), 200)
    values = {call.args["value"] for text in texts for call in parse(text, ACTIONS) if call.args["name"] == "q9"}
    assert max(map(len, values)) == 5
    assert len(values) > 20


def test_no_more_calls_than_asked_for() -> None:
    assert {len(parse(text, ACTIONS)) for text in drawn(to_gbnf(only("maximize"), max_calls=3))} == {1, 2, 3}
    assert {len(parse(text, ACTIONS)) for text in drawn(to_gbnf(only("maximize")))} == {1}


def test_arguments_with_defaults_can_be_left_out_from_the_end() -> None:
    texts = {re.sub(r"-?[\d.]+", "1", text) for text in drawn(to_gbnf(only("scroll")))}
    assert texts == {"scroll()", "scroll(1)", "scroll(1, 1)"}


def test_without_fields_actions_that_need_one_cannot_be_called() -> None:
    texts = set(drawn(to_gbnf(only("modify_text", "get_html"), [])))
    assert texts == {"get_html()", "get_html(None)"}


def test_without_fields_an_argument_that_can_only_be_a_field_is_left_out_with_those_after_it() -> None:
    optional = Parameter("name", "str", required=False, default="")
    further = Parameter("times", "int", required=False, default=1)
    spec = ActionSpec("look", (optional, further), "Looks.")
    assert set(drawn(to_gbnf({"look": spec}, []))) == {"look()"}


@pytest.mark.parametrize(("specs", "names"), [({}, None), ({}, ["q1"]), (only("modify_text"), [])])
def test_a_grammar_that_allows_nothing_is_refused(specs, names) -> None:
    with pytest.raises(ValueError, match="at least one"):
        to_gbnf(specs, names)


def test_every_type_of_argument_can_be_written() -> None:
    kinds = ["str", "bool", "int", "float", "None", "list[str]", "list[int]"]
    parameters = tuple(Parameter(f"p{number}", kind) for number, kind in enumerate(kinds))
    spec = ActionSpec("act", parameters, "Acts.")
    for text in drawn(to_gbnf({"act": spec})):
        (call,) = parse(text, {"act": spec})
        assert isinstance(call, ActionCall), call
        assert [type(value) for value in call.args.values()][:3] == [str, bool, int]
