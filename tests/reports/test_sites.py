"""The section of a report about websites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from harness.actions.result import Step
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.kit.text import NOTHING
from harness.records.config import RunConfig
from harness.records.episode import Episode
from harness.records.site_record import EvaluatedPart, Evaluation, Moment, SiteRecord
from harness.reports.html.blocks import Section
from harness.reports.html.rendering import render
from harness.reports.html.report_page import ReportPage, page_of
from harness.reports.html.sections.about import command
from harness.reports.html.sections.headline import headline
from harness.reports.html.sections.sites import sites
from tests.analysis.site_episodes import on_site, results
from tests.reports.made import EVIL, reported
from tests.samples import episode

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


def walked(*, reached: bool, level: str = "easy", site: str = "shop", limit: bool = False) -> Episode:
    """An episode of two key nodes, of which the first is met in the second step, and the other if it gets there."""
    parts = (
        EvaluatedPart(name="", score=1.0, step=1, moment=1),
        EvaluatedPart(name="", score=float(reached), step=2 if reached else None, moment=2 if reached else None),
    )
    said = Evaluation(
        evaluator="key_nodes", score=sum(part.score or 0 for part in parts) / 2, success=reached, parts=parts
    )
    facts = SiteFacts(goal="", start="http://shop.test/", origins=(), evaluators=Evaluators(), level=level, site=site)
    moments = tuple(Moment(kind="moved", step=step, url=f"http://shop.test/{EVIL}{step}") for step in range(3))
    ended: dict[str, Any] = {"outcome": "limit", "detail": "steps"} if limit else {}
    steps = (Step("reload()", True, "", 1.0),) * 3
    return episode(site=SiteRecord(task=facts, moments=moments, evaluations=(said,)), steps=steps, **ended)


def two_solvers() -> BeautifulSoup:
    one = results(
        walked(reached=True), walked(reached=False, level="hard", limit=True), walked(reached=True, site="board")
    )
    return shown(sites([reported("one", sites=one), reported(EVIL, sites=results(walked(reached=False)))]))


def test_solvers_stand_side_by_side_with_their_efficiency():
    rows = table(two_solvers(), "Solvers side by side")
    assert [row[:4] for row in rows[1:]] == [["one", "3", "2", "0"], [rows[2][0], "1", "0", "0"]]
    assert rows[1][6] == "1.50"


def test_curve_says_how_many_are_left_and_how_many_were_cut_off():
    heading, *rows = table(two_solvers(), "Share of key nodes met by each step, on all sites")
    assert heading[:5] == ["step", "one: met, per cent", "left", "met", "cut off"]
    assert [row[:5] for row in rows] == [
        ["before the first", "0.0", "6", "0", "0"],
        ["2", "50.0", "6", "3", "0"],
        ["3", "83.3", "3", "2", "1"],
    ]


def test_each_site_and_level_has_its_curve_its_heat_map_and_its_ways():
    soup = two_solvers()
    captions = [each.get_text() for each in soup.find_all("figcaption")]
    for words in ("met by each step, on shop", "on shop, level easy", "on shop, level hard", "on board"):
        assert any(words in each for each in captions), words
    ways = [each for each in captions if each.startswith("From which part of the site")]
    assert len(ways) == 4  # shop in two levels and board of one solver, shop of the other
    rows = table(soup, "Steps of key nodes on shop: one")
    assert rows[0] == ["key node", "0", "1", "2", "3", "never", "?"]
    assert rows[1:] == [
        ["easy, node 1", "0", "0", "1", "0", "0", "0"],
        ["easy, node 2", "0", "0", "0", "1", "0", "0"],
        ["hard, node 1", "0", "0", "1", "0", "0", "0"],
        ["hard, node 2", "0", "0", "0", "0", "1", "0"],
    ]


def test_every_figure_has_a_table_and_names_that_no_other_has():
    soup = two_solvers()
    figures = soup.find_all("figure")
    assert len(figures) == len(soup.select("figure details table"))
    idents = [each["id"] for each in soup.find_all(id=True)]
    assert len(idents) == len(set(idents))
    assert all(
        each.find("title").get_text() and each.find("desc").get_text() for each in soup.find_all("svg", role="img")
    )


def test_pictures_need_nothing_from_outside_and_names_in_them_are_text():
    soup = two_solvers()
    assert soup.find("script") is None
    assert not [each for each in soup.find_all(href=True) if not each["href"].startswith("#") and each.name != "link"]
    assert soup.find("img") is None


def test_many_steps_share_columns_and_each_episode_is_counted_once():
    late = walked(reached=False)
    assert late.site
    parts = tuple(EvaluatedPart(name="", score=1.0, step=step, moment=1) for step in (0, 44, 45, 98))
    said = replace(late.site.evaluations[0], parts=parts)
    long = replace(late, site=replace(late.site, evaluations=(said,)), steps=late.steps * 33)
    heading, *rows = table(shown(sites([reported(sites=results(long))])), "Steps of key nodes on shop")
    assert heading[1:4] == ["0", "1–5", "6–10"]
    assert heading[-3:] == ["96–99", "never", "?"]
    assert [sum(map(int, row[1:])) for row in rows] == [1, 1, 1, 1]
    assert [row.index("1") for row in rows[1:3]] == [10, 11]


def test_report_of_websites_has_no_section_about_fields():
    only = reported(sites=MIXED)
    groups = replace(only.numbers.groups, overall=replace(only.overall, sizes=replace(only.overall.sizes, fields=0)))
    on_sites = replace(only, numbers=replace(only.numbers, groups=groups))
    page = page_of([on_sites], ())
    assert not {"kinds", "people", "trivial", "wrong"} & {each.ident for each in page.sections}
    assert "on 1 website;" in page.lead
    beside = page_of([on_sites, reported("form")], ())
    assert {"kinds", "people", "trivial", "wrong"} <= {each.ident for each in beside.sections}


def only_sites(name: str = "random") -> Any:
    found = reported(name, sites=MIXED)
    groups = replace(found.numbers.groups, overall=replace(found.overall, sizes=replace(found.overall.sizes, fields=0)))
    return replace(found, numbers=replace(found.numbers, groups=groups))


def test_headline_of_websites_tells_goals_and_nothing_of_fields_or_crowds():
    soup = shown(headline([only_sites("one"), only_sites("two")]))
    heading, first, _ = table(soup, "Scores side by side")
    assert heading[1:4] == ["score", "95 % interval", "ended by an error"]
    assert heading[4:8] == ["doing nothing", "episodes", "goal reached", "not known"]
    assert first[0] == "one"
    assert first[5:8] == ["3", "2", "1"]
    means, *_ = table(soup, "averaged in other ways")
    for word in ("field", "crowd", "tied", "constant"):
        assert not [each for each in (*heading, *means) if word in each]


def test_report_of_websites_names_no_profile_and_says_what_their_outcomes_mean():
    page = page_of([only_sites()], ())
    assert "Scored by evaluators of websites" in page.lead
    assert "profile" not in page.lead
    (outcomes,) = [each for each in page.sections if each.ident == "outcomes"]
    assert "the task's main evaluator could not tell" in shown(outcomes).get_text()


def test_command_that_makes_a_run_again_has_what_decides_it_on_websites():
    config = RunConfig("random", Path("sites"), kind="site", seeds=3, actions="all", judge="gpt-4o")
    said = command(config)
    assert [each for each in ("--kind site", "--seeds 3", "--actions all", "--judge gpt-4o") if each not in said] == []
