"""Tables of papers as data: each is well formed, its commands can be typed, and one command lists all of them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.cli.commands.papers import tables
from harness.kit.files.codec import Malformed, typed
from harness.papers.paper import PAPERS, PublishedTable, tables_in
from harness.papers.paper_page import document, items_of
from harness.papers.turkingbench.paper_rows import paper_rows
from tests.checkout import PROJECT
from tests.test_command_lines import refused

ALL = [(name, table) for name in PAPERS for table in PAPERS[name].tables()]


@pytest.mark.parametrize("table", [pytest.param(table, id=f"{paper}-{table.name}") for paper, table in ALL])
def test_each_table_has_rows_with_numbers_or_a_word_on_why_not_and_commands_that_their_programs_take(table):
    assert table.rows
    assert [row.name for row in table.rows if not row.printed and not row.doubtful] == []
    assert [
        f"{command}: {why}" for command in dict.fromkeys(table.commands) if (why := refused_as_typed(command))
    ] == []


def refused_as_typed(command: str) -> str:
    program, *words = shlex.split(command)
    return refused(SimpleNamespace(words=[Path(program).name if program.endswith("/python") else program, *words]))


def test_no_two_tables_of_a_paper_have_one_name():
    names = [(paper, table.name) for paper, table in ALL]
    assert len(names) == len(set(names))


def test_the_list_has_a_line_for_each_table_of_every_paper(capsys):
    assert tables.main([]) == 0
    printed = capsys.readouterr().out
    assert [
        f"{paper} {table.name}" for paper, table in ALL if f"{paper} {table.name}: {table.title}" not in printed
    ] == []


def test_as_json_a_table_has_what_was_printed_what_was_measured_and_the_command_of_each_row(capsys):
    assert tables.main(["turkingbench", "table4", "--json"]) == 0
    [table] = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in table["rows"]}
    assert list(rows) == [row.name for row in paper_rows("Table 4")]
    assert rows["do-nothing"]["printed"] == {"score": 7.8}
    assert rows["do-nothing"]["measured"] == {"score": 1.3}
    told = rows["gpt-4-full-7"]["printed"]
    assert told.items() >= {"length": 82_000, "context": 128_000, "score": 39.3, "demonstrations": 7}.items()
    assert "--solver gpt4-text" in rows["gpt-4-full-7"]["command"]


def test_as_text_a_table_shows_printed_beside_measured_doubts_the_command_and_what_differs(capsys):
    assert tables.main(["turkingbench", "table4"]) == 0
    printed = capsys.readouterr().out
    assert "7.8 / 1.3" in printed
    assert "82,000" in printed
    assert "gpt-4-full-7: doubtful score: the paper's text has 39.5" in printed
    assert "Ours, all rows: turkbench papers turkingbench table4" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["turkingbnch"], "none of the papers is called 'turkingbnch'. Did you mean 'turkingbench'?"),
        (["turkingbench", "tabel4"], "there is no 'tabel4' of TurkingBench. Did you mean 'table4'?"),
    ],
)
def test_a_paper_or_a_table_that_there_is_not_is_told_with_what_there_is(words, said, capsys):
    assert tables.main(words) == 2
    assert said in capsys.readouterr().err


TABLE = {"name": "table9", "title": "Of a test", "columns": ["score"], "differs": "There is no command."}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rows": [{"name": "a", "printed": {"scroe": 1.0}}]}, "table9 has no column 'scroe', which its row 'a' names"),
        ({"rows": [{"name": "a", "doubtful": ["sore: smudged"]}]}, "table9 has no column 'sore'"),
        ({"rows": [{"name": "a"}, {"name": "a"}]}, "table9 has two rows called 'a'"),
        ({"rows": [], "differs": ""}, "table9 has neither a command nor a word on why it has none"),
        ({"rows": [{"name": "a", "measured": {"score": 2.0}}]}, "table9: measured numbers and measured_on go together"),
        ({"rows": [{"name": "a", "print": {}}]}, "unknown field"),
    ],
)
def test_a_table_that_does_not_fit_together_is_refused(changed, said):
    with pytest.raises(Malformed, match=said):
        typed({**TABLE, **changed}, PublishedTable)


def test_a_package_without_such_a_file_has_no_tables():
    assert tables_in("harness.papers") == ()


def test_what_figure_6_joins_are_rows_of_table_4():
    scores = {row.name: row.printed for row in paper_rows("Table 4")}
    figure = PAPERS["turkingbench"].table("figure6")
    cells = {f"{row.name}-{demos}": score for row in figure.rows for demos, score in row.printed.items()}
    assert cells == {name: scores[name] for name in cells}


@pytest.mark.parametrize("paper", PAPERS)
def test_each_command_of_a_paper_s_page_can_be_typed(paper):
    items = list(items_of(paper, PAPERS[paper]))
    assert len(items) >= len(PAPERS[paper].tables()) + 1
    assert [
        f"{item.command}: {why}" for item in items if item.command and (why := refused_as_typed(item.command))
    ] == []


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_s_page_is_what_make_docs_writes(paper):
    assert (PROJECT / "docs" / "reference" / "papers" / f"{paper}.md").read_text(encoding="utf-8") == document(paper)
