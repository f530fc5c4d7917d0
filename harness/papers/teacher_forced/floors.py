"""Solvers of steps that ask no model: the bound that knows what was done, and floors that know little."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from typing import Self

from lxml import html as lxml_html
from lxml.etree import LxmlError

from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE, AskedStep, PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import Candidate, DemonstratedStep, Operation
from harness.papers.teacher_forced.step_solvers import StepSetup

_PRESSED = frozenset({"button", "submit", "reset", "image", "checkbox", "radio", "file", "range", "color"})
_WORD = re.compile(r"\w+")
_SAYS = ("aria-label", "aria_label", "placeholder", "title", "alt", "name", "value", "id", "type", "role", "href")
_NOTHING = PredictedStep(backend_node_id=None, op=None, problem="the page has no candidates")


def usual_operation(candidate: Candidate) -> Operation:
    """What is usually done to an element, by its tag."""
    if candidate.tag == "select":
        return "SELECT"
    is_written = candidate.tag == "input" and candidate.attributes.get("type", "text").lower() not in _PRESSED
    return "TYPE" if is_written or candidate.tag == "textarea" else "CLICK"


class StepOracle:
    """Says what was done: the bound that every step with an acceptable element allows."""

    def predict_with_key(self, asked: AskedStep, step: DemonstratedStep) -> PredictedStep:  # noqa: ARG002
        """The first acceptable element, with the operation and the value of the step."""
        if not step.positives:
            return PredictedStep(backend_node_id=None, op=None, problem="no acceptable element is recorded")
        done = step.operation
        return PredictedStep(backend_node_id=step.positives[0].backend_node_id, op=done.op, value=done.value)


class FirstCandidate:
    """Takes the first candidate of the page."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        """The first, with its usual operation and no value."""
        return _taken(asked.candidates[0]) if asked.candidates else _NOTHING


class RandomCandidate:
    """Takes any candidate of the page, by its seed."""

    def __init__(self, seed: int = 0) -> None:
        """Draw by ``seed``: the same step gives the same candidate, in whatever order steps are asked."""
        self._seed = seed

    @classmethod
    def set_up(cls, setup: StepSetup) -> Self:
        """The solver of an evaluation."""
        return cls(setup.seed)

    def predict(self, asked: AskedStep) -> PredictedStep:
        """Any of them, with its usual operation and no value."""
        if not asked.candidates:
            return _NOTHING
        step = f"{self._seed}:{asked.website}:{asked.task}:{len(asked.previous)}"
        return _taken(random.Random(step).choice(asked.candidates))  # noqa: S311 - a baseline, not a secret


class LexicalCandidate:
    """Takes the candidate that shares most words with the task, counting those of done steps less."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        """The best one, the first of several; into a field goes the first name or number of the task not yet in."""
        if not asked.candidates:
            return _NOTHING
        wanted, done = _words(asked.task), _words(" ".join(asked.previous))
        texts = _texts(asked.cleaned_html or asked.raw_html)

        def worth(candidate: Candidate) -> float:
            said = _words(_said_of(candidate, texts.get(candidate.backend_node_id, "")))
            if not said:
                return 0.0
            return (len(said & wanted) - 0.5 * len(said & wanted & done)) / math.sqrt(len(said))

        best = max(asked.candidates, key=worth)  # the first of those that are equal
        taken = _taken(best)
        if taken.op == "CLICK":
            return taken
        return PredictedStep(backend_node_id=taken.backend_node_id, op=taken.op, value=_value(asked))


def _taken(candidate: Candidate) -> PredictedStep:
    return PredictedStep(backend_node_id=candidate.backend_node_id, op=usual_operation(candidate))


def _value(asked: AskedStep) -> str:
    """The first word of the task with a digit or a capital that stands neither first in it nor in a step before."""
    before = _words(" ".join(asked.previous))
    named = [word for word in asked.task.split()[1:] if any(each.isdigit() or each.isupper() for each in word)]
    stripped = [word.strip(".,;:!?\"'()“”") for word in named]
    return next((word for word in stripped if word and word.lower() not in before), "")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _said_of(candidate: Candidate, text: str) -> str:
    return " ".join([text, *(candidate.attributes.get(name, "") for name in _SAYS)])


def _texts(html: str) -> Mapping[str, str]:
    """What the elements of a page say, by their ids."""
    try:
        page = lxml_html.document_fromstring(html, parser=lxml_html.HTMLParser(huge_tree=True))
    except (LxmlError, ValueError):
        return {}
    return {id_: each.text_content() for each in page.iter() if (id_ := each.get(ID_ATTRIBUTE))}
