"""Papers by name: what each printed, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.kit.errors import UserError
from harness.kit.registry import Registry, registry
from harness.kit.text import did_you_mean
from harness.papers.published_table import PublishedTable, in_order, tables_in


def _none() -> tuple[PublishedTable, ...]:
    return ()


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes:
        title: What it is called here: ``WebCanvas``.
        citation: Authors, title, where and when it appeared.
        url: Where it is read.
        package: Whose ``tables.toml`` holds its tables.
        further: Tables that are kept in another form, beside those.
    """

    title: str
    citation: str
    url: str
    package: str
    further: Callable[[], tuple[PublishedTable, ...]] = _none

    def tables(self) -> tuple[PublishedTable, ...]:
        """All its tables, in order.

        Raises:
            harness.kit.files.codec.Malformed: a file of them is not well formed.
        """
        return in_order([*self.further(), *tables_in(self.package)])

    def table(self, name: str) -> PublishedTable:
        """The table of a name.

        Raises:
            UserError: there is none.
        """
        tables = {each.name: each for each in self.tables()}
        if name not in tables:
            raise UserError(
                f"there is no {name!r} of {self.title}.{did_you_mean(name, tables)} There are {', '.join(tables)}"
            )
        return tables[name]


PAPERS: Registry[Paper] = registry("papers")
