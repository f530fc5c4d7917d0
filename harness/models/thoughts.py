"""What a model thought before it answered, parted from its answer: thoughts are kept, counted and never acted on."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from harness.kit.text import shorten
from harness.models.messages import Reply
from harness.models.thought_dialects import DIALECTS, GENERIC, MarkKind, named

_BLANK = " "
_CALL = re.compile(r"^[ \t]*[A-Za-z_]\w*[ \t]*\(.*", re.MULTILINE)
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)""")
_KINDS: tuple[MarkKind, ...] = ("thought", "end", "answer", "close")
_LONGEST_NOTE = 300
_LONGEST_MARK = 40


@dataclass(frozen=True)
class PartedText:
    """A model's text, parted.

    Attributes:
        thought: The thoughts, without their marks and parted by empty lines; what could not be told is among them.
        answer: The rest: what actions are read from.
        unknown: Marks that are not known. What they frame is no answer.
        behind: The mark that ends the answer, where more text stands behind it; empty if there is none.
        otherwise: What the text asks for besides, if what was taken for a thought is none; empty if that is sure.
    """

    thought: str
    answer: str
    unknown: tuple[str, ...] = ()
    behind: str = ""
    otherwise: str = ""

    @property
    def note(self) -> str:
        """What is to be told of the reading; empty if it was plain."""
        told = []
        if self.unknown:
            told.append(f"it is framed by {', '.join(self.unknown)}, which is not known: what that frames was not done")
        if self.behind:
            told.append(f"what stands behind {self.behind} was not done")
        if self.otherwise:
            told.append(f"words were taken for a thought; read as plain text, it asks for {self.otherwise}, too")
        return "; ".join(told)


@dataclass(frozen=True)
class _Mark:
    """A mark in a text: ``kind`` is empty if it is not known which; ``family`` tells what ends a thought."""

    start: int
    end: int
    text: str
    kind: MarkKind | str
    family: str
    by_message: bool = False
    is_quoted: bool = False
    core: str = ""
    closes: bool = False
    needs_partner: bool = False

    @property
    def pair(self) -> tuple[str, str]:
        """What is the same for a thought's beginning and its own end."""
        return self.family, self.core


def without_thoughts(reply: Reply, prose: Collection[str] = ()) -> Reply:
    """A reply whose text holds the answer alone.

    Servers hand thoughts on in two ways: apart from the answer, which their clients read into ``Reply.thought``, or in
    the answer between marks. The latter are moved here; a reply that has been through this stays as it is.

    Args:
        reply: As a client read it.
        prose: The framings by words that the model is known to use (``thought_dialects.PROSE``).
    """
    read = part(reply.text, prose)
    if not read.thought and read.answer == reply.text:
        return reply
    return replace(
        reply,
        text=read.answer,
        thought="\n\n".join(filter(None, (reply.thought, read.thought))),
        note="; ".join(filter(None, (reply.note, read.note))),
        unread="; ".join(read.unknown),
    )


def parted(text: str) -> tuple[str, str]:
    """A text that nobody acts on, such as a judge's, as thought and answer: marks that are not known are text."""
    read = _read(text, strict=False)
    return read.thought, read.answer


def part(text: str, prose: Collection[str] = ()) -> PartedText:
    """A model's text as thought and answer.

    A thought that was not closed goes to the end of the text, as when the answer was cut off in its midst. One that was
    only closed began with the text: some chat templates write its first mark themselves. A mark in the arguments of a
    call is part of an answer.

    Args:
        text: What the model wrote.
        prose: The framings by words that the model is known to use.
    """
    read = _read(text, strict=True)
    return _by_words(text, prose) if read.answer == text and not read.thought else read


def _read(text: str, *, strict: bool) -> PartedText:
    marks = list(_marks(text, strict=strict))
    if not marks:
        return PartedText("", text)
    reading = _Reading(text, marks)
    reading.run()
    if not reading.is_framed:
        return PartedText("", text)
    thoughts = "\n\n".join(filter(None, map(str.strip, reading.thoughts)))
    unknown = tuple(dict.fromkeys(reading.unknown))
    return PartedText(thoughts, "".join(reading.answer).strip(), unknown, reading.behind)


@dataclass
class _Reading:
    """One pass over the marks of a text. ``place`` is the end of the last mark that counted."""

    text: str
    marks: list[_Mark]
    thoughts: list[str] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    place: int = 0
    is_framed: bool = False
    inside: _Mark | None = None  # the thought's beginning
    answers: bool = True  # whether what comes is an answer, unless a thought is open
    told: bool = False  # whether a mark has said that it is one
    behind: str = ""
    ends_at: int = 0  # the first mark behind which there are only marks
    closers: dict[tuple[str, str], deque[_Mark]] = field(default_factory=lambda: defaultdict(deque))

    def run(self) -> None:
        """Go through them."""
        for number, mark in enumerate(self.marks):
            after = self.marks[number + 1].start if number + 1 < len(self.marks) else len(self.text)
            if self.text[mark.end : after].strip():
                self.ends_at = number + 1
            if not mark.kind and mark.closes:
                self.closers[mark.pair].append(mark)
        own_ends = {mark.pair: mark.start for mark in self.marks if _ends(mark) and not mark.is_quoted}
        until = 0
        for number, mark in enumerate(self.marks):
            if mark.start < max(until, self.place):
                continue
            if (thought := self.inside) is not None:
                # A weaker end, or one in quotes, ends a thought only where its own end does not come.
                is_late = own_ends.get(thought.pair, -1) > mark.start
                if _is_end_of(mark, thought) and not (is_late and (mark.is_quoted or not _is_strong(mark, thought))):
                    self._take(mark, self.thoughts)
                    self.inside, self.answers, self.told = None, mark.kind != "close", mark.kind != "close"
                continue
            if mark.is_quoted and self.answers:
                continue
            until = self._outside(number, mark) or until
        rest = self.text[self.place :]
        sink = self.answer if self.inside is None and self.answers else self.thoughts
        sink.append(rest)
        if sink is self.thoughts and self.inside is None and rest.strip() and not self.unknown:
            self.behind = self.text[: self.place].rstrip().rpartition("\n")[2][-_LONGEST_MARK:]

    def _outside(self, number: int, mark: _Mark) -> int:
        """A mark outside thoughts; returns where a framing ends that is not known, else 0."""
        now = self.answer if self.answers else self.thoughts
        match mark.kind:
            case "thought":
                self._take(mark, now)
                self.inside = mark
            case "end":
                self._take(mark, self.thoughts)
                self.answers = self.told = True
            case "answer":
                # What comes before the first answer is none.
                self._take(mark, now if self.told else self.thoughts)
                self.answers = self.told = True
            case "close":
                self._take(mark, now)
                self.answers = False
            case _:
                return self._not_known(number, mark)
        return 0

    def _not_known(self, number: int, mark: _Mark) -> int:
        self.unknown.append(mark.text)
        partner = self._partner(mark)
        if partner is None and self.ends_at <= number:  # nothing but marks behind it: the end of the text
            self._take(mark, self.answer if self.answers else self.thoughts)
            self.answers = False
            return 0
        self._take(mark, self.thoughts)
        self.answers = partner is not None
        if partner is None:
            return 0
        self.thoughts.append(self.text[mark.end : partner.start])
        self.place = partner.end
        return partner.end

    def _partner(self, mark: _Mark) -> _Mark | None:
        """The mark that closes one that is not known."""
        if mark.closes:
            return None
        left = self.closers.get(mark.pair, deque())
        while left and left[0].start < mark.end:
            left.popleft()
        return left[0] if left else None

    def _take(self, mark: _Mark, sink: list[str]) -> None:
        sink.append(self.text[self.place : mark.start])
        self.place, self.is_framed = mark.end, True


def _ends(mark: _Mark) -> bool:
    return mark.kind in ("end", "answer", "close")


def _is_end_of(mark: _Mark, thought: _Mark) -> bool:
    if not _ends(mark):
        return False
    named_alike = mark.kind == "end" and mark.core != "" and mark.core == thought.core
    return mark.family == thought.family or named_alike or (thought.by_message and mark.kind != "end")


def _is_strong(mark: _Mark, thought: _Mark) -> bool:
    return mark.pair == thought.pair or (thought.by_message and mark.kind != "end")


def _union() -> re.Pattern[str]:
    rows = [
        f"(?P<k{row}_{kind}>{pattern})"
        for row, dialect in enumerate(DIALECTS)
        if not dialect.prose
        for kind in _KINDS
        if (pattern := getattr(dialect, kind))
    ]
    return re.compile("|".join((*rows, GENERIC)))


_UNION = _union()
_FIRST = re.compile("|".join(f"(?P<k{row}_thought>{each.first})" for row, each in enumerate(DIALECTS) if each.first))


def _marks(text: str, *, strict: bool) -> Iterator[_Mark]:
    quoted = _CALL.sub(lambda call: _QUOTED.sub(_blanked, call[0]), text)
    found: list[_Mark] = []
    for match in chain(filter(None, [_FIRST.match(text)]), _UNION.finditer(text)):
        place = (match.start(), match.end(), match[0])
        is_quoted = quoted[match.start()] == _BLANK
        if match.lastgroup:
            row, _, kind = match.lastgroup[1:].partition("_")
            of = DIALECTS[int(row)]
            closes = kind == "end"
            found.append(_Mark(*place, kind, of.name, of.by_message, is_quoted, "", closes, of.needs_start and closes))
        elif (told := named(match[0])) and (strict or (told.kind and not told.needs_end)):
            by_message = told.family == "token"
            found.append(
                _Mark(*place, told.kind, told.family, by_message, is_quoted, told.core, told.closes, told.needs_end)
            )
    closed = {mark.pair for mark in found if mark.closes}
    opened: set[tuple[str, str]] = set()
    for mark in found:
        if mark.needs_partner and mark.pair not in (opened if mark.closes else closed):
            continue
        if not mark.closes:
            opened.add(mark.pair)
        yield mark


def _blanked(quotation: re.Match[str]) -> str:
    return _BLANK * len(quotation[0])


def _by_words(text: str, prose: Collection[str]) -> PartedText:
    """A text whose thoughts are framed by words, where it holds such words and calls; else as it is."""
    for dialect in (each for each in DIALECTS if each.prose):
        begins = re.compile(dialect.thought, re.MULTILINE).search(text)
        if begins is None:
            continue
        after = re.compile(dialect.answer, re.MULTILINE).search(text, begins.end())
        is_sure = dialect.name in prose
        start = after.end() if after else len(text) if is_sure else _last_block(text)
        thought, answer = text[begins.end() : after.start() if after else start], text[start:].strip()
        lead = text[: begins.start()]
        otherwise = "" if is_sure else "; ".join(map(str.strip, _CALL.findall(f"{lead}\n{thought}")))
        return PartedText(f"{lead}{thought}".strip(), answer, otherwise=shorten(otherwise, _LONGEST_NOTE))
    return PartedText("", text)


def _last_block(text: str) -> int:
    """Where the last calls begin that stand together, with nothing but white space between them."""
    start, before = 0, None
    for call in _CALL.finditer(text):
        if before is None or text[before : call.start()].strip():
            start = call.start()
        before = call.end()
    return start
