"""The solvers of docs/tutorials/your-own-agent.md, docs/reference/solver.md and examples/ run as these pages say."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from examples.keyword_solver import KeywordSolver, overlap, words_of
from harness.browser.form.fields import Option
from harness.catalog import Catalog
from harness.cli.commands import evaluate
from harness.episode.registry import find_solver
from harness.episode.solver import KeyedSolver
from harness.records.directory import RunDirectory
from harness.records.episode import Episode

PROJECT = Path(__file__).parents[1]
LESSON = PROJECT / "docs" / "tutorials" / "your-own-agent.md"
PAGES = (LESSON, PROJECT / "docs" / "reference" / "solver.md")
TASK = "Sentiment of reviews"
KEYWORD_SOLVER = "examples.keyword_solver:KeywordSolver"


def block(name: str) -> str:
    """The block of Python that has a class."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    found: list[str] = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (wanted,) = (each for each in found if f"class {name}:" in each)
    return wanted


def run(solver: str, folder: Path) -> list[Episode]:
    arguments = ["--solver", solver, "--task", TASK, "--max-instances", "2", "--out", str(folder / "run")]
    assert evaluate.main(arguments) == evaluate.COMPLETE
    return list(RunDirectory.open(folder / "run").episodes())


@pytest.mark.slow
def test_the_example_answers_every_visible_field_of_a_bundled_task(tmp_path):
    episodes = run(KEYWORD_SOLVER, tmp_path)
    assert [episode.outcome for episode in episodes] == ["scored", "scored"]
    for episode in episodes:
        assert [step.message for step in episode.steps if not step.ok] == []
        sent = {field.name: field.sent for field in episode.fields}
        options = {field.name: field.options for field in episode.fields}
        assert sent["sentiment"][0] in options["sentiment"]
        assert len(sent["reason"][0].split()) == 5


def test_the_example_is_not_handed_the_labels():
    assert not isinstance(find_solver(KEYWORD_SOLVER).make(), KeyedSolver)
    assert isinstance(find_solver(KEYWORD_SOLVER).make(), KeywordSolver)


def test_the_example_counts_only_words_that_a_reader_sees():
    html = "<head><title>Title</title></head><body><style>style</style><p>Good, very GOOD</p><script>script</script>"
    assert words_of(html) == Counter({"good": 2, "very": 1})


def test_the_example_prefers_options_whose_words_stand_in_the_page():
    words = Counter({"good": 3})
    assert overlap(Option("good", "a good one", visible=True), words) > overlap(Option("bad", "", visible=True), words)


@pytest.mark.slow
def test_the_first_solver_of_the_lesson_runs_as_it_stands(tmp_path, monkeypatch):
    (tmp_path / "first_option.py").write_text(block("FirstOption"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for episode in run("first_option:FirstOption", tmp_path):
        assert episode.outcome == "scored"
        assert next(field.sent for field in episode.fields if field.name == "sentiment") == ("very negative",)


@pytest.mark.slow
def test_the_second_solver_of_the_lesson_tells_which_fields_do_not_take_its_answer(tmp_path, capfd):
    lesson = LESSON.read_text(encoding="utf-8")
    shown = re.findall(r"^\S+ False .+$", lesson, re.MULTILINE)
    arguments = ["--solver", saved("EveryKind", tmp_path), "--max-instances", "1", "--workers", "1"]
    assert evaluate.main([*arguments, "--out", str(tmp_path / "run")]) == evaluate.COMPLETE
    said = capfd.readouterr().out.splitlines()
    assert [line for line in said if re.match(r"\S+ False ", line)] == shown
    assert {episode.outcome for episode in RunDirectory.open(tmp_path / "run").episodes()} == {"scored"}


def saved(name: str, folder: Path) -> str:
    """The solver of a class on these pages, in a file; gives its name for a command line."""
    file = folder / f"{name.lower()}.py"
    file.write_text(block(name), encoding="utf-8")
    return f"{file}:{name}"


def chosen(episode: Episode) -> tuple[str, ...]:
    return next(field.sent for field in episode.fields if field.name == "sentiment")


@pytest.mark.slow
def test_the_keyed_solver_of_the_page_is_handed_the_labels(tmp_path):
    for episode in run(saved("FirstWorker", tmp_path), tmp_path):
        labels = next(field.labels for field in episode.fields if field.name == "sentiment")
        assert chosen(episode) == labels[:1]


@pytest.mark.slow
def test_the_solver_of_the_page_that_drives_over_devtools_fills_in_the_first_field(tmp_path):
    for episode in run(saved("Connects", tmp_path), tmp_path):
        assert (episode.outcome, episode.steps) == ("scored", ())
        assert chosen(episode) == ("very negative",)


SHORT_PAGES = """class ShortPages:
    @classmethod
    def prepare(cls, setup):
        return {"longest_inputs": 150}

    @classmethod
    def leave_out(cls, setup):
        return lambda _, instance: "long inputs" if sum(map(len, instance.inputs.values())) > 150 else ""

    def solve(self, page, act):
        pass
"""


@pytest.mark.slow
def test_a_solver_says_what_it_is_and_which_instances_it_leaves_out(tmp_path):
    file, out = tmp_path / "short_pages.py", tmp_path / "run"
    file.write_text(SHORT_PAGES, encoding="utf-8")
    assert evaluate.main(["--solver", f"{file}:ShortPages", "--task", TASK, "--out", str(out)]) == evaluate.COMPLETE
    directory = RunDirectory.open(out)
    instances = Catalog(PROJECT / "tasks").task(TASK).instances
    long = {instance.index for instance in instances if sum(map(len, instance.inputs.values())) > 150}
    assert 0 < len(long) < len(instances)
    assert {episode.index for episode in directory.episodes()} == {each.index for each in instances} - long
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert record["solver"] == {"longest_inputs": 150}
    assert record["left_out"]["long inputs"] == len(long)
