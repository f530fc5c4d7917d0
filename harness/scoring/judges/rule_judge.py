"""A judge that asks no model, as a floor: whether the last page holds the names and numbers of the task.

It sees the last page that was acted on, not what came of that, and no way there; who asks more of a judge than it says
has to beat it.
"""

from __future__ import annotations

import re

from harness.kit.files.installation import hash_of_code
from harness.scoring.judges.judgements import CannotBeJudged, JudgedTrajectory, TrajectoryJudgement
from harness.scoring.judges.labelled_text import Placed

_WORD = re.compile(r"[^\W_]+(?:[.,:'’-][^\W_]+)*")
_SENTENCE = re.compile(r"(?:^|[.!?:;]\s+|[\n“\"(])\s*$")


def names_and_numbers(task: str) -> tuple[str, ...]:
    """What the rule takes for the key points of a task, each once, in order.

    These are its words with a digit, and those with a capital letter that do not begin a sentence.

    Args:
        task: In words.
    """
    found = [
        word[0]
        for word in _WORD.finditer(task)
        if any(map(str.isdigit, word[0])) or (word[0][0].isupper() and not _SENTENCE.search(task[: word.start()]))
    ]
    return tuple(dict.fromkeys(found))


def rule_judgement(trajectory: JudgedTrajectory) -> TrajectoryJudgement:
    """Judge by the rule; upper and lower case are the same.

    Args:
        trajectory: With the words of its last page.

    Raises:
        CannotBeJudged: the words of its last page are not known, or its task names nothing.
    """
    points = names_and_numbers(trajectory.task)
    if trajectory.page is None or not points:
        lacking = "the words of its last page" if trajectory.page is None else "a name or a number in its task"
        raise CannotBeJudged(f"the rule cannot judge the task {trajectory.task_id!r}: it lacks {lacking}")
    words = {word.casefold() for word in _WORD.findall(trajectory.page)}
    missing = [point for point in points if point.casefold() not in words]
    told = f"not on the last page: {', '.join(missing)}" if missing else "all of them are on the last page"
    return TrajectoryJudgement(
        "rule", trajectory.task_id, Placed("failure" if missing else "success"), told, rule_hash(), points
    )


def rule_hash() -> str:
    """SHA-256 over the rule's own code: equal hashes mean an equal rule."""
    return hash_of_code([("scoring/judges", "rule_judge.py")])
