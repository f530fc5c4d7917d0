"""What the check says of cells: those that cut the markup around them, and those that a tool damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog import Catalog, Task
from harness.catalog.template.instantiation import render
from oracle.check.mistakes.cells import cell_notes, damage_notes
from tests.task_folders import csv_text, make_task


def task_of(folder: Path, template: str, *cells: str, label: str = "x") -> Task:
    make_task(folder, "T", template=template, table=csv_text(["text", "Answer.a"], *([cell, label] for cell in cells)))
    return Catalog(folder).task("T")


DOUBLE, SINGLE, BARE = (
    '<input name=a value="${text}">',
    "<input name=a value='${text}'>",
    "<input name=a value=${text}>",
)
BETWEEN, SCRIPT = "<p>${text}</p>", "<script>var t = '${text}';</script>"


@pytest.mark.parametrize(
    ("template", "cell", "said"),
    [
        (DOUBLE, 'say "hi"', "the quote in the cell ends the attribute value=\"${text}\": the page shows 'say '"),
        (DOUBLE, 'a &amp; "b"', "the page shows 'a & '"),
        (SINGLE, "it's", "the page shows 'it'"),
        ('<p data-x="a ${text} b">', '"', 'the quote in the cell ends the attribute data-x="a ${text} b": the page'),
        (
            BARE,
            "black bird",
            "the cell ends at its first blank or > in value=${text}, which has no quotes: the page",
        ),
        (BARE, "a\nb", "the page shows 'a'"),
        (BARE, "a>b", "the page shows 'a'"),
        (BARE, '"He said" no', "the quotes in the cell are taken for those of the attribute in value=${text}"),
        ("<input value=${text} name=a>", "", "the empty cell leaves value=${text}"),
        (BETWEEN, "if a<b and c>d then", "is taken for the beginning of a tag: the page shows 'if ad then'"),
        (BETWEEN, "<url> is here", "is taken for the beginning of a tag: the page shows ' is here'"),
        (BETWEEN, "Ann <ann@example.org>", "the page shows 'Ann '"),
        (
            BETWEEN,
            "I </3 you",
            "swallows what follows on the page: the page shows 'I '",
        ),
        (BETWEEN, "I <3 you <script", "the page shows 'I <3 you '"),
        (BETWEEN, "see <textarea>", "swallows what follows"),
        (BETWEEN, "a <!-- b", "swallows what follows"),
        (BETWEEN, "x<y", "the page shows 'x'"),
        ("<textarea name=a>${text}</textarea>", "</textarea>x", "the tag </textarea> in the cell ends the element"),
        (SCRIPT, "it's", "the quote in the cell breaks the text '…${text}…' of a script"),
        (SCRIPT, "a\nb", "the line end in the cell breaks the text"),
        (SCRIPT, "a\\", "the backslash in the cell breaks the text"),
        (SCRIPT, "</script>", "the tag </script> in the cell ends the element"),
    ],
)
def test_a_cell_that_cuts_the_markup_around_it_is_noted_with_row_column_and_what_is_shown(
    tmp_path, template, cell, said
):
    (note,) = cell_notes(task_of(tmp_path, template, "fine", cell))
    assert (note.kind, note.column, note.rows, note.is_note, note.wanted) == ("cut cell", "text", (3,), True, cell)
    assert said in str(note)
    assert str(note).startswith("T, batch.csv row 3, column 'text': ")


@pytest.mark.parametrize(
    ("template", "cell"),
    [
        (DOUBLE, 'say "hi"'),
        (SINGLE, "it's &lt; b"),
        (BARE, "black bird"),
        (BARE, '"He said" no'),
        (BETWEEN, "if a<b and c>d then"),
        (BETWEEN, "Ann <ann@example.org> said"),
        (BETWEEN, "I </3 you"),
    ],
)
def test_what_a_note_says_the_page_shows_is_what_a_browser_shows(tmp_path, show, template, cell):
    task = task_of(tmp_path, template, cell)
    (note,) = cell_notes(task)
    page = show(whole=render(task.template, task.instances[0].inputs))
    kept = page.page("document.querySelector('[name=a]')?.value ?? document.querySelector('p').textContent")
    assert note.what.endswith(f": the page shows {kept!r}")


@pytest.mark.parametrize(
    ("template", "cell"),
    [
        (DOUBLE, "it's"),
        (SINGLE, 'say "hi"'),
        (DOUBLE, "say &quot;hi&quot;"),
        (DOUBLE, "a < b > c"),
        (BARE, "word"),
        (BARE, '"two words"'),
        (BARE, ""),
        (BETWEEN, "5 < 6 and 7 > 6, I <3 you"),
        (BETWEEN, '<b class=x>bold</b><br/><img src="a.png" alt><input type=checkbox checked disabled>'),
        (BETWEEN, "<my-word>x</my-word><actor>y</actor><o:p></o:p>"),
        (BETWEEN, "<svg viewBox='0 0 1 1'><feBlend/></svg>"),
        (BETWEEN, "<script>1 < 2</script><!-- a -->"),
        (BETWEEN, "a &lt;b and c&gt; d"),
        ("<textarea name=a>${text}</textarea>", "a <b and c> d"),
        (SCRIPT, 'a "b" \\\' c'),
        ("<script>var t = ${text};</script>", "{\"a\": 'b'}"),
        ("<script>// it's ${text}\n</script><!-- ${text} -->", "it's"),
    ],
)
def test_markup_that_is_meant_and_text_that_is_shown_are_not_noted(tmp_path, template, cell):
    assert list(cell_notes(task_of(tmp_path, template, cell))) == []


def test_a_column_whose_name_has_a_blank_is_judged_by_its_cells(tmp_path):
    table = csv_text(["my text", "Answer.a"], ["word", "x"], ["two words", "x"])
    make_task(tmp_path, "T", template="<input name=a value=${my text}>", table=table)
    (note,) = cell_notes(Catalog(tmp_path).task("T"))
    assert (note.column, note.rows) == ("my text", (3,))


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("It\u00e2\u20ac\u2122s fine", "read in a wrong encoding: wanted 'It\u2019s fine'"),
        ("Caf\u00c3\u00a9", "wanted 'Caf\u00e9'"),
        ("20\u00c2\u00b0", "wanted '20\u00b0'"),
        ("\u00f0\u0178\u02dc\u20ac", "wanted '\U0001f600'"),
        ("\u00d0\u0178\u00d1\u20ac\u00d0\u00b8", "wanted '\u041f\u0440\u0438'"),
        ("It\u0092s", "wanted 'It\u2019s'"),
        ("It\ufffds", "characters that were lost"),
        ("Hel\0lo", "the control character U+0000: browsers drop it"),
        ("a\x0bb", "the control character U+000B: no worker sees it"),
        ("#NAME?", "an error of a spreadsheet's formula"),
        ("#N/A", "an error of a spreadsheet's formula"),
        ("1.23457E+12", "a long number as a spreadsheet shortens it"),
        ("x" * 32_767, "ends after 32,767 characters, where Excel cuts"),
    ],
)  # fmt: skip
def test_a_cell_that_a_tool_damaged_is_noted_among_inputs_and_labels(tmp_path, cell, said):
    of_input, of_label = damage_notes(task_of(tmp_path, BETWEEN + DOUBLE, cell, label=cell))
    assert (of_input.kind, of_input.column, of_input.rows, of_input.is_note) == ("damaged text", "text", (2,), True)
    assert (of_label.column, of_label.rows) == ("Answer.a", (2,))
    assert said in str(of_input)


@pytest.mark.parametrize(
    "cell",
    ["Caf\u00e9", "\u201cIt\u2019s\u201d \u2026", "N\u00c3O", "\u00c2nd \u00e2me", "20 \u00b0C", "\U0001f600",
     "\u041f\u0440", "a\tb\r\nc", "# NAME", "1.5", "\u00c9t\u00e9 \u00ab\u00e0\u00bb", "JALAPE\u00d1O\u00ae"],
)  # fmt: skip
def test_text_in_any_language_is_not_noted_as_damaged(tmp_path, cell):
    assert list(damage_notes(task_of(tmp_path, BETWEEN, cell))) == []
