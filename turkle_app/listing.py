"""The list of tasks: what can be said of each without reading its whole table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from harness.catalog import Catalog
from harness.catalog.csv_table import first_row

_TEMPLATE, _TABLE = "template.html", "batch.csv"


@dataclass(frozen=True)
class Listing:
    """One task in the list.

    Attributes:
        name: The name of its folder.
        title: What workers saw as its title, else its name.
        description: What workers were asked to do; may be empty.
        split: The split it is in.
        warning: What readers should know before they open it; may be empty.
        browse_only: Whether it has no table, so that it can be looked at only.
        problems: How many problems were found so far.
    """

    name: str
    title: str
    description: str
    split: str
    warning: str
    browse_only: bool
    problems: int = 0

    def matches(self, query: str) -> bool:
        """Return whether each word of the query stands in the name, the title or the description."""
        text = f"{self.name}\n{self.title}\n{self.description}".casefold()
        return all(word in text for word in query.casefold().split())


def listings(catalog: Catalog) -> list[Listing]:
    """Return all tasks of a catalog, sorted by name. No table is read beyond its first row."""
    found = [_listing(catalog, name, split) for split, names in catalog.splits().items() for name in names]
    # Only now: to find the facts, each task.json was read, and what is wrong with it became known.
    problems = Counter(problem.task for problem in catalog.problems)
    counted = [replace(listing, problems=problems[listing.name]) for listing in found]
    return sorted(counted, key=lambda listing: (listing.name.casefold(), listing.name))


def _listing(catalog: Catalog, name: str, split: str) -> Listing:
    facts = catalog.facts(name)
    folder = catalog.tasks_dir / name
    first = first_row(folder / _TABLE)
    return Listing(
        name=name,
        title=facts.title or (first or {}).get("Title", "").strip() or name,
        description=facts.description or (first or {}).get("Description", "").strip(),
        split=split,
        warning=facts.content_warning,
        browse_only=first is None and (folder / _TEMPLATE).is_file(),
    )
