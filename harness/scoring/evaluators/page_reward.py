"""Page reward: what the page itself gives (MiniWoB++)."""

from __future__ import annotations

from harness.records.site_record import Evaluation, SiteRecord


def page_reward(record: SiteRecord) -> Evaluation:
    """The page's reward; a negative one, and none, are worth 0; unknown if it was lost.

    Success is the whole reward, 1, as in MiniWoB++'s binary reward (``miniwob.reward.get_binary_reward``): some pages
    give a part of it for a part of what they ask for.
    """
    if record.reward is None and record.is_unseen:
        return Evaluation(evaluator="page_reward", score=None, success=None, floor=0.0, why="not known: it was lost")
    if record.reward is None:
        return Evaluation(evaluator="page_reward", score=0.0, success=False, floor=0.0, why="the page gave no reward")
    score = min(1.0, max(0.0, record.reward))
    why = f"the page gave {record.reward:g}"
    return Evaluation(evaluator="page_reward", score=score, success=record.reward >= 1.0, floor=0.0, why=why)
