"""The pages about runs on websites: an episode with what its evaluators say, and the choice of episodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from harness.cli.commands.view import main
from harness.records.directory import RunDirectory
from tests.reports.watch.made_runs import answered, indexed, write_run
from tests.reports.watch.made_site import FACTS, HOME, on_shop, write_site_film
from tests.server.pages import soup, text

PAGE = "/runs/run/episode/T/0/"
EVIL = "</script><script>alert(1)</script>{{ 7|add:7 }}"


@pytest.fixture
def run(runs_dir: Path) -> RunDirectory:
    """A run with a filmed episode on a website."""
    made = on_shop()
    run = write_run(runs_dir / "run", made)
    write_site_film(run, made)
    return run


def rows(page: BeautifulSoup, number: int) -> list[list[str]]:
    table = page.select(".conditions table")[number]
    return [[text(cell) for cell in row.find_all(["th", "td"])] for row in table.select("tbody tr")]


@pytest.mark.usefixtures("run")
def test_goal_and_place_of_the_task_are_told(viewer: Client) -> None:
    goal = text(soup(viewer, PAGE).select_one(".goal"))
    assert "Put the blue kettle into the cart." in goal
    for words in (f"begins at {HOME}/", "site shop, layout as usual, seed 7", "level easy", "reference 2 steps"):
        assert words in goal


@pytest.mark.usefixtures("run")
def test_evaluators_stand_side_by_side_and_unknown_is_no_zero(viewer: Client) -> None:
    page = soup(viewer, PAGE)
    said = [text(each) for each in page.select(".evaluator")]
    assert [each.split(" ")[0] for each in said] == ["key", "final", "answer"]
    assert "the episode’s score not reached unknown" in said[0]
    assert "not reached 0.00" in said[1]
    assert "reached 1.00" in said[2]
    assert "They do not agree whether the goal was reached." in text(page)


@pytest.mark.usefixtures("run")
def test_each_key_node_says_what_it_looks_at_when_it_was_met_and_why(viewer: Client) -> None:
    page = soup(viewer, PAGE)
    first, second, third = rows(page, 0)
    assert first == [
        *("1 kettles were looked for", "met", "url q", "exact", "kettle", "step 1"),
        *(f"{HOME}/search?q=kettle", "'kettle' against 'kettle'"),
    ]
    assert page.select_one(".conditions a[data-to]")["href"] == "#step-1"
    assert second[1:2] + second[5:7] == ["not met", "–", ""]
    assert (third[1], third[7]) == ("unknown", "'Search' needs a judge: 'a friendly greeting'")


@pytest.mark.usefixtures("run")
def test_conditions_on_the_state_say_what_was_there(viewer: Client) -> None:
    page = soup(viewer, PAGE)
    assert [row[1:] for row in rows(page, 1)] == [
        ["not met", '"blue kettle"', "it is 'red kettle'"],
        ["not met", "", "it is []"],
    ]
    assert '"name": "red kettle"' in text(page.select_one("#judged"))


@pytest.mark.usefixtures("run")
def test_answer_is_held_against_its_rule(viewer: Client) -> None:
    (row,) = rows(soup(viewer, PAGE), 2)
    assert row == ["1 what was answered, exact", "met", "done", "'done' against 'done'"]


@pytest.mark.usefixtures("run")
def test_film_and_steps_are_marked_with_the_nodes_that_were_met(viewer: Client) -> None:
    page = soup(viewer, PAGE)
    strip = [text(each) for each in page.select(".strip li")]
    assert [("met key node 1" in each) for each in strip] == [False, True, False, False]
    step = text(page.select_one("#step-1"))
    assert f"tab 1 {HOME}/search?q=kettle" in step
    assert "met key node 1: kettles were looked for" in step
    assert "click on button “Search”" in step


@pytest.mark.usefixtures("run")
def test_page_of_a_website_has_nothing_of_a_form(viewer: Client) -> None:
    page = soup(viewer, PAGE)
    assert page.select_one("#form") is None
    words = text(page.main)
    for said in ("form", "Scored by", "most frequent answers", "that the labels allow"):
        assert said not in words


def test_what_a_page_or_a_task_says_is_text(viewer: Client, runs_dir: Path) -> None:
    nodes = replace(FACTS.evaluators.key_nodes[0], note=EVIL, reference=EVIL)
    evaluators = replace(FACTS.evaluators, key_nodes=(nodes,))
    write_run(
        runs_dir / "run", on_shop(replace(FACTS, goal=EVIL, evaluators=evaluators), answer=EVIL, state={"a": EVIL})
    )
    response = viewer.get(PAGE)
    assert b"<script>alert" not in response.content
    assert EVIL in soup(viewer, PAGE).get_text()


def test_site_that_could_not_be_asked_is_called_unknown(viewer: Client, runs_dir: Path) -> None:
    write_run(runs_dir / "run", on_shop(state=None, state_before=None))
    page = soup(viewer, PAGE)
    assert text(page.select(".evaluator")[1]).startswith("final state unknown unknown")
    assert [row[1] for row in rows(page, 1)] == ["unknown", "unknown"]
    assert "doing nothing would have got unknown" in text(page.select(".evaluator")[1])


def test_episode_after_an_error_of_the_harness_says_that_nothing_was_evaluated(viewer: Client, runs_dir: Path) -> None:
    bare = on_shop(moments=(), outcome="harness_error", detail="the browser died", steps=())
    assert bare.site
    write_run(runs_dir / "run", replace(bare, site=replace(bare.site, evaluations=())))
    page = text(soup(viewer, PAGE).main)
    assert "Nothing was evaluated." in page
    assert "Nothing was done on this site." in page


def test_one_file_shows_the_same(run: RunDirectory, tmp_path: Path) -> None:
    assert main([str(run.folder), "T", "0", "--html", str(tmp_path / "one.html")]) == 0
    page = BeautifulSoup((tmp_path / "one.html").read_text(encoding="utf-8"), "html.parser")
    assert "It shows what the task is judged by." in text(page)
    assert page.select_one("#judged .conditions")


@pytest.fixture
def mixed(runs_dir: Path) -> RunDirectory:
    """Websites of two levels, one goal reached, and a form."""
    reached = replace(FACTS, evaluators=replace(FACTS.evaluators, main="answer"), level="hard")
    elsewhere = replace(FACTS, site="", start="http://board.test/", level="")
    return indexed(
        write_run(
            runs_dir / "run",
            on_shop(reached, task="Reached"),
            on_shop(state=None, task="Unknown"),
            on_shop(elsewhere, task="Elsewhere", answer=None),
            answered(0, task="Form"),
        )
    )


def listed(page: BeautifulSoup) -> list[str]:
    return [text(row.th.a).removesuffix(" 0") for row in page.select("#episodes tbody tr")]


@pytest.mark.usefixtures("mixed")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Elsewhere", "Form", "Reached", "Unknown"]),
        ("site=shop", ["Reached", "Unknown"]),
        ("site=board.test", ["Elsewhere"]),
        ("level=hard", ["Reached"]),
        ("level=not+said", ["Elsewhere"]),
        ("reached=yes", ["Reached"]),
        ("reached=no", ["Elsewhere", "Unknown"]),
        ("site=shop&reached=no&level=easy", ["Unknown"]),
        ("q=product+4", ["Elsewhere", "Reached", "Unknown"]),
    ],
)
def test_episodes_are_chosen_by_website_level_and_goal(viewer: Client, query: str, found: list[str]) -> None:
    assert listed(soup(viewer, f"/runs/run/?{query}")) == found


@pytest.mark.usefixtures("mixed")
def test_run_counts_its_websites_and_each_count_chooses(viewer: Client) -> None:
    page = soup(viewer, "/runs/run/")
    card = page.select_one("[aria-labelledby=sites-title]")
    assert text(card) == "Websites board.test 1 shop 2 Levels easy 1 hard 1 not said 1 Goal reached no 2 yes 1"
    assert [link["href"] for link in card.select("a")][:2] == [
        "?site=board.test#episodes-title",
        "?site=shop#episodes-title",
    ]
    row = next(row for row in page.select("#episodes tbody tr") if "Reached" in text(row.th))
    assert text(row.select_one("[data-name=website]")) == "shop hard"
    assert text(row.select_one("[data-name='goal reached']")) == "yes"


def test_run_of_forms_has_no_words_about_websites(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "run", answered(0)))
    page = soup(viewer, "/runs/run/")
    assert page.select_one("[aria-labelledby=sites-title]") is None
    assert page.select_one("select[name=site]") is None
    assert page.select_one("select[name=kind]") is not None


def test_error_of_the_harness_is_no_goal_that_was_missed(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "run", on_shop(outcome="harness_error", detail="the browser died")))
    assert listed(soup(viewer, "/runs/run/?reached=unknown")) == ["T"]


@pytest.mark.usefixtures("run")
def test_agents_are_shown_nothing_of_it(agent: Client) -> None:
    assert agent.get(PAGE).status_code == 404
