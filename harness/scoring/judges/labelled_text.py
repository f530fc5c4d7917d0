"""What stands after a label in the text of a model: ``Status: success``, however it is decorated."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.kit.text import shorten
from harness.models.thoughts import parted

V = TypeVar("V")
_MARKS = r"""*_#`<>"'“”‘’«»「」『』【】\[\]({（~|$✅❌✔✖️-"""
DECORATION = rf"""(?:[ \t{_MARKS}]|\\(?:boxed|text|textbf)(?=\{{)){{0,16}}"""
"""What models put around labels and values: emphasis, headings, quotation marks, brackets, list marks, LaTeX.
Bounded, as all patterns here are: a reply may be made to take long."""
_BEFORE_VALUE = rf"""(?:[\s{_MARKS}]|\\(?:boxed|text|textbf)(?=\{{)){{0,32}}"""
"""The same behind a label, where the value may stand on a line of its own."""
_COLON = r"(?:[:=：→]|->)"
_HAS_COLON = re.compile(_COLON)
_TAG = r"(?<=[a-z])>"
"""The end of a label that is a tag: ``<status>failure</status>``."""
_CELL = r"[ \t*_]{0,8}\|"
"""The end of a label that is a cell of a table: ``| Status | failure |``."""
_BREAK = r"""[ \t*_#`>"'“”‘’\])}]{0,16}\r?\n\s{0,16}"""
_ALONE = r"""[ \t*_`]{1,8}(?=["'*_`\[(]{0,8}\w{1,16}["'*_`\]).]{0,8}[ \t]{0,8}$)"""
"""No colon, and one word behind the label with which the line ends: ``### Score 1``."""
_DASH = r"""[ \t]{1,8}[-–—][ \t]{1,8}"""
_ANNOUNCED = (
    r"(?:(?:final[ ])?(?:answer|output|result|verdict|evaluation|judge?ment|conclusion)[*_]{0,4}[:：][ \t*_]{0,8})?"
)
"""What may stand before a label on its line: ``Output: Status: failure``."""
_IN_FORM = re.compile(r"\W{0,16}(?:thoughts?|reasoning)\b", re.IGNORECASE)
"""How a reply begins that keeps to the form that judges are asked for."""
_ENDS = re.compile(
    r"""[\w/]{1,16}(?:[ ](?:/|out[ ]of)[ ]?5)?[.!。*_`"'“”’»」』】）\])}|$\s]{0,16}(?:<[/|][^<>\n]{1,30}>\s{0,8})?"""
)
"""A value with which a reply ends, but for marks behind it."""
_SUBORDINATE = re.compile(r"[ \t]|[-+*•][ \t]|\d{1,2}[.)]")
"""How a line begins that is an item of a list, or is set in."""
_FINAL = re.compile(r"\b(?:final|overall)\b", re.IGNORECASE)
_LONGEST_VALUE = 200
LONGEST_REPLY = 200_000
"""Characters that are looked at; what is longer is no reply of a judge."""


@dataclass(frozen=True)
class Placed(Generic[V]):
    """What a reply was read as.

    Attributes:
        value: The value; None if the reply does not say one clearly.
        before: What stands before it, such as the reasons.
        why: Why there is no value; empty if there is one.
    """

    value: V | None
    before: str = ""
    why: str = ""


@dataclass(frozen=True)
class LabelledValue(Generic[V]):
    """How to find a value behind a label.

    Attributes:
        label: The label as a pattern, without groups: ``status``.
        prefixes: Words that may stand before it at the beginning of a line: ``final``.
        read: The value at the beginning of a text; None if it is none. The text begins after the decoration.
        is_echo: Whether a text repeats what may be written, as ``"success" or "failure"``, and says nothing itself.
        noun: What the value is, for reasons: ``status``.
    """

    label: str
    prefixes: Sequence[str]
    read: Callable[[str], V | None]
    is_echo: Callable[[str], bool]
    noun: str

    def place(self, reply: str) -> Placed[V]:
        """Read a reply: labels that begin a line, else an item of a list, else a sentence, else the end of the reply.

        Thoughts between tags are passed over. Where the labels of one kind say different things, or one of them says
        something that is no value, the reply is unclear.
        """
        if len(reply) > LONGEST_REPLY:
            return Placed(None, why=f"it has more than {LONGEST_REPLY:,} characters")
        answer = parted(reply)[1]
        if not answer.strip():
            return Placed(None, why="it says nothing" if not reply.strip() else "it holds nothing but thoughts")
        at_line = self._told(self._at_line(), answer)
        plain = [each for each in at_line if not _SUBORDINATE.match(each[0])]
        final = [each for each in plain if _FINAL.search(each[0])]  # as against those of single points
        if found := final or plain or at_line or self._told(self._in_line(), answer) or self._closing(answer):
            return self._agreed(answer, found)
        return self._last_line(answer)

    def _told(self, pattern: re.Pattern[str], answer: str) -> list[re.Match[str]]:
        """The labels that a pattern finds: no choice that is repeated, no word without a colon and without a value."""
        return [
            each
            for each in pattern.finditer(answer)
            if not self.is_echo(_after(each)) and (_HAS_COLON.search(each[0]) or self.read(_after(each)) is not None)
        ]

    def _at_line(self) -> re.Pattern[str]:
        before = "".join(rf"(?:{word}[ \t]+)?" for word in self.prefixes)
        number = r"(?:\d{1,2}[.)][ \t]+)?"
        separator = rf"(?:{DECORATION}{_COLON}|{_DASH}|{_BREAK}|{_ALONE}|{_TAG}|{_CELL})"
        begins = rf"^{DECORATION}{number}{DECORATION}{_ANNOUNCED}{before}"
        return re.compile(rf"{begins}(?:{self.label}){separator}{_BEFORE_VALUE}", re.IGNORECASE | re.MULTILINE)

    def _in_line(self) -> re.Pattern[str]:
        # A quotation such as "Order Status: Success" begins no sentence; a key of JSON follows a comma.
        sentence = r"""(?<=[.!?;)\]}>|—–*#。！？；])\s{0,16}[*_"'`]{0,8}|(?<=["'”’»」』])\s{1,16}[*_"'`]{0,8}"""
        begins = rf"""(?:{sentence}|(?<=[,{{])\s{{0,16}}")"""
        return re.compile(rf"{begins}(?:{self.label}){DECORATION}{_COLON}{_BEFORE_VALUE}", re.IGNORECASE)

    def _closing(self, answer: str) -> list[re.Match[str]]:
        """A label without a sentence of its own, with whose value the reply ends.

        Either the form that was asked for is written on one line, where the word before the label is no name of
        something else (``Order Status``), or a sentence says it: ``so the final status is failure``.
        """
        capital = rf"(?-i:{self.label[0].upper()}){self.label[1:]}"
        on_one_line = (
            rf"""(?-i:\b[a-z][a-z’'-]{{0,30}}|[0-9])[,)]?[ \t]{{1,8}}[*_]{{0,8}}{capital}{DECORATION}{_COLON}"""
        )
        is_said = rf"\b(?:the|final|overall|task|my)[ \t](?:{self.label})[ \t](?:is|(?:should|would|must)[ ]be)[ \t]?:?"
        said = rf"{on_one_line}|{is_said}" if _IN_FORM.match(answer) else is_said
        found = re.finditer(rf"(?:{said}){_BEFORE_VALUE}", answer, re.IGNORECASE)
        return [each for each in found if self.read(_after(each)) is not None and _ENDS.fullmatch(answer, each.end())]

    def _agreed(self, answer: str, found: Sequence[re.Match[str]]) -> Placed[V]:
        values = [self.read(_after(each)) for each in found]
        before = answer[: found[-1].start()].strip()
        for value, match in zip(values, found, strict=True):
            if value is None:
                said = shorten(_after(match).strip().partition("\n")[0], 60)
                return Placed(None, before, f"what it gives as its {self.noun} is none: {said!r}")
        if len(set(values)) > 1:
            return Placed(None, before, f"it gives {len(values)} times a {self.noun}, and not the same one")
        return Placed(values[-1], before)

    def _last_line(self, answer: str) -> Placed[V]:
        """A last line that holds the value and nothing else."""
        before, _, last = answer.rstrip().rpartition("\n")
        bare = re.fullmatch(rf"{DECORATION}(\w{{1,16}})[.!*_`\"'“”’\])}}|]{{0,16}}", last.strip())
        value = self.read(bare[1]) if bare else None
        if value is None:
            return Placed(None, answer.strip(), f"it gives no {self.noun}")
        return Placed(value, before.strip())


def _after(label: re.Match[str]) -> str:
    """What stands behind a label, as far as a value can reach."""
    return label.string[label.end() : label.end() + _LONGEST_VALUE]
