"""Action text: calls of known actions, read from what a model wrote. It is parsed, never executed.

What a call is
    A known name, bare or after ``self.``, ``self.actions.``, ``actions.`` or ``act.``, with literal arguments
    (``literals.py``) by position or by name, which are checked against the action's signature
    (``signature.py``). ``x = modify_text('a', 'b')`` is the call; its result is no value to go on with.

Where calls are looked for
    If fenced blocks hold attempts, those blocks are all that counts, and they are code. Else the prose does.
    An attempt is a known name before a bracket, a line that is a call, or a Python statement; in a block that
    is markup or of another language, only a line that calls a known action.

Code
    Comments, texts that stand alone, and names given to a literal are skipped. Any other line is an error,
    one for all that follow each other. What is indented under a loop, condition or definition is not read.
    A call stands alone on its line, or before a semicolon, after a bullet, number, ``>>>`` or ``Action:``.

Prose
    Only known names are seen, wherever they stand. A call that fails is an error if it holds a literal. If it
    holds none (``modify_text(name, value)``, ``modify_radio()``) or is a signature, it is a mention, and an
    error only if the text gives nothing else: who explains and then acts is not told off for explaining.
    Actions are named as words are ("type (1) and (2)"): after a space a bracket is a call's only if it is one
    and holds quotes.

Errors are values. The time is linear in the text, and there are at most ``MAX_RESULTS`` results.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.actions.call import ActionCall, ActionError
from harness.actions.literals import (
    WORD,
    NotLiteralError,
    bracketed,
    read_arguments,
    read_literal,
    statement,
    string_end,
)
from harness.actions.signature import ActionSpec, did_you_mean
from harness.kit.text import shorten

_FENCE = re.compile(
    r"^[ \t]*+(?P<mark>`{3,}+|~{3,}+)(?P<rest>[^\n]*+)$"
    # Models also close a block on the line of its last call.
    r"|(?<=[);])[ \t]*+(?P<closer>`{3,}+|~{3,}+)[ \t\r]*+$",
    re.MULTILINE,
)
_TAG = re.compile(r"[\w+#.-]+")


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text: what one fence holds, or prose.

    Attributes:
        text: The stretch, without the fence's own lines.
        fenced: Whether a fence holds it.
        tag: The language named after the opening fence, in lower case.
        closed: Whether the fence was closed.
    """

    text: str
    fenced: bool = False
    tag: str = ""
    closed: bool = True


def stretches(text: str) -> Iterator[Stretch]:
    """Splits a text at its fences (three or more backticks or tildes at the start of a line).

    A fence on one line (```` ```click(1, 2)``` ````) is prose. A call on the opening fence's line belongs to
    the block. A fence with a language tag ends an open block and starts another: a closing fence has none.

    Args:
        text: Any text.

    Yields:
        Fenced blocks and the prose between them, in order.
    """
    start = 0
    opened: tuple[str, str] | None = None
    for fence in _FENCE.finditer(text):
        mark = fence["mark"] or fence["closer"]
        rest = (fence["rest"] or "").strip()
        if opened is not None:
            opening, tag = opened
            if not mark.startswith(opening) or (rest and not _TAG.fullmatch(rest)):
                continue
            yield Stretch(text[start : fence.start()], fenced=True, tag=tag)
            opened = (mark, rest.lower()) if rest else None
            start = fence.end()
        elif fence["mark"] and mark not in rest:
            yield Stretch(text[start : fence.start()])
            has_call = "(" in rest
            opened = mark, "" if has_call else rest.partition(" ")[0].lower()
            start = fence.start("rest") if has_call else fence.end()
    if opened is not None:
        yield Stretch(text[start:], fenced=True, tag=opened[1], closed=False)
    else:
        yield Stretch(text[start:])


MAX_RESULTS = 1_000
"""The most results of one text. If there is more to read, the last of them is an error that says so."""

PREFIXES = ("", "self.", "self.actions.", "actions.", "act.")
"""What may stand before an action's name."""

_FOREIGN = frozenset(
    {
        "html",
        "xml",
        "svg",
        "css",
        "js",
        "javascript",
        "jsx",
        "ts",
        "typescript",
        "json",
        "yaml",
        "sql",
        "sh",
        "bash",
    }
)
_LEAD = r"(?:(?:[-*+•]|\d{1,3}[.)]|>>>|(?:[Aa]ction|[Ss]tep)(?: \d{1,3})?:)[ \t]+)?"
_ASSIGNED = rf"(?:(?P<target>{WORD})[ \t]*+=(?!=)[ \t]*+)?"
_CALLED = rf"(?P<prefix>(?:{WORD}\.)*+)(?P<name>{WORD})"
_BLANK = re.compile(r"(?:\s|;|#[^\n]*+)*+")
_CALL = re.compile(rf"{_LEAD}{_ASSIGNED}(?P<call>{_CALLED}[ \t]*+\()")
_ASSIGNMENT = re.compile(rf"{WORD}[ \t]*+=(?!=)")
_TAIL = re.compile(r"[ \t\r]*+(?=\Z|[;#\n])")
_COMPOUND = re.compile(r"(?:async[ \t]+)?(?:def|class|for|while|if|elif|else|try|except|finally|with|match|case)\b")
_STATEMENT = re.compile(
    r"^[ \t]*+(?:import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|(?:async[ \t]+)?def[ \t]+\w+\("
    r"|class[ \t]+\w+[:(]|(?:for[ \t][\w, \t]{1,80}\bin|while)\b[^\n]*+(?<=:)$)",
    re.MULTILINE,
)
_LINE_CALL = re.compile(rf"^[ \t]*+{_LEAD}{_ASSIGNED}{_CALLED}\((?P<rest>[^\n]*+)$", re.MULTILINE)
_INDENTED = re.compile(r"^(?P<indent>[ \t]*+)(?P<rest>[^\n]*+)$", re.MULTILINE)
_CHAINED = re.compile(r"\.\w++\(|\(")
_SIGNATURE = re.compile(r"\s*+(?:self\b|\w++\s*+:)")
_QUOTE = re.compile(r"['\"]")
_QUOTE_OR_DIGIT = re.compile(r"['\"]|\b\d")
_COMPOUND_REASON = (
    "Loops, conditions and definitions are not run, nor is what stands in them: write each action call out,"
    " on a line of its own, without indentation."
)


def parse(text: str, specs: Mapping[str, ActionSpec]) -> list[ActionCall | ActionError]:
    """Reads the action calls of a model's text; the module says by which rules.

    Args:
        text: What the model wrote; any text at all.
        specs: The known actions by name.

    Returns:
        Calls and errors in order of appearance; empty if the text attempts no action. Never raises.
    """
    reading = _Reading(text, specs)
    results = list(itertools.islice(reading.results(), MAX_RESULTS + 1))
    if len(results) > MAX_RESULTS:
        last = results[MAX_RESULTS - 1]
        excerpt = last.text if isinstance(last, ActionError) else str(last)
        reason = f"There are more than {MAX_RESULTS:,} calls and errors in one text; from here on none was read."
        results[MAX_RESULTS - 1 :] = [ActionError(excerpt, reason)]
    return results


@dataclass(frozen=True)
class _Read:
    """What one attempt gave, and where the reading goes on."""

    result: ActionCall | ActionError
    end: int


class _Reading:
    """One text being read."""

    def __init__(self, text: str, specs: Mapping[str, ActionSpec]) -> None:
        self.text = text
        self.specs = specs
        names = "|".join(map(re.escape, specs)) or "(?!)"
        self.known = re.compile(rf"(?<!\w)(?P<name>{names})(?P<gap>[ \t]*+)\(")
        # The end of a bracket that is never closed is searched for up to the end of the text, and so may be
        # the next one's. What failed searches may cost in all is bounded; only hostile text comes near it.
        self.patience = 2 * len(text) + 100_000

    def results(self) -> Iterator[ActionCall | ActionError]:
        parts = list(stretches(self.text))
        code = [part.text for part in parts if part.fenced and self.is_code(part)]
        if code:
            for block in code:
                yield from self.code(block)
        else:
            yield from self.prose("\n".join(part.text for part in parts if not (part.fenced and part.closed)))
        if self.patience <= 0:
            yield ActionError(self.text, "Too many brackets are never closed; the rest of the text was not read.")

    def is_code(self, block: Stretch) -> bool:
        """Whether a fenced block holds an attempt at an action call."""
        foreign = block.tag in _FOREIGN or block.text.lstrip()[:1] == "<"
        for line in _LINE_CALL.finditer(block.text):
            if line["name"] in self.specs and (line["prefix"] in PREFIXES or not foreign):
                return True
            # Outside of Python, "Dog(s) barking" is no call.
            if not foreign and (block.tag.startswith("py") or line["rest"].rstrip("; \t\r").endswith(")")):
                return True
        if foreign:
            return False
        return bool(_STATEMENT.search(block.text) or (block.closed and self.known.search(block.text)))

    def prose(self, text: str) -> Iterator[ActionCall | ActionError]:
        mentions: list[ActionError] = []
        silent = True
        position = 0
        while self.patience > 0 and (found := self.known.search(text, position)):
            prefix = ""
            if text.startswith(".", max(0, found.start() - 1)):
                prefix = re.split(r"[^\w.]", text[max(0, found.start() - 40) : found.start()])[-1]
            start, opening = found.start() - len(prefix), found.end() - 1
            read = self.attempt(text, start, opening, prefix, found["name"])
            position = read.end
            arguments = text[opening + 1 : min(position, opening + 1_000)]
            result = read.result
            if found["gap"] and (isinstance(result, ActionError) or not _QUOTE.search(arguments)):
                continue
            if isinstance(result, ActionError) and _is_mention(arguments):
                if len(mentions) <= MAX_RESULTS:
                    mentions.append(result)
                continue
            if isinstance(result, ActionCall) and (tail := _CHAINED.match(text, position)):
                result = ActionError(text[start : tail.end()], _not_alone(tail[0]))
            silent = False
            yield result
        if silent:
            yield from mentions

    def code(self, block: str) -> Iterator[ActionCall | ActionError]:
        others: list[tuple[int, int]] = []
        position = 0
        while self.patience > 0 and (position := _blank_end(block, position)) < len(block):
            end = self.skipped(block, position)
            if end is not None:
                position = end
                continue
            found = self.found(block, position)
            if found is None:
                end = self.statement_end(block, position)
                others.append((position, end))
                position = end
                continue
            if others:
                yield self.not_calls(block, others)
                others = []
            yield found.result
            position = found.end
        if others:
            yield self.not_calls(block, others)

    def skipped(self, block: str, position: int) -> int | None:
        """The end of a text that stands alone, or of a name given to a literal; None if neither is here."""
        end = string_end(block, position)
        if assignment := _ASSIGNMENT.match(block, position):
            try:
                _, end = read_literal(block, assignment.end())
            except NotLiteralError as error:
                self.patience -= error.position - position
        return end if end is not None and _TAIL.match(block, end) else None

    def found(self, block: str, position: int) -> _Read | None:
        """What a statement gives that is a call of something, or holds other statements."""
        if _COMPOUND.match(block, position):
            end = self.statement_end(block, position)
            if ":" in block[position:end]:
                return _Read(ActionError(block[position:end], _COMPOUND_REASON), _body_end(block, position, end))
        call = _CALL.match(block, position)
        if call is None:
            return None
        read = self.attempt(block, call.start("call"), call.end() - 1, call["prefix"], call["name"])
        end = self.statement_end(block, read.end)
        if isinstance(read.result, ActionCall) and not _TAIL.match(block, read.end):
            return _Read(ActionError(block[position:end], _not_alone(block[read.end : end])), end)
        return read if isinstance(read.result, ActionCall) else _Read(read.result, end)

    def attempt(self, text: str, start: int, opening: int, prefix: str, name: str) -> _Read:
        """Reads one call, from the bracket that opens its arguments."""
        spec = self.specs.get(name)
        if spec is None:
            guess = did_you_mean(name, self.specs)
            reason = f"{shorten(prefix + name, 60)} is not an action{guess}. {self.known_names()}"
        elif prefix not in PREFIXES:
            reason = f"{shorten(prefix + name, 60)} is not an action: write {name} alone, or self.actions.{name}."
        else:
            try:
                positional, keywords, end = read_arguments(text, opening + 1)
                return _Read(spec.bind(positional, keywords), end)
            except NotLiteralError as error:
                self.patience -= error.position - opening
                reason = f"{error}. The action is {spec.signature}."
            except ValueError as error:
                reason = f"{error}. The action is {spec.signature}."
        extent = bracketed(text, opening)
        self.patience -= extent.wasted
        return _Read(ActionError(text[start : extent.end], reason), extent.end)

    def statement_end(self, block: str, position: int) -> int:
        extent = statement(block, position)
        self.patience -= extent.wasted
        return extent.end

    def not_calls(self, block: str, lines: list[tuple[int, int]]) -> ActionError:
        subject = "This is not an action call" if len(lines) == 1 else f"These {len(lines)} lines are not action calls"
        reason = f"{subject}: write each call on a line of its own, with nothing else. {self.known_names()}"
        return ActionError(block[lines[0][0] : lines[-1][1]], reason)

    def known_names(self) -> str:
        return f"The actions are: {', '.join(self.specs)}."


def _is_mention(arguments: str) -> bool:
    """Whether the arguments of a call that failed hold no literal, or are those of a signature."""
    return _SIGNATURE.match(arguments) is not None or _QUOTE_OR_DIGIT.search(arguments) is None


def _not_alone(tail: str) -> str:
    return (
        f"{shorten(tail.strip(), 60)!r} follows the call, but what an action gives back is no value to go on"
        " with: write each call on a line of its own."
    )


def _blank_end(block: str, position: int) -> int:
    blank = _BLANK.match(block, position)
    return blank.end() if blank else position


def _body_end(block: str, position: int, end: int) -> int:
    """The end of what is indented deeper than the statement at a position."""
    indent = _width(block[block.rfind("\n", 0, position) + 1 : position])
    for line in _INDENTED.finditer(block, end + 1):
        if line["rest"].strip() and _width(line["indent"]) <= indent:
            return line.start()
    return len(block)


def _width(indent: str) -> int:
    return len(indent.expandtabs(8))
