"""What a user asks to be trained: which ranker, on which demonstrations, kept where."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations
from harness.papers.mind2web.mindact.encoder_rankers import CrossEncoderRanker
from harness.papers.mind2web.mindact.learned_ranker import LearnedRanker, LearningData, LearningStep
from harness.papers.mind2web.mindact.ranker import Ranker
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact.recall import StepRanks, ranked_pages, ranks_of
from harness.papers.mind2web.mindact_options import CROSS_ENCODER, FLOORS, LEARNED
from harness.papers.mind2web.traces import demonstrations_of
from harness.run.progress import Progress

OTHERS = 5
"""Other elements of a step beside each acceptable one, drawn anew in each epoch."""


@dataclass(frozen=True)
class TrainingPair:
    """A task with an element.

    Attributes:
        query: The task in words.
        element: The element in words.
        wanted: 1 if it may be chosen, else 0.
    """

    query: str
    element: str
    wanted: float


@dataclass(frozen=True)
class TrainingPlan:
    """How long and how fast to learn: as the paper, for DeBERTa with its 86 million weights (Table 4).

    Attributes:
        epochs: How often all steps are gone through.
        batch: Pairs a step of the optimiser.
        rate: Of learning.
        seed: Of draws and shuffling.
    """

    epochs: int = 5
    batch: int = 32
    rate: float = 3e-5
    seed: int = 0


def train_cross_encoder(
    ranker: CrossEncoderRanker, steps: Sequence[LearningStep], plan: TrainingPlan, told: Callable[[float], None]
) -> None:
    """Train a ranker in place: binary cross entropy of the sigmoid of its score.

    Args:
        ranker: The ranker.
        steps: To learn from.
        plan: How.
        told: Is told the loss of each batch.

    Raises:
        UserError: there is nothing to learn from.
    """
    import torch  # noqa: PLC0415 - the ranker is there, so it is
    from sentence_transformers.util import batch_to_device  # noqa: PLC0415

    if not any(any(step.acceptable) for step in steps):
        raise UserError("there is nothing to learn from: no step has an acceptable element")
    torch.manual_seed(plan.seed)
    model = ranker.model
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.rate)
    loss_of = torch.nn.BCEWithLogitsLoss()
    model.train()
    for epoch in range(plan.epochs):
        for batch in _batches(training_pairs(steps, f"{plan.seed} {epoch}"), plan.batch):
            pairs = [(pair.query, pair.element) for pair in batch]
            features = batch_to_device(model.preprocess(pairs), model.device)
            wanted = torch.tensor([pair.wanted for pair in batch], device=model.device)
            loss = loss_of(model(features)["scores"].flatten(), wanted)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            told(loss.item())
    model.eval()
    ranker.learned_from = tuple(sorted({step.website for step in steps} | set(ranker.learned_from)))


def number_of_batches(steps: Iterable[LearningStep], plan: TrainingPlan) -> int:
    """How many batches the training has."""
    pairs = len(training_pairs(steps, "0"))
    return plan.epochs * -(-pairs // plan.batch)


def training_pairs(steps: Iterable[LearningStep], seed: str) -> list[TrainingPair]:
    """Each acceptable element with some others of its page, in any order.

    Args:
        steps: To learn from.
        seed: Of the draw and the order.
    """
    chance = random.Random(seed)  # noqa: S311 - a draw, not a secret
    pairs: list[TrainingPair] = []
    for step in steps:
        right = [each for each, fits in zip(step.elements, step.acceptable, strict=True) if fits]
        wrong = [each for each, fits in zip(step.elements, step.acceptable, strict=True) if not fits]
        drawn = chance.sample(wrong, min(OTHERS * len(right), len(wrong)))
        pairs += [TrainingPair(step.query.words, each.words, 1.0) for each in right]
        pairs += [TrainingPair(step.query.words, each.words, 0.0) for each in drawn]
    chance.shuffle(pairs)
    return pairs


def _batches(pairs: Sequence[TrainingPair], size: int) -> Iterator[Sequence[TrainingPair]]:
    for start in range(0, len(pairs), size):
        yield pairs[start : start + size]


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
