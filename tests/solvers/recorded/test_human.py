"""A person's answers, entered in a real browser and scored as a solver's are."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.tasks.sets import main as datasets
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from tests.catalog.annotations.given import write_results
from tests.oracle.test_scripted_answers import APPENDED, STARS
from tests.task_folders import csv_text, make_task

PAGE = """<p>${text}</p><input name="a" value="was here"><textarea name="long"></textarea>
<label><input type="radio" name="b" value="yes" onchange="more.hidden = false">yes</label>
<label><input type="radio" name="b" value="no">no</label>
<p id="more" hidden><input name="why"></p>
<select name="c"><option value="">-</option><option value="x">X</option><option value="y">Y</option></select>
<label><input type="checkbox" name="d" value="1">1</label><label><input type="checkbox" name="d" value="2">2</label>
<label><input type="checkbox" name="d" value="3" checked>3</label>
<input type="range" name="r" min="0" max="10">"""
FIELDS = ("a", "long", "b", "why", "c", "d", "r")
TABLE = csv_text(
    ["text", *(f"Answer.{field}" for field in FIELDS)],
    ["one", "l", "", "yes", "w", "x", "1|2", "3"],
    ["two", "l", "m", "no", "", "y", "3", "4"],
    ["three", "l", "m", "no", "", "y", "", "4"],
    ["four", "", "", "", "", "", "", ""],
)
ANN = {
    "a": ["=1+1"], "long": ["one\r\ntwo"], "b": ["yes"], "why": ["since | so"], "c": ["y"], "d": ["1", "2"], "r": ["7"]
}  # fmt: skip
ANN_ON_TWO = {"a": [""], "long": [""], "b": ["no"], "why": [""], "c": ["x"], "r": ["4"]}


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("human") / "tasks"
    make_task(folder, "T", template=PAGE, table=TABLE)
    return folder


@pytest.fixture(scope="module")
def results(tasks: Path) -> Path:
    rows = (("ann", 0, ANN), ("bob", 2, ANN), ("ann", 1, ANN_ON_TWO))
    return write_results(tasks.parent / "results.csv", Catalog(tasks).task("T"), *rows)


def command(tasks: Path, results: Path, out: Path, *more: str) -> list[str]:
    own = ["--solver", "human", "--answers", str(results), "--tasks-dir", str(tasks), "--workers", "1"]
    return [*own, "--out", str(out), *more]


@pytest.fixture(scope="module")
def run(tasks: Path, results: Path) -> RunDirectory:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tasks.parent / "cache"))
        assert evaluate(command(tasks, results, tasks.parent / "run", "--annotator", "ann")) == COMPLETE
    return RunDirectory(tasks.parent / "run")


def test_the_form_sends_what_the_person_sent(run: RunDirectory) -> None:
    one, two = run.episodes()
    assert one.submission is not None
    assert two.submission is not None
    sent = {name: one.submission.values.get(name) for name in FIELDS}
    assert sent == {
        "a": ("=1+1",), "long": ("one\ntwo",), "b": ("yes",), "why": ("since | so",), "c": ("y",), "d": ("1", "2"),
        "r": ("7",),
    }  # fmt: skip
    assert {name: two.submission.values.get(name) for name in ("a", "b", "c", "d", "r")} == {
        "a": ("",), "b": ("no",), "c": ("x",), "d": None, "r": ("4",)
    }  # fmt: skip
    assert {(each.outcome, each.detail) for each in (one, two)} == {("scored", "")}


def test_what_the_person_did_not_do_is_left_out_and_counted_and_no_zero(run: RunDirectory) -> None:
    record = run.read()
    assert [(each.task, each.index) for each in run.episodes()] == [("T", 0), ("T", 1)]
    assert record.planned_episodes == 2
    assert record.left_out == {
        "instances that the annotator did not do": 1,
        "instances that nobody labelled": 1,
    }


def test_a_run_says_whose_answers_it_scores_and_is_not_handed_the_labels(run: RunDirectory) -> None:
    record = run.read()
    assert record.solver == {"annotator": "ann", "instances": 2, "helped": 0, "tasks": ["T"]}
    assert record.keyed is False
    assert len(record.config.options["answers_sha256"]) == 64


WIZARD = """${t}<script>function step(n) { for (const e of document.querySelectorAll("section")) e.hidden = e.id !== n }
function add() { items.insertAdjacentHTML("beforeend", '<input name="item' + (++added) + '">') }
let added = 1</script>
<section id="one"><input name="first"><button type="button">Help</button>
<button type="button" onclick="step('two')">Next</button></section>
<section id="two" hidden><input name="second"><button type="button" onclick="step('one')">Back</button>
<button type="button" onclick="step('three')">Next</button></section>
<section id="three" hidden><div id="items"><input name="item1"></div>
<button type="button" onclick="step('two')">Back</button><button type="button" onclick="add()">Add</button></section>
<input type="hidden" name="count">
<script>document.querySelector("form").addEventListener("submit", () => {
  document.querySelector("[name=count]").value = added })</script>"""


def play_one(folder: Path, page: str, answers: Mapping[str, Sequence[str]]) -> Episode:
    """Enter the answers of one person on one page."""
    columns = [f"Answer.{name}" for name in answers]
    make_task(folder / "tasks", "T", template=page, table=csv_text(["t", *columns], ["x", *("l" for _ in columns)]))
    results = write_results(folder / "results.csv", Catalog(folder / "tasks").task("T"), ("ann", 0, answers))
    assert evaluate(command(folder / "tasks", results, folder / "run", "--annotator", "ann")) == COMPLETE
    (episode,) = RunDirectory(folder / "run").episodes()
    return episode


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_fields_that_only_presses_bring_out_are_brought_out_and_hidden_ones_left_to_the_page(tmp_path):
    answers = {"first": ["1"], "second": ["2"], "item1": ["a"], "item2": ["b"], "item3": ["c"], "count": ["3"]}
    episode = play_one(tmp_path, WIZARD, answers)
    assert (episode.outcome, episode.detail) == ("scored", "")
    assert episode.submission is not None
    assert {name: list(episode.submission.values[name]) for name in answers} == answers
    (turn,) = episode.turns
    assert turn.note == "answered by ann: results.csv, row 2; left to the page's script: 'count'"
    assert (turn.steps, turn.cost) == ((0, len(episode.steps)), 0.0)


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_what_the_page_cannot_be_made_to_hold_is_an_error_that_names_the_fields(tmp_path) -> None:
    page = '${t}<input name="short" maxlength="3"><input name="fine"><div hidden><input name="unseen"></div>'
    episode = play_one(tmp_path, page, {"short": ["longer"], "fine": ["1"], "unseen": ["z"]})
    assert episode.outcome == "agent_error"
    assert "what ann answered cannot be entered in 'short', 'unseen'" in episode.detail
    assert episode.submission is not None
    assert episode.submission.values["fine"] == ("1",)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "needs --answers FILE --annotator NAME"),
        ("--annotator eve", "nobody called 'eve' answered anything. Who did: 'ann', 'bob'"),
        ("--annotator ann --command x", "--command: the solver 'human' takes no such options"),
    ],
)
def test_options_that_name_nobodys_answers_are_refused(tasks, results, capsys, more, said) -> None:
    assert evaluate(command(tasks, results, results.parent / "refused", *more.split())) == WRONG_USE
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("own_cache")
def test_answers_to_another_version_of_the_task_are_refused(results, tmp_path, capsys) -> None:
    make_task(tmp_path / "tasks", "T", template=PAGE, table=TABLE.replace("two", "2"))
    assert evaluate(command(tmp_path / "tasks", results, tmp_path / "run", "--annotator", "ann")) == WRONG_USE
    assert "row 4, column Input.text: no instance of 'T' has the inputs" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_collected_labels_score_a_person_as_a_human_run_from_end_to_end(tasks, tmp_path) -> None:
    shutil.copytree(tasks / "T", tmp_path / "tasks" / "T")
    rows = (("ann", 0, ANN), ("bob", 0, {**ANN, "b": ["no"], "a": ["=1+2"]}), ("bob", 1, ANN_ON_TWO))
    answers = write_results(tmp_path / "results.csv", Catalog(tmp_path / "tasks").task("T"), *rows)
    made = ["collect", str(answers), "--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "new")]
    assert datasets([*made, "--without", "ann"]) == COMPLETE
    assert evaluate(command(tmp_path / "new", answers, tmp_path / "run", "--annotator", "ann")) == COMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    labels = {field.name: field.labels for field in episode.fields}
    assert (labels["a"], labels["d"]) == (("=1+2",), ("1|2",))  # bob's alone
    record = RunDirectory(tmp_path / "run").read()
    assert record.left_out == {"instances that the annotator did not do": 1}
    assert record.results is not None


@pytest.mark.usefixtures("own_cache")
def test_the_button_that_the_person_pressed_is_pressed_last(tmp_path: Path) -> None:
    buttons = "".join(f'<button name="label" value="{each}">{each}</button>' for each in ("cat", "dog", "neither"))
    answers = {"label": ["dog"], "why": ["barks"]}
    episode = play_one(tmp_path, f'<form><p>${{t}}</p>{buttons}<input name="why"></form>', answers)
    assert episode.submission is not None
    assert {name: episode.submission.values[name] for name in answers} == {"label": ("dog",), "why": ("barks",)}
    assert (episode.submission.via, episode.outcome) == ("solver", "scored")


@pytest.mark.usefixtures("own_cache")
def test_custom_elements_are_worked_by_what_is_inside_and_added_fields_left_to_the_page(tmp_path: Path) -> None:
    page = STARS + '<star-rating name="a"></star-rating><star-rating name="b"></star-rating>' + APPENDED
    episode = play_one(tmp_path, page, {"a": ["4"], "b": ["2"], "out": ["red"]})
    assert (episode.outcome, episode.detail) == ("scored", "")
    assert episode.submission is not None
    assert {name: episode.submission.values[name] for name in ("a", "b")} == {"a": ("4",), "b": ("2",)}
