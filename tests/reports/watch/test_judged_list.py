from dataclasses import replace

from harness.cli.commands.judge.run import main
from harness.records.directory import RunDirectory
from harness.reports.watch.judged_list import JudgedEpisodes, SaidOfEpisode, judged_episodes
from harness.scoring.judges.saved_judgements import JudgementFolder, judges_beside
from tests.scoring.judges.trials import filmed_run, named_failure


def judged_run(folder, *, repeats=1) -> RunDirectory:
    run = filmed_run(folder, tasks=("a", "b"))
    assert main([str(run.folder), "--method", "rule", "--repeats", str(repeats), "--progress", "quiet"]) == 0
    return run


def test_each_episode_has_what_each_repeat_of_a_judge_said(tmp_path):
    run = judged_run(tmp_path / "run", repeats=2)
    named_failure(JudgementFolder(judges_beside(run.folder) / "rule" / "2"), "b", "other")
    found = judged_episodes(run.folder, run.read())
    assert found.of("a", 0) == (SaidOfEpisode("rule", ("success", "success")),)
    assert found.of("b", 0) == (SaidOfEpisode("rule", ("success", "failure")),)
    assert found.of("c", 0) == ()
    assert found.choices == {"success rule": 2, "failure rule": 1}
    assert found.chosen("failure rule") == (("b", 0),)
    assert found.chosen("failure nobody") == ()
    assert found.chosen("") == ()


def test_a_run_that_nobody_judged_has_nothing_and_what_is_of_another_run_is_passed_over(tmp_path):
    run = filmed_run(tmp_path / "other")
    assert judged_episodes(run.folder, run.read()) == JudgedEpisodes()
    run = judged_run(tmp_path / "run")
    other = replace(run.read(), started="2020-01-01T00:00:00+00:00")
    assert judged_episodes(run.folder, other).said == {}


def test_what_changes_is_seen_and_what_cannot_be_read_is_told(tmp_path):
    run = judged_run(tmp_path / "run")
    folder = JudgementFolder(judges_beside(run.folder) / "rule" / "1")
    assert judged_episodes(run.folder, run.read()).choices == {"success rule": 2}
    named_failure(folder, "a", "navigation")
    assert judged_episodes(run.folder, run.read()).choices == {"success rule": 1, "failure rule": 1}
    folder.verdicts_file.write_text("{", encoding="utf-8")
    found = judged_episodes(run.folder, run.read())
    assert found.said == {}
    assert "holds no verdicts" in found.problems[0]
    folder.verdicts_file.unlink()
    assert judged_episodes(run.folder, run.read()) == JudgedEpisodes()
