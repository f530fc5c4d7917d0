"""One instance in two runs, beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from harness.actions.result import Step
from tests.reports.watch.made_runs import add_turn, answered, indexed, write_run
from tests.server.pages import soup, text

ADDRESS = "/runs/compare/a/b/episode/T/0/0/"


def done(*words: str) -> tuple[Step, ...]:
    return tuple(Step(f"modify_text('answer', '{word}')", True, f"'answer' holds '{word}'", 1.0) for word in words)


@pytest.fixture
def runs(runs_dir: Path) -> None:
    """Two runs of one instance: the same first step and another last one, in answer to other prompts."""
    for name, sent, words in (("a", "yes", ("?", "yes")), ("b", "no", ("?", "no"))):
        episode = answered(0, sent, steps=done(*words))
        run = write_run(runs_dir / name, episode)
        add_turn(run, episode, f"Is it so?\nWord of the day: {name}\nGood luck.", f"I say {sent}")
        indexed(run)


@pytest.mark.usefixtures("runs")
def test_like_steps_stand_beside_each_other_and_the_first_that_parts_is_marked(viewer: Client) -> None:
    page = soup(viewer, ADDRESS)
    rows = page.select("[aria-label=Steps] tbody tr")
    assert ["parts" in (row.get("class") or ()) for row in rows] == [False, True]
    assert [text(code) for code in rows[1].select("code")] == [
        "modify_text('answer', 'yes')",
        "modify_text('answer', 'no')",
    ]
    (link,) = [each for each in page.select("a") if text(each) == "row 2"]
    assert page.find(id=link["href"].removeprefix("#")) is rows[1]


@pytest.mark.usefixtures("runs")
def test_a_field_has_both_answers_their_scores_and_the_labels(viewer: Client) -> None:
    (row,) = soup(viewer, ADDRESS).select("[aria-label=Fields] tbody tr")
    name, ours, theirs, labels = (text(cell) for cell in row.select("th, td"))
    assert (name, labels) == ("answer text differs", "yes")
    assert ours.startswith("yes 1.00 of 1.00")
    assert theirs.startswith("no 0.00 of 1.00")


@pytest.mark.usefixtures("runs")
def test_of_the_prompts_the_lines_that_differ_are_shown(viewer: Client) -> None:
    lines = soup(viewer, ADDRESS).select("pre.difference span")
    differing = {line["class"][0]: text(line) for line in lines if line["class"][0] in ("first", "second")}
    assert differing == {"first": "− Word of the day: a", "second": "+ Word of the day: b"}
    assert "  Is it so?" in [line.get_text().rstrip("\n") for line in lines]


@pytest.mark.usefixtures("runs")
def test_from_a_comparison_each_instance_leads_there_and_the_two_can_be_swapped(viewer: Client) -> None:
    (swap,) = [each for each in soup(viewer, ADDRESS).select("a") if text(each) == "Swap A and B"]
    assert swap["href"] == "/runs/compare/b/a/episode/T/0/0/"
    assert text(soup(viewer, swap["href"]).select_one("h1")) == "T instance 0"


@pytest.mark.parametrize("address", ["a/c/episode/T/0/0/", "a/b/episode/T/0/7/", "a/b/episode/U/0/0/"])
@pytest.mark.usefixtures("runs")
def test_what_one_of_them_lacks_is_no_page(viewer: Client, address: str) -> None:
    assert viewer.get(f"/runs/compare/{address}").status_code == 404


def test_what_a_model_says_is_text(viewer: Client, runs_dir: Path) -> None:
    evil = "<script>alert('x')</script>"
    for name in ("a", "b"):
        episode = answered(0, evil, steps=done(evil))
        run = write_run(runs_dir / name, episode)
        add_turn(run, episode, f"{evil} {name}", evil)
        indexed(run)
    page = soup(viewer, ADDRESS)
    assert not [each for each in page.select("script") if not each.get("src")]
    assert evil in text(page)
