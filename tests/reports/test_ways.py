"""The sections about how models were asked, and about the length of pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup

from harness.analysis.length_effect import LengthEffect, TaskLength
from harness.kit.statistics.line import fit_line
from harness.reports.gather import gather
from harness.reports.html.blocks import Section
from harness.reports.html.rendering import render
from harness.reports.html.report_page import ReportPage, page_of
from harness.reports.html.sections.ways import length, ways
from tests.analysis.made import ASKED
from tests.reports.made import EVIL, reported
from tests.reports.written import run


def asked(folder: Path, *given, **values):
    """Results of runs that were asked so, with tasks A to D that gain with each run."""
    folders = []
    for number, options in enumerate(given):
        tasks = {name: [{"s": 0.1 * number + 0.05 * place}] * 2 for place, name in enumerate("ABCD")}
        config = {"solver": "preset", "options": {**ASKED, **options} if options else {}}
        folders.append(run(folder / str(number), tasks, config, **values))
    return gather(folders, draws=50)


def shown(section: Section | None) -> BeautifulSoup:
    assert section is not None
    return BeautifulSoup(render(ReportPage("title", "lead", [section], "footer")), "html.parser")


def rows(soup, figure):
    return [[cell.get_text() for cell in row.select("th, td")] for row in soup.select(f"#{figure} tbody tr")]


def test_scores_over_demonstrations_are_drawn_and_tabled(tmp_path):
    soup = shown(ways(asked(tmp_path, {"demos": 0}, {"demos": 3}, {"demos": 7})))
    assert [heading.get_text() for heading in soup.select("h3")] == ["Demonstrations"]
    assert len(soup.select("#demos-1 svg.plot")) == 1
    found = rows(soup, "demos-1")
    assert [(row[1], row[2], row[6]) for row in found] == [
        ("0", "7.5", "–"),
        ("3", "17.5", "+10.0"),
        ("7", "27.5", "+20.0"),
    ]
    assert "differ in nothing but the demonstrations" in soup.select_one("#demos-1 figcaption").get_text()
    assert soup.select("details details") == []


def test_what_is_not_joined_says_why_and_baselines_are_named(tmp_path):
    soup = shown(ways(asked(tmp_path, {"demos": 0}, {"demos": 3}, {"demos": 7, "model": "other"}, {})))
    folded = soup.find("summary", string="Not joined: 1 result, and why").parent
    assert [cell.get_text() for cell in folded.select("tbody tr *")][2] == "model"
    assert "Not here, since nothing of the kind was chosen for them: preset." in soup.get_text()


def test_where_nothing_can_be_joined_points_stand_by_themselves(tmp_path):
    soup = shown(ways(asked(tmp_path, {"demos": 0}, {"demos": 3, "model": "other"})))
    assert "No two results differ in the demonstrations alone: nothing is joined" in soup.get_text()
    assert [row[1] for row in rows(soup, "demos-1")] == ["0", "3"]


def test_tasks_are_drawn_by_modality_with_their_differences(tmp_path):
    soup = shown(ways(asked(tmp_path, {}, {"encoding": "text"}, {"screenshot": "viewport"})))
    assert [heading.get_text() for heading in soup.select("h3")] == ["Text and pictures, task by task"]
    found = rows(soup, "modality-1")
    assert [row[0] for row in found] == ["A", "B", "C", "D", "all tasks, mean"]
    assert {row[-2] for row in found} == {"+10.0"}
    assert [each.get_text(strip=True) for each in soup.select("#modality-1 .key li")] == [
        "text",
        "text and picture (viewport)",
    ]


def test_results_that_were_asked_alike_have_no_such_section(tmp_path):
    assert ways(asked(tmp_path, {"demos": 3}, {"demos": 3, "model": "other"})) is None
    assert ways([reported()]) is None


@pytest.mark.slow
def test_many_lines_are_parted_into_figures(tmp_path):
    given = [{"demos": demos, "model": f"m{number}"} for number in range(5) for demos in (0, 3)]
    soup = shown(ways(asked(tmp_path, *given)))
    assert [len(soup.select(f"#demos-{number} .key li")) for number in (1, 2)] == [4, 1]


def effect(slope, *, noise=0.1, tasks=12, left_out=None):
    """Tasks of 100 tokens and more, whose scores change with each doubling."""
    random = np.random.default_rng(3)
    x = np.log2(100) + np.arange(tasks) / 2
    y = 0.5 + slope * (x - x.mean()) + noise * random.normal(size=tasks)
    return LengthEffect(
        tasks=tuple(
            TaskLength(f"T{n}", float(2**one), float(two), 2) for n, (one, two) in enumerate(zip(x, y, strict=True))
        ),
        between=fit_line(x, y, np.arange(tasks)),
        within=None,
        within_tasks=0,
        left_out=left_out or {},
        counted_by="cl100k_base",
    )


def said(made: LengthEffect) -> str:
    return shown(length([reported(length=made)])).select_one("#length-1 figcaption").get_text()


def test_a_slope_is_told_in_words_with_its_interval():
    text = said(effect(-0.08, noise=0.02))
    assert "Where the pages of a task are twice as long, its score is" in text
    assert "points lower (95 %: from" in text
    assert "So tasks with longer pages score lower here, by more than chance would make likely." in text
    assert "Pages of the same task are too much alike in length to tell more." in text
    assert "Tokens counted by: cl100k_base." in text
    assert "score higher here" in said(effect(0.08, noise=0.02))


def test_a_slope_that_can_be_chance_claims_nothing():
    text = said(effect(0.0, noise=0.2))
    assert "That can be chance: no relation at all lies within the interval." in text
    assert "than chance would make likely" not in text


def test_a_slope_without_an_interval_says_so():
    text = said(effect(-0.1, noise=0.0, tasks=3))
    assert "(no interval: too few tasks, or no scatter)" in text
    assert "How sure that is cannot be said." in text


def test_what_a_slope_is_not_is_said_once_and_what_is_unknown_is_counted():
    results = [reported("a", length=effect(-0.1)), reported("b", length=effect(-0.1, left_out={"asked no model": 4}))]
    soup = shown(length([*results, reported("c")]))
    assert soup.get_text().count("and not why: tasks with long pages differ from others in more") == 1
    assert "Instances left out: 4 asked no model." in soup.select_one("#length-2 figcaption").get_text()
    assert "Nothing is known of the lengths of pages in c." in soup.get_text()
    assert len(soup.select(".grid svg.plot")) == 2


def test_tasks_stand_in_the_table_from_the_shortest_to_the_longest():
    soup = shown(length([reported(length=effect(0.0))]))
    assert [row[0] for row in rows(soup, "length-1")] == [f"T{place}" for place in range(12)]
    assert rows(soup, "length-1")[2][1] == "200"


def test_without_a_known_length_there_is_no_section():
    assert length([reported()]) is None
    assert length([reported(length=replace(effect(0.0), tasks=()))]) is None


def test_names_of_strangers_are_text(tmp_path):
    evil = {"model": EVIL}
    soup = shown(ways(asked(tmp_path, {"demos": 0, **evil}, {"demos": 3, **evil}, {"encoding": EVIL, **evil})))
    assert soup.find("script") is None
    made = effect(0.0)
    strange = replace(
        made, tasks=tuple(replace(each, task=EVIL) for each in made.tasks), counted_by=EVIL, left_out={EVIL: 1}
    )
    assert shown(length([reported(EVIL, length=strange), reported(length=made)])).find("script") is None


def test_a_report_has_these_sections_where_there_is_something_to_show(tmp_path):
    first, second = asked(tmp_path, {"demos": 0}, {"demos": 3})
    sections = [section.ident for section in page_of([replace(first, length=effect(0.0)), second], ()).sections]
    assert sections[sections.index("instances") :][:3] == ["instances", "ways", "length"]
    assert {"ways", "length"}.isdisjoint(section.ident for section in page_of([first], ()).sections)
