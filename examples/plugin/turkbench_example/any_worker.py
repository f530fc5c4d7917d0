"""A metric that takes a choice for right if one worker made it; all else is as in the standard profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from turkbench import PROFILES, FieldScore

_STANDARD = PROFILES["standard"]


class AnyWorker:
    """See ``turkbench.Profile``."""

    name = "any-worker"
    scores_invisible = True

    def score_field(
        self, kind: str, options: Sequence[str], labels: Sequence[str], sent: Sequence[str]
    ) -> FieldScore | None:
        """Score one field."""
        score = _STANDARD.score_field(kind, options, labels, sent)
        if score is None or kind not in ("radio", "select") or not set(sent) & set(labels):
            return score
        return replace(score, score=1.0, ceiling=1.0, explanation="a worker gave this answer")

    def best_answer(self, kind: str, options: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
        """What to send for the best score."""
        return _STANDARD.best_answer(kind, options, labels)

    def instance_score(self, scores: Sequence[tuple[str, FieldScore]]) -> float | None:
        """The mean over the fields of an instance."""
        return _STANDARD.instance_score(scores)


ANY_WORKER = AnyWorker()
