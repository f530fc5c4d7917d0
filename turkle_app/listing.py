"""The list of tasks: what can be said of each without reading its whole table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from harness.catalog import Catalog
from harness.catalog.card_store import KnownCard, card_key, find_card
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
        card_key: The name of its card in the cache.
        card: What was found when its files were read and its page was shown; None if nothing was yet.
        problems: How many problems were found so far.
    """

    name: str
    title: str
    description: str
    split: str
    warning: str
    browse_only: bool
    card_key: str
    card: KnownCard | None
    problems: int = 0

    def matches(self, query: str) -> bool:
        """Return whether each word of the query stands in the name, the title or the description."""
        text = f"{self.name}\n{self.title}\n{self.description}".casefold()
        return all(word in text for word in query.casefold().split())

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture of its first page."""
        return self.card is not None and self.card.looked and not self.card.why

    @property
    def kinds(self) -> dict[str, int]:
        """Kind of field -> how many it has, the most common first; empty if not known."""
        return dict(Counter(self.card.kinds).most_common()) if self.card else {}


def listings(catalog: Catalog) -> list[Listing]:
    """Return all tasks of a catalog, sorted by name. No table is read beyond its first row."""
    found = [_listing(catalog, name, split) for split, names in catalog.splits().items() for name in names]
    # Only now: to find the facts, each task.json was read, and what is wrong with it became known.
    problems = Counter(problem.task for problem in catalog.problems if not problem.is_remark)
    counted = [replace(listing, problems=problems[listing.name]) for listing in found]
    return sorted(counted, key=lambda listing: (listing.name.casefold(), listing.name))


def _listing(catalog: Catalog, name: str, split: str) -> Listing:
    facts = catalog.facts(name)
    folder = catalog.tasks_dir / name
    first = first_row(folder / _TABLE)
    key = card_key(folder)
    return Listing(
        name=name,
        title=facts.title or (first or {}).get("Title", "").strip() or name,
        description=facts.description or (first or {}).get("Description", "").strip(),
        split=split,
        warning=facts.content_warning,
        card_key=key,
        card=find_card(key),
        browse_only=first is None and (folder / _TEMPLATE).is_file(),
    )
