"""What a solver is asked of one step of a demonstration, and what it says: neither holds what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from harness.papers.mind2web.demonstrations.demonstration import Candidate, Operation


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
