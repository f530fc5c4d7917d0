from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import partial

import pytest
from bs4 import BeautifulSoup

from harness.analysis.rescoring import score_run
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.leaderboard import main
from harness.records.agent_name import WORDS
from harness.records.directory import RunDirectory
from harness.records.run_record import comparability_id
from harness.records.turn import Turn
from harness.reports.leaderboard.entry import content_id, file_name, role_of
from harness.reports.leaderboard.leaderboard_page import render
from harness.reports.leaderboard.public import LEFT_OUT, public, public_configuration
from harness.reports.leaderboard.records import read_records
from tests.checkout import PROJECT
from tests.reports.played import always, make_tasks
from tests.reports.played import play as play_through
from tests.task_folders import csv_text

play = partial(play_through, unseen=True)
"""A run of which nothing can be done again: ``tests/test_leaderboard_replay.py`` has one that can."""
GOOD, BAD = always(a="cat", r="1", s="10"), always(a="a bird", r="2", s="99")


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    return make_tasks(tmp_path_factory.mktemp("set") / "tasks", "A", "B", "C")


@pytest.fixture(scope="module")
def runs(tmp_path_factory, tasks):
    folder = tmp_path_factory.mktemp("runs")
    return {
        "good": play(folder / "good", tasks, GOOD, config={"solver": "gpt", "options": {"model": "m-1"}}),
        "bad": play(folder / "bad", tasks, BAD, config={"solver": "random"}),
        "crowd": play(folder / "crowd", tasks, GOOD, config={"solver": "crowd"}),
    }


@pytest.fixture
def board(tmp_path):
    return tmp_path / "board"


def add(board, run, *more: str) -> int:
    """Add a run, comparing the files of the tasks that it was made of unless others are named."""
    named = {"--tasks-dir", "--no-task-files"} & set(more)
    own = [] if named else ["--tasks-dir", str(run.read().config.tasks_dir)]
    return main(["add", str(run.folder), "--folder", str(board), *own, *more])


def only(board):
    (file,) = board.glob("*.json")
    return file, json.loads(file.read_text())


def put(board, entry, *, sealed: bool = True):
    """Write a record; sealed: with the id and the name that its content asks for."""
    entry = {**entry, "id": content_id(entry)} if sealed else entry
    board.mkdir(exist_ok=True)
    file = board / file_name(entry)
    file.write_text(json.dumps(entry))
    return file


def page_of(board) -> BeautifulSoup:
    return BeautifulSoup((board / "index.html").read_text(), "html.parser")


# ---- adding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["standard", "turkingbench-2024"])
def test_a_record_holds_the_scores_of_both_profiles(runs, board, profile):
    assert add(board, runs["good"]) == COMPLETE
    _, entry = only(board)
    scored = score_run(runs["good"], profile).record
    results, found = scored.results, entry["profiles"][profile]
    assert found["comparability_id"] == scored.comparability_id
    assert found["score"]["value"] == pytest.approx(results.overall.score, abs=1e-12)
    for key in ("ceiling", "do_nothing", "constant", "untied", "mean_over_instances", "mean_over_fields"):
        assert found[key] == pytest.approx(getattr(results.overall, key), abs=1e-12)
    assert {name: task["score"] for name, task in found["tasks"].items()} == {
        name: pytest.approx(task.score, abs=1e-12) for name, task in results.tasks.items()
    }


@pytest.mark.parametrize(("reference", "role"), [("golden", "oracle"), ("none", "entry"), (None, "entry")])
def test_a_model_that_was_told_what_it_is_judged_by_is_no_entry(reference, role):
    options = {} if reference is None else {"reference": reference}
    assert role_of({"solver": "gpt-4o", "options": options}) == role


def test_a_record_says_what_was_run(runs, board, tasks):
    add(board, runs["good"], "--note", "first try")
    _, entry = only(board)
    assert (entry["name"], entry["note"], entry["role"]) == ("m-1 (gpt)", "first try", "entry")
    assert entry["compared"]["task_set"] == runs["good"].read().task_set
    assert entry["task_files_checked"] is True
    assert entry["harness"] == {"revision": "ab" * 20, "changed_files": 1}
    assert entry["outcomes"] == {"scored": 9}
    assert str(tasks) not in json.dumps(entry)


def test_every_key_of_a_record_is_documented(runs, board):
    add(board, runs["good"])
    _, entry = only(board)
    told = (PROJECT / "docs" / "how-to" / "leaderboard.md").read_text(encoding="utf-8").partition("## A record")[2]
    named = {name for line in told.splitlines() if line.startswith("|") for name in re.findall(r"`(\w+)`", line)}
    assert {*entry, *entry["profiles"]["standard"], *entry["effort"], *entry["compared"]} <= named


def test_a_result_is_named_after_the_model_that_answered(board, tasks, tmp_path):
    config = {"solver": "gpt", "options": {"model": "m-1"}}
    run = play(
        tmp_path / "run",
        tasks,
        GOOD,
        config=config,
        served={"qwen3": 9},
        turns=(Turn(model="qwen3", calls=("finish()",)),),
    )
    add(board, run)
    _, entry = only(board)
    assert (entry["name"], entry["solver"]["served"]) == ("qwen3 (gpt)", ["qwen3"])


def test_a_model_that_answered_in_no_episode_is_refused(board, tasks, tmp_path, capsys):
    assert add(board, play(tmp_path / "run", tasks, GOOD, served={"gpt-9": 9})) == INCOMPLETE
    assert "served in run.json does not fit the episodes" in capsys.readouterr().err


def test_a_seed_of_the_solvers_own_tells_two_tries_apart(board, tasks, tmp_path):
    add(board, play(tmp_path / "run", tasks, GOOD, config={"solver_seed": 3}))
    assert only(board)[1]["name"] == "random (seed 3)"


def test_the_run_is_not_changed(runs, board):
    before = {file: file.read_bytes() for file in runs["good"].folder.rglob("*.json")}
    add(board, runs["good"])
    assert before == {file: file.read_bytes() for file in runs["good"].folder.rglob("*.json")}


def test_the_same_result_is_not_added_twice(runs, board, capsys):
    add(board, runs["good"])
    assert add(board, runs["good"], "--name", "under another name") == INCOMPLETE
    assert f"already: {only(board)[0].name} (m-1 (gpt))" in capsys.readouterr().err


@pytest.mark.parametrize("status", ["incomplete", "interrupted", "running", "failed"])
def test_a_run_that_is_not_complete_is_refused(board, tasks, tmp_path, status, capsys):
    assert add(board, play(tmp_path / "run", tasks, GOOD, status=status)) == INCOMPLETE
    assert f"is {status}" in capsys.readouterr().err
    assert not board.exists()


def test_a_run_without_a_score_is_refused(board, tasks, tmp_path, capsys):
    run = play(tmp_path / "run", tasks, always(), config={"solver": "gpt"})
    for made in list(run.episodes()):
        fields = tuple(replace(field, untouched=field.sent) for field in made.fields)
        run.add(replace(made, outcome="agent_error", detail="HTTP 400", fields=fields), {})
    assert add(board, run) == INCOMPLETE
    assert "has no score: the solver never gave a reply of use" in capsys.readouterr().err


def test_a_run_in_which_nothing_was_ever_done_is_marked_and_errors_stand_beside_its_score(board, tasks, tmp_path):
    run = play(tmp_path / "run", tasks, always(), config={"solver": "gpt"})
    for place, made in enumerate(list(run.episodes())):
        fields = tuple(replace(field, untouched=field.sent) for field in made.fields)
        ended = {} if place else {"outcome": "agent_error", "detail": "HTTP 400"}
        run.add(replace(made, fields=fields, **ended), {})
    assert add(board, run) == COMPLETE
    assert only(board)[1]["work"] == {"played": 9, "replied": 8, "acted": 0}
    assert main(["show", "--folder", str(board)]) == COMPLETE
    said = page_of(board).get_text()
    assert "nothing was ever done: this is the score of doing nothing" in said
    assert "1 of 9 episodes ended by an error" in said


def test_other_task_files_are_refused(runs, board, tasks, tmp_path, capsys):
    other = tmp_path / "tasks"
    shutil.copytree(tasks, other)
    (other / "B" / "template.html").write_text("<p>easier: ${text}</p>")
    assert add(board, runs["good"], "--tasks-dir", str(other)) == INCOMPLETE
    assert "task_set: the files" in capsys.readouterr().err
    (other / "B").rename(other / "D")
    assert add(board, runs["good"], "--tasks-dir", str(other)) == INCOMPLETE
    assert "are not all in" in capsys.readouterr().err


def test_task_files_that_are_not_to_be_had_are_not_compared_and_that_is_said(board, tmp_path, capsys):
    folder = make_tasks(tmp_path / "tasks", "A")
    run = play(tmp_path / "run", folder, GOOD)
    shutil.rmtree(folder)
    assert add(board, run, "--no-task-files") == COMPLETE
    assert "were not compared" in capsys.readouterr().out
    assert only(board)[1]["task_files_checked"] is False
    main(["show", "--folder", str(board)])
    assert "task files not compared" in page_of(board).get_text()


@pytest.fixture
def copy(runs, tmp_path):
    shutil.copytree(runs["good"].folder, tmp_path / "run")
    return RunDirectory(tmp_path / "run")


def change(run, **values):
    """Change the episode of the second instance of task B."""
    episode = next(each for each in run.episodes() if (each.task, each.index) == ("B", 1))
    run.add(replace(episode, **values), {})


def labelled(run, *labels):
    episode = next(each for each in run.episodes() if (each.task, each.index) == ("B", 1))
    return tuple(replace(each, labels=labels) if each.name == "a" else each for each in episode.fields)


def test_an_episode_that_is_missing_is_seen(copy, board, capsys):
    copy.episode_file("B", 1).unlink()
    assert add(board, copy) == INCOMPLETE
    assert "has 8 episodes of 9 planned ones" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"id": "f" * 12}, "sample in run.json does not fit the episodes"),
        ({"page": "0" * 16}, "inventory in run.json does not fit the episodes"),
        ({"missing_media": ("http://x/y.png",)}, "outside in run.json does not fit the episodes"),
        ({"split": "test"}, "has no such instance, or in another split"),
        ({"outcome": "harness_error"}, "has no score"),
        ({"answered_by": "workers"}, "its answers are those of solver and workers"),
    ],
)
def test_an_episode_that_was_changed_is_seen(copy, board, capsys, values, message):
    change(copy, **values)
    assert add(board, copy) == INCOMPLETE
    assert message in capsys.readouterr().err


def test_an_answer_that_the_form_did_not_send_is_seen(copy, board, capsys):
    fields = next(each for each in copy.episodes() if (each.task, each.index) == ("B", 1)).fields
    change(copy, fields=tuple(replace(each, sent=("cat",)) if each.name == "r" else each for each in fields))
    assert add(board, copy) == INCOMPLETE
    assert "the field 'r' was not sent what its episode says" in capsys.readouterr().err


def test_labels_that_are_not_those_of_the_task_set_are_seen(copy, board, capsys):
    change(copy, fields=labelled(copy, "anything"))
    assert add(board, copy) == INCOMPLETE
    assert "instance 1 of 'B': the labels of 'a' are not those of the task set" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["task_set", "sample", "inventory", "comparability_id"])
def test_a_hash_in_the_run_that_was_changed_is_seen(copy, board, capsys, key):
    record = replace(copy.read(), **{key: "0" * 10})
    if key != "comparability_id":
        record = replace(record, comparability_id=comparability_id(record.compared, "standard"))
    copy.write(record)
    assert add(board, copy) == INCOMPLETE
    assert key in capsys.readouterr().err


@pytest.mark.parametrize("key", ["provenance", "started", "config", "outside"])
def test_a_run_file_that_lacks_something_or_holds_something_else_is_refused(copy, board, capsys, key):
    file = copy.folder / "run.json"
    record = json.loads(file.read_text())
    record = {**record, key: None} if key in {"config", "outside"} else {k: v for k, v in record.items() if k != key}
    file.write_text(json.dumps(record))
    assert add(board, copy, "--no-task-files") == INCOMPLETE
    said = capsys.readouterr().err
    assert said.startswith("refused: ")
    assert "run.json cannot be read" in said
    assert key in said


def test_what_is_no_run_is_wrong_use(board, tmp_path, capsys):
    assert main(["add", str(tmp_path), "--folder", str(board)]) == WRONG_USE
    assert "is no run directory" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["two\nlines", "x" * 81, "\x1b[31mred"])
def test_a_name_that_is_no_line_is_wrong_use(runs, board, name, capsys):
    with pytest.raises(SystemExit, match="2"):
        add(board, runs["good"], "--name", name)
    assert "one line" in capsys.readouterr().err


# ---- what may be published ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"api_key": "abc"}, {"api_key": LEFT_OUT}),
        ({"password": ""}, {"password": ""}),
        ({"max_tokens": 100, "tokens_per_minute": 5}, {"max_tokens": 100, "tokens_per_minute": 5}),
        ("sk-proj-0123456789abcdefgh", LEFT_OUT),
        ("https://me:pw@host.example:8443/v1?key=1#x", "https://host.example:8443/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1"),
        ("http://host:port/", LEFT_OUT),
        ("/home/me/models/m.gguf", "m.gguf"),
        ("~/m.gguf", "m.gguf"),
        (r"C:\Users\me\m.gguf", "m.gguf"),
        ("solvers/mine.py:Mine", "mine.py:Mine"),
        ("vendor/model-1", "vendor/model-1"),
        ("0a" * 32, "0a" * 32),
        ([1.5, None, True], [1.5, None, True]),
    ],
)
def test_keys_and_paths_are_not_published(value, shown):
    assert public(value) == shown
    assert public(shown) == shown


def test_of_a_program_its_name_alone_is_published():
    config = {"solver": "command", "options": {"command": "/home/me/agent --key hunter2", "cache": "/home/me/c"}}
    found = public_configuration({**config, "tasks_dir": "/home/me/tasks", "workers": 8})
    assert found == {"solver": "command", "options": {"command": "agent"}}
    assert public_configuration(found) == found


@pytest.mark.parametrize(("kept", "said"), [({"isolate": "strict"}, "strict"), ({}, None), ({"isolate": ["?"]}, None)])
def test_the_page_says_how_a_program_was_shut_in(kept, said, runs, board):
    add(board, runs["good"])
    ((name, entry),) = read_records(board)[0].items()
    entry["configuration"] = {**entry["configuration"], "options": {"command": "agent", **kept}}
    assert f"the program worked in {WORDS[said]}" in render({name: entry})


def test_folders_that_a_box_shows_are_not_published():
    options = {
        "isolate": "masked",
        "isolate_read": ["/home/me/x"],
        "isolate_write": ["/home/me/y"],
        "allow_host": ["a.b"],
    }
    found = public_configuration({"solver": "command", "options": options})
    assert found["options"] == {"isolate": "masked", "allow_host": ["a.b"]}


# ---- records that do not hold water ---------------------------------------------------------------------------------


@pytest.fixture
def entry(runs, board):
    add(board, runs["good"])
    file, made = only(board)
    file.unlink()
    return made


def refused(board, capsys) -> str:
    """What ``show`` and ``check`` say of the one record of a folder, which they refuse both."""
    capsys.readouterr()
    assert main(["check", "--folder", str(board)]) == INCOMPLETE
    said = capsys.readouterr().err
    assert main(["show", "--folder", str(board)]) == INCOMPLETE
    assert capsys.readouterr().err == said
    page = page_of(board).get_text()
    assert "0 records" in page
    assert said.split(": ")[1] in page
    return said


def test_a_record_that_was_changed_is_refused_by_name(entry, board, capsys):
    entry["profiles"]["standard"]["score"]["value"] = 0.999
    file = put(board, entry, sealed=False)
    said = refused(board, capsys)
    assert said.startswith(f"refused: {file.name}: its content does not fit its id")


def spoil_score(entry):
    entry["profiles"]["standard"]["score"]["value"] = 0.999


def spoil_split(entry):
    entry["profiles"]["standard"]["splits"]["train"]["score"]["value"] = 0.999


def spoil_task(entry):
    task = entry["profiles"]["turkingbench-2024"]["tasks"]["A"]
    task["score"] = task["ceiling"] + 0.001


def spoil_hash(entry):
    entry["compared"]["task_set"] = "0" * 64


def spoil_ident(entry):
    entry["profiles"]["standard"]["comparability_id"] = "0123456789"


def spoil_role(entry):
    entry["configuration"]["solver"] = "oracle.oracle:Oracle"


def spoil_path(entry):
    entry["configuration"]["options"]["model"] = "/home/me/m.gguf"


def spoil_interval(entry):
    entry["profiles"]["standard"]["score"] |= {"low": 0.9, "high": 0.1}


def spoil_instances(entry):
    entry["profiles"]["standard"]["tasks"]["A"]["instances"] = 100


def spoil_name(entry):
    entry["name"] = "x" * 81


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (spoil_score, "its score under standard is not the mean of the scores of its tasks"),
        (spoil_split, "its score under standard on 'train' is not the mean"),
        (spoil_task, "the score of the task 'A' under turkingbench-2024 is not between 0 and its ceiling"),
        (spoil_hash, "its comparability id under standard is not"),
        (spoil_ident, "its comparability id under standard is not"),
        (spoil_role, "is not of the role 'entry'"),
        (spoil_path, "its configuration holds a path"),
        (spoil_interval, "its score under standard is not the mean"),
        (spoil_instances, "more instances under standard than it has episodes"),
        (spoil_name, "its name is not one line"),
    ],
)
def test_a_record_that_was_changed_and_sealed_again_is_refused(entry, board, capsys, spoil, message):
    spoil(entry)
    put(board, entry)
    assert message in refused(board, capsys)


def test_a_record_under_a_wrong_name_is_refused(entry, board, capsys):
    put(board, entry).rename(board / "mine.json")
    assert f"refused: mine.json: it should be called {file_name(entry)}" in refused(board, capsys)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"schema": 2}', '{"schema": 1}', "[" * 5000, '{"schema": 1, "profiles": NaN}', "\xff"],
)
def test_what_is_no_record_is_refused(board, capsys, text):
    board.mkdir()
    (board / "x.json").write_bytes(text.encode("latin-1"))
    assert refused(board, capsys).startswith("refused: x.json: it ")


def leaves(value, path=()):
    if isinstance(value, dict) and value:
        for key in value:
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def test_a_record_with_a_value_of_a_wrong_kind_is_refused_and_never_stops_the_page(entry, board):
    open_parts = {("configuration",), ("solver",), ("compared", "outside")}
    for path in list(leaves(entry)):
        if any(path[: len(part)] == part and path[-1] != "solver" for part in open_parts):
            continue
        broken = json.loads(json.dumps(entry))
        inner = broken
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = [["x"]]
        if path != ("id",):
            broken["id"] = content_id(broken)
        board.mkdir(exist_ok=True)
        file = board / f"{str(broken['id'])[:16]}.json"
        file.write_text(json.dumps(broken))
        found, wrong = read_records(board)
        assert not found, path
        assert wrong, path
        file.unlink()


def test_the_same_result_under_two_names_is_shown_once(entry, board, capsys):
    first = put(board, entry)
    other = put(board, {**entry, "task_files_checked": False})
    assert main(["show", "--folder", str(board)]) == INCOMPLETE
    last, kept = max(first.name, other.name), min(first.name, other.name)
    assert f"refused: {last}: it is the same result as {kept}" in capsys.readouterr().err


def check(board, run) -> int:
    return main(["check", "--folder", str(board), "--run", str(run.folder), "--no-task-files"])


def test_a_record_that_was_made_up_is_told_by_its_run(entry, board, runs, tasks, capsys):
    put(board, entry)
    compared = ["--tasks-dir", str(tasks)]
    assert main(["check", "--folder", str(board), "--run", str(runs["good"].folder), *compared]) == COMPLETE
    assert "gives it again" in capsys.readouterr().out
    assert check(board, runs["bad"]) == INCOMPLETE
    assert "gives none of the records" in capsys.readouterr().err


@pytest.fixture
def boxed(board, tasks, tmp_path):
    """A run whose program worked in a box, and its record."""
    options = {"command": "agent", "isolate": "masked"}
    run = play(tmp_path / "boxed", tasks, GOOD, config={"solver": "command", "options": options})
    run.write(replace(run.read(), isolation="masked", sandbox="on"))
    assert add(board, run) == COMPLETE
    file, made = only(board)
    file.unlink()
    return run, made


@pytest.mark.claim("leaderboard-record")
def test_a_record_is_told_by_its_run_if_it_says_otherwise_how_that_was_shut_in(boxed, board, capsys):
    run, made = boxed
    configuration = made["configuration"]
    stricter = {**configuration, "options": {**configuration["options"], "isolate": "strict"}}
    for changed, said in (
        ({"sandbox": "off"}, "sandbox is 'off' in the record and 'on' in the run"),
        ({"configuration": stricter}, "isolation is 'strict' in the record and 'masked' in the run"),
    ):
        file = put(board, {**made, **changed})
        assert check(board, run) == INCOMPLETE
        assert said in capsys.readouterr().err
        assert add(board, run) == INCOMPLETE
        assert "already" in capsys.readouterr().err
        file.unlink()
    put(board, {key: value for key, value in made.items() if key != "sandbox"})
    assert check(board, run) == COMPLETE


@pytest.mark.claim("leaderboard-record")
def test_a_run_that_does_not_agree_with_itself_how_its_program_was_shut_in_is_refused(boxed, board, capsys):
    run, _ = boxed
    run.write(replace(run.read(), isolation="strict"))
    assert add(board, run) == INCOMPLETE
    assert "isolation in run.json is 'strict', and the solver's option isolate 'masked'" in capsys.readouterr().err


def test_a_record_with_a_box_that_there_is_not_is_refused(boxed, board, capsys):
    _, made = boxed
    made["configuration"]["options"]["isolate"] = "perfect"
    put(board, made)
    assert "isolate is not none, box, container, masked or strict" in refused(board, capsys)


# ---- the page -------------------------------------------------------------------------------------------------------


@pytest.fixture
def shown(runs, board):
    for run in runs.values():
        assert add(board, run) == COMPLETE
    assert main(["show", "--folder", str(board)]) == COMPLETE
    return page_of(board)


def rows(table):
    return [row.find(class_="name").get_text() for row in table.select("tbody tr")]


def test_results_are_grouped_by_comparability_id_and_never_mixed(shown, board):
    entries = [json.loads(file.read_text()) for file in board.glob("*.json")]
    wanted = {each["profiles"][profile]["comparability_id"] for each in entries for profile in each["profiles"]}
    assert {
        table["aria-label"].removeprefix("Scores, ") for table in shown.select(".wide[aria-label^='Scores, ']")
    } == wanted
    for ident in wanted:
        inside = {
            each["name"] for each in entries for one in each["profiles"].values() if one["comparability_id"] == ident
        }
        assert set(rows(shown.find(attrs={"aria-label": f"Scores, {ident}"}))) == inside
    assert "must not be compared" in shown.get_text()


@pytest.mark.usefixtures("shown")
def test_a_result_on_another_sample_gets_a_table_of_its_own(board, tmp_path):
    other = play(tmp_path / "other", make_tasks(tmp_path / "tasks", "A", "B"), GOOD, config={"solver": "gpt"})
    add(board, other)
    main(["show", "--folder", str(board)])
    assert len(page_of(board).select("table.board")) == 4


def test_only_entries_have_a_place(shown):
    table = shown.select_one("table.board")
    places = {row.find(class_="name").get_text(): row.td.get_text() for row in table.select("tbody tr")}
    assert places == {"m-1 (gpt)": "1", "random": "–", "crowd": "–"}
    assert "the workers themselves: no competitor" in table.get_text()


@pytest.mark.parametrize(
    ("effort", "shown"),
    [
        ({"input_tokens": 0, "output_tokens": 0, "cost": 0.0}, ["–", "–"]),
        ({"input_tokens": 9, "output_tokens": 1, "cost": None}, ["10", "unknown"]),
        ({"input_tokens": None, "output_tokens": None, "cost": None}, ["unknown", "unknown"]),
        ({"input_tokens": None, "output_tokens": None, "cost": 0.5}, ["unknown", "$0.5000"]),
    ],
)
def test_what_nobody_told_is_unknown_and_not_nothing(entry, board, effort, shown):
    put(board, {**entry, "effort": {**entry["effort"], **effort}})
    main(["show", "--folder", str(board)])
    row = page_of(board).select_one("table.board").select_one("tbody tr")
    assert [cell.get_text() for cell in row.find_all("td")][-2:] == shown


def test_equal_scores_share_a_place(entry, board):
    for name in ("x", "y", "z"):
        put(board, {**entry, "answers": name, "name": name})
    main(["show", "--folder", str(board)])
    assert [row.td.get_text() for row in page_of(board).select_one("table.board").select("tbody tr")] == ["1", "1", "1"]


def test_an_empty_folder_gives_a_page_that_says_what_to_do(board):
    board.mkdir()
    assert main(["show", "--folder", str(board)]) == COMPLETE
    assert "There is no record yet" in page_of(board).get_text()


def test_a_folder_that_does_not_exist_is_wrong_use(board, capsys):
    assert main(["show", "--folder", str(board)]) == WRONG_USE
    assert "there is no such folder" in capsys.readouterr().err


HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=1>{{ x }}{% now %}\"'&amp;</style>"


def hostile(entry):
    """A record whose texts of strangers are all hostile; sound otherwise."""
    made = json.loads(json.dumps(entry))
    made |= {
        "name": HOSTILE[:80],
        "note": HOSTILE,
        "browser": HOSTILE,
        "solver": {HOSTILE: HOSTILE},
        "started": HOSTILE,
    }
    made["outcomes"] = {HOSTILE: 9}
    made["configuration"]["options"] = {HOSTILE: HOSTILE}
    for scores in made["profiles"].values():
        scores["tasks"] = {f"{HOSTILE}{name}": {**task, "split": HOSTILE} for name, task in scores["tasks"].items()}
        scores["splits"] = {HOSTILE: scores["splits"]["train"]}
    made["compared"] |= {"protocol": HOSTILE}
    for profile, scores in made["profiles"].items():
        scores["comparability_id"] = comparability_id(made["compared"], profile)
    return made


def test_hostile_names_stay_text_in_a_real_browser(entry, board, show):
    file = put(board, hostile(entry))
    (board / "<img src=x onerror=window.hit=1>.json").write_text("{}")
    assert main(["show", "--folder", str(board)]) == INCOMPLETE
    shown = show(whole=(board / "index.html").read_text())
    assert shown.page("window.hit === undefined && document.scripts.length + document.images.length === 0")
    assert shown.page("document.querySelector('.name').textContent") == HOSTILE[:80]
    assert shown.page("document.querySelectorAll('table.board tbody tr').length") == 2
    assert shown.page("document.querySelector('.setup').id") == file.name
    assert not shown.browser.script_errors


def test_the_page_asks_for_nothing_outside_itself(shown):
    text = str(shown)
    assert not re.search(r"""(src|href)=["'](?!#)|url\(|@import|https?://""", text)
    assert not shown.find_all(["script", "link", "iframe", "img"])


def test_each_table_names_its_columns_and_rows(shown):
    for table in shown.select("table"):
        widths = {len(row.find_all(["td", "th"])) for row in table.select("tr")}
        assert len(widths) == 1
        assert all(head.get("scope") == "col" for head in table.select("thead th"))
        assert all(row.find("th", attrs={"scope": "row"}) for row in table.select("tbody tr"))
    idents = [each["id"] for each in shown.select("[id]")]
    assert len(idents) == len(set(idents))
    assert all(each["href"].removeprefix("#") in idents for each in shown.select("a[href]"))


@pytest.mark.usefixtures("shown")
def test_the_page_is_the_same_whatever_the_order_of_the_records(board):
    records, _ = read_records(board)
    assert render(records) == render(dict(reversed(records.items())))


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [[], ["add"], ["show"], ["check"]])
def test_the_command_line_tells_its_exit_codes(arguments, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([*arguments, "--help"])
    assert "exit codes: 0 done" in capsys.readouterr().out


def test_other_labels_in_the_tasks_change_the_hash(runs, board, tasks, tmp_path, capsys):
    other = tmp_path / "tasks"
    shutil.copytree(tasks, other)
    table = csv_text(["text", "Answer.a", "Answer.r", "Answer.s"], ["one", "cat", "1", "10"])
    (other / "A" / "batch.csv").write_text(table)
    assert add(board, runs["good"], "--tasks-dir", str(other)) == INCOMPLETE
    assert "task_set" in capsys.readouterr().err
