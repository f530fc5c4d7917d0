"""A step of a demonstration as it is put to a solver: without anything that tells what was done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.papers.mind2web.demonstrations.demonstration import Candidate, DemonstratedStep, Demonstration, Operation


@dataclass(frozen=True, kw_only=True)
class AskedStep:
    """A step as a solver sees it.

    Attributes:
        task: What is to be done, in words.
        website: The site's short name.
        previous: The steps before it as they were done, in words (``[button]  Search -> CLICK``).
        raw_html: The page, every element with ``backend_node_id``.
        cleaned_html: The same, cleaned.
        candidates: Elements of the page in the order of the document; nothing says which of them are acceptable.
    """

    task: str
    website: str
    previous: tuple[str, ...]
    raw_html: str
    cleaned_html: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, kw_only=True)
class PredictedStep:
    """What a solver says is to be done.

    Attributes:
        backend_node_id: To which element; None if to none, or if its reply could not be read.
        op: What; None if nothing, or if its reply could not be read.
        value: With which text.
        problem: Why there is no element or no operation; empty if there is nothing to say.
        told: What else it tells of how it got there, as plain JSON: ranks, rounds, costs.
    """

    backend_node_id: str | None
    op: Operation | None
    value: str = ""
    problem: str = ""
    told: Mapping[str, Any] = field(default_factory=dict)


class StepSolver(Protocol):
    """Says of each step what it would do."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        """What it would do.

        Raises:
            Exception: whatever it raises is counted as a step that was not predicted.
        """


ID_ATTRIBUTE = "backend_node_id"
"""By which the pages of demonstrations name their elements."""
_NAMED = re.compile(rf"\b{ID_ATTRIBUTE}\s*=\s*[\"']([^\"']*)[\"']")
# Mind2Web's recorder left them on the elements that it took for candidates, and on the one that was acted on.
_RECORDERS = "data_pw_testid_buckeye"
_LEFT = re.compile(rf"\s{_RECORDERS}\w*\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>]*)")


def asked_step(demonstration: Demonstration, index: int) -> AskedStep:
    """A step as a solver sees it: nothing tells which candidates are acceptable, not even their order.

    Args:
        demonstration: Of which it is a step.
        index: Which, from 0.
    """
    step = demonstration.steps[index]
    return AskedStep(
        task=demonstration.confirmed_task,
        website=demonstration.website,
        previous=demonstration.action_reprs[:index],
        raw_html=_without_marks(step.raw_html),
        cleaned_html=_without_marks(step.cleaned_html),
        candidates=_shown(step),
    )


def _shown(step: DemonstratedStep) -> tuple[Candidate, ...]:
    """All candidates, each once, in the order of the document; those that are not in it come last, by their ids."""
    places: dict[str, int] = {}
    for found in _NAMED.finditer(step.raw_html or step.cleaned_html):
        places.setdefault(found[1], len(places))
    known = {each.backend_node_id: each for each in (*step.negatives, *step.positives)}
    ids = sorted(known, key=lambda each: (places.get(each, len(places)), _by_number(each)))
    return _bare([known[each] for each in ids])


def _bare(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            backend_node_id=each.backend_node_id,
            tag=each.tag,
            attributes={name: value for name, value in each.attributes.items() if not name.startswith(_RECORDERS)},
        )
        for each in candidates
    )


def _by_number(id_: str) -> tuple[int, str]:
    return (int(id_), id_) if id_.isdecimal() else (0, id_)


def _without_marks(html: str) -> str:
    return _LEFT.sub("", html) if _RECORDERS in html else html
