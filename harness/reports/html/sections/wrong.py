"""The section of where answers go wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kit.cut_texts import cut_texts
from harness.kit.text import noun
from harness.records.directory import RunDirectory
from harness.reports.html.blocks import (
    Block,
    Cell,
    ExamplesBlock,
    FoldBlock,
    GridBlock,
    HeadingBlock,
    LinkCell,
    MatrixBlock,
    MistakeExample,
    ParagraphBlock,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.sections.outcomes import episode_address
from harness.reports.mistakes.findings import (
    Confusions,
    CountedField,
    ExampleTable,
    FieldTable,
    Findings,
    LossyField,
    ScoredPlace,
    SilentField,
    WrongNumber,
    WrongText,
)
from harness.reports.reported import Reported
from harness.reports.wording import count, number, percent, plural

NO_ANSWER = "(no answer)"
FOLLOWED_PAIRS = 50
"""Pairs of answers that ``harness.reports.mistakes.collection`` is to keep of a field, for a matrix to be whole."""
_CHOICES = 6
"""Fields whose matrices are not folded."""
_ANSWERS = 9
"""Answers of a matrix."""
_TEXTS = 8
"""Texts that are not folded."""
_PAIRS = 10
"""Pairs of a list."""
_DIFF = "Struck through is what only the answer says; underlined what only the nearest worker's text says."


def wrong(results: Sequence[Reported], place: Path | None = None) -> Section:
    """The section.

    Args:
        results: What is reported.
        place: The folder of the report, from where links to episodes lead; None for no links.
    """
    blocks: list[Block] = []
    solvers = [each for each in results if not each.is_of_workers and not each.is_on_sites]
    for number_of, each in enumerate(solvers, start=1):
        several = len(results) > 1
        ident = f"wrong-{number_of}"
        if several:
            blocks.append(HeadingBlock(each.name, ident))
        if len(each.records) > 1:
            blocks.append(ParagraphBlock("Of the first of its runs."))
        blocks += _of_one(cut_texts(each.mistakes), ident, each.name if several else "", _Episodes(each.folder, place))
    if not solvers:
        blocks.append(
            ParagraphBlock("The workers themselves were scored: there are no answers of a solver to look into.")
        )
    return Section("wrong", "Where answers go wrong", blocks)


@dataclass(frozen=True)
class _Episodes:
    """Where the episodes of a run are from a report."""

    folder: Path | None
    place: Path | None

    def address(self, of: ScoredPlace) -> str:
        if self.folder is None or self.place is None:
            return ""
        return episode_address(RunDirectory(self.folder).episode_file(of.task, of.index), self.place)


def _of_one(found: Findings, ident: str, name: str, episodes: _Episodes) -> list[Block]:
    whose = f": {name}" if name else ""
    blocks: list[Block] = []
    if found.fields.rows:
        blocks.append(_fields(found.fields))
    else:
        blocks.append(ParagraphBlock("Every scored field reaches its ceiling."))
    if found.counts.unfollowed:
        blocks.append(
            ParagraphBlock(f"{plural(found.counts.unfollowed, 'field')} beyond those counted by name are not here.")
        )
    if found.choices.rows:
        blocks += [HeadingBlock(f"Choices{whose}", f"{ident}-choices"), *_choices(found.choices)]
    if found.texts.rows:
        blocks += [HeadingBlock(f"Texts{whose}", f"{ident}-texts"), *_texts(found.texts, episodes)]
    if found.ranges.rows:
        blocks += [HeadingBlock(f"Sliders{whose}", f"{ident}-ranges"), _ranges(found.ranges, episodes)]
    if found.unanswered.rows:
        blocks += [HeadingBlock(f"Never answered{whose}", f"{ident}-unanswered"), _unanswered(found)]
    return blocks


def _rest(found: FieldTable[LossyField] | FieldTable[Confusions] | FieldTable[SilentField]) -> str:
    if not found.left_out:
        return ""
    more = plural(found.left_out, "more field")
    return f"{more} with {number(found.lost)} points lost {noun(found.left_out, 'is', 'are')} not shown."


def _name(of: CountedField) -> list[str]:
    return [of.field, of.task, of.kind]


def _fields(found: FieldTable[LossyField]) -> TableBlock:
    headings = ("scored", "wrong", "wrong, per cent", "without answer", "points lost")
    columns = [
        TableColumn("field", "words"),
        TableColumn("task", "words"),
        TableColumn("kind", "words"),
        *map(TableColumn, headings),
    ]
    rows = [
        [
            *_name(row.of),
            count(row.scored),
            count(row.wrong),
            percent(row.wrong / row.scored),
            count(row.blank),
            number(row.lost),
        ]
        for row in found.rows
    ]
    caption = "The fields that lose most. A right answer is one point; lost is what the ceiling allows beyond the score"
    return TableBlock(caption, columns, rows, _rest(found))


def _choices(found: FieldTable[Confusions]) -> list[Block]:
    # A field that got no answer at all confuses nothing; it is among those never answered.
    tables = [_choice(row) for row in found.rows if row.losses.blank < row.losses.scored]
    if not tables:
        return [ParagraphBlock("Those that lose most never got an answer.")]
    shown, others = tables[:_CHOICES], tables[_CHOICES:]
    text = (
        "What was sent (columns) where another answer was right (rows), in fields that lose most. Right is what the "
        "scoring profile holds right; right answers are shaded and in bold."
    )
    blocks: list[Block] = [ParagraphBlock(text), GridBlock(shown)]
    if others:
        blocks.append(FoldBlock(plural(len(others), "more field"), [GridBlock(others)]))
    if rest := _rest(found):
        blocks.append(ParagraphBlock(rest))
    return blocks


def _choice(row: Confusions) -> MatrixBlock | TableBlock:
    """A matrix if there are few answers, else the list of the most frequent pairs."""
    notes = []
    if row.tied:
        notes.append(f"{plural(row.tied, 'wrong answer stands', 'wrong answers stand')} against a tie of workers.")
    if row.each_box:
        notes.append("Each box stands for itself.")
    if row.unreachable:
        notes.append(f"{plural(row.unreachable, 'time')} the page offered nothing that could be right.")
    of, losses = row.losses.of, row.losses
    caption = f"{of.field} ({of.kind}), {of.task}: {count(losses.wrong)} of {count(losses.scored)} wrong"
    pairs = [(_answer(pair.sent), _answer(pair.right), pair.times, pair.ok) for pair in row.pairs]
    unseen = row.times_left_out
    answers = {answer for sent, right, _, _ in pairs for answer in (sent, right)}
    if len(answers) > _ANSWERS or unseen or row.each_box:
        return _pairs(caption, pairs, unseen, notes)
    sent, right = _ordered({pair[0] for pair in pairs}), _ordered({pair[1] for pair in pairs})
    cells = {(one, other): (number_of, ok) for one, other, number_of, ok in pairs}
    rows = [(other, [cells.get((one, other), (0, False)) for one in sent]) for other in right]
    return MatrixBlock(caption, sent, rows, " ".join(notes))


def _pairs(caption: str, pairs: Sequence[tuple[str, str, int, bool]], unseen: int, notes: Sequence[str]) -> TableBlock:
    shown = pairs[:_PAIRS]
    rarer = unseen + sum(pair[2] for pair in pairs[_PAIRS:])
    if rarer:
        notes = [f"{plural(rarer, 'answer')} in rarer pairs not shown.", *notes]
    columns = [
        TableColumn("answer sent", "words"),
        TableColumn("right answer", "words"),
        TableColumn("times"),
        TableColumn("", "words"),
    ]
    rows = [[sent, right, count(times), "right" if ok else "wrong"] for sent, right, times, ok in shown]
    return TableBlock(caption, columns, rows, " ".join(notes))


def _answer(said: str | None) -> str:
    return NO_ANSWER if said is None else said


def _ordered(answers: Iterable[str]) -> list[str]:
    """Numbers by size, then texts, then no answer."""

    def place(answer: str) -> tuple[int, float, str]:
        try:
            return (0, float(answer), answer)
        except ValueError:
            return (2 if answer == NO_ANSWER else 1, 0.0, answer)

    return sorted(answers, key=place)


def _texts(found: ExampleTable[WrongText], episodes: _Episodes) -> list[Block]:
    items = []
    for row in found.rows:
        labels = [
            f"{label.text.text}{'…' if label.text.cut else ''}  ({plural(label.workers, 'worker')}"
            f"{', nearest' if label.nearest else ''})"
            for label in row.labels
        ]
        if row.labels_left_out:
            labels.append(f"{plural(row.labels_left_out, 'more text')} of workers not shown")
        items.append(
            MistakeExample(
                place=_place(row.place),
                points=f"{percent(row.place.score)} of {percent(row.place.ceiling)} per cent. {row.explanation}",
                pieces=row.diff,
                cut=f"Shortened: the answer has {plural(row.sent.characters, 'character')}." if row.diff_cut else "",
                labels=labels,
                address=episodes.address(row.place),
            )
        )
    more = f"{plural(found.left_out, 'more text')} below the ceiling not shown." if found.left_out else ""
    shown, others = items[:_TEXTS], items[_TEXTS:]
    blocks: list[Block] = [ParagraphBlock(f"The written answers with the lowest scores. {_DIFF}"), ExamplesBlock(shown)]
    if others:
        blocks.append(FoldBlock(plural(len(others), "more text"), [ExamplesBlock(others)]))
    if more:
        blocks.append(ParagraphBlock(more))
    return blocks


def _place(place: ScoredPlace) -> str:
    return f"{place.task}, instance {place.index}, {place.field}"


def _ranges(found: ExampleTable[WrongNumber], episodes: _Episodes) -> TableBlock:
    columns = [
        TableColumn("field", "words"),
        TableColumn("sent"),
        TableColumn("workers' numbers", "words"),
        TableColumn("mean distance"),
    ]
    columns += [TableColumn("score"), TableColumn("ceiling")]
    rows: list[list[Cell]] = []
    for row in found.rows:
        address = episodes.address(row.place)
        labels = ", ".join(f"{label:g}" for label in row.labels)
        others = f" and {row.labels_left_out} more" if row.labels_left_out else ""
        rows.append(
            [
                LinkCell(_place(row.place), address) if address else _place(row.place),
                row.sent.text or NO_ANSWER,
                labels + others,
                number(row.distance, 2),
                percent(row.place.score),
                percent(row.place.ceiling),
            ]
        )
    more = f"{plural(found.left_out, 'more slider')} below the ceiling not shown." if found.left_out else ""
    return TableBlock(
        "The sliders that are furthest from the workers' numbers, scores in per cent", columns, rows, more
    )


def _unanswered(found: Findings) -> TableBlock:
    columns = [TableColumn("field", "words"), TableColumn("task", "words"), TableColumn("kind", "words")]
    columns += [TableColumn("scored"), TableColumn("points lost"), TableColumn("hidden at first")]
    rows = [
        [*_name(row.of), count(row.scored), number(row.lost), count(row.hidden_at_first)]
        for row in found.unanswered.rows
    ]
    caption = (
        f"Fields that no instance got an answer for. In all, {count(found.counts.blank)} of "
        f"{plural(found.counts.answerable, 'scored field')} other than boxes were left blank"
    )
    return TableBlock(caption, columns, rows, _rest(found.unanswered))
