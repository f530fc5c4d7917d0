"""A model as a judge: what it is asked, and which of its replies count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.models.client import RequestRefused
from harness.models.messages import Reply, Request
from harness.scoring.evaluators.model_judge import TRIES, ModelJudge, read_score


class Script:
    """Answers with one text after the other, and keeps what it was sent."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.sent: list[Request] = []

    def __call__(self, request: Request) -> Reply:
        self.sent.append(request)
        return Reply(self.replies.pop(0))


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("```1```, it is the same", 1.0),
        ("```0```", 0.0),
        ("```0.85```, bright red is red", 0.85),
        ("``` 0.5 ```", 0.5),
        ("```1.00```", 1.0),
        ("It is right: ```1```.", 1.0),
        ("1", None),
        ("0.85", None),
        ("```1.5```", None),
        ("```-1```", None),
        ("```2```", None),
        ("```.5```", None),
        ("```0.855```", None),
        ("```1e0```", None),
        ("```one```", None),
        ("```1``` or ```0```", None),
        ("```1``````0```", None),
        ("```__import__('os').getpid()```", None),
        ("```1+0```", None),
        ("```json\n1\n```", None),
        ("``1``", None),
        ("", None),
    ],
)
def test_reply_counts_only_if_it_is_one_number_between_fences(reply: str, score: float | None):
    assert read_score(reply) == score


def test_judge_is_told_rule_and_answer_as_they_are():
    script = Script("```0.7```, close")
    found = ModelJudge(script, "m").judge("Decide whether it is ${answer}", "cheap $5 ${rule} shoes")
    (request,) = script.sent
    assert found.score == 0.7
    assert request.model == "m"
    assert "Rule: Decide whether it is ${answer}" in request.messages[-1].text
    assert "\ncheap $5 ${rule} shoes\n" in request.messages[-1].text


def test_malformed_reply_is_asked_for_again_in_another_request():
    script = Script("I think so", "```0.9```")
    assert ModelJudge(script, "m").judge("rule", "answer").score == 0.9
    first, second = script.sent
    assert first.key() != second.key()
    assert [message.text for message in second.messages[2:3]] == ["I think so"]


def test_score_is_unknown_after_three_replies_that_cannot_be_read():
    script = Script("yes", "", "surely", "```1```")
    found = ModelJudge(script, "m").judge("rule", "answer")
    assert (found.score, len(script.sent)) == (None, TRIES)
    assert "'surely'" in found.why


def test_score_is_unknown_if_the_model_does_not_answer():
    def refuse(request: Request) -> Reply:
        raise RequestRefused(f"{request.model} is not served here")

    found = ModelJudge(refuse, "m").judge("rule", "answer")
    assert (found.score, found.why) == (None, "the judge did not answer: m is not served here")


def test_number_in_the_answer_is_no_verdict():
    replies: Sequence[str] = ["The answer says ```1``` but I give ```0```"] * TRIES
    assert ModelJudge(Script(*replies), "m").judge("rule", "```1```").score is None
