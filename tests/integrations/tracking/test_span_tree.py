"""An episode as spans, without OpenTelemetry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.actions.result import ErrorCode, Step
from harness.integrations.tracking.span_tree import TreeSpan, episode_span
from harness.integrations.tracking.tracker import BegunRun, EndedEpisode
from harness.models.messages import Usage
from harness.records.episode import Episode
from harness.records.turn import Turn

RUN = BegunRun("run", "gpt4-text", "gpt-4", "google", 0.0, {})
STEPS = (
    Step("get_html()", ok=True, message="<p>a page's text</p>", ms=10.0),
    Step("modify_text('a', 'a page\\'s text')", ok=True, message="a page's text", ms=20.0),
    Step("modify_text('b', 'x')", ok=False, message="a page's text", ms=30.0, code=ErrorCode.NO_SUCH_FIELD),
)
TURN = Turn(
    reply="a page's text", usage=Usage(7, 3), cost=0.5, finish="stop", model="gpt-4-0613", ms=100.0, steps=(1, 3)
)
TIMING = {"open": 1000.0, "observe": 40.0, "think": 100.0, "act": 60.0, "wait": 0.0, "submit": 200.0, "read": 5.0}


def span_of(**values) -> TreeSpan:
    made = {"outcome": "scored", "steps": STEPS, "turns": (TURN,), "timing": TIMING, **values}
    return episode_span(RUN, EndedEpisode(Episode("Text", 2, "ab", "test", **made), 0.25, 100.0, 1, {}))


def all_of(span: TreeSpan) -> Iterator[TreeSpan]:
    yield span
    for part in span.parts:
        yield from all_of(part)


def test_an_episode_holds_its_turns_and_a_turn_its_exchange_and_its_actions():
    assert [span.name for span in all_of(span_of())] == [
        "invoke_agent gpt4-text", "execute_tool get_html", "turn 1", "chat gpt-4-0613", "execute_tool modify_text",
        "execute_tool modify_text",
    ]  # fmt: skip


def test_times_are_those_that_were_measured_and_what_was_not_is_shared_out():
    whole, look, turn, chat, first, second = all_of(span_of())
    assert (whole.began, whole.ended) == (100_000 - 1405, 100_000)
    work = whole.began + 1000
    assert (look.began, look.ended) == (work + 20, work + 30)
    assert (turn.began, turn.ended) == (work + 50, work + 200)
    assert (chat.began, chat.ended) == (turn.began, turn.began + 100)
    assert (first.began, first.ended, second.ended) == (chat.ended, chat.ended + 20, turn.ended)


def test_what_took_longer_than_its_episode_is_still_in_it():
    whole, *parts = all_of(span_of(timing={"open": 5.0}))
    assert whole.ended - whole.began == pytest.approx(165)
    assert [each.name for each in parts if each.began < whole.began or each.ended > whole.ended] == []


def test_attributes_are_those_of_the_conventions():
    whole, _, _, chat, _, failed = all_of(span_of())
    assert (whole.attributes["gen_ai.operation.name"], whole.attributes["turkbench.score"]) == ("invoke_agent", 0.25)
    assert whole.attributes["gen_ai.usage.input_tokens"] == 7
    assert (chat.remote, chat.attributes["gen_ai.operation.name"]) == (True, "chat")
    assert chat.attributes["gen_ai.provider.name"] == "gcp.gemini"
    assert (chat.attributes["gen_ai.request.model"], chat.attributes["gen_ai.response.model"]) == (
        "gpt-4",
        "gpt-4-0613",
    )
    assert (chat.attributes["gen_ai.usage.output_tokens"], chat.attributes["turkbench.cost"]) == (3, 0.5)
    assert chat.attributes["gen_ai.response.finish_reasons"] == ("stop",)
    assert (failed.error, failed.attributes["error.type"]) == ("no_such_field", "no_such_field")
    assert failed.attributes["gen_ai.tool.name"] == "modify_text"


def test_what_is_not_known_is_left_out():
    whole, *_ = all_of(span_of(turns=(Turn(),), steps=()))
    assert {"gen_ai.usage.input_tokens", "turkbench.cost", "turkbench.attempts", "error.type"}.isdisjoint(
        whole.attributes
    )


def test_an_episode_that_failed_has_an_error():
    assert span_of(outcome="agent_error", detail="a page's text").error == "agent_error"
    assert span_of(outcome="limit", limit="steps").error == ""


def test_no_text_of_a_page_is_in_any_span():
    assert "a page" not in repr(span_of(outcome="agent_error", detail="a page's text"))
