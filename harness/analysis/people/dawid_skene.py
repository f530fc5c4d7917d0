"""The model of Dawid and Skene with one worker who stands for all (Applied Statistics 28, 1979, doi:10.2307/2346806).

Written here since no worker's id is left: then all that counts of a question is how many votes each answer has, and
questions with the same votes, of which there are few kinds, are estimated once. crowd-kit, which the tests compare this
with, looks at every vote in every round, and takes minutes for what takes a second here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_ROUNDS = 100
TOLERANCE = 1e-5
"""Gain in log-likelihood, a vote, below which the estimate is done."""
_LEAST = 1e-10
"""The least probability, so that its logarithm is one."""


def posteriors(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely each answer is the true one.

    Expectation-maximisation, starting from the shares of votes. What is estimated is how often each answer is true, and
    how often a worker gives answer b where a is true.

    Args:
        counts: Votes, of shape (questions, answers); each question has at least one.

    Returns:
        Probabilities, of the same shape; each row sums to 1.
    """
    votes, kind, times = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
    found = votes / votes.sum(axis=1, keepdims=True)
    total = float(counts.sum())
    before = -np.inf
    for _ in range(MOST_ROUNDS):
        weights = found * times[:, None]
        prior = np.maximum(weights.sum(axis=0) / times.sum(), _LEAST)
        confusion = np.maximum(votes.T @ weights, _LEAST)
        confusion /= confusion.sum(axis=0)
        joint = np.log(prior) + votes @ np.log(confusion)
        most = joint.max(axis=1, keepdims=True)
        likelihood = most[:, 0] + np.log(np.exp(joint - most).sum(axis=1))
        found = np.exp(joint - likelihood[:, None])
        now = float(times @ likelihood) / total
        if now - before < TOLERANCE:
            break
        before = now
    shares: NDArray[np.float64] = found[kind.reshape(-1)]
    return shares
