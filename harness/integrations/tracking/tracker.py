"""What a tracker is told of a run: its parameters, each episode, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from harness.records.episode import Episode

Parameter = str | int | float | bool
Parameters = Mapping[str, Parameter]
Metrics = Mapping[str, float]


class TrackerFailed(Exception):
    """A tracker has not taken what it was told; the message says why."""


@dataclass(frozen=True)
class BegunRun:
    """A run of which nothing was told yet.

    Attributes:
        name: Of its run directory.
        solver: Its solver's name.
        model: The model that it asks for; empty if it names none.
        provider: Whose model that is, as ``presets.toml`` names it; empty if that is not known.
        began: When it began, in seconds since 1970.
        parameters: What it is made of, see ``harness.integrations.tracking.run_parameters``.
    """

    name: str
    solver: str
    model: str
    provider: str
    began: float
    parameters: Parameters


@dataclass(frozen=True)
class EndedEpisode:
    """An episode that has ended.

    Attributes:
        record: What is kept of it. It has labels and texts of pages, which are for no tracker.
        score: Between 0 and 1; None if it has none.
        ended: When its record was written, in seconds since 1970.
        number: How many had ended with it.
        metrics: How far the run is with it, see ``harness.integrations.tracking.progress_metrics``.
    """

    record: Episode
    score: float | None
    ended: float
    number: int
    metrics: Metrics


@dataclass(frozen=True)
class RunSummary:
    """What a run came to.

    Attributes:
        status: As in ``run.json``; ``running`` of one that was killed.
        ended: When, in seconds since 1970.
        parameters: What is known of it only now.
        metrics: Its numbers, see ``harness.integrations.tracking.summary_metrics``.
    """

    status: str
    ended: float
    parameters: Parameters
    metrics: Metrics

    @property
    def is_complete(self) -> bool:
        """Whether every instance has its score."""
        return self.status == "complete"


class Tracker(Protocol):
    """Takes what it is told to where its own environment variables say. Whatever it raises is not the run's."""

    def start(self, run: BegunRun) -> str:
        """A run is told of; returns where it can be seen."""

    def episode(self, ended: EndedEpisode) -> None:
        """An episode has ended."""

    def end(self, summary: RunSummary) -> None:
        """The run is over. What was told is where it belongs when this returns."""
