"""What a model writes of a step, read strictly: which option, what to do with it, and with which text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Generic, TypeVar

from harness.kit.text import shorten
from harness.models.thoughts import parted
from harness.papers.mind2web.demonstrations.demonstration import Operation

C = TypeVar("C")
A = TypeVar("A")
GROUP = 5
"""Candidates in a question, beside "none of the above"."""


@dataclass
class Elimination(Generic[C, A]):
    """How candidates were chosen among.

    Attributes:
        winner: The one that was left; None if all were rejected.
        answer: The last answer that chose it; None if there is no winner.
        rounds: The sizes of the groups of each round.
    """

    winner: C | None = None
    answer: A | None = None
    rounds: list[list[int]] = field(default_factory=list)


def in_groups(items: Sequence[C], size: int = GROUP) -> list[Sequence[C]]:
    """Items in their order, so many at a time; the last group may be smaller."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def eliminate(
    candidates: Sequence[C], choose: Callable[[Sequence[C]], tuple[int, A] | None], size: int = GROUP
) -> Elimination[C, A]:
    """Ask about groups of candidates, and again about groups of those that were chosen, until one or none is left.

    Of each group one goes on at most, so there are no more rounds than the logarithm of the candidates, and no limit is
    needed.

    Args:
        candidates: In the order in which groups are made of them.
        choose: Asked about a group: which of it, from 0, and what else was said; None if none of it.
        size: Of a group, at least 2.
    """
    found: Elimination[C, A] = Elimination()
    left = list(candidates)
    while left:
        groups = in_groups(left, size)
        found.rounds.append([len(group) for group in groups])
        chosen = [(group[said[0]], said[1]) for group in groups if (said := choose(group)) is not None]
        left = [candidate for candidate, _ in chosen]
        if len(chosen) == 1:
            found.winner, found.answer = chosen[0]
            break
    return found


LONGEST_ANSWER = 20_000
"""Characters that are looked at; what is longer is no answer."""
_LABEL = re.compile(
    r"(?:^|(?<=[.;])|(?<=CLICK)|(?<=TYPE)|(?<=SELECT))"
    r"[ \t*_`>-]{0,8}(answer|element|action|value)[ \t*_`]{0,8}[:：][ \t*_`]{0,8}",
    re.IGNORECASE,
)
"""A label at the beginning of a line, of a sentence, or behind an operation: the paper has all on one line."""
_OPTION = re.compile(r"[\s*_`(\[\"']{0,8}([A-Za-z]|\d{1,3})[*_`)\]\"']{0,8}(?:$|[.):](?!\d))")
"""A label of an option, behind which its words may be repeated."""
_OPERATIONS: Mapping[str, Operation] = {"click": "CLICK", "type": "TYPE", "select": "SELECT"}
_AROUND = " \t\r\n*_`.;\"'“”"


@dataclass(frozen=True)
class StepAnswer:
    """What was read of an answer.

    Attributes:
        chosen: Which of the options, from 0; None if none of them, or if it cannot be told.
        written: The element as it was written, where no options were given.
        op: What to do; None if nothing, or if it cannot be told.
        value: The text to type or to select.
        problem: What could not be read, and why; empty if nothing is wrong. To choose none is no problem.
    """

    chosen: int | None = None
    written: str = ""
    op: Operation | None = None
    value: str = ""
    problem: str = ""


def read_choice(text: str, labels: Sequence[str], none: str) -> StepAnswer:
    """An answer to a question with options: ``Answer: C``, ``Action: CLICK``, ``Value: ...``.

    Args:
        text: What the model wrote.
        labels: Of the options, such as B to F: capital letters or numbers.
        none: The label of "none of the above".
    """
    said, problem = _lines(text, "answer")
    if problem:
        return StepAnswer(problem=problem)
    found = _OPTION.match(said["answer"])
    label = found[1].upper() if found else ""
    if label == none:
        return StepAnswer()
    if label not in labels:
        return StepAnswer(problem=f"its answer is none of the options: {shorten(said['answer'], 40)!r}")
    op, value, problem = _operation(said)
    return StepAnswer(list(labels).index(label), op=op, value=value, problem=problem)


def read_generated(text: str) -> StepAnswer:
    """An answer that names the element in its own words: ``Element: <button> Search </button>``, ``Action: CLICK``.

    Args:
        text: What the model wrote.
    """
    said, problem = _lines(text, "element")
    if problem:
        return StepAnswer(problem=problem)
    op, value, problem = _operation(said)
    return StepAnswer(written=said["element"], op=op, value=value, problem=problem)


def _lines(text: str, wanted: str) -> tuple[dict[str, str], str]:
    """What stands behind each label, to the end of its line or the next label; and why it cannot be told."""
    if len(text) > LONGEST_ANSWER:
        return {}, f"it has more than {LONGEST_ANSWER:,} characters"
    said: dict[str, str] = {}
    for line in parted(text)[1].splitlines():
        for name, told in _labelled(line):
            if said.setdefault(name, told) != told:
                return {}, f"it gives its {name} twice, and not the same"
    if not said.get(wanted):
        return {}, f"it gives no {wanted}" if text.strip() else "it says nothing"
    return said, ""


def _labelled(line: str) -> Iterator[tuple[str, str]]:
    """The labels of a line, each with what stands behind it up to the next; a value goes to the end of the line."""
    found = list(_LABEL.finditer(line))
    for match, after in zip_longest(found, found[1:]):
        name = match[1].lower()
        if name == "value":
            yield name, line[match.end() :].strip()
            return
        yield name, line[match.end() : after.start() if after else len(line)].strip()


def _operation(said: Mapping[str, str]) -> tuple[Operation | None, str, str]:
    """Operation and value, and why there is none."""
    word = said.get("action", "").strip(_AROUND)
    op = _OPERATIONS.get(word.lower())
    if op is None:
        return None, "", f"its action is none: {shorten(word, 40)!r}" if word else "it gives no action"
    value = "" if op == "CLICK" else _unquoted(said.get("value", ""))
    if op != "CLICK" and not value:
        return None, "", f"it gives no value for {op}"
    return op, value, ""


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'`":
        return value[1:-1].strip()
    return value
