"""What a worker knows of an episode on a website when its solver is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.kit.files.codec import Count
from harness.records.site_record import LeftPages, Moment


@dataclass(frozen=True, kw_only=True)
class PlayedSite:
    """What happened on a website; nothing of it was made with what the task is judged by.

    Attributes:
        moments: As of ``SiteRecord``; the trees that they name are texts of the trajectory.
        moments_lost: As of ``SiteRecord``.
        is_unseen: As of ``SiteRecord``.
        is_forgotten: Whether the site itself has forgotten how the episode left it.
        answer: As of ``SiteRecord``.
        state_before: As of ``SiteRecord``; what is None here the run's label store fills in, which may ask the site.
        state: As of ``SiteRecord``; likewise.
        reward: As of ``SiteRecord``.
        left: As of ``SiteRecord``; the texts that it names are texts of the trajectory.
        refused: As of ``SiteRecord``.
        late: As of ``SiteRecord``.
        goal: What was to be done, as the solver was told it; empty if nobody was.
    """

    moments: tuple[Moment, ...] = ()
    moments_lost: Count = 0
    is_unseen: bool = False
    is_forgotten: bool = False
    answer: str | None = None
    state_before: Any = None
    state: Any = None
    reward: float | None = None
    left: LeftPages | None = None
    refused: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    goal: str = ""
