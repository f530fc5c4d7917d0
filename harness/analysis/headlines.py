"""The headline of a run and those of its splits with their intervals, as text for a terminal."""

from __future__ import annotations

from array import array

import numpy as np

from harness.scoring.scores import InstanceScore
from harness.statistics.clustered import LEVEL, mean_of_clusters
from harness.statistics.estimate import Estimate
from harness.text.numbers import NOTHING, percent
from harness.text.tables import aligned

OVERALL = "overall (mean over tasks)"


class Headlines:
    """Keeps the score of every instance that it is shown; see ``harness.analysis.scored_run.Visitor``."""

    def __init__(self) -> None:
        self._tasks: dict[str, int] = {}
        self._splits: dict[int, str] = {}
        self._codes = array("l")
        self._scores = array("d")

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        if score.score is not None:
            code = self._tasks.setdefault(score.episode.task, len(self._tasks))
            self._splits[code] = score.episode.split
            self._codes.append(code)
            self._scores.append(score.score)

    def estimates(self) -> dict[str, Estimate]:
        """``OVERALL``, then each split by its name, unless it is the only one -> the mean over its tasks."""
        # By name, as in a report: equal seeds then give equal limits.
        ranks = np.argsort(np.argsort(np.array(list(self._tasks), dtype=object)))
        codes, scores = np.asarray(self._codes, dtype=np.int64), np.asarray(self._scores)
        found = {OVERALL: mean_of_clusters(scores, ranks[codes])}
        names = sorted(set(self._splits.values()))
        for name in names if len(names) > 1 else ():
            own = np.isin(codes, [code for code, split in self._splits.items() if split == name])
            found[f"split {name}"] = mean_of_clusters(scores[own], ranks[codes[own]])
        return found

    def table(self) -> str:
        """The estimates, as percentages."""
        rows = [["", "score", f"{100 * LEVEL:g} % interval", "tasks", "instances"]]
        for name, each in self.estimates().items():
            limits = NOTHING
            if each.low is not None and each.high is not None:
                limits = f"{percent(each.low)} to {percent(each.high)}"
            rows.append([name, percent(each.value), limits, str(each.clusters), str(each.items)])
        return aligned(rows)
