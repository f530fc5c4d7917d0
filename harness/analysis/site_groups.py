"""By what episodes on websites are put together, and which goals of websites two results reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness.catalog.site_facts import SiteFacts
from harness.kit.statistics.significance import sign_flip
from harness.records.episode import Episode
from harness.records.site_record import SiteRecord
from harness.scoring.evaluators.addresses import host_of

NO_LEVEL = "not said"
"""In place of a level that no task says."""
NO_SITE = "not said"
"""In place of a site that has no name."""
REACHED: Mapping[bool | None, str] = {True: "yes", False: "no", None: "unknown"}
"""Whether the main evaluator says that the goal was reached -> the word for it."""
_LEVELS = ("easy", "medium", "hard")


def site_name(task: SiteFacts) -> str:
    """The bundled site that a task is on, else the host at which it begins."""
    return task.site or host_of(task.start) or NO_SITE


def level_name(task: SiteFacts) -> str:
    """How hard a task is said to be."""
    return task.level or NO_LEVEL


def in_order(levels: Iterable[str]) -> list[str]:
    """Levels from easy to hard, then others by name, each once."""
    there = {*levels}
    return [*(level for level in _LEVELS if level in there), *sorted(there - {*_LEVELS})]


def site_words(episode: Episode, site: SiteRecord) -> Mapping[str, str]:
    """What an episode on a website is chosen by, by the names of ``harness.scoring.scored_kind.GROUPS``."""
    main = site.main
    success = main.success if main and episode.outcome != "harness_error" else None
    return {"site": site_name(site.task), "level": level_name(site.task), "reached": REACHED[success]}


@dataclass(frozen=True)
class ReachedGoals:
    """Episodes on websites by which results reached the goal, as their main evaluators say.

    Attributes:
        both: Goals that both reached.
        only_first: That the first alone reached.
        only_second: That the second alone reached.
        neither: That none reached.
        unknown: Of which that is not known of one or both; they are in none of these counts.
        p_by_task: The sign-flip test on each task's only_second less only_first; None with fewer than six tasks.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    unknown: int
    p_by_task: float | None


def reached_goals(instances: pd.DataFrame, seed: int) -> ReachedGoals | None:
    """The goals of the websites among shared instances; None if none of them is on a website.

    Args:
        instances: A row each, with ``task``, ``site`` (empty of a form), ``reached_first`` and ``reached_second``.
        seed: Of the test's random patterns.
    """
    on_site = instances[instances["site"] != ""]
    if on_site.empty:
        return None
    reached = on_site[["reached_first", "reached_second"]].to_numpy()
    known = (reached != REACHED[None]).all(axis=1)
    first, second = (reached[known] == REACHED[True]).T
    net = pd.Series(second.astype(np.float64) - first).groupby(on_site["task"].to_numpy()[known]).sum()
    return ReachedGoals(
        both=int((first & second).sum()),
        only_first=int((first & ~second).sum()),
        only_second=int((second & ~first).sum()),
        neither=int((~first & ~second).sum()),
        unknown=int((~known).sum()),
        p_by_task=sign_flip(net.to_numpy(), seed=seed),
    )
