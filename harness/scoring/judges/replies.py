"""What the replies of judges say: WebJudge's key points, its score of a picture and its verdict; its rivals' verdicts.

The formats are those that the papers ask for: WebJudge's in appendix B of Xue et al. 2025 (arXiv:2504.01382), which
autonomous evaluation (Pan et al. 2024, arXiv:2404.06474) and AgentTrek (Xu et al. 2025, arXiv:2412.09605) share for the
verdict, and ``SUCCESS`` or ``NOT SUCCESS`` for WebVoyager (He et al. 2024, arXiv:2401.13919). Models decorate them in
many ways, which is allowed for; what is not said clearly is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import dropwhile, takewhile
from typing import Literal, TypeAlias

from harness.models.thoughts import parted
from harness.records.verdict import TaskFailureKind
from harness.scoring.judges.labelled_text import LONGEST_REPLY, LabelledValue, Placed

TaskOutcome: TypeAlias = Literal["success", "failure"]
"""What a judge says of a trajectory."""
MOST_KEY_POINTS = 100
_LONGEST_LINE = 200

_OUTCOME = re.compile(
    r"(?P<success>success(?:ful(?:ly)?)?|succeed(?:ed|s)?)"
    r"|(?P<failure>fail(?:ure|ed|s)?|unsuccessful(?:ly)?|not[ _-]+(?:a[ ]+)?success(?:ful)?|did[ ]+not[ ]+succeed)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"""[*_"'`”’]*(?:[ \t]*[?？]"""
    r"|[ \t]+(?:is|was|isn|wasn|cannot|can|could|criteria|criterion|rate|if|unless|but|except|only|or)\b)",
    re.IGNORECASE,
)
"""A value that a sentence goes on after, so that it is a word of that sentence, or is taken back."""
_TAKEN_BACK = re.compile(
    r"""[*_"'`”’]*\s?[-–—,;:(（]\s?(?:but|though|although|however|except|unless|partial(?:ly)?|partly|in[ ]part)\b""",
    re.IGNORECASE,
)
"""What makes a success less than one: ``success, but only in part``."""
_CHOICE = re.compile(
    r"""["'“‘*_`]*(?:success|failure)["'”’*_`]*\s*(?:or|/|\|)\s*["'“‘*_`]*(?:success|failure)\b""", re.IGNORECASE
)
_KIND = re.compile(
    r"(?P<filter_and_sorting>filter(?:s|ing)?[ _-]*(?:and|&|/|or)?[ _-]*sort(?:s|ing)?)"
    r"|(?P<incomplete_steps>incomplete[ _-]*steps?)|(?P<navigation>navigation)|(?P<misunderstanding>misunderstanding)"
    r"|(?P<other>other)",
    re.IGNORECASE,
)
_SCORE = re.compile(r"(?P<score>[1-5])(?:\.0+)?(?![0-9]|[.,][0-9])(?!\s*(?:[-–—~]|to|or)\s*[0-9])(?!\s*/\s*(?!5)[0-9])")
_SCALE = re.compile(r"[\[(]?\s*1\s*(?:[-–—~]|to)\s*5\b")
_VOYAGER = re.compile(r"\b(?P<not>(?:NOT|UN)[ _-]*)?SUCCESS(?:FUL)?\b")
_VOYAGER_LINE = re.compile(
    r"""[*_#`>"'“\[(\s]*(?:(?:final\s+)?(?:verdict|status|result|conclusion|answer|judge?ment)[*_`\s]*[:=][*_`"'“\s]*)?"""
    r"""(?P<not>(?:not|un)[ _-]*)?success(?:ful)?[.!*_`"'”\])\s]*""",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t]*(?:[*_]*(?P<number>\d{1,3})[.)][*_]*|[-*•])[ \t]+(?P<text>\S.*)$")
_POINTS = re.compile(
    r"^[ \t#*_>-]*key[ ]points?[^:\n]{0,40}:?[*_ \t]{0,16}$|key points?\W{0,4}:", re.IGNORECASE | re.MULTILINE
)


def _outcome(text: str) -> TaskOutcome | None:
    found = _OUTCOME.match(text)
    if not found or text[found.end() : found.end() + 1].isalnum() or _GOES_ON.match(text, found.end()):
        return None
    if found["failure"]:
        return "failure"
    return None if _TAKEN_BACK.match(text, found.end()) else "success"


def _score(text: str) -> int | None:
    found = _SCORE.match(text)
    return int(found["score"]) if found and not text[found.end() : found.end() + 1].isalpha() else None


def _kind(text: str) -> TaskFailureKind | None:
    line = text.partition("\n")[0]
    said = {each.lastgroup for each in _KIND.finditer(line)}
    found = _KIND.match(line)
    if not found or len(said) != 1 or line[found.end() : found.end() + 1].isalnum():
        return None
    return found.lastgroup  # type: ignore[return-value]  # the groups are named as the kinds


_STATUS: LabelledValue[TaskOutcome] = LabelledValue(
    label="status",
    prefixes=("final", "overall", "task", "completion", "evaluation"),
    read=_outcome,
    is_echo=lambda text: _CHOICE.match(text) is not None,
    noun="status",
)
_IMAGE_SCORE: LabelledValue[int] = LabelledValue(
    label=r"score(?:[ \t]*[\[(][ \t]*1[ \t]*(?:[-–—~]|to)[ \t]*5[ \t]*[\])])?",
    prefixes=("final", "overall", "assigned", "image", "relevance"),
    read=_score,
    is_echo=lambda text: _SCALE.match(text) is not None,
    noun="score",
)

_FAILURE_KIND: LabelledValue[TaskFailureKind] = LabelledValue(
    label="kind", prefixes=("failure",), read=_kind, is_echo=lambda _text: False, noun="kind"
)


def read_status(reply: str) -> Placed[TaskOutcome]:
    """The verdict of WebJudge, of autonomous evaluation and of AgentTrek: what stands after ``Status:``.

    Args:
        reply: What the judge wrote.

    Returns:
        The verdict with the thoughts before it; none where the reply gives no clear one, with the reason.
    """
    return _STATUS.place(reply)


def read_failure_kind(reply: str) -> Placed[TaskFailureKind]:
    """The kind of a failure: what stands after ``Kind:``.

    Args:
        reply: What the judge wrote.

    Returns:
        The kind with the thoughts before it; none where the reply gives no clear one, with the reason.
    """
    return _FAILURE_KIND.place(reply)


def read_image_score(reply: str) -> Placed[int]:
    """What WebJudge says of a picture: its score from 1 to 5, after its reasoning.

    Args:
        reply: What the judge wrote.

    Returns:
        The score with the reasoning before it; none where the reply gives no clear one, with the reason.
    """
    return _IMAGE_SCORE.place(reply)


def read_key_points(reply: str) -> tuple[str, ...]:
    """The key points of a task, as WebJudge lists them: the items of the list after ``Key Points:``, or its lines.

    Args:
        reply: What the judge wrote.

    Returns:
        The points without their numbers, at most ``MOST_KEY_POINTS``; none if there is no list.
    """
    answer = parted(reply)[1] if len(reply) <= LONGEST_REPLY else ""
    parts = [answer[heading.end() :].splitlines() for heading in _POINTS.finditer(answer)]
    lists = filter(None, map(_items, reversed(parts or [answer.splitlines()])))
    points = next(lists, None) or (_plain_lines(parts[0]) if parts else [])
    return tuple(points[:MOST_KEY_POINTS])


def _items(lines: Iterable[str]) -> list[str]:
    points: list[str] = []
    for line in lines:
        if item := _ITEM.match(line):
            is_part = points and not item["number"] and line[:1].isspace()
            if is_part:
                points[-1] += f" {item['text'].strip()}"
            else:
                points.append(item["text"].strip())
        elif points and line[:1].isspace() and line.strip():
            points[-1] += f" {line.strip()}"
        elif points and line.strip():
            break
    return points


def _plain_lines(lines: Iterable[str]) -> list[str]:
    """The lines up to the first empty one, where no list stands behind the heading."""
    behind = dropwhile(lambda line: not line.strip(), lines)
    return [line.strip() for line in takewhile(str.strip, behind)]


def read_voyager(reply: str) -> Placed[TaskOutcome]:
    """WebVoyager's verdict: ``SUCCESS`` or ``NOT SUCCESS``, in capitals anywhere or as a line of its own.

    Args:
        reply: What the judge wrote.

    Returns:
        The verdict with all that was written; none where the reply gives no clear one, with the reason. Lines that
        hold the verdict alone come before words in sentences.
    """
    if len(reply) > LONGEST_REPLY:
        return Placed(None, why=f"it has more than {LONGEST_REPLY:,} characters")
    answer = parted(reply)[1]
    lines = [found for line in answer.splitlines() if (found := _VOYAGER_LINE.fullmatch(line[:_LONGEST_LINE]))]
    said = {bool(found["not"]) for found in lines or _VOYAGER.finditer(answer)}
    if len(said) != 1:
        why = "it says both SUCCESS and NOT SUCCESS" if said else "it says neither SUCCESS nor NOT SUCCESS"
        return Placed(None, answer.strip(), why)
    return Placed("failure" if said.pop() else "success", answer.strip())
