"""What a user asks to be measured: which rankers, on which sites of which demonstrations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from harness.kit.errors import UserError
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker, LearningData
from harness.papers.mind2web.mindact.ranker import Ranker
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact.recall import RankedPage, StepRanks, ranked_pages, ranks_of
from harness.papers.mind2web.mindact_options import LEARNED
from harness.papers.mind2web.traces import demonstrations_of
from harness.run.progress import Progress


class NotHeldOut(UserError):
    """A ranker would be measured on what it was trained on; the message says which."""


@dataclass
class RecallJob:
    """Rankers, measured.

    Attributes:
        traces: A file of demonstrations, or a folder of them.
        rankers: Their names; ``learned`` is learned from all sites but those on which it is measured.
        held_out: The sites to measure on; none for each in turn.
        seed: Of all that is drawn.
        shown: Is told how it gets on.
        split: The split to measure on; ``all`` for every demonstration.
    """

    traces: Path
    rankers: Sequence[str]
    held_out: tuple[str, ...]
    seed: int
    shown: Progress
    split: str = "all"
    _data: LearningData = field(init=False)
    _learned: dict[tuple[str, ...], LearnedRanker] = field(init=False, default_factory=dict)

    def ranks(self) -> list[StepRanks]:
        """Where the rankers put what may be chosen, step by step.

        Raises:
            NotHeldOut: a ranker was trained on a site that it is to be measured on.
            UserError: there is no step to measure on, a ranker cannot be made, or the demonstrations cannot be read.
        """
        if LEARNED in self.rankers:
            self._read_data()
        steps = list(ranks_of(self._pages("recall", self.held_out or None, self.split), self._for))
        if not steps:
            where = f" of {', '.join(self.held_out)}" if self.held_out else ""
            raise UserError(f"{self.traces} holds no step{where} to measure on")
        return steps

    def _for(self, website: str) -> list[Ranker]:
        without = self.held_out or (website,)
        learned = [self._without(without)] if LEARNED in self.rankers else []
        for ranker in self._given:
            # New tasks on known sites are what this split holds out.
            if website in ranker.learned_from and self.split != "cross-task":
                raise NotHeldOut(
                    f"{ranker.name} was trained on {', '.join(ranker.learned_from)}: measure it on another site, with "
                    "--held-out-website"
                )
        return [*self._given, *learned]

    @cached_property
    def _given(self) -> list[Ranker]:
        found = [ranker_named(name, self.seed) for name in self.rankers if name != LEARNED]
        if len({ranker.name for ranker in found}) < len(found):
            raise UserError("--ranker: give one of a kind only, since they are told apart by it")
        return found

    def _without(self, websites: tuple[str, ...]) -> LearnedRanker:
        if websites not in self._learned:
            self._learned[websites] = self._data.learned(without=websites)
        return self._learned[websites]

    def _read_data(self) -> None:
        self._data = LearningData(self.seed)
        for page in self._pages("reading what is learned from", None):
            self._data.add(page.step)

    def _pages(self, what: str, websites: tuple[str, ...] | None, split: str = "all") -> Iterator[RankedPage]:
        self.shown.start(what, None)
        try:
            for page in ranked_pages(demonstrations_of(self.traces, split, self.seed), websites):
                yield page
                self.shown.advance(None, None)
        finally:
            self.shown.finish()
