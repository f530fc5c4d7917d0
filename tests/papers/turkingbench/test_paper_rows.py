"""The data of the paper's tables hold what the paper prints, row by row, and say where that is in doubt."""

from __future__ import annotations

import re

import pytest

from harness.cli.boundary import WRONG_USE
from harness.cli.commands.papers.turkingbench import main
from harness.papers.turkingbench.paper_rows import MODALITIES, TABLES, PaperRow, chosen, further_rows, paper_rows
from tests.checkout import PAPERS
from tests.needs import needs, papers
from tests.papers.turkingbench.transcription import BOUNDS, TABLE_4, TABLE_5

PAPER = PAPERS
FOUR, FIVE = paper_rows("Table 4"), paper_rows("Table 5")
MODELS = [row for row in FOUR if row.number]
KINDS = ("all", "checkbox", "radio", "text", "textarea")


def doubted(row: PaperRow, cell: str, printed: object, ours: object) -> bool:
    """Whether a cell that cannot be read is marked; one that can has to be equal."""
    return cell in row.doubtful if printed is None else printed == ours


@pytest.mark.parametrize(("line", "row"), list(zip(TABLE_4, MODELS, strict=True)), ids=[row.name for row in MODELS])
def test_a_row_of_table_4_is_as_it_was_printed(line, row):
    assert row.number == TABLE_4.index(line) + 1
    assert (row.model.printed, row.model.size, row.encoding) == (line.printed, line.size, line.encoding)
    assert (row.length, row.model.context, row.scores) == (line.length, line.context, {"all": line.score})
    assert doubted(row, "input", line.input, MODALITIES[row.model.input])
    assert doubted(row, "demos", line.demos, row.demos)


def test_the_floor_and_the_ceiling_enclose_the_table_and_are_not_counted_among_its_models():
    assert [FOUR[0].name, FOUR[-1].name] == ["do-nothing", "oracle"]
    assert {row.model.printed: row.printed for row in FOUR if row.number is None} == BOUNDS


@pytest.mark.parametrize(("line", "row"), list(zip(TABLE_5, FIVE, strict=True)), ids=[row.name for row in FIVE])
def test_a_row_of_table_5_is_as_it_was_printed(line, row):
    printed, size, demos, modality, *scores = line
    assert (row.demos, MODALITIES[row.model.input]) == (demos, modality)
    assert row.scores == dict(zip(KINDS, scores, strict=True))
    if "model" not in row.doubtful:
        assert row.model.size.replace(" ", "") == size
        assert re.sub(r"\W", "", row.model.printed).startswith(re.sub(r"\W", "", printed))


def test_scores_that_the_two_tables_print_differently_are_marked_in_both():
    for five in FIVE:
        for four in [row for row in FOUR if row.name == five.name]:
            assert (five.printed == four.printed) is not ("all" in five.doubtful)
            assert ("all" in five.doubtful) is ("all" in four.doubtful)


def test_every_doubt_has_its_reason_and_is_about_a_cell():
    cells = {"model", "size", "input", "encoding", "demos", "length", *KINDS}
    for row in (*FOUR, *FIVE):
        assert set(row.doubtful) <= cells
        assert all(len(why) > 10 for why in row.doubtful.values())


@needs(papers("turkingbench.txt"))
def test_the_text_of_the_paper_has_these_rows():
    text = (PAPER / "turkingbench.txt").read_text(encoding="utf-8")
    table = text.partition("Maximum Input Sequence Length")[2].partition("Table 4:")[0]
    read: dict[str, list[tuple[str, ...]]] = {}
    for line in table.splitlines()[1:]:
        if line.count("\t") >= 8:
            name, *_, encodings, demos, lengths, _, scores = line.split("\t")[-8:]
            words = [word for word in encodings.split() if word.isalpha()]
            columns = [scores.split(), words, demos.split(), lengths.split()]
            # A column that runs together, or that is empty, tells nothing of its rows.
            count = len(columns[0])
            told = [column if len(column) == count else [""] * count for column in columns]
            read.setdefault(name, []).extend(zip(*told, strict=True))
    assert set(read) == {row.model.printed for row in FOUR}
    for name, found in read.items():
        rows = [row for row in FOUR if row.model.printed == name]
        for row, (score, encoding, demos, length) in zip(rows, found, strict=True):
            assert float(score) == row.printed
            assert encoding in ("", row.encoding)
            assert bool(demos.isdecimal() and int(demos) == row.demos) is (row.number is not None and not doubtful(row))
            assert (_number(length) if length.strip("-") else None) == row.length


def doubtful(row: PaperRow) -> bool:
    return "demos" in row.doubtful


def _number(text: str) -> int:
    return round(float(text.removesuffix("k")) * (1_000 if text.endswith("k") else 1))


# ---- choosing -------------------------------------------------------------------------------------------------------


def test_names_tell_the_rows_of_a_table_and_further_ones_apart():
    for table in TABLES.values():
        names = [row.name for row in (*paper_rows(table), *further_rows())]
        assert len(names) == len(set(names))


def test_further_combinations_are_none_of_the_table():
    assert further_rows()
    assert all((row.table, row.number, row.printed) == ("", None, None) for row in further_rows())


@pytest.mark.parametrize("wanted", ["26", "gpt-4v-full-7"])
def test_a_row_is_chosen_by_number_or_name(wanted):
    assert chosen(FOUR, wanted).printed == 41.7


def test_an_unknown_row_is_answered_with_the_nearest(capsys):
    assert main(["table4", "--row", "gpt-4v-ful-7"]) == WRONG_USE
    assert "there is no row 'gpt-4v-ful-7'. Did you mean 'gpt-4v-full-7'? There are 1 to 26" in capsys.readouterr().err
