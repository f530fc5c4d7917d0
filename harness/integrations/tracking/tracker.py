"""What a tracker is told of a run: its parameters, each episode, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.kit.registry import Registry, registry
from harness.kit.text import did_you_mean
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
        parameters: What it is made of, see ``harness.integrations.tracking.run_metrics``.
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
        metrics: How far the run is with it, see ``harness.integrations.tracking.run_metrics``.
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
        metrics: Its numbers, see ``harness.integrations.tracking.run_metrics``.
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


class NoTracker(UserError):
    """There is no such tracker, or its library is not installed; the message says what there is, or how to have it."""


@dataclass(frozen=True)
class TrackerEntry:
    """Where a tracker is.

    Attributes:
        place: Its class, as ``module:Class``; imported when it is used.
        library: The module that it needs.
        prints: Whether the library writes to the terminal by itself.
    """

    place: str
    library: str
    prints: bool = True

    def make(self) -> Tracker:
        """The tracker; its library is imported."""
        module, _, name = self.place.partition(":")
        made: Callable[[], Tracker] = getattr(import_module(module), name)
        return made()


MLFLOW = TrackerEntry("harness.integrations.tracking.mlflow_tracker:MlflowTracker", "mlflow")
WANDB = TrackerEntry("harness.integrations.tracking.wandb_tracker:WandbTracker", "wandb")
TRACKIO = TrackerEntry("harness.integrations.tracking.trackio_tracker:TrackioTracker", "trackio")
OPENTELEMETRY = TrackerEntry(
    "harness.integrations.tracking.opentelemetry_tracker:OpenTelemetryTracker", "opentelemetry.sdk", prints=False
)

TRACKERS: Registry[TrackerEntry] = registry("trackers")
"""Name, which is that of its extra, too -> where it is."""


def check_tracker(name: str) -> None:
    """Make sure that a tracker can be used; nothing of it is imported.

    Args:
        name: Of ``TRACKERS``.

    Raises:
        NoTracker: there is none of that name, or its library is not installed.
    """
    if name not in TRACKERS:
        known = ", ".join(TRACKERS)
        raise NoTracker(f"no tracker is called {name!r}.{did_you_mean(name, TRACKERS)} Known: {known}")
    library = TRACKERS[name].library
    if not _is_installed(library):
        needed = installing(name)
        raise NoTracker(f"{name}: {library} is not installed; install it with: {needed}")


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it would be in
        return False
