"""Train a small policy on one bundled task, through Gymnasium, until it beats the most frequent answers.

Each option of each field has a weight a word of the page, and learns from the reward of the step that chooses it. It
learns and is tried on the same instances: this shows the interface, and is no result.
"""

import re
import sys
from collections import defaultdict

import gymnasium
import numpy as np
from turkbench.harness.integrations.adapters import gym

gymnasium.register_envs(gym)
EXPLORE, RATE, PASSES = 0.3, 0.7, 20
SUBMIT = (16, 0)
weights: defaultdict = defaultdict(float)
chance = np.random.default_rng(0)


def value(choice: tuple[int, int], words: set[str]) -> float:
    """What choosing an option of a field is expected to be worth on a page with these words."""
    return sum(weights[choice, word] for word in words)


def episode(env: gymnasium.Env, row: int, explore: float) -> tuple[float, float]:
    """Fill in one form; gives its score and that of the most frequent answers."""
    seen, _ = env.reset(options={"row": row})
    words = set(re.findall(r"[a-z']{4,}", seen["text"].lower()))
    for field, offered in enumerate(seen["choices"]["offered"]):
        options = [(field, option) for option in offered.nonzero()[0]]
        if not options:
            continue
        learning = chance.random() < explore
        best = max(options, key=lambda each: value(each, words))
        choice = options[chance.integers(len(options))] if learning else best
        expected = value(choice, words)
        if expected >= 0 or learning:
            reward = env.step(choice)[1]
            for word in words:
                weights[choice, word] += RATE * (reward - expected) / len(words)
    *_, told = env.step(SUBMIT)
    return told["score"], told["constant"]


def main() -> int:
    """Train; returns the exit code."""
    options = {"observation": ("text", "choices"), "encoding": "text", "actions": "choices", "reward": "field"}
    with gymnasium.make("turkbench/Sentiment_of_reviews-v0", **options) as env:
        rows = range(26)
        for number in range(1, PASSES + 1):
            for row in chance.permutation(26):
                episode(env, int(row), EXPLORE)
            scores, floors = zip(*(episode(env, row, 0.0) for row in rows), strict=True)
            print(f"Pass {number}: {sum(scores) / 26:.3f}, constant {sum(floors) / 26:.3f}", flush=True)
            if sum(scores) > sum(floors):
                return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
