"""Rewriting for style: a sentence in another style, and what was changed in it."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined, texts

NAME = "Rewriting for style"
FREE = ("rewritten",)

CHANGES = ("other words", "shorter", "longer", "spelling", "punctuation")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: what a worker says to have changed is mostly what was changed."""
    return [_instance(crowd, item) for item in texts("rewriting_for_style")]


def _instance(crowd: Crowd, item: dict[str, Any]) -> Made:
    sentence = item["sentence"]
    given = _style(sentence)
    effort = {"friendly": "little", "formal": "much"}.get(item["style"], "some")
    changed = ["other words", "shorter" if len(item["ways"][0]) < len(sentence) else "longer"]
    changed += ["spelling", "punctuation"] if sentence[0].islower() or "!!" in sentence else []

    def answers(worker: Worker) -> dict[str, str]:
        return {
            "given_style": worker.choose(given, ("stiff", "rude", "chatty", "neutral"), 0.25),
            "rewritten": worker.say(item["ways"], talk=False),
            "changes": joined(worker.tick(changed, CHANGES, 0.25), CHANGES),
            "same_meaning": "" if worker.errs(0.12) else "on",
            "effort": worker.choose_near(effort, ("little", "some", "much"), 0.35),
        }

    truth = {"given_style": given, "changes": joined(changed, CHANGES), "same_meaning": "on", "effort": effort}
    return crowd.made({"sentence": sentence, "style": item["style"]}, answers, truth, most=5)


def _style(sentence: str) -> str:
    if sentence[0].islower() or "lol" in sentence or "!!" in sentence or "bomb" in sentence:
        rude = ("gimme", "wheres", "move", "tell")
        return "rude" if sentence.startswith(rude) else "chatty"
    stiff = ("inform", "advised", "commence", "precipitation", "tilisation", "required", "refrain", "important to us")
    return "stiff" if any(word in sentence for word in stiff) else "neutral"
