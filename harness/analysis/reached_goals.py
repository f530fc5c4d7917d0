"""On how many websites two results reached the goal, as their main evaluators say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness.analysis.site_groups import REACHED
from harness.kit.statistics.significance import sign_flip


@dataclass(frozen=True)
class ReachedGoals:
    """Episodes on websites by which results reached the goal, as their main evaluators say.

    Attributes:
        both: Goals that both reached.
        only_first: That the first alone reached.
        only_second: That the second alone reached.
        neither: That none reached.
        unknown: Of which that is not known of one or both; they are in none of these counts.
        p_by_task: The sign-flip test on each task's only_second less only_first; None with fewer than six tasks.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    unknown: int
    p_by_task: float | None


def reached_goals(instances: pd.DataFrame, seed: int) -> ReachedGoals | None:
    """The goals of the websites among shared instances; None if none of them is on a website.

    Args:
        instances: A row each, with ``task``, ``site`` (empty of a form), ``reached_first`` and ``reached_second``.
        seed: Of the test's random patterns.
    """
    on_site = instances[instances["site"] != ""]
    if on_site.empty:
        return None
    reached = on_site[["reached_first", "reached_second"]].to_numpy()
    known = (reached != REACHED[None]).all(axis=1)
    first, second = (reached[known] == REACHED[True]).T
    net = pd.Series(second.astype(np.float64) - first).groupby(on_site["task"].to_numpy()[known]).sum()
    return ReachedGoals(
        both=int((first & second).sum()),
        only_first=int((first & ~second).sum()),
        only_second=int((second & ~first).sum()),
        neither=int((~first & ~second).sum()),
        unknown=int((~known).sum()),
        p_by_task=sign_flip(net.to_numpy(), seed=seed),
    )
