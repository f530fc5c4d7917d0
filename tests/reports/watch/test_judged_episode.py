from harness.cli.commands.judge.run import main
from harness.reports.watch.judged_episode import JudgementView, judgements_of
from harness.scoring.judges.saved_judgements import JudgementFolder, judges_beside
from tests.scoring.judges.trials import filmed_run, named_failure


def test_an_episode_has_what_each_judge_said_of_it(tmp_path):
    run = filmed_run(tmp_path / "run", tasks=("a", "b"))
    assert judgements_of(run.folder, "a", 0) == ()
    main([str(run.folder), "--method", "rule", "--limit", "1", "--repeats", "2", "--progress", "quiet"])
    why = "all of them are on the last page"
    assert judgements_of(run.folder, "a", 0) == (
        JudgementView("rule", "success", why),
        JudgementView("rule, repeat 2", "success", why),
    )
    assert judgements_of(run.folder, "b", 0) == ()


def test_of_a_failure_stands_the_kind(tmp_path):
    run = filmed_run(tmp_path / "run")
    main([str(run.folder), "--method", "rule", "--progress", "quiet"])
    named_failure(JudgementFolder(judges_beside(run.folder) / "rule" / "1"), "t", "incomplete_steps")
    (said,) = judgements_of(run.folder, "t", 0)
    assert said.verdict == "failure: incomplete steps"


def test_what_cannot_be_read_says_so(tmp_path):
    run = filmed_run(tmp_path / "run")
    main([str(run.folder), "--method", "rule", "--progress", "quiet"])
    (judges_beside(run.folder) / "rule" / "1" / "judge.json").write_text("{", encoding="utf-8")
    (said,) = judgements_of(run.folder, "t", 0)
    assert said.verdict == "cannot be read"
