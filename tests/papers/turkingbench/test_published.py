"""The reported scores are data with a source, and stay apart from what is measured."""

from __future__ import annotations

from harness.papers.turkingbench.paper import published, reference_lines
from harness.papers.turkingbench.paper_rows import paper_rows
from harness.reports.published_score import OVERALL

KINDS = {"checkbox", "radio", "text", "textarea"}


def one(table: str, label: str, measure: str = OVERALL) -> float:
    [row] = [row for row in published() if (row.table, row.label, row.measure) == (table, label, measure)]
    return row.score


def test_every_row_has_a_source_and_a_score_from_0_to_1():
    for row in published():
        assert "2403.11905" in row.source
        assert row.url.startswith("https://")
        assert 0 <= row.score <= 1
        assert row.mean_over
        assert (row.split, row.profile) == ("test", "turkingbench-2024")


def test_rows_are_told_apart():
    keys = [(row.table, row.label, row.measure) for row in published()]
    assert len(keys) == len(set(keys))


def test_percentages_become_shares():
    assert one("Table 4", "Do-nothing") == 0.078
    assert one("Table 4", "GPT-4V (full HTML, 7 demonstrations)") == 0.417
    assert one("Table 5", "Llama 3.2 Instruct 3B (relevant HTML, 3 demonstrations)", "checkbox") == 0.587
    assert one("Table 4", "Oracle") == 1


def test_table_4_is_whole_and_table_5_is_by_kind():
    assert [len(paper_rows(table)) for table in ("Table 4", "Table 5")] == [28, 8]
    assert {row.measure for row in published() if row.table == "Table 4"} == {OVERALL}
    assert all(set(row.scores) == KINDS | {OVERALL} for row in paper_rows("Table 5"))


def test_what_is_doubtful_is_said_to_be():
    for table in ("Table 4", "Table 5"):
        for row in paper_rows(table):
            notes = {each.note for each in published() if (each.table, each.label) == (table, row.label)}
            assert all(why in note for why in row.doubtful.values() for note in notes)
            assert bool(row.doubtful) is any("doubtful" in note for note in notes)


def test_a_score_that_fits_nothing_else_is_no_reference_line():
    for row in (*paper_rows("Table 4"), *paper_rows("Table 5")):
        if row.is_reference:
            # Where the paper has another number, too, it is one that differs by less than half a point.
            assert row.doubtful.get(OVERALL, "") in ("", "Table 5 has 30.7", "the paper's text has 39.5")
            assert not set(row.doubtful) & KINDS


def test_reference_lines_are_few_from_the_floor_to_the_ceiling():
    lines = reference_lines()
    assert [lines[0].label, lines[-1].label] == ["Do-nothing", "Oracle"]
    assert [line.score for line in lines] == sorted(line.score for line in lines)
    assert 5 <= len(lines) <= 12
    assert {line.measure for line in lines} == {OVERALL}
