"""How far a run is, as metrics after each episode."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal

from harness.integrations.tracking.tracker import Metrics
from harness.records.episode import OUTCOMES
from harness.scoring.scores import InstanceScore


class ProgressMetrics:
    """Sums over the episodes so far; a sum of which a part is not known is left out from then on.

    Attributes:
        episodes: How many have ended.
    """

    def __init__(self) -> None:
        self.episodes = 0
        self._outcomes: Counter[str] = Counter()
        self._scored, self._score = 0, 0.0
        self._cost: Decimal | None = Decimal(0)
        self._tokens: tuple[int, int] | None = (0, 0)

    def add(self, score: InstanceScore) -> Metrics:
        """One more episode; returns the metrics with it."""
        episode = score.episode
        seconds = math.fsum(episode.timing.values()) / 1000
        self.episodes += 1
        self._outcomes[episode.outcome] += 1
        if score.score is not None:
            self._scored += 1
            self._score += score.score
        cost, usage = episode.cost, episode.usage
        self._cost = None if self._cost is None or cost is None else self._cost + Decimal(str(cost))
        read, wrote = self._tokens or (0, 0)
        if self._tokens is not None:
            self._tokens = (read + usage.input_tokens, wrote + usage.output_tokens) if usage else None
        return {
            "progress/episodes": self.episodes,
            "progress/scored": self._scored,
            **{f"progress/outcome/{name}": self._outcomes[name] for name in OUTCOMES},
            **({"progress/mean_score": self._score / self._scored} if self._scored else {}),
            **({} if self._cost is None else {"progress/cost": float(self._cost)}),
            **self._of_tokens(),
            **({} if score.score is None else {"episode/score": score.score}),
            "episode/seconds": round(seconds, 3),
        }

    def _of_tokens(self) -> Metrics:
        if self._tokens is None:
            return {}
        return {"progress/input_tokens": self._tokens[0], "progress/output_tokens": self._tokens[1]}
