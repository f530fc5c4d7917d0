"""What the oracle's episode says about one instance: which fields miss their ceiling, and why.

Pure: episodes in, findings out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import ErrorCode, Step
from harness.browser.form.submission import Submission
from harness.catalog.kinds import CHOICES
from harness.catalog.labels import is_blank, match_option
from harness.episode.library import ACTIONS
from harness.kit.text import shorten
from harness.scoring.scores import InstanceScore, ScoredField
from oracle.check.mistakes.mistake import explanation
from oracle.check.mistakes.submissions import Blocked, RefusedField

Category = Literal["impossible", "unreached", "broken", "media", "undone", "unfinished"]
CATEGORIES: Mapping[Category, str] = {
    "impossible": "label impossible on this page",
    "unreached": "field never reachable",
    "broken": "page broken",
    "media": "media missing",
    "undone": "answer changed by the page",
    "unfinished": "instance not finished",
}
"""What is wrong with a field -> the same in words. A field is in exactly one of them."""

_UNFINISHED = ("harness_error", "agent_error", "limit")
_ROUNDING = 1e-9
MAX_TEXT = 300
"""Characters of a label or of a sent value that a finding keeps."""


@dataclass(frozen=True)
class Finding:
    """A scored field that misses its ceiling or has labels that its page does not offer, or an unfinished instance.

    Attributes:
        field: The field's name; empty for a whole instance.
        kind: How it is scored.
        category: See ``CATEGORIES``.
        labels: The distinct labels, blanks left out.
        options: The values of its options.
        sent: What the form sent.
        reason: What happened, in words.
        below: Whether the field is below its ceiling. One whose labels are not among its options can be at its ceiling,
            which is what the page allows.
        explained: What the task's facts say about it; empty if nothing.
    """

    field: str
    kind: str
    category: Category
    labels: tuple[str, ...]
    options: tuple[str, ...]
    sent: tuple[str, ...]
    reason: str
    below: bool = True
    explained: str = ""

    def explained_by(self, explanations: Mapping[str, str]) -> Finding:
        """The same finding with what the task's facts say of its field: by its name, else by a glob."""
        return replace(self, explained=explanation(self.field, explanations) if self.field else "")

    def __str__(self) -> str:
        if not self.field:
            return self.reason
        wanted = " / ".join(repr(shorten(label, 60)) for label in self.labels) or "nothing"
        found = ", ".join(repr(shorten(value, 60)) for value in self.sent) or "nothing"
        return f"field {self.field!r}: wanted {wanted}; found {found}; {CATEGORIES[self.category]}: {self.reason}"


@dataclass(frozen=True)
class Verdict:
    """What was found on one instance.

    Attributes:
        id: The instance's id.
        rows: The data rows of the task's table as a spreadsheet numbers them: the header is row 1.
        fields: How many of its fields are scored.
        unscored: Why answer fields are not scored -> how many.
        findings: What is wrong with it.
        key: A hash of all that this depends on; equal keys need no second look.
        blocked: What held the workers' answers up when they were submitted; None if the page took them.
        sent_to: Where the page's scripts sent something by themselves, or went; empty if it sent its form.
    """

    id: str
    rows: tuple[int, ...]
    fields: int
    unscored: Mapping[str, int]
    findings: tuple[Finding, ...]
    key: str
    blocked: Blocked | None = None
    sent_to: str = ""

    @property
    def at_ceiling(self) -> int:
        """How many scored fields reach their ceiling."""
        return self.fields - sum(1 for each in self.findings if each.field and each.below)

    def explained_by(self, explanations: Mapping[str, str]) -> Verdict:
        """The same verdict with what the task's facts say.

        Args:
            explanations: Field, or a glob of fields -> why it cannot be reached.
        """
        return replace(self, findings=tuple(each.explained_by(explanations) for each in self.findings))


def judge(
    score: InstanceScore,
    *,
    rows: Sequence[int],
    key: str,
    media: Sequence[str],
) -> Verdict:
    """Judge the oracle's episode of one instance.

    Args:
        score: Of the episode.
        rows: The data rows of the instance.
        key: A hash of all that the verdict depends on.
        media: Addresses of media of this instance that are not there.
    """
    episode = score.episode
    unscored: dict[str, int] = {}
    for record in episode.fields:
        if not any(record is each.record for each in score.fields):
            unscored[record.status] = unscored.get(record.status, 0) + 1
    findings = []
    if episode.outcome in _UNFINISHED:
        findings.append(Finding("", "", "unfinished", (), (), (), f"{episode.outcome}: {episode.detail}"))
    for field in score.fields:
        if field.score.score < field.score.ceiling - _ROUNDING:
            findings.append(_finding(field, *_cause(score, field, media), below=True))
        elif outside := _outside(field):
            findings.append(_finding(field, "impossible", outside, below=False))
    return Verdict(
        id=episode.id,
        rows=tuple(rows),
        fields=len(score.fields),
        unscored=unscored,
        findings=tuple(findings),
        key=key,
        blocked=_blocked(score),
        sent_to=_sent_to(episode.submission),
    )


def _blocked(score: InstanceScore) -> Blocked | None:
    """What held the answers up; None if nothing did, or there were none to submit."""
    episode, sent = score.episode, score.episode.submission
    if sent is None or sent.accepted or not score.fields or episode.outcome in _UNFINISHED:
        return None
    missed = {field.record.name for field in score.fields if field.score.score < field.score.ceiling - _ROUNDING}
    records = {record.name: record for record in episode.fields if record.told}
    fields = tuple(
        RefusedField(
            each.name, each.words.rstrip("."), sent.values.get(each.name, ()), each.name in records, each.visible
        )
        for each in sent.invalid
        if each.name not in missed
    )
    said = [words.removeprefix("alert:") for words in sent.dialogs if words.startswith("alert:")]
    return Blocked(sent.blocked, shorten(said[-1], MAX_TEXT) if said else "", fields, is_whole=not missed)


def _sent_to(sent: Submission | None) -> str:
    """Where a page sent something in place of its form, or took it along to; empty if it sent its form."""
    if sent is None or sent.accepted:
        return ""
    said = (each.partition(":") for each in sent.dialogs)
    gone = [where for where in sent.refused[-1:] if "?" in where]
    return shorten(next(iter([where for kind, _, where in said if kind == "send"] or gone), ""), MAX_TEXT)


def _outside(field: ScoredField) -> str:
    """Which labels keep the ceiling below 1, since no option matches them; empty if none."""
    record = field.record
    if record.kind not in CHOICES or field.score.ceiling >= 1 - _ROUNDING:
        return ""
    strange = [label for label in record.labels if not is_blank(label) and _unmatched(label, record.options)]
    listed = ", ".join(repr(label) for label in _distinct(strange, lambda _: True))
    return f"the ceiling is {field.score.ceiling:.2f}, since the page does not offer {listed}" if listed else ""


def _unmatched(label: str, options: Sequence[str]) -> bool:
    parts = [label] if match_option(label, options) is not None else label.split("|")
    return any(match_option(part, options) is None for part in parts)


def _finding(field: ScoredField, category: Category, reason: str, *, below: bool) -> Finding:
    record = field.record
    return Finding(
        field=record.name,
        kind=record.kind,
        category=category,
        labels=_distinct(record.labels, lambda label: not is_blank(label)),
        options=tuple(shorten(option, MAX_TEXT) for option in record.options),
        sent=_distinct(record.sent, lambda _: True),
        reason=reason,
        below=below,
    )


def _distinct(texts: Sequence[str], wanted: Callable[[str], bool]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(shorten(text, MAX_TEXT) for text in texts if wanted(text)))


def _cause(score: InstanceScore, field: ScoredField, media: Sequence[str]) -> tuple[Category, str]:
    """Why a field is below its ceiling, as far as the trajectory, the page's errors and its media tell."""
    episode, record = score.episode, field.record
    if episode.outcome in _UNFINISHED:
        return "unfinished", f"{episode.outcome}: {episode.detail}"
    tried = [step for step in episode.steps if _is_about(step, record.name)]
    if tried and not tried[-1].ok and tried[-1].code is not ErrorCode.READ_ONLY:
        return "impossible", tried[-1].message
    if tried and not tried[-1].ok:
        return "unreached", "read-only: the page's script writes it, and nothing that was tried made it"
    if record.visible or tried:
        sent = episode.submission
        blocked = f"; the submission was blocked: {sent.blocked}" if sent and not sent.accepted else ""
        return "undone", f"{field.score.explanation}{blocked}"
    if episode.script_errors:
        return "broken", f"the page's scripts failed: {episode.script_errors[0]}"
    if media:
        return "media", f"the page shows {media[0]}, which is not there"
    if record.kind == "hidden" or not record.options:
        return "unreached", "not visible at load: the page's script writes or makes it"
    return "unreached", "not visible at load, and nothing that was tried brought it out"


def _is_about(step: Step, field: str) -> bool:
    """Whether a step tried something with a field; what comes after the submission tries nothing."""
    if step.code is ErrorCode.ALREADY_SUBMITTED:
        return False
    return any(isinstance(call, ActionCall) and call.args.get("name") == field for call in parse(step.action, ACTIONS))
