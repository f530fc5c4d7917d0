"""Demonstrations of what reference traces and runs did on websites, as a file in Mind2Web's form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from harness.browser.input_back_end import BrowserSession
from harness.integrations.exports.demonstrating import Demonstrated, KeptOfPages, demonstrated
from harness.integrations.exports.examples import Spool
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.site_again import Does, ShownTask
from harness.integrations.exports.site_walks import Browsers, ChosenTraces, SiteWalks
from harness.kit.files.writing import write_bytes
from harness.kit.rows import CannotExport
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.mind2web.demonstrations.mind2web_json import as_json, demonstration_of


@dataclass(frozen=True)
class DemonstrationChoice:
    """What is demonstrated where no run is given, and what is kept of pages.

    Attributes:
        traces: Of which tasks.
        keep: What is kept of pages beside their HTML.
    """

    traces: ChosenTraces = field(default_factory=ChosenTraces)
    keep: KeptOfPages = field(default_factory=KeptOfPages)


class DemonstrationExport:
    """One export: takes what browsers have done, in any order, and writes it in one.

    Attributes:
        left_out: What is no demonstration or no step of one, by reason.
        splits: Those of the tasks.
        steps: Of all demonstrations.
        count: Demonstrations.
    """

    def __init__(self, out: Path, choice: DemonstrationChoice, browsers: Browsers) -> None:
        """Prepare.

        Args:
            out: The file; its name says in which form, as of ``written``.
            choice: What is kept of pages, and of which tasks.
            browsers: What with.

        Raises:
            CannotExport: there is such a file.
        """
        if out.exists():
            raise CannotExport(f"{out} exists; name another with --out, or remove it")
        self.left_out: Counter[str] = Counter()
        self.splits: set[str] = set()
        self.steps = 0
        self.count = 0
        self._out = out
        self._choice = choice
        self._browsers = browsers

    @property
    def pages_folder(self) -> Path:
        """Where files of pages come to stand."""
        return self._out.with_name(f"{self._out.name.partition('.')[0]}-pages")

    def traces(self) -> None:
        """Write demonstrations of reference traces; errors as of ``SiteWalks.traces``, when nothing is written."""
        self._export(lambda walks: walks.traces(self._choice.traces))

    def episodes(self, chosen: Iterable[ExportedEpisode]) -> None:
        """Write demonstrations of episodes of runs; errors as of ``SiteWalks.episodes``."""
        self._export(lambda walks: walks.episodes(chosen))

    def _export(self, go: Callable[[SiteWalks[Demonstrated]], None]) -> None:
        keep = self._choice.keep

        def walk(session: BrowserSession, shown: ShownTask, does: Does, key: str) -> Demonstrated:
            return demonstrated(session, shown, does, key, keep)

        with Spool() as spool:
            walks = SiteWalks(walk, lambda place, name, made: self._take(spool, place, name, made), self._browsers)
            try:
                go(walks)
            finally:
                self.left_out.update(walks.left_out)
            self._write(spool, range(walks.count))

    def _take(self, spool: Spool, place: int, name: str, made: Demonstrated) -> bool:
        """Keep what was done until all is there."""
        self.left_out.update({f"{action}, which is done to no element": n for action, n in made.left_out.items()})
        if made.demonstration is None:
            self.left_out[f"{name}: {made.why}"] += 1
            return False
        spool.put(place, [as_json(made.demonstration)])
        for file, data in made.files.items():
            write_bytes(self.pages_folder / file, data)
        return True

    def _write(self, spool: Spool, places: Iterable[int]) -> None:
        def counted() -> Iterator[Demonstration]:
            for row in spool.rows(places):
                demonstration = demonstration_of(row, "what was demonstrated")
                self.steps += len(demonstration.steps)
                self.splits.add(str(demonstration.more["split"]))
                yield demonstration

        demonstrations = counted()
        for first in demonstrations:  # where there is none, there is to be no file
            self.count = written(chain([first], demonstrations), self._out)
