import json

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.judge.run import main
from harness.kit.files.installation import to_type
from harness.records.verdict import read_verdicts
from harness.scoring.judges.saved_judgements import JudgementFolder, judged_folders, judges_beside
from tests.models.servers import Server, failure, openai_reply
from tests.scoring.judges.made import made
from tests.scoring.judges.trials import filmed_run, picture, said_by_a_judge


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


def judge(server, folder, method="autonomous", *more):
    asked = ["--preset", "gpt-4o", "--base-url", f"{server.url}/v1", "--progress", "quiet"]
    return main([str(folder), "--method", method, *asked, *more])


def kept(run, name):
    return JudgementFolder(judges_beside(run.folder) / name / "1")


@pytest.mark.parametrize(
    ("method", "questions", "outcome"),
    [
        ("webjudge", 4, "success"),
        ("autonomous", 1, "success"),
        ("agenttrek", 1, "success"),
        ("webvoyager", 1, "failure"),
    ],
)
def test_each_judge_judges_a_run_and_its_verdict_is_kept_beside_it(tmp_path, capsys, method, questions, outcome):
    run = filmed_run(tmp_path / "run")
    before = {file: file.read_bytes() for file in run.folder.rglob("*") if file.is_file()}
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, method) == COMPLETE
    assert len(server.requests) == questions
    (said,) = kept(run, f"{method}-gpt-4o").judgements()
    assert (said.task, said.outcome) == ("t", outcome)
    assert [each.score for each in said.pictures] == ([4, 4, 4] if method == "webjudge" else [])
    verdicts = read_verdicts(kept(run, f"{method}-gpt-4o").verdicts_file)
    assert (verdicts.judge.name, verdicts.judge.kind) == (f"{method}-gpt-4o", "model")
    assert [each.answer for each in verdicts.verdicts] == ["correct" if outcome == "success" else "wrong"]
    assert f"1 trajectory judged (0 before): {int(outcome == 'success')} success" in capsys.readouterr().out
    assert before == {file: file.read_bytes() for file in run.folder.rglob("*") if file.is_file()}


def test_what_is_judged_is_not_asked_again_and_the_rest_is(tmp_path, capsys):
    run = filmed_run(tmp_path / "run", tasks=("a", "b"))
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "autonomous", "--limit", "1") == COMPLETE
        assert judge(server, run.folder) == COMPLETE
        assert len(server.requests) == 2
        assert judge(server, run.folder) == COMPLETE
    assert len(server.requests) == 2
    assert "2 trajectories judged (2 before): 2 success" in capsys.readouterr().out


def test_a_trajectory_that_has_changed_is_judged_again(tmp_path):
    run = filmed_run(tmp_path / "run")
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "webvoyager") == COMPLETE
        filmed_run(run.folder, answer="Done at last")
        assert judge(server, run.folder, "webvoyager") == COMPLETE
    assert len(server.requests) == 2


def test_repeats_are_asked_with_seeds_of_their_own_and_have_one_name(tmp_path):
    run = filmed_run(tmp_path / "run")
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "autonomous", "--repeats", "3") == COMPLETE
    assert sorted(request.json["seed"] for request in server.requests) == [1, 2, 3]
    folders = judged_folders(judges_beside(run.folder))
    assert [(each.judge().name, each.judge().repeat) for each in folders] == [
        ("autonomous-gpt-4o", n) for n in (1, 2, 3)
    ]


def test_what_the_judge_needs_and_the_run_does_not_have_is_said(tmp_path, capsys):
    run = filmed_run(tmp_path / "run", film=False)
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "webjudge") == INCOMPLETE
    out = capsys.readouterr().out
    assert "1 trajectory cannot be judged:\n  1 x it lacks pictures" in out
    assert to_type("replay", run.folder, "--film") in out
    assert not server.requests


def test_a_reply_that_cannot_be_read_is_kept_as_no_verdict(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    with Server(lambda _: openai_reply("Well done!")) as server:
        assert judge(server, run.folder) == COMPLETE
    (said,) = kept(run, "autonomous-gpt-4o").judgements()
    assert (said.outcome, said.why, said.reply) == (None, "it gives no status", "Well done!")
    assert read_verdicts(kept(run, "autonomous-gpt-4o").verdicts_file).verdicts[0].answer == "unsure"
    assert "0 success, 0 failure, 1 unread" in capsys.readouterr().out


def test_a_question_that_is_refused_is_no_verdict_and_a_key_that_is_refused_ends_all(tmp_path, capsys):
    run = filmed_run(tmp_path / "run", tasks=("a", "b"))
    with Server(lambda _: failure("openai", 401)) as server:
        assert judge(server, run.folder) == INCOMPLETE
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert "the same command goes on" in err
    assert kept(run, "autonomous-gpt-4o").judgements() == ()
    with Server(lambda _: failure("openai", 400)) as server:
        assert judge(server, run.folder) == COMPLETE
    said = kept(run, "autonomous-gpt-4o").judgements()
    assert [each.outcome for each in said] == [None, None]
    assert all("the model refused the question" in each.why for each in said)


def test_a_limit_ends_the_judging_and_more_room_goes_on(tmp_path, capsys):
    run = filmed_run(tmp_path / "run", tasks=("a", "b"))
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "autonomous", "--max-tokens", "100") == INCOMPLETE
        assert "limit of tokens" in capsys.readouterr().err
        assert not server.requests
        assert judge(server, run.folder, "autonomous", "--max-tokens", "1000000") == COMPLETE


def test_ctrl_c_keeps_what_was_judged_and_sends_nothing_more(tmp_path, capsys, monkeypatch):
    run = filmed_run(tmp_path / "run", tasks=("a", "b", "c"))
    add = JudgementFolder.add

    def interrupted(folder, judgement):
        add(folder, judgement)
        raise KeyboardInterrupt

    monkeypatch.setattr(JudgementFolder, "add", interrupted)
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "autonomous", "--concurrency", "1") == INCOMPLETE
        assert "interrupted: what was judged is kept" in capsys.readouterr().err
        assert len(kept(run, "autonomous-gpt-4o").judgements()) == 1
        assert len(read_verdicts(kept(run, "autonomous-gpt-4o").verdicts_file).verdicts) == 1
        monkeypatch.setattr(JudgementFolder, "add", add)
        assert judge(server, run.folder) == COMPLETE
    # What was under way at Ctrl-C was answered, and is not paid for twice.
    assert len(server.requests) == 3


def test_a_dry_run_says_what_it_takes_at_most_and_asks_nothing(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    with Server([]) as server:
        assert judge(server, run.folder, "webjudge", "--dry-run", "--repeats", "2") == COMPLETE
    out = capsys.readouterr().out
    assert out.startswith("1 trajectory, 8 questions, at most ")
    assert "at a price that is not known" in out  # of a server of one's own
    assert not judges_beside(run.folder).exists()


def test_other_words_or_another_run_are_not_mixed_with_what_is_there(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder) == COMPLETE
        file = kept(run, "autonomous-gpt-4o").folder / "judge.json"
        file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "prompts": "0"}), encoding="utf-8")
        assert judge(server, run.folder) == WRONG_USE
        assert "another prompts; name another folder with --out" in capsys.readouterr().err
        assert judge(server, run.folder, "autonomous", "--out", str(tmp_path / "out")) == COMPLETE


def test_a_model_without_pictures_judges_where_that_is_said(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    assert main([str(run.folder), "--method", "webjudge", "--preset", "local"]) == WRONG_USE
    assert "--no-vision" in capsys.readouterr().err
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "autonomous", "--no-vision") == COMPLETE
    content = json.dumps(server.requests[0].json["messages"])
    assert "The pictures are left out" in content
    assert "image" not in content
    assert not kept(run, "autonomous-gpt-4o-no-vision").judge().pictures


def test_result_folders_are_judged_too_but_for_those_with_pictures_that_are_none(tmp_path, capsys):
    made(tmp_path / "agent", "t1", content=picture(0))
    made(tmp_path / "agent", "t2")
    with Server(said_by_a_judge) as server:
        assert judge(server, tmp_path / "agent", "webjudge", "--dry-run") == WRONG_USE
        assert judge(server, tmp_path / "agent", "webjudge") == INCOMPLETE
    assert "a picture of the task 't2' cannot be read" in capsys.readouterr().out
    (folder,) = judged_folders(tmp_path / "agent_judges")
    assert [each.outcome for each in folder.judgements()] == ["success"]


def test_failures_are_asked_for_their_kind_with_all_that_the_verdict_was_asked_with(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "webvoyager", "--failure-kinds") == COMPLETE
    asked, then = (request.json["messages"] for request in server.requests)
    assert then[1]["content"][: len(asked[1]["content"])] == asked[1]["content"]
    assert "NOT SUCCESS" in then[1]["content"][-1]["text"]
    (said,) = kept(run, "webvoyager-gpt-4o").judgements()
    assert said.failure.kind == "incomplete_steps"
    (verdict,) = read_verdicts(kept(run, "webvoyager-gpt-4o").verdicts_file).verdicts
    assert (verdict.answer, verdict.failure) == ("wrong", "incomplete_steps")
    assert "Failures by kind: 1 incomplete steps, 0 not named" in capsys.readouterr().out


def test_a_failure_that_was_judged_before_is_asked_for_its_kind_alone_and_once(tmp_path):
    run = filmed_run(tmp_path / "run")
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "webvoyager") == COMPLETE
        assert judge(server, run.folder, "webvoyager", "--failure-kinds") == COMPLETE
        assert judge(server, run.folder, "webvoyager", "--failure-kinds") == COMPLETE
        assert judge(server, run.folder, "webvoyager") == COMPLETE
    assert len(server.requests) == 2
    assert kept(run, "webvoyager-gpt-4o").judgements()[0].failure is not None


def test_a_kind_that_is_not_said_clearly_is_none_and_a_success_is_not_asked(tmp_path):
    run = filmed_run(tmp_path / "run")

    def unclear(asked):
        if "what kind of failure" in json.dumps(asked.json):
            return openai_reply("Kind: navigation or other")
        return said_by_a_judge(asked)

    with Server(unclear) as server:
        assert judge(server, run.folder, "webvoyager", "--failure-kinds") == COMPLETE
        assert judge(server, run.folder, "autonomous", "--failure-kinds") == COMPLETE
    assert len(server.requests) == 3
    (said,) = kept(run, "webvoyager-gpt-4o").judgements()
    assert (said.outcome, said.failure.kind, said.failure.reply) == ("failure", None, "Kind: navigation or other")
    assert "navigation or other" in said.failure.why
    assert kept(run, "autonomous-gpt-4o").judgements()[0].failure is None


def test_the_dry_run_reckons_with_the_question_for_the_kind(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    with Server(said_by_a_judge) as server:
        assert judge(server, run.folder, "webjudge", "--dry-run") == COMPLETE
        assert judge(server, run.folder, "webjudge", "--dry-run", "--failure-kinds") == COMPLETE
    without, with_it = (line for line in capsys.readouterr().out.splitlines() if "questions" in line)
    assert (without.split(", ")[1], with_it.split(", ")[1]) == ("4 questions", "5 questions")
    assert not server.requests


def test_the_rule_asks_no_model(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    assert main([str(run.folder), "--method", "rule", "--progress", "quiet"]) == COMPLETE
    (said,) = kept(run, "rule").judgements()
    assert (said.outcome, set(said.points)) == ("success", {"Quiet", "Lathe", "Band"})
    assert read_verdicts(kept(run, "rule").verdicts_file).judge.kind == "rule"
    capsys.readouterr()
    assert main([str(run.folder), "--method", "rule", "--preset", "local"]) == WRONG_USE
    assert main([str(run.folder), "--method", "webjudge"]) == WRONG_USE
    assert main([str(run.folder), "--method", "rule", "--failure-kinds"]) == WRONG_USE
    assert main([str(run.folder), "--method", "rule", "--dry-run"]) == WRONG_USE
    assert main([str(tmp_path / "none"), "--method", "rule"]) == WRONG_USE
    assert all(line.startswith("error: ") for line in capsys.readouterr().err.splitlines())


def test_a_model_that_is_gone_is_asked_only_where_its_user_insists(tmp_path, capsys):
    run = filmed_run(tmp_path / "run")
    asked = [str(run.folder), "--method", "autonomous", "--preset", "gpt-4o", "--model", "gpt-4-turbo", "--dry-run"]
    assert main(asked) == WRONG_USE
    assert "gpt-6.1-sol takes its place today" in capsys.readouterr().err
    assert main([*asked, "--retired-anyway"]) == COMPLETE
