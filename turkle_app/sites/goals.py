"""The goals of the tasks on the bundled websites, which are there whichever folder is served."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

from harness.catalog import Catalog, CatalogError, MalformedTask
from harness.kit.files.installation import BUNDLED_TASKS
from turkle_app.sites.hosts import ANEW

_FOLDER = BUNDLED_TASKS / "_sites"


@dataclass(frozen=True)
class ListedGoal:
    """A goal in the list.

    Attributes:
        title: Of its task.
        goal: What is to be done.
        level: ``easy``, ``medium`` or ``hard``; empty if not known.
        path: Where it can be tried, behind the site's origin: a visit begins anew there, as for a solver.
    """

    title: str
    goal: str
    level: str
    path: str


@lru_cache(maxsize=1)
def goals() -> dict[str, list[ListedGoal]]:
    """Site -> the goals on it, that of the first instance of each task."""
    found = defaultdict(list)
    try:
        catalog = Catalog(_FOLDER)
    except CatalogError:
        return {}
    for name in catalog.names():
        try:
            task = catalog.task(name)
            facts = task.site_of(task.pages[0])
        except MalformedTask:
            continue
        start = urlsplit(facts.start)
        at = (start.path or "/") + (f"?{start.query}" if start.query else "")
        path = f"{ANEW}?{urlencode({'seed': facts.seed, 'variant': facts.variant, 'at': at})}"
        found[facts.site].append(ListedGoal(task.facts.title or name, facts.goal, facts.level, path))
    return dict(found)


def goal_count() -> int:
    """How many goals there are: folders, of which none is read."""
    try:
        return len(Catalog(_FOLDER).names())
    except CatalogError:
        return 0
