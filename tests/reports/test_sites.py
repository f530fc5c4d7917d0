"""The section of a report about websites."""

from __future__ import annotations

from bs4 import BeautifulSoup

from harness.reports.html.blocks import Section
from harness.reports.html.rendering import render
from harness.reports.html.report_page import ReportPage, page_of
from harness.reports.html.sections.sites import sites
from harness.text.numbers import NOTHING
from tests.analysis.test_site_results import on_site, results
from tests.reports.made import EVIL, reported

MIXED = results(
    on_site({"key_nodes": 1.0, "final_state": 1.0}, level="easy", task="A"),
    on_site({"key_nodes": 1.0, "final_state": 0.0}, level="hard", task="B"),
    on_site({"key_nodes": None}, level="hard", task="C"),
)


def shown(section: Section | None) -> BeautifulSoup:
    assert section
    return BeautifulSoup(render(ReportPage("title", "lead", [section], "footer")), "html.parser")


def table(soup: BeautifulSoup, caption: str) -> list[list[str]]:
    found = next(each for each in soup.find_all("table") if caption in each.get_text())
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in found.find_all("tr")]


def test_evaluators_stand_side_by_side_by_level_and_in_all():
    heading, *rows = table(shown(sites([reported(sites=MIXED)])), "Evaluators side by side")
    assert heading[:5] == ["level", "episodes", "key nodes", "success", "not known"]
    assert rows == [
        ["easy", "1", "100.0", "100.0", "0", "100.0", "100.0", "0"],
        ["hard", "2", "100.0", "100.0", "1", "0.0", "0.0", "0"],
        ["all", "3", "100.0", "100.0", "1", "50.0", "50.0", "0"],
    ]


def test_task_without_an_evaluator_has_no_number_of_it():
    *_, last = table(shown(sites([reported(sites=MIXED)])), "Evaluators by task")
    assert last == ["C", "1", NOTHING, NOTHING, "1", NOTHING, NOTHING, NOTHING]


def test_numbers_of_key_nodes_are_there():
    *_, last = table(shown(sites([reported(sites=MIXED)])), "Key nodes")
    assert last[:7] == ["all", "2", "1", "100.0", "100.0", "100.0", "100.0"]


def test_evaluators_that_disagree_are_counted_in_words():
    text = " ".join(shown(sites([reported(sites=MIXED)])).get_text(" ").split())
    assert "Of 1 episode one evaluator says that it reached the goal, and another that it did not." in text


def test_of_several_results_each_is_named():
    soup = shown(sites([reported("a", sites=MIXED), reported("b"), reported("c", sites=MIXED)]))
    captions = [each.get_text() for each in soup.find_all("caption")]
    assert [each for each in captions if each.startswith("Key nodes")] == ["Key nodes: a", "Key nodes: c"]


def test_names_are_text_and_no_markup():
    soup = shown(sites([reported(sites=results(on_site({"answer": 1.0}, task=EVIL)))]))
    assert soup.find("script") is None
    assert table(soup, "Evaluators by task")[1][0].startswith("<script>")


def test_tasks_without_key_nodes_have_no_table_of_them():
    soup = shown(sites([reported(sites=results(on_site({"answer": 1.0})))]))
    assert not [each for each in soup.find_all("caption") if each.get_text().startswith("Key nodes")]


def test_report_has_the_section_only_where_there_are_websites():
    titles = [[each.title for each in page_of([one], ()).sections] for one in (reported(), reported(sites=MIXED))]
    assert ["Websites" in each for each in titles] == [False, True]
