from __future__ import annotations

from pathlib import Path

import pytest

from harness.records.directory import RunDirectory
from harness.reports.watch.episode_query import ORDER_WORDS, ORDERS, EpisodeQuery
from harness.reports.watch.episode_table import Neighbours, episode_page, neighbours
from harness.reports.watch.index_making import bring_up
from harness.reports.watch.run_index import RunIndex
from tests.reports.watch.made_runs import add_turn, answered, failed_step, write_run
from tests.samples import episode


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    made = write_run(
        tmp_path / "run",
        answered(0, "no"),
        answered(1, "yes"),
        answered(0, "yes", task="A", kind="radio"),
        answered(1, "no", task="A", kind="radio", steps=(failed_step(),)),
        episode(outcome="harness_error", task="Z", index=0, detail="the browser died"),
    )
    add_turn(made, answered(1, "yes"), "Naïve café, 100%", 'He said "stop" -- OR NEAR')
    bring_up(made.folder)
    return made


def chosen(run: RunDirectory, **choice: str) -> list[str]:
    with RunIndex(run.folder, run.read()).open() as database:
        page = episode_page(database, EpisodeQuery.of(choice))
    return [f"{each.task}{each.index}" for each in page.episodes]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({}, ["A0", "A1", "T0", "T1", "Z0"]),
        ({"task": "A"}, ["A0", "A1"]),
        ({"kind": "radio"}, ["A0", "A1"]),
        ({"kind": "rad"}, []),
        ({"outcome": "harness_error"}, ["Z0"]),
        ({"low": "none"}, ["Z0"]),
        ({"low": "50"}, ["A0", "T1"]),
        ({"high": "0"}, ["A1", "T0"]),
        ({"error": "no such field"}, ["A1"]),
        ({"task": "A", "high": "10"}, ["A1"]),
        ({"sort": "worst"}, ["A1", "T0", "A0", "T1", "Z0"]),
        ({"sort": "best", "low": "100"}, ["A0", "T1"]),
        ({"error": "no such field", "field": "nowhere"}, ["A1"]),
        ({"error": "no such option", "field": "nowhere"}, []),
        ({"fault": "harness"}, ["Z0"]),
        ({"least_steps": "1"}, ["A1"]),
        ({"most_steps": "0"}, ["A0", "T0", "T1", "Z0"]),
        ({"least_tokens": "12", "most_tokens": "12"}, ["T1"]),
        ({"least_tokens": "13"}, []),
        ({"least_cost": "0.5", "most_cost": "0.50"}, ["T1"]),
        ({"least_seconds": "2"}, ["A1", "T1"]),
        ({"least_tokens": "many", "most_cost": "-1", "fault": "nobody"}, ["A0", "A1", "T0", "T1", "Z0"]),
        ({"q": "naive CAF"}, ["T1"]),
        ({"q": '"naïve café"'}, ["T1"]),
        ({"q": '"naïve caf"'}, []),
        ({"q": '"cafe naive"'}, []),
        ({"q": '"said stop" caf'}, ["T1"]),
        ({"q": "café stop"}, ["T1"]),
        ({"q": "café absent"}, []),
        ({"q": "nowhere"}, ["A1"]),
        ({"q": "died"}, ["Z0"]),
        ({"q": '"stop" OR -- ) NEAR('}, ["T1"]),
        ({"q": "***"}, []),
        ({"q": "rules"}, []),
        ({"low": "half", "high": "-1", "sort": "random; DROP TABLE episode"}, ["A0", "A1", "T0", "T1", "Z0"]),
        ({"task": "' OR 1 --"}, []),
    ],
)
def test_a_choice_finds_its_episodes_in_its_order(
    run: RunDirectory, choice: dict[str, str], expected: list[str]
) -> None:
    assert chosen(run, **choice) == expected


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_works_and_has_words(run: RunDirectory, order: str) -> None:
    assert len(chosen(run, sort=order)) == 5
    assert ORDER_WORDS[order]


def test_a_choice_goes_into_an_address_and_comes_back() -> None:
    query = EpisodeQuery(task="a & b=c", q="ü 100%", low="12.5", sort="worst")
    from urllib.parse import parse_qsl

    assert EpisodeQuery.of(dict(parse_qsl(query.to_query()))) == query
    assert EpisodeQuery().to_query() == ""
    assert (query.is_filter, EpisodeQuery(sort="best").is_filter) == (True, False)


def walk(run: RunDirectory, folder: str, index: int, **choice: str) -> Neighbours:
    with RunIndex(run.folder, run.read()).open() as database:
        return neighbours(database, (folder, index), EpisodeQuery.of(choice))


def test_neighbours_are_those_of_the_chosen_list(run: RunDirectory) -> None:
    found = walk(run, "T", 0, sort="worst")
    assert (found.position, found.count) == (2, 5)
    assert found.before is not None
    assert found.after is not None
    assert (found.before.task, found.before.index) == ("A", 1)
    assert (found.after.task, found.after.index) == ("A", 0)
    first = walk(run, "A", 0, task="A")
    assert (first.before, first.position, first.count) == (None, 1, 2)
    last = walk(run, "A", 1, task="A")
    assert (last.after, last.position) == (None, 2)


def test_an_episode_outside_of_the_list_has_no_neighbours(run: RunDirectory) -> None:
    assert walk(run, "T", 0, task="A") == Neighbours(None, None, None, 2)
    assert walk(run, "nowhere", 0) == Neighbours(None, None, None, 5)


def test_pages_beyond_the_ends_are_the_first_and_the_last(run: RunDirectory) -> None:
    with RunIndex(run.folder, run.read()).open() as database:
        pages = [episode_page(database, EpisodeQuery(), number, size=2) for number in (-3, 2, 99)]
    assert [(page.number, page.pages, len(page.episodes)) for page in pages] == [(1, 3, 2), (2, 3, 2), (3, 3, 1)]


def test_episodes_are_chosen_by_what_a_judge_said_which_the_index_does_not_know(run: RunDirectory) -> None:
    query = EpisodeQuery.of({"judged": "success J"})
    places = [("A", 1), ("Z", 0), ("gone", 3)]
    with RunIndex(run.folder, run.read()).open() as database:
        page = episode_page(database, query, judged=places)
        assert [(each.task, each.index) for each in page.episodes] == places[:2]
        assert episode_page(database, query).count == 0
        found = neighbours(database, ("A", 1), query, places)
        assert (found.position, found.count) == (1, 2)
    assert query.is_filter
    assert query.to_query() == "judged=success+J"
