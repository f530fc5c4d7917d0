"""What a user asks to be trained: which ranker, on which demonstrations, kept where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations
from harness.papers.mind2web.mindact.cross_encoder_training import TrainingPlan, number_of_batches, train_cross_encoder
from harness.papers.mind2web.mindact.encoder_rankers import CrossEncoderRanker
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker, LearningData, LearningStep
from harness.papers.mind2web.mindact.ranker import Ranker
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact.recall import StepRanks, ranked_pages, ranks_of
from harness.papers.mind2web.mindact_options import CROSS_ENCODER, FLOORS, LEARNED
from harness.papers.mind2web.traces import demonstrations_of
from harness.run.progress import Progress


@dataclass(frozen=True)
class TrainingJob:
    """A ranker, trained and measured.

    Attributes:
        traces: A file of demonstrations, or a folder of them.
        ranker: ``learned``, or ``cross-encoder:`` and the folder of the weights to begin with.
        held_out: The sites that nothing is learned from.
        plan: How a cross-encoder is trained; its seed is of the other, too.
        shown: Is told how it gets on.
        split: The split that is learned from; ``all`` for every demonstration.
    """

    traces: Path
    ranker: str
    held_out: tuple[str, ...]
    plan: TrainingPlan
    shown: Progress
    split: str = "all"

    def train(self, out: Path) -> Ranker:
        """Train the ranker, and keep it.

        Args:
            out: The file of a learned ranker, or the folder of a cross-encoder.

        Raises:
            UserError: there is nothing to learn from, no such ranker, or the demonstrations cannot be read.
            OSError: it cannot be written.
        """
        kind, _, base = self.ranker.partition(":")
        if kind == LEARNED and not base:
            return self._learned(out)
        if kind == CROSS_ENCODER and base:
            return self._cross_encoder(Path(base), out)
        raise UserError(f"--ranker {self.ranker}: there are learned and cross-encoder:DIR to be trained")

    def measured(self, trained: Ranker) -> list[StepRanks]:
        """Where the trained ranker puts what may be chosen on the sites that are held out, with the floors.

        A cross-encoder is told as it was before, too.

        Raises:
            UserError: there is no step of these sites.
        """
        base = self.ranker.partition(":")[2]
        before = [CrossEncoderRanker.read(Path(base), f"{CROSS_ENCODER} before")] if base else []
        rankers = [*(ranker_named(name, self.plan.seed) for name in FLOORS), *before, trained]
        pages = ranked_pages(read_demonstrations(self.traces), self.held_out)
        found = list(ranks_of(pages, lambda _: rankers))
        if not found:
            raise UserError(f"{self.traces} holds no step of {', '.join(self.held_out)} to measure on")
        return found

    def _learned(self, out: Path) -> LearnedRanker:
        data = LearningData(self.plan.seed)
        for step in self._steps():
            data.add(step)
        ranker = data.learned()
        ranker.write(out)
        return ranker

    def _cross_encoder(self, base: Path, out: Path) -> CrossEncoderRanker:
        ranker = CrossEncoderRanker.read(base)
        steps = list(self._steps())
        self.shown.start("training", number_of_batches(steps, self.plan))
        try:
            train_cross_encoder(ranker, steps, self.plan, lambda _: self.shown.advance(None, None))
        finally:
            self.shown.finish()
        ranker.write(out)
        return ranker

    def _steps(self) -> Iterator[LearningStep]:
        """Those of the sites that are not held out."""
        self.shown.start("reading what is learned from", None)
        try:
            for page in ranked_pages(demonstrations_of(self.traces, self.split, self.plan.seed)):
                if page.step.website not in self.held_out:
                    yield page.step
                    self.shown.advance(None, None)
        finally:
            self.shown.finish()
