from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from harness.analysis.result_numbers import BetweenSeeds, ResultNumbers, numbers
from harness.analysis.seeds import group
from harness.records.results import Work
from harness.reports.escapes import csv_text, latex, markdown, plain
from harness.reports.table_files import (
    DIFFER,
    as_csv,
    group_table,
    overall_records,
    overall_table,
    write_tables,
)
from tests.analysis.made import scored

GOOD = {"A": [{"r": 1.0, "s": 0.5}, {"r": 1.0, "s": 0.9}], "B": [{"r": 0.0, "s": 0.7}], "C": [{"r": 1.0}]}
BAD = {"A": [{"r": 0.0, "s": 0.1}, {"r": 0.0, "s": 0.9}], "B": [{"r": 0.0, "s": 0.2}], "C": [{"r": 0.0}]}
EVIL = r"=1+1|`*_<b>&\%$#{}~^[x](y) www.a.b http://c.d -- 漢" + "\n\u202ex"


def measured(folder, tasks, name, **values):
    run = scored(folder / name, tasks, {"solver": name}, {"A": "test"}, **values)
    (result,) = group([run])
    return numbers(result, [], draws=200)


def with_tasks(found: ResultNumbers, tasks) -> ResultNumbers:
    groups = replace(found.groups, tasks={name: group for name, _, group in tasks})
    return replace(found, groups=groups, split_of={name: split for name, split, _ in tasks})


def tasks_of(found: ResultNumbers):
    return [(name, found.split_of[name], group) for name, group in found.groups.tasks.items()]


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return {"good": measured(folder, GOOD, "good"), "bad": measured(folder, BAD, "bad")}


@pytest.fixture(scope="module")
def apart(named, tmp_path_factory):
    return {**named, "other": measured(tmp_path_factory.mktemp("runs"), GOOD, "other", sample="another")}


def rendered(text: str):
    """The rows of the first table that a Markdown parser finds."""
    html = MarkdownIt("commonmark").enable("table").render(text)
    rows = BeautifulSoup(html, "html.parser").find("table").find_all("tr")
    head, *body = ([cell.get_text() for cell in row.find_all(["th", "td"])] for row in rows)
    return html, pd.DataFrame(body, columns=head)


def test_every_table_is_written_in_three_formats(named, tmp_path):
    files = write_tables(tmp_path / "new" / "tables", named)
    names = [f"{name}.{ending}" for name in ("overall", "splits", "tasks", "kinds") for ending in ("md", "tex", "csv")]
    assert [file.name for file in files] == names
    assert all(file.read_text(encoding="utf-8").endswith("\n") for file in files)


def test_people_read_per_cent_with_intervals(named, tmp_path):
    write_tables(tmp_path, named)
    _, table = rendered((tmp_path / "overall.md").read_text())
    estimate = named["good"].groups.overall.estimates.score
    low, high = (f"{100 * limit:.1f}" for limit in (estimate.low, estimate.high))
    assert table.loc[0, "result"] == "good"
    assert table.loc[0, "score"] == f"{100 * estimate.value:.1f} ({low} to {high})"
    assert table.loc[0, "ceiling"] == "100.0"


def test_a_program_reads_full_precision_and_what_is_not_known_is_empty(named, tmp_path):
    write_tables(tmp_path, named)
    table = pd.read_csv(tmp_path / "tasks.csv", dtype={"comparability_id": str})
    assert list(table["result"]) == ["good"] * 3 + ["bad"] * 3
    for _, row in table.iterrows():
        found = named[row["result"]]
        task = found.groups.tasks[row["task"]]
        assert (row["score"], row["ceiling"]) == (task.estimates.score.value, task.means.ceiling)
        assert row["split"] == found.split_of[row["task"]]
        assert row["instances"] == task.sizes.instances
        assert pd.isna(row["crowd"])
    assert pd.isna(table.loc[2, "score_low"])
    assert table.loc[0, "score_low"] == named["good"].groups.tasks["A"].estimates.score.low


def test_results_stand_side_by_side_by_split_task_and_kind(named):
    for which, groups in (("splits", ["test", "train"]), ("tasks", ["A", "B", "C"]), ("kinds", ["radio", "range"])):
        table = group_table(named, which)
        assert [row[0] for row in table.rows] == groups
        assert [column.heading for column in table.columns[-2:]] == ["good", "bad"]
        bad = named["bad"].groups.parts(which)
        assert [row[-1] for row in table.rows] == [bad[name].estimates.score for name in groups]


def test_errors_stand_beside_the_score_and_that_nothing_was_done_below_it(named, tmp_path):
    outcomes = {**named["good"].outcomes, "agent_error": 2, "harness_error": 1}
    idle = replace(named["good"], outcomes=outcomes, asked_work=Work(played=4, replied=4, acted=0))
    write_tables(tmp_path, {"idle": idle, "bad": named["bad"]})
    text = (tmp_path / "overall.md").read_text()
    assert list(rendered(text)[1]["episodes ended by an error"]) == ["3", "0"]
    assert "- idle: nothing was ever done: this is the score of doing nothing." in text
    assert list(pd.read_csv(tmp_path / "overall.csv")["ended_by_error"]) == [3, 0]


def test_a_group_that_one_result_lacks_is_a_dash(named):
    less = with_tasks(named["bad"], [each for each in tasks_of(named["bad"]) if each[0] != "C"])
    assert group_table({"good": named["good"], "bad": less}, "tasks").text()[2][-1] == "–"


@pytest.mark.parametrize("name", ["overall", "splits", "tasks", "kinds"])
def test_comparability_ids_stand_in_every_table(named, apart, tmp_path, name):
    write_tables(tmp_path / "same", named)
    write_tables(tmp_path / "apart", apart)
    for ending in ("md", "tex", "csv"):
        same, other = ((tmp_path / kind / f"{name}.{ending}").read_text() for kind in ("same", "apart"))
        assert all(each.comparability_id in same for each in named.values())
        assert "NOT COMPARABLE" not in same
        assert apart["other"].comparability_id in other
        if ending != "csv":
            assert "NOT COMPARABLE" in other
    rows = pd.read_csv(tmp_path / "apart" / f"{name}.csv")
    assert set(rows["comparable"]) == {"no"}
    assert set(pd.read_csv(tmp_path / "same" / f"{name}.csv")["comparable"]) == {"yes"}


def test_where_ids_differ_floors_that_hold_for_one_alone_are_left_out(named, apart):
    assert "ceiling" in [column.heading for column in group_table(named, "tasks").columns]
    headings = [column.heading for column in group_table(apart, "tasks").columns]
    assert headings == ["task", *(f"{name} [{each.comparability_id}]" for name, each in apart.items())]
    assert DIFFER in overall_table(apart).notes


def test_missing_scores_and_several_seeds_are_told(named):
    seeds = BetweenSeeds([0, 1], [0.5, 0.6], standard_deviation=0.0707, dropped={})
    unsure = replace(named["good"], bounds=(0.25, 0.75), between_seeds=seeds)
    table = overall_table({"good": unsure, "bad": named["bad"]})
    assert "good is INCOMPLETE: instances without a score allow any headline from 25.0 to 75.0." in table.notes
    place = [column.heading for column in table.columns].index("SD between seeds")
    assert [row[place] for row in table.text()] == ["7.1", "–"]
    (row, _) = overall_records({"good": unsure, "bad": named["bad"]})
    assert (row["least"], row["most"]) == (0.25, 0.75)


# ---- strangers' names -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evil(named):
    tasks = [(f"{EVIL}{name}", split, group) for name, split, group in tasks_of(named["good"])]
    return {EVIL: with_tasks(named["good"], tasks)}


def test_in_markdown_a_name_is_one_cell_of_plain_text(evil, tmp_path):
    write_tables(tmp_path, evil)
    html, table = rendered((tmp_path / "tasks.md").read_text())
    assert table.columns[-1] == plain(EVIL)
    assert table.iloc[0, 0] == plain(f"{EVIL}A")
    assert "<a " not in html
    assert "<b>" not in html
    assert "<code>" not in html


def test_addresses_are_not_made_into_links():
    assert markdown("http://a.b www.c.d") == r"http\://a.b www\.c.d"


def test_in_latex_a_name_holds_no_command(evil, tmp_path):
    write_tables(tmp_path, evil)
    text = (tmp_path / "tasks.tex").read_text()
    known = {"textbackslash", "textasciigrave", "textless", "textgreater", "textbar", "textasciitilde"}
    known |= {"textasciicircum", "usepackage", "begin", "end", "caption", "label", "toprule", "midrule", "bottomrule"}
    known |= {"endfirsthead", "endhead", "endlastfoot"}
    assert set(re.findall(r"\\([A-Za-z]+)", text)) <= known
    body = re.sub(r"\\.", "", text.partition("\n")[2])
    assert body.count("{") == body.count("}")
    rows = [line for line in body.splitlines() if " & " in line]
    assert {row.count("&") for row in rows} == {5}
    assert not re.search(r"[#%~^$]", body)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("50% & #1_a$b", r"50\% \& \#1\_a\$b"),
        ("[x] *", "{[}x{]} {*}"),
        ("a--b", "a-{}-b"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("\u22127.1", "$-$7.1"),
        ("1\u202f000", r"1\,000"),
    ],
)
def test_latex_shows_each_sign_as_it_is(text, shown):
    assert latex(text) == shown


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1"])
def test_in_csv_no_name_is_a_formula(named, name):
    rows = list(csv.DictReader(io.StringIO(as_csv(list(overall_records({name: named["good"]}))))))
    assert rows[0]["result"] == f"'{name}"


def test_in_csv_other_names_and_numbers_stay_as_they_are(named):
    assert csv_text('a, "b"\n|') == 'a, "b"\n|'
    groups = named["good"].groups
    gap = replace(groups.overall.estimates.gap, value=-0.25)
    lower = replace(groups.overall, estimates=replace(groups.overall.estimates, gap=gap))
    rows = list(overall_records({'a, "b"\n|': replace(named["good"], groups=replace(groups, overall=lower))}))
    (row,) = csv.DictReader(io.StringIO(as_csv(rows)))
    assert row["result"] == 'a, "b"\n|'
    assert row["gap"] == "-0.25"


def test_characters_that_cannot_be_seen_are_dropped():
    assert plain("a\x00b\u202ec\nd\ud800") == "abc d"
