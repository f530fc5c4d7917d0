from dataclasses import replace

import pytest

from harness.browser.form.submission import Submission
from harness.records.film import Frame
from harness.scoring.judges.judgements import JUDGES
from harness.scoring.judges.result_folders import write_result_folders
from harness.scoring.judges.run_trajectories import NothingToJudge, read_trajectories, read_trials
from tests.samples import episode
from tests.scoring.judges.made import made
from tests.scoring.judges.trials import GOAL, filmed_run, picture


def only(run, **how):
    (trial,) = read_trials(run.folder, **how).trials
    return trial.trajectory


def test_an_episode_on_a_website_becomes_a_trajectory(tmp_path):
    found = only(filmed_run(tmp_path / "run"))
    assert found.task == GOAL
    assert found.actions == ('<a "Members"> -> CLICK', '<input "Text"> -> TYPE: Band saw')
    assert found.thoughts == ("I look for members.", None)
    assert found.answer == "Done"
    assert [found.picture(name) for name in found.pictures] == [picture(0), picture(1), picture(1)]
    assert all(
        found.lacks(JUDGES[method].needs) == () for method in ("webjudge", "autonomous", "agenttrek", "webvoyager")
    )


@pytest.mark.parametrize(
    ("how", "method", "lacks"),
    [
        ({"film": False}, "webjudge", ("pictures",)),
        ({"thoughts": False}, "agenttrek", ("thoughts",)),
        ({"answer": None}, "webvoyager", ("a final answer",)),
    ],
)
def test_what_a_run_does_not_have_is_not_made_up(tmp_path, how, method, lacks):
    assert only(filmed_run(tmp_path / "run", **how)).lacks(JUDGES[method].needs) == lacks


def test_a_form_is_told_by_its_task_since_its_page_says_the_rest(tmp_path):
    run = filmed_run(tmp_path / "run", tasks=())
    sent = Submission({"a": ("yes",)}, True, "press", "", ())
    run.add(episode(task="Rate a café", submission=sent), {})
    found = only(run)
    assert "'Rate a café'" in found.task
    assert found.answer is None


def test_the_words_of_the_last_page_are_read_where_they_are_asked_for(tmp_path):
    run = filmed_run(tmp_path / "run")
    assert only(run).page is None
    assert only(run, pages=True).page == "http://a.test/x To Quiet Lathe Band saw"
    assert only(filmed_run(tmp_path / "other", page={"no": "tree"}), pages=True).page is None


def test_episodes_that_nobody_worked_on_are_named_and_left_out(tmp_path):
    run = filmed_run(tmp_path / "run")
    run.add(episode(task="broken", outcome="harness_error"), {})
    run.add(episode(task="program", unseen=True), {})
    found = read_trials(run.folder)
    assert [each.task for each in found.trials] == ["t"]
    assert found.problems == (
        "broken, instance 0: nobody worked on it",
        "program, instance 0: its solver worked past the action library, so that no actions are recorded",
    )


def test_a_folder_of_results_is_judged_as_it_stands(tmp_path):
    made(tmp_path / "agent", "t1")
    found = read_trials(tmp_path / "agent")
    assert found.run.solver == "agent"
    assert [(each.task, each.index, each.trajectory.answer) for each in found.trials] == [("t1", 0, "It is open")]


def test_a_folder_without_trajectories_is_refused(tmp_path):
    with pytest.raises(NothingToJudge, match="no folder"):
        read_trials(tmp_path / "none")
    with pytest.raises(NothingToJudge, match="no trajectory"):
        read_trials(filmed_run(tmp_path / "run", tasks=()).folder)


def test_a_digest_tells_what_was_there_to_be_seen(tmp_path):
    digests = {
        read_trials(filmed_run(tmp_path / str(n), **how).folder).trials[0].digest()
        for n, how in enumerate([{}, {"answer": "No"}, {"thoughts": False}, {"film": False}, {}])
    }
    assert len(digests) == 4


def test_a_run_is_written_as_result_folders_and_read_again(tmp_path):
    run = filmed_run(tmp_path / "run", tasks=("a", "b"))
    found = read_trajectories(run.folder)
    assert write_result_folders(found.trajectories, tmp_path / "out") == 2
    again = read_trajectories(tmp_path / "out")
    assert not again.problems
    for one, other in zip(found.trajectories, again.trajectories, strict=True):
        assert (one.task_id, one.task, one.actions, one.thoughts, one.answer) == (
            other.task_id, other.task, other.actions, other.thoughts, other.answer,
        )  # fmt: skip
        assert [one.picture(name) for name in one.pictures] == [other.picture(name) for name in other.pictures]


def test_pictures_that_a_film_lacks_are_named(tmp_path):
    run = filmed_run(tmp_path / "run")
    film = run.film("t", 0)
    run.films.write("t", 0, replace(film, frames=(Frame(size=(1, 1)), *film.frames), left_out=2), {})
    found = only(run)
    assert found.missing == ("frame 0", "2 frames after the last")
    assert len(found.pictures) == 3
