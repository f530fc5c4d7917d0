"""Training a cross-encoder on demonstrations, as the paper does (Deng et al. 2023, section 3.1)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from harness.kit.errors import UserError
from harness.papers.mind2web.mindact.encoder_rankers import CrossEncoderRanker
from harness.papers.mind2web.mindact.learned_ranker import LearningStep

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
