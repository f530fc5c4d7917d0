"""Checking facts: a claim held against a passage, on a page of AMT's own elements."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Checking facts"
FREE = ("because",)
OPEN = ("correction",)

VERDICTS = ("supported", "refuted", "not enough")
_BECAUSE = {
    "supported": (
        "Sentence {at} says so, so “{claim}” holds.",
        "It is in sentence {at}, and “{claim}” fits it.",
        "I read sentence {at}, which bears out “{claim}”.",
        "See number {at}; that is what “{claim}” says.",
    ),
    "refuted": (
        "Sentence {at} says something else than “{claim}”.",
        "Number {at} goes against “{claim}”.",
        "With sentence {at} it cannot be that “{claim}”.",
        "Look at {at}, which is not what “{claim}” says.",
    ),
    "not enough": (
        "I find no word about it, so “{claim}” stays open.",
        "The text does not tell whether “{claim}”.",
        "Nothing in the five sentences decides “{claim}”.",
        "One would have to look “{claim}” up somewhere else.",
    ),
}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who takes the verdict wrong points at other sentences, and gives a reason that fits."""
    return [_instance(crowd, item, claim) for item in texts("checking_facts") for claim in item["claims"]]


def _instance(crowd: Crowd, item: dict[str, Any], said: tuple[str, str, list[int], str]) -> Made:
    claim, verdict, deciding, right = said

    def answers(worker: Worker) -> dict[str, str]:
        chosen = worker.choose(verdict, VERDICTS, 0.25, ("not enough",))
        marked = deciding
        if chosen != verdict or worker.errs(0.12):
            marked = [] if chosen == "not enough" else [worker.pick(range(1, 6))]
        at = " and ".join(map(str, marked)) or "1"
        reasons = [text.format(at=at, claim=claim.rstrip(".")) for text in _BECAUSE[chosen]]
        return {
            "verdict": chosen,
            **{f"sentence-{number}": "on" if number in marked else "" for number in range(1, 6)},
            "correction": worker.copy(right, 0.1) if chosen == "refuted" and right and not worker.skips(0.2) else "",
            "because": worker.say(reasons),
        }

    inputs = {"title": item["title"], "claim": claim}
    inputs |= {f"sentence_{number}": text for number, text in enumerate(item["passage"], 1)}
    truth = {"verdict": verdict} | {f"sentence-{at}": "on" if at in deciding else "" for at in range(1, 6)}
    return crowd.made(inputs, answers, truth, most=5)
