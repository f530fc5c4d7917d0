"""Runs over tasks on a bundled website, in a real browser."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness.analysis.scored_run import read_scored
from harness.catalog import CatalogError
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import compare, evaluate, leaderboard, report, score
from harness.kit.files.installation import to_type
from harness.models.accounts import ReplyCache
from harness.models.cost import Price, TokenRates
from harness.models.ledger import LEDGER, Ledger, SpendingLimits, Totals
from harness.models.messages import Reply, Request, Usage
from harness.models.service import ModelService
from harness.models.tokens.counting import Tokens
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.lost_attempts import KeptAttempts, LostAttempts, SavedMoments
from harness.records.run_record import RunRecord
from harness.run.judging import judge_run, left_over
from harness.run.run_tasks import fit_for
from harness.scoring.evaluators import model_judge
from harness.scoring.evaluators.model_judge import ModelJudge, judge_of
from tests.run.processes import evaluating, needs_proc, nothing_is_left, until
from tests.site_tasks import ACCOUNT, START, TO_THE_ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task

pytestmark = pytest.mark.usefixtures("module_cache")
TASKS = ("A", "B")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tasks on a website, and one undisturbed run of them."""
    folder = tmp_path_factory.mktemp("sites")
    for name in TASKS:
        table = csv_text(["of"], *([f"{name}{number}"] for number in range(2)))
        make_site_task(folder / "tasks", name, start=f"{START}?of=${{of}}", table=table)
    assert run(folder, folder / "whole", "oracle") == COMPLETE
    return folder


def run(home: Path, out: Path, solver: str, *more: str) -> int:
    given = ["--solver", solver, "--tasks-dir", str(home / "tasks"), "--workers", "1", "--progress", "quiet"]
    return evaluate.main([*given, "--out", str(out), *more])


def scores(record: RunRecord) -> tuple[float | None, int]:
    assert record.results
    return record.results.overall.score, record.results.overall.instances


@pytest.mark.slow
def test_the_reference_reaches_everything_and_doing_nothing_does_not(home: Path, tmp_path: Path) -> None:
    assert run(home, tmp_path / "run", "do-nothing") == COMPLETE
    assert scores(RunDirectory(home / "whole").read()) == (1.0, 4)
    assert scores(RunDirectory(tmp_path / "run").read()) == (0.0, 4)


def test_an_episode_holds_what_happened_how_the_site_stood_and_what_every_evaluator_says(home: Path) -> None:
    episode = RunDirectory(home / "whole").episode("A", 1)
    site = episode.site
    assert site is not None
    assert (episode.outcome, episode.submission, episode.fields) == ("scored", None, ())
    assert (site.task.start, site.task.site) == (f"{START}?of=A1", "travel")
    assert [moment.url for moment in site.moments if moment.kind == "moved"] == [f"{START}?of=A1", ACCOUNT]
    assert site.state
    assert site.state_before
    found = {each.evaluator: (each.score, each.success, each.floor) for each in site.evaluations}
    assert found == {"key_nodes": (1.0, True, 0.0), "final_state": (1.0, True, 1.0)}
    assert site.main is not None
    assert (site.main.evaluator, site.main.parts[0].step) == ("key_nodes", 0)


def test_the_run_says_its_kind_and_what_solvers_are_told(home: Path) -> None:
    record = RunDirectory(home / "whole").read()
    assert (record.config.kind, record.protocol, record.status) == ("site", "goal", "complete")


@pytest.mark.slow
def test_a_solver_without_a_key_is_told_goal_and_address_and_nothing_of_how_it_is_judged(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    only = ("--task", "A", "--max-instances", "1")
    assert run(home, tmp_path / "run", "tests.run_solvers:SeesTheWebsite", *only) == COMPLETE
    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert "'goal': 'Open your account.'" in told
    assert "'origins': ('http://travel.test',)" in told
    assert "account/" not in told
    assert "'guide': ''" in told


def test_reports_scores_and_comparisons_take_runs_of_websites(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = shutil.copytree(home / "whole", tmp_path / "whole")
    assert report.main([str(whole)]) == COMPLETE
    assert score.main([str(whole)]) == COMPLETE
    assert "100.0" in capsys.readouterr().out
    assert compare.main([str(whole), str(whole)]) == COMPLETE


@pytest.mark.slow
def test_a_run_that_is_cut_short_ends_as_one_that_was_not(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shutil.copytree(home / "whole", out)
    directory = RunDirectory(out)
    for index in range(2):
        directory.episode_file("B", index).unlink()
    directory.write(replace(directory.read(), status="running"))
    assert evaluate.main(["--resume", str(out), "--progress", "quiet"]) == COMPLETE
    assert directory.canonical() == RunDirectory(home / "whole").canonical()


@pytest.mark.slow
@needs_proc
def test_a_run_that_is_killed_can_be_gone_on_with(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["--solver", "oracle", "--tasks-dir", str(home / "tasks"), "--out", str(out), "--workers", "2"]
    with evaluating([*command, "--progress", "quiet"], tmp_path) as process:
        until(lambda: list(out.glob("episodes/*/*.json")))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    until(lambda: nothing_is_left(tmp_path))
    assert evaluate.main(["--resume", str(out), "--progress", "quiet", "--workers", "1"]) == COMPLETE
    assert RunDirectory(out).canonical() == RunDirectory(home / "whole").canonical()


@pytest.mark.slow
def test_a_solver_whose_process_dies_is_scored_on_a_site_that_nothing_was_done_on(home: Path, tmp_path: Path) -> None:
    only = ("--task", "A", "--max-instances", "1")
    assert run(home, tmp_path / "run", "tests.run_solvers:DiesOnTheWebsite", *only) == COMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert (episode.outcome, episode.attempts, episode.unseen) == ("agent_error", 2, True)
    assert episode.site is not None
    assert episode.site.main is not None
    assert (episode.site.main.score, [each.kind for each in episode.site.moments]) == (0.0, ["moved"])
    assert episode.site.state == episode.site.state_before


DIES = ("tests.run_solvers:DiesInTheAccount", "--task", "A", "--max-instances", "1")


@pytest.fixture(scope="module")
def alive(home: Path) -> Path:
    """The run of the solver that dies, in which it lives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIVES", "yes")
        assert run(home, home / "alive", *DIES) == COMPLETE
    return home / "alive"


def only_episode(folder: Path) -> Episode:
    (episode,) = RunDirectory(folder).episodes()
    return episode


def resume(directory: RunDirectory) -> int:
    return evaluate.main(["--resume", str(directory.folder), "--yes", "--progress", "quiet"])


@pytest.mark.slow
def test_what_was_reached_before_the_process_died_counts_as_if_it_had_ended_there(
    home: Path, alive: Path, tmp_path: Path
) -> None:
    assert run(home, tmp_path / "dead", *DIES) == COMPLETE
    dead, lived = only_episode(tmp_path / "dead"), only_episode(alive)
    assert (dead.outcome, dead.attempts, dead.unseen, dead.steps) == ("agent_error", 2, True, ())
    assert dead.site is not None
    assert lived.site is not None
    assert [each.url for each in dead.site.moments] == [each.url for each in lived.site.moments]
    assert {each.step for each in dead.site.moments} == {None}
    assert dead.site.state == lived.site.state
    told = [
        [(each.evaluator, each.score, each.success) for each in site.evaluations] for site in (dead.site, lived.site)
    ]
    assert told[0] == told[1] == [("key_nodes", 1.0, True), ("final_state", 1.0, True)]
    assert not (tmp_path / "dead" / "attempts").exists()


@pytest.mark.slow
def test_only_the_last_attempt_counts_so_that_to_die_adds_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRST_ONLY", str(tmp_path / "been"))
    assert run(home, tmp_path / "run", *DIES) == COMPLETE
    site = only_episode(tmp_path / "run").site
    assert site is not None
    assert site.main is not None
    assert site.main.score == 0.0


def without_its_episode(alive: Path, folder: Path) -> RunDirectory:
    """A copy of a run, as it is where it was killed after both attempts were lost, before its episode was written."""
    run = RunDirectory(shutil.copytree(alive, folder))
    episode = only_episode(folder)
    run.episode_file(episode.task, episode.index).unlink()
    run.write(replace(run.read(), status="interrupted", results=None))
    lost = LostAttempts(2, "its process ended", Limits(10, 10.0), None)
    KeptAttempts(folder).write(episode.task, episode.index, lost)
    return run


@pytest.mark.slow
def test_what_nobody_knows_any_more_is_no_score_and_leaves_the_run_incomplete(
    alive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVES", "yes")
    directory = without_its_episode(alive, tmp_path / "run")
    for _ in range(2):  # to go on once more gives no third attempt
        assert resume(directory) == INCOMPLETE
        episode = only_episode(directory.folder)
        assert (episode.outcome, episode.attempts) == ("harness_error", 2)
        assert episode.detail.endswith("is lost, so that nobody can tell its score")
        results = directory.read().results
        assert results
        assert (results.overall.score, results.overall.bounds) == (None, (0.0, 1.0))


@pytest.mark.slow
def test_moments_that_were_kept_count_where_the_site_has_forgotten_how_it_was_left(
    alive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVES", "yes")
    played = only_episode(alive)
    assert played.site is not None
    directory = without_its_episode(alive, tmp_path / "run")
    SavedMoments(directory.folder, played.task, played.index).add(played.site.moments)
    assert resume(directory) == COMPLETE
    episode = only_episode(directory.folder)
    assert episode.outcome == "agent_error"
    assert episode.site is not None
    told = [(each.evaluator, each.score, each.success) for each in episode.site.evaluations]
    assert told == [("key_nodes", 1.0, True), ("final_state", None, None)]


@pytest.mark.slow
def test_program_that_took_its_browser_along_has_no_score_for_what_nobody_saw(home: Path, tmp_path: Path) -> None:
    program = ("tests.run_solvers:KillsTheBrowserOverDevtools", "--task", "A", "--max-instances", "1")
    assert run(home, tmp_path / "run", *program) == INCOMPLETE
    episode = only_episode(tmp_path / "run")
    assert (episode.outcome, episode.attempts) == ("harness_error", 2)
    assert "is lost, so that nobody can tell its score" in episode.detail


@pytest.mark.slow
def test_the_task_limits_the_steps_of_its_solvers(tmp_path: Path) -> None:
    make_site_task(tmp_path / "tasks", "Short", max_steps=1, evaluators={"key_nodes": [TO_THE_ACCOUNT]})
    assert run(tmp_path, tmp_path / "run", "tests.run_solvers:WalksForEver") == COMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert (episode.outcome, episode.limit, episode.allowed, len(episode.steps)) == ("limit", "steps", 1.0, 1)


KIND = {"match": "semantic", "reference": "says something kind"}
HELLO = {"goal": "", "start": START, "steps": [{"do": "finish", "value": "Hello"}]}


def to_be_judged(folder: Path, *more: str) -> str:
    """Play a task whose answer only a judge can tell into the folder "run"; gives what was printed."""
    make_site_task(folder / "tasks", "T", trace=HELLO, evaluators={"answer": KIND})
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setenv("OPENAI_API_KEY", "sk-test")
        patch.setattr(model_judge, "open_judge", scripted_judge)
        assert run(folder, folder / "run", "oracle", *more) == COMPLETE
    return out.getvalue()


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run without the judge that it needs, and what it said."""
    folder = tmp_path_factory.mktemp("unjudged")
    said = to_be_judged(folder)
    return folder / "run", said


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The same run with a judge, and what it said."""
    folder = tmp_path_factory.mktemp("judged")
    said = to_be_judged(folder, "--judge", "gpt-6-luna")
    return folder / "run", said


def test_what_only_a_judge_could_tell_has_no_score(unjudged: tuple[Path, str]) -> None:
    episode = only_episode(unjudged[0])
    assert episode.site is not None
    assert (episode.outcome, episode.site.answer) == ("unscored", "Hello")
    assert [each.score for each in episode.site.evaluations] == [None]
    assert scores(RunDirectory(unjudged[0]).read())[0] is None


class SaysNine:
    """A model that finds everything nearly right."""

    def complete(self, _request: Request, *, timeout: float) -> Reply:
        assert timeout
        return Reply("```0.9```", usage=Usage(100, 10), model="a-judge")


def scripted_judge(_preset: str, folder: Path, replies: Path, limits: Mapping[str, Any]) -> ModelJudge:
    tokens = Tokens("o200k_base", "none", "", len, lambda width, height: width * height)
    price = Price(TokenRates(Decimal(10), Decimal(20)))
    ledger, cache = Ledger(folder / LEDGER), ReplyCache(replies, "a-judge")
    room = SpendingLimits(limits.get("max_cost"), limits.get("max_tokens"))
    service = ModelService(SaysNine, price=price, tokens=tokens, ledger=ledger, cache=cache, limits=room)
    return judge_of(service, "a-judge")


@pytest.mark.slow
def test_without_a_judge_the_run_says_what_is_not_known_and_how_to_have_it_told(unjudged: tuple[Path, str]) -> None:
    run, said = unjudged
    assert "Not known, since it is compared by meaning: 1 episode; a judge can tell: " in said
    assert to_type("score", run, "--judge", "gpt-4o", "--out", f"{run}-judged") in said


@pytest.mark.slow
def test_with_a_judge_the_run_is_whole_when_it_ends_and_the_judge_has_an_account_of_its_own(
    judged: tuple[Path, str],
) -> None:
    folder, said = judged
    record, episode = RunDirectory(folder).read(), only_episode(folder)
    assert episode.site is not None
    assert (episode.outcome, [each.score for each in episode.site.evaluations]) == ("scored", [0.9])
    assert scores(record) == (0.9, 1)
    assert record.spent is None
    assert record.judge_spent is not None
    assert (record.judge_spent.calls, record.judge_spent.cost) == (1, Decimal("0.0012"))
    assert "The judge, gpt-6-luna, beside that: 1 call, $0.0012" in said
    assert "Not known" not in said


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")  # where no reply is
def test_the_budget_of_a_run_is_of_its_judge_too_who_has_what_is_left(
    unjudged: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = RunConfig("gpt-4o", tmp_path, options={"max_cost": 5.0, "max_tokens": 1_000})
    spent = Totals(calls=1, usage=Usage(300, 100), cost=Decimal(4), open_tokens=100, open_cost=Decimal("0.5"))
    assert left_over(config, spent) == {"max_cost": Decimal("0.5"), "max_tokens": 500}
    assert left_over(replace(config, options={}), spent) == {}
    monkeypatch.setattr(model_judge, "open_judge", scripted_judge)
    directory, said = RunDirectory(shutil.copytree(unjudged[0], tmp_path / "run")), list[str]()
    judge_run(directory, "J", {"max_cost": Decimal(0), "max_tokens": -5}, said.append)
    judge_run(directory, "J", {"max_cost": Decimal("0.0001")}, said.append)
    judge_run(directory, "J", {"max_cost": Decimal(1)}, said.append)
    assert said == [
        "J was not asked, since nothing is left of --max-cost and --max-tokens: --resume with more goes on",
        "J has judged 0 episodes; of 1 episode it could not tell all",
        "J has judged 1 episode",
    ]


@pytest.mark.slow
def test_a_run_with_a_judge_is_known_as_such_by_report_and_leaderboard(
    judged: tuple[Path, str], tmp_path: Path
) -> None:
    folder = judged[0]
    record = RunDirectory(folder).read()
    assert read_scored(folder).comparability_id == record.comparability_id
    board = ["--folder", str(tmp_path / "board"), "--tasks-dir", str(folder.parent / "tasks")]
    assert leaderboard.main(["add", str(folder), *board]) == COMPLETE
    assert leaderboard.main(["check", *board]) == COMPLETE
    (file,) = (tmp_path / "board").glob("*.json")
    entry = json.loads(file.read_text(encoding="utf-8"))
    assert entry["configuration"]["judge"] == "gpt-6-luna"
    (scored,) = entry["profiles"].values()
    assert scored["comparability_id"] == record.comparability_id


def test_a_judge_without_a_price_is_refused_where_money_is_limited(tmp_path: Path) -> None:
    config = RunConfig("gpt-4o", tmp_path, options={"max_cost": 5.0}, judge="llama-3.3")
    with pytest.raises(CatalogError, match="the price of llama-3"):
        fit_for(config, "site")


@pytest.mark.slow
def test_a_run_that_was_interrupted_before_it_was_judged_is_judged_when_it_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> ModelJudge:
        raise KeyboardInterrupt

    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    make_site_task(tmp_path / "tasks", "T", trace=HELLO, evaluators={"answer": KIND})
    monkeypatch.setattr(model_judge, "open_judge", interrupted)
    assert run(tmp_path, tmp_path / "run", "oracle", "--judge", "gpt-6-luna") == INCOMPLETE
    monkeypatch.setattr(model_judge, "open_judge", scripted_judge)
    assert evaluate.main(["--resume", str(tmp_path / "run"), "--progress", "quiet"]) == COMPLETE
    assert scores(RunDirectory(tmp_path / "run").read()) == (0.9, 1)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    make_site_task(tmp_path / "tasks", "On a site")
    make_task(tmp_path / "tasks", "A form")
    return tmp_path


@pytest.mark.slow
def test_a_folder_with_both_kinds_asks_which_and_what_is_written_of_a_form_says_nothing_of_websites(
    mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(mixed, tmp_path / "run", "do-nothing") == WRONG_USE
    assert "give --kind form or --kind site" in capsys.readouterr().err
    for kind, name in (("site", "On a site"), ("form", "A form")):
        assert run(mixed, tmp_path / kind, "do-nothing", "--kind", kind) == COMPLETE
        assert [episode.task for episode in RunDirectory(tmp_path / kind).episodes()] == [name]
    written = json.loads(RunDirectory(tmp_path / "form").episode_file("A form", 0).read_text(encoding="utf-8"))
    assert "site" not in written


@pytest.mark.parametrize("asked", ["--seeds 2", "--judge gpt-6-luna"])
def test_what_only_websites_have_is_refused_for_forms(
    mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: str
) -> None:
    assert run(mixed, tmp_path / "run", "do-nothing", "--kind", "form", *asked.split()) == WRONG_USE
    assert "leave it out" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ("constant", "--solver constant works on forms only, and these tasks are websites."),
        ("crowd", "--solver crowd works on forms only"),
        ("oracle --input webdriver", "--input webdriver knows one page"),
        ("oracle --server http://127.0.0.1:1", "need a task server of the run's own"),
        ("oracle --judge no-such-model", "no-such-model"),
        ("oracle --kind form", "there is no task of the kind 'form'"),
    ],
)
def test_what_does_not_go_with_websites_is_refused_in_a_line(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: str, what: str
) -> None:
    assert run(home, tmp_path / "run", *asked.split()) == WRONG_USE
    said = capsys.readouterr().err.strip()
    assert what in said
    assert "\n" not in said
    assert not (tmp_path / "run" / "run.json").exists()


def test_a_site_elsewhere_is_played_only_where_the_web_is_reached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_site_task(tmp_path / "tasks", "T", site=None)
    assert run(tmp_path, tmp_path / "run", "do-nothing") == WRONG_USE
    assert "nothing to evaluate: 1 tasks on the web, which only --network live reaches" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"variant": "nonesuch"}, "variant is 'nonesuch'"),
        (
            {"site": "miniwob", "start": "http://miniwob.test/", "origins": ["http://miniwob.test"]},
            "python -m harness tasks fetch miniwob",
        ),
    ],
)
def test_a_task_whose_site_is_not_there_is_told_and_left_out(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    facts: dict[str, object],
    said: str,
) -> None:
    for name in "AB":
        make_site_task(tmp_path / "tasks", name, **facts)
    make_site_task(tmp_path / "tasks", "C")
    assert run(tmp_path, tmp_path / "run", "do-nothing") == COMPLETE
    problems = [line for line in capsys.readouterr().err.splitlines() if line.startswith("problem: ")]
    assert [name for line in problems for name in "ABC" if f"/{name}/task.json, key site" in line] == ["A", "B"]
    assert all(said in line for line in problems)
    record = RunDirectory(tmp_path / "run").read()
    assert (record.planned_episodes, dict(record.left_out)) == (1, {"tasks on a bundled website that is not there": 2})
    assert [f"problem: {problem}" for problem in record.problems] == problems


def test_without_a_single_site_there_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_site_task(tmp_path / "tasks", "A", variant="nonesuch")
    assert run(tmp_path, tmp_path / "run", "do-nothing") == WRONG_USE
    assert "nothing to evaluate: 1 tasks on a bundled website that is not there" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
