"""By what episodes on websites are put together; the pages of runs import it, and do without numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.catalog.site_facts import SiteFacts
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
