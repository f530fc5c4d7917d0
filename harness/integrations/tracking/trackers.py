"""Which trackers there are, and what each needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from harness.integrations.tracking.tracker import Tracker
from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.kit.registry import Registry, registry
from harness.kit.text import did_you_mean


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
