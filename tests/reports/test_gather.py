"""From run directories to a report: what is read, what is computed beside the numbers, and the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from harness.analysis.run_results import RunScores
from harness.catalog.overlay import known_overlay, read_overlay
from harness.cli.commands import report
from harness.kit.files.codec import plain
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.run_record import comparability_id
from harness.reports.gather import gather
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.analysis.made import write
from tests.reports.made import record
from tests.reports.written import run
from tests.samples import episode
from tests.samples import record as field_record


def test_scores_of_instances_are_counted_in_bins_with_all_at_the_ends(tmp_path):
    (result,) = gather([run(tmp_path / "run")], draws=100)
    bins = [0] * 20
    for score in (1 / 3, 1.0, 0.0, 0.52, 0.04, 1.0):
        bins[min(int(20 * score), 19)] += 1
    assert list(result.scores.bins) == bins
    assert (result.scores.nothing, result.scores.full) == (1, 2)


def test_only_the_published_split_of_the_benchmark_is_scored_by_the_original_s_rules(tmp_path):
    overlay = known_overlay("turkingbench")
    assert overlay is not None
    name = sorted(read_overlay(overlay).tasks)[0]
    tasks = {name: [{"ra": 1.0, "rb": 0.0, "rc": 0.0}, {"ra": 1.0}], "other": [{"ra": 0.0}] * 5}
    (result,) = gather([run(tmp_path / "run", tasks, splits={name: "test"})], draws=100)
    original = result.original
    assert original is not None
    assert original.tasks.value == pytest.approx((1 / 3 + 1) / 2)
    assert original.pooled == pytest.approx(2 / 4)
    assert original.tasks.clusters == 1
    assert original.comparability_id == comparability_id(result.record.compared, "turkingbench-2024")
    (again,) = gather([tmp_path / "run"], "turkingbench-2024", draws=100)
    assert again.original == original
    assert gather([run(tmp_path / "train", tasks)], draws=100)[0].original is None
    assert gather([run(tmp_path / "others", splits={"A": "test"})], draws=100)[0].original is None


def test_seeds_of_a_solver_are_one_result_and_another_profile_has_another_id(tmp_path):
    folders = [run(tmp_path / f"{seed}", config={"solver_seed": seed}) for seed in (1, 2)]
    (result,) = gather(folders, draws=100)
    assert [each.config.solver_seed for each in result.records] == [1, 2]
    assert result.numbers.between_seeds.seeds == (1, 2)
    (other,) = gather(folders, "turkingbench-2024", draws=100)
    assert other.profile == "turkingbench-2024"
    assert other.comparability_id != result.comparability_id


def test_the_command_writes_report_and_tables_the_same_each_time(tmp_path, capsys):
    folder = run(tmp_path / "run")
    for name in ("one", "two"):
        arguments = [str(folder), "--out", str(tmp_path / f"{name}.html"), "--tables", str(tmp_path / name)]
        assert report.main(arguments) == 0
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    said = capsys.readouterr().out.splitlines()
    assert said[0] == str(tmp_path / "one.html")
    assert all(Path(line).is_file() for line in said)
    assert str(tmp_path / "one" / "tasks.md") in said


def write_run(folder: Path, played: list[Episode]) -> Path:
    about = plain(record())
    return write(folder, played, about.pop("config"), **about)


def test_a_run_without_any_score_says_why_first(tmp_path):
    played = [ended("harness_error", place, "the model gave no answer: HTTP 503") for place in range(3)]
    folder = write_run(tmp_path / "run", played)
    assert report.main([str(folder), "--out", str(tmp_path / "report.html")]) == 0
    soup = BeautifulSoup((tmp_path / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert soup.select_one("#headline .first dd").get_text() == "–"
    first, second = [notice.get_text() for notice in soup.select(".notice")]
    assert first == (
        "No score. random: no instance has one. 3 ended as harness error: 3 × the model gave no answer: HTTP 503."
    )
    assert "any headline from 0.0 to 100.0" in second
    # What would be empty is not there.
    assert soup.select("figure, svg") == []
    assert [section["id"] for section in soup.select("main > section")] == [
        *("headline", "outcomes", "effort", "left-out", "again", "citing")
    ]


def test_a_model_that_never_replied_has_no_score_in_the_report_of_a_run_from_before_replies_were_counted(tmp_path):
    played = [ended("agent_error", place, "HTTP 400", fields=(UNTOUCHED,)) for place in range(2)]
    about = plain(record())
    results = RunScores.of(score_episode(each, PROFILES["standard"]) for each in played).results()
    assert results.overall.score == 1.0
    settings = {**about.pop("config"), "solver": "gpt-6-luna"}
    folder = write(tmp_path / "run", played, settings, **{**about, "results": plain(replace(results, work=None))})
    assert report.main([str(folder), "--tables", str(tmp_path / "tables")]) == 0
    soup = BeautifulSoup((folder / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert soup.select_one("#headline .first dd").get_text() == "–"
    assert soup.select_one(".notice").get_text() == (
        "No score. gpt-6-luna: the solver never gave a reply of use. 2 ended as agent error: 2 × HTTP 400."
    )
    text = (tmp_path / "tables" / "overall.md").read_text(encoding="utf-8")
    assert "gpt-6-luna: no score: the solver never gave a reply of use." in text


UNTOUCHED = field_record("answer", sent=("yes",), untouched=("yes",))
"""A field that is right if nobody touches it."""


def test_a_run_that_stopped_before_its_first_episode_has_a_report_that_says_why(tmp_path):
    stop = {"kind": "provider", "words": "HTTP 401: no such key", "advice": "", "at": "2026-01-31T12:10:00"}
    about = {**plain(record()), "status": "failed", "stopped": stop}
    folder = write(tmp_path / "run", [], about.pop("config"), **about)
    assert report.main([str(folder)]) == 0
    soup = BeautifulSoup((folder / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert "HTTP 401: no such key" in soup.select_one(".notice").get_text()


def ended(outcome: str, index: int, detail: str, **more: Any) -> Episode:
    return episode(outcome=outcome, index=index, id=f"{index:012x}", detail=detail, **more)


def test_reasons_lead_to_an_episode_of_each(tmp_path):
    played = [
        *(ended("harness_error", number, f"HTTP 503 after {number} s") for number in range(4)),
        ended("agent_error", 4, "KeyError: 'x' & <b>"),
        ended("limit", 5, "time", limit="time", allowed=300.0),
    ]
    folder = write_run(tmp_path / "a run, 100%", played)
    assert report.main([str(folder)]) == 0
    soup = BeautifulSoup((folder / "report.html").read_text(encoding="utf-8"), "html.parser")
    (table,) = [each for each in soup.select("#outcomes table") if "Why" in each.caption.get_text()]
    rows = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in table.select("tbody tr")]
    assert rows == [
        ["harness error", "4", "HTTP 503 after 0 s", "T, instance 0"],
        ["agent error", "1", "KeyError: 'x' & <b>", "T, instance 4"],
        ["limit", "1", "the page's time was used up (--max-time 300)", "T, instance 5"],
    ]
    links = [link["href"] for link in table.select("a")]
    assert links == ["episodes/T/0.json", "episodes/T/4.json", "episodes/T/5.json"]
    assert report.main([str(folder), "--out", str(tmp_path / "elsewhere" / "x.html")]) == 0
    text = (tmp_path / "elsewhere" / "x.html").read_text(encoding="utf-8")
    assert 'href="../a%20run%2C%20100%25/episodes/T/0.json"' in text


@pytest.mark.slow
def test_a_report_stands_in_its_run_and_overwrites_no_other(tmp_path, capsys):
    one, two, other = (run(tmp_path / name) for name in ("one", "two", "other/two"))
    for runs in ([one], [two], [one, two], [one, other], [other, one]):
        assert report.main(list(map(str, runs))) == 0
    said = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert len(set(said)) == 5
    assert all(page.is_file() for page in said)
    assert said[:3] == [one / "report.html", two / "report.html", tmp_path / "one_and_two_report.html"]
    assert {page.parent for page in said[3:]} == {tmp_path, tmp_path / "other"}


def test_a_run_with_a_report_in_it_is_read_as_before(tmp_path):
    folder = run(tmp_path / "run")
    before = RunDirectory(folder).canonical(), gather([folder], draws=100)
    assert report.main([str(folder)]) == 0
    assert (RunDirectory(folder).canonical(), gather([folder], draws=100)) == before


def test_a_report_that_cannot_be_written_is_wrong_use_in_one_line(tmp_path, capsys):
    folder = run(tmp_path / "run")
    (tmp_path / "there").mkdir()
    assert report.main([str(folder), "--out", str(tmp_path / "there")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be written" in said
