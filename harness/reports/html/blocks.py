"""What a report is made of, before it is HTML: sections of tables, figures and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

Align = Literal["words", "number"]


@dataclass(frozen=True)
class TableColumn:
    """A column of a table.

    Attributes:
        heading: Its words.
        align: Whether it holds words or numbers.
    """

    heading: str
    align: Align = "number"


@dataclass(frozen=True)
class LinkCell:
    """A cell that leads elsewhere.

    Attributes:
        text: Its words.
        address: Where it leads, relative to the report.
    """

    text: str
    address: str


Cell = str | LinkCell


@dataclass(frozen=True)
class TableBlock:
    """A table whose first column names the rows.

    Attributes:
        caption: What it holds.
        columns: Its columns.
        rows: A cell for each column.
        more: What is not shown, in words; empty if all is.
        summed: How many of the last rows sum up the others.
    """

    caption: str
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[Cell]]
    more: str = ""
    summed: int = 0
    template: ClassVar[str] = "table.html"

    @property
    def body(self) -> list[tuple[bool, list[tuple[Cell, Align]]]]:
        """Rows as pairs: whether it sums up, and its cells with their alignment."""
        first = len(self.rows) - self.summed
        return [
            (place >= first, [(cell, column.align) for cell, column in zip(row, self.columns, strict=True)])
            for place, row in enumerate(self.rows)
        ]


@dataclass(frozen=True)
class FigureKey:
    """An entry of a figure's key.

    Attributes:
        sign: The shape, a name in ``SIGNS`` of the template.
        paint: The name of its colour.
        words: What it stands for.
    """

    sign: str
    paint: str
    words: str


@dataclass(frozen=True)
class FigureBlock:
    """A plot, of one or more pictures below each other.

    Attributes:
        ident: Its id in the page.
        caption: What is to be seen, and how to read it.
        pictures: ``svg`` elements, made by ``harness.reports.html.plots.svg``: they are put in as they are.
        keys: What shapes and colours stand for.
        data: The numbers behind it.
        notes: Names of what is numbered in the picture.
    """

    ident: str
    caption: str
    pictures: Sequence[str]
    data: TableBlock | None
    keys: Sequence[FigureKey] = ()
    notes: Sequence[str] = ()
    template: ClassVar[str] = "figure.html"


@dataclass(frozen=True)
class ParagraphBlock:
    """A paragraph."""

    text: str
    template: ClassVar[str] = "words.html"


@dataclass(frozen=True)
class NoticeBlock:
    """A paragraph that must not be overlooked; it says so in words, too."""

    label: str
    text: str
    template: ClassVar[str] = "notice.html"


@dataclass(frozen=True)
class HeadingBlock:
    """The start of a part of a section."""

    text: str
    ident: str
    template: ClassVar[str] = "heading.html"


@dataclass(frozen=True)
class CodeBlock:
    """Lines to be copied, such as a command."""

    label: str
    text: str
    template: ClassVar[str] = "code.html"


@dataclass(frozen=True)
class FactsBlock:
    """Names with values."""

    rows: Sequence[tuple[str, str]]
    template: ClassVar[str] = "facts.html"


@dataclass(frozen=True)
class Highlight:
    """A number that is written large.

    Attributes:
        words: What it is.
        value: The number.
        range: Its interval, or another remark.
    """

    words: str
    value: str
    range: str = ""


@dataclass(frozen=True)
class HighlightsBlock:
    """Large numbers in a row, the first one largest."""

    figures: Sequence[Highlight]
    template: ClassVar[str] = "highlights.html"


@dataclass(frozen=True)
class MistakeExample:
    """A wrong answer.

    Attributes:
        place: Task, instance and field.
        points: Its score, and what else there is to say.
        pieces: The answer and a label word by word: ``both``, ``sent`` or ``label``, and the words.
        cut: What of the texts is not shown; empty if all is.
        labels: What workers answered.
        address: Where its episode is, relative to the report; empty if it is nowhere near.
    """

    place: str
    points: str
    pieces: Sequence[tuple[str, str]] = ()
    cut: str = ""
    labels: Sequence[str] = ()
    address: str = ""


@dataclass(frozen=True)
class ExamplesBlock:
    """Wrong answers one by one.

    Attributes:
        items: The answers.
    """

    items: Sequence[MistakeExample]
    template: ClassVar[str] = "examples.html"


@dataclass(frozen=True)
class MatrixBlock:
    """How often which answer was sent where another one was right.

    Attributes:
        caption: Of which field.
        sent: The columns.
        rows: What was right, and for each column how often it was sent, and whether that is right.
        more: What is not shown, and other remarks.
    """

    caption: str
    sent: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[int, bool]]]]
    more: str = ""
    template: ClassVar[str] = "matrix.html"


@dataclass(frozen=True)
class ReportPicture:
    """A picture that is part of the file.

    Attributes:
        caption: What it shows.
        address: A ``data:`` address, made here.
    """

    caption: str
    address: str


@dataclass(frozen=True)
class PicturesBlock:
    """Pictures beside each other, as many as fit."""

    pictures: Sequence[ReportPicture]
    template: ClassVar[str] = "pictures.html"


@dataclass(frozen=True)
class GridBlock:
    """Small blocks beside each other, as many as fit."""

    blocks: Sequence[Block]
    template: ClassVar[str] = "grid.html"


@dataclass(frozen=True)
class FoldBlock:
    """Blocks that are shown on demand."""

    summary: str
    blocks: Sequence[Block]
    template: ClassVar[str] = "fold.html"


class Block(Protocol):
    """Any of these."""

    template: ClassVar[str]


@dataclass(frozen=True)
class Section:
    """A part of the report with a place in its list of contents.

    Attributes:
        ident: Its id in the page.
        title: Its heading.
        blocks: What it holds, in order.
        kind: ``outside`` for what was not measured here: it is framed.
    """

    ident: str
    title: str
    blocks: Sequence[Block]
    kind: Literal["measured", "outside"] = "measured"


@dataclass(frozen=True)
class ReportPage:
    """What ``harness.reports.html.rendering`` renders.

    Attributes:
        title: Whose report it is.
        lead: What was measured, in a sentence.
        sections: In order.
        footer: The last words.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    footer: str
