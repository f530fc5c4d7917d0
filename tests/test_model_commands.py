"""Documented commands that call a model, run against a server, and every kind of command of the papers' tables.

The lists are built from the blocks of commands and from the papers' data, so a new one is tested by itself. What stands
for something of the reader's, such as RUN, is there by that name in the folder in which they are run.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands import evaluate
from harness.cli.turkbench import main as turkbench
from harness.models.presets import presets
from harness.models.providers.anthropic_client import AnthropicClient
from harness.models.providers.google_client import GoogleClient
from harness.models.providers.openai_client import OpenAIClient
from harness.models.providers.responses_client import ResponsesClient
from harness.papers.mind2web.demonstrations.mind2web_file import written
from harness.papers.paper import PAPERS
from harness.papers.paper_page import items_of
from tests.checkout import PROJECT
from tests.command_lines import CommandLine, command_lines
from tests.integrations.exports.curriculum.test_sampling import write_lessons
from tests.models.scripted_model import FORM, SITE, ScriptedModel
from tests.models.servers import Server
from tests.papers.local_copies import make_local_copies
from tests.papers.mind2web.mindact.pages import demonstrations
from tests.papers.teacher_forced.autowebbench.made import written as written_commands

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
PRINTED = (("autowebglm_ablations.sh", "recorded", "FOLDER"), ("autowebglm_ablations.sh", "live"))
"""Examples that print commands, with their arguments."""
ELSEWHERE = {
    "harness score": "a run that awaits a judge: tests/test_judge.py",
    "--shard": "more instances than one: tests/run/test_shards.py",
    "ray job": "a cluster: tests/run/test_ray_engine.py",
    "harness pilot": "a task whose fields can be decided: tests/cli/test_replace.py",
    "-original": "the words of a paper, which its user fetches first: tests/papers/wording/test_wording.py",
    "inspect": "a program of another package: tests/integrations/adapters/test_inspect.py",
    "--solver local": "a model in the process, no server to ask: tests/solvers/models/test_model.py",
    "--preset local": "a model in the process, no server to ask: tests/papers/teacher_forced/test_evaluating.py",
    "--solver mcp": "a server of tools beside the model's: tests/solvers/outside/test_mcp_loop.py",
    "miniwob_table6": "pages of MiniWoB++: tests/sites/test_miniwob_table6.py"
    "::test_pages_of_the_paper_are_played_on_the_seeds_that_are_named",
    "benchmarks.judge_rates": "few trajectories: tests/benchmarks/test_judge_rates.py"
    "::test_all_judges_get_a_line_of_rates_against_the_state_of_the_sites",
    "tasks fetch turkingbench": "a clone of made tasks: tests/datasets/test_datasets.py"
    "::test_fetching_a_commit_gives_its_tasks_and_splits_byte_for_byte",
    "tasks stats turkingbench": "made tasks: tests/datasets/test_stats.py"
    "::test_the_command_prints_unknown_for_a_vocabulary_that_is_not_there_and_how_to_get_it",
    "turkingbench table4 --run": "rows on made tasks: tests/papers/turkingbench/test_row_runs.py"
    "::test_each_row_is_asked_as_its_options_say",
    "turkingbench agreement": "a run of made outputs: tests/solvers/recorded/test_offline.py"
    "::test_the_command_prints_the_counts_and_writes_every_finding",
    "webcanvas table4 --run": "rows on a made site: tests/papers/webcanvas/test_webcanvas.py"
    "::test_rows_of_every_table_run_to_their_end",
    "papers prompts": "small repositories: tests/papers/wording/test_wording.py"
    "::test_the_words_of_each_paper_are_taken_from_a_clone_whose_programs_are_not_run",
    "tasks record": "a person in a browser: tests/test_record.py"
    "::test_person_records_a_task_in_the_panel_and_the_command_ends_with_what_the_replay_says",
    "tasks maintain": "a site that moves: tests/test_maintain.py"
    "::test_a_site_that_has_not_changed_gives_an_empty_report",
    "--ranker cross-encoder:deberta-v3-base": "a tiny encoder: tests/papers/mind2web/mindact/test_mindact_command.py"
    "::test_a_cross_encoder_is_trained_by_the_command_and_told_as_it_was_before",
    "training/mindact.py": "a tiny model: tests/test_mindact_training.py"
    "::test_the_loss_falls_and_the_evaluation_runs_on_what_was_written",
    "training/demo.py examples/training/rounds.toml": "rounds without weights: tests/test_training_rounds.py"
    "::test_rounds_sample_the_given_weights_on_the_given_lessons_and_go_on_from_preferences",
    "make train-demo": "the round at its smallest: tests/test_training_round.py"
    "::test_no_step_has_learnt_from_a_task_that_is_for_tests",
}
"""Commands with one of these need a person, weights, or data from outside: on what a test has them run, and which."""
HERE = {
    "--dataset bundled-sites": "--tasks-dir tasks/_sites",
    "TRACES": "traces",
    "cross-encoder:ranker": "learned:ranker.json",
    " --visitor channel=chrome": "",
    ".venv/bin/python": "python",
}
"""What stands in commands, and what there is here: no weights of a ranker, no browser but Chromium."""
LEFT_OUT = {
    "--engine": 1, "--address": 1, "--browser-url": 1, "--grid": 1, "--serve-at": 1, "--log-to": 1, "--base-url": 1,
    "--workers": 1, "--max-instances": 1, "--split": 1, "--ocr": 0, "--attended": 0, "--out": 1, "--row": 1,
    "--task": 1, "--dataset": 1, "--resume": 0, "--network": 1, "--pages-per-browser": 1, "--repeats": 1,
    "--count-by": 1, "--demos": 1, "--max-cost": 1,
}  # fmt: skip
"""Options with how many values they have that say where and how much, and need machines, terminals or data."""
OF_MODELS = {
    "--model": 1, "--reward-model": 1, "--max-input-tokens": 1, "--max-output-tokens": 1, "--temperature": 1,
    "--limit": 1,
}  # fmt: skip
"""Options of models, and of sizes, in which commands of one kind differ."""


def asks_a_model(line: CommandLine) -> bool:
    names = {"--preset", "--judge", *presets()}
    return bool(names & {word.removeprefix("page:") for word in line.words}) and not is_elsewhere(line)


def printed_commands() -> Iterator[CommandLine]:
    for script, *arguments in PRINTED:
        file = PROJECT / "examples" / script
        said = subprocess.run(["sh", file, *arguments], capture_output=True, text=True, check=True, cwd=PROJECT).stdout
        for number, text in enumerate(said.splitlines(), start=1):
            yield CommandLine(file, number, text)


def commands() -> list[CommandLine]:
    """Those that ask a model, one of those that are the same but for what is left out; of papers, one of a kind."""
    lines = [*(line for page in PAGES for line in command_lines(page)), *printed_commands(), *matrix()]
    found: dict[tuple[str, ...], CommandLine] = {}
    for line in map(in_checkout, lines):
        if asks_a_model(line):
            found.setdefault((*without(line.words), *(["--dry-run"] if "--dry-run" in line.words else [])), line)
    known = {kind_of(line) for line in found.values()}
    return [*found.values(), *(line for line in kinds_of_papers() if asks_a_model(line) and kind_of(line) not in known)]


@cache
def kinds_of_papers() -> list[CommandLine]:
    """A command of each kind that the papers' pages and tables name."""
    found: dict[tuple[str, ...], CommandLine] = {}
    for name, paper in PAPERS.items():
        given = [item.command for item in items_of(name, paper)]
        given += [command for table in paper.tables() for command in table.commands]
        for number, text in enumerate(filter(None, given), start=1):
            line = in_checkout(CommandLine(Path(f"{name}.toml"), number, text))
            found.setdefault(kind_of(line), line)
    return list(found.values())


def in_checkout(line: CommandLine) -> CommandLine:
    """The same command by the modules that ``turkbench`` is short for."""
    text = re.sub(r"^((?:[A-Z_]+=\S* )*)turkbench evaluate ", r"\1python -m harness.evaluate ", line.text)
    return replace(line, text=re.sub(r"^((?:[A-Z_]+=\S* )*)turkbench ", r"\1python -m harness ", text))


def kind_of(line: CommandLine) -> tuple[str, ...]:
    """The words of a command without models, seeds, sizes and what else is left out."""
    return tuple("MODEL" if word in presets() else word for word in without(line.words, LEFT_OUT | OF_MODELS))


def is_elsewhere(line: CommandLine) -> bool:
    return any(each in line.text for each in ELSEWHERE)


def matrix() -> list[CommandLine]:
    """The cells of docs/reference/systems.md, each behind the command of its column."""
    page = PROJECT / "docs" / "reference" / "systems.md"
    columns = [line.text.partition("  ")[0] for line in command_lines(page)][:3]
    text = page.read_text(encoding="utf-8")
    table = text.partition("| system |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = []
    for row in table:
        for command, cell in zip(columns, row.split("|")[2:-1], strict=True):
            if found := re.search(r"`(.+)`", cell):
                own = re.compile(r" --solver \S+( --no-vision| --set vision=false)?") if "--solver" in cell else None
                behind = f"{own.sub('', command) if own else command} {found[1]}"
                cells.append(CommandLine(page, text[: text.index(row)].count("\n") + 1, behind))
    return cells


def without(words: Sequence[str], options: Mapping[str, int] = LEFT_OUT) -> tuple[str, ...]:
    """The words without what is left out."""
    left, skipped = [], 0
    for word in words:
        if skipped:
            skipped -= 1
        elif word in options:
            skipped = options[word]
        else:
            left.append(word)
    return tuple(left)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that the commands name."""
    folder = tmp_path_factory.mktemp("reader")
    for name in ("tasks", "examples"):
        (folder / name).symlink_to(PROJECT / name)
    for name, task in (
        ("my-tasks", f"_sites/{SITE}"),
        ("my-sites", f"_sites/{SITE}"),
        ("webarena-tasks", f"_sites/{SITE}"),
        ("collected", FORM),
        ("DIR", FORM),
    ):
        shutil.copytree(PROJECT / "tasks" / task, folder / name / Path(task).name)
    written(demonstrations(), folder / "traces.jsonl")
    make_local_copies(folder)
    for name in ("FOLDER", "autowebbench", "."):
        written_commands(folder / name / "en" / "ind" / "test.json")
    (folder / "lessons" / "complex").mkdir(parents=True)
    write_lessons(folder / "lessons" / "complex" / "train.jsonl", "click_element(9)")
    train = ["papers", "mind2web", "train", "traces.jsonl", "--out", "ranker.json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert turkbench(train) == COMPLETE
        run = ["--solver", "oracle", "--task", FORM, "--max-instances", "1", "--film", "steps", "--progress", "quiet"]
        assert evaluate.main([*run, "--out", "RUN"]) == COMPLETE
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("line", commands(), ids=str)
def test_a_documented_command_that_calls_a_model_works(line, place, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(place)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "sk-test")
    words = words_of(line)
    with Server(ScriptedModel()) as server:
        for client, path in (
            (OpenAIClient, "/v1"),
            (ResponsesClient, "/v1"),
            (AnthropicClient, ""),
            (GoogleClient, ""),
        ):
            monkeypatch.setattr(client.__init__, "__defaults__", (server.url + path, None, ""))
        if any(presets()[name].base_url for name in presets().keys() & set(words)):
            words += ["--base-url", f"{server.url}/v1"]
        code = run(words, tmp_path / "out")
        said = capfd.readouterr().err
        assert code == COMPLETE or (code == INCOMPLETE and "export pairs" in line.text), said
        assert bool(server.requests) is not ({"--dry-run", "prompt"} & set(words) != set()), said


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [line for line in kinds_of_papers() if not asks_a_model(line) and not is_elsewhere(line)], ids=str
)
def test_a_command_of_a_paper_works_on_small_local_copies(line, place, tmp_path, monkeypatch, capfd):
    words = words_of(line)
    written = words[5] if words[:3] == ["harness", "tasks", "import"] else ""
    shutil.copytree(place, tmp_path / "here", symlinks=True, ignore=lambda *_: [written])
    monkeypatch.chdir(tmp_path / "here")
    assert run(words, tmp_path / "out") == COMPLETE, capfd.readouterr().err


def test_what_runs_a_command_elsewhere_is_there_and_is_named_for_a_command():
    for part, why in ELSEWHERE.items():
        file, _, name = why.rpartition(": ")[2].partition("::")
        text = (PROJECT / file).read_text(encoding="utf-8")
        if name:
            assert f"def {name}(" in text
            assert any(part in line.text for line in kinds_of_papers()), part


def words_of(line: CommandLine) -> list[str]:
    """What a command gives to the program, by the names that there are here."""
    text = line.text
    for there, here in HERE.items():
        text = text.replace(there, here)
    words = shlex.split(text, comments=True)
    of_data = () if "harness.evaluate" in words else ("--split",)  # the demonstrations here have splits
    words = without(words, {name: values for name, values in LEFT_OUT.items() if name not in of_data})
    if words[0].startswith("examples/"):
        return list(words)
    assert words[:2] == ("python", "-m")
    return list(words[2:])


def run(words: Sequence[str], out: Path) -> int:
    """Run a command in a small way; returns its exit code."""
    match words:
        case ["harness.evaluate", *rest]:
            if "--tasks-dir" not in rest or "tasks/_sites" in rest:
                is_site = "tasks/_sites" in rest or "--prompts autowebglm" in " ".join(rest)
                rest += ["--tasks-dir", "tasks/_sites", "--task", SITE] if is_site else ["--task", FORM]
                rest += [] if is_site or {"oracle", "do-nothing", "seeact"} & set(rest) else ["--demos", "0"]
            rest += ["--max-instances", "1"]
            return evaluate.main(rest if "--dry-run" in rest else [*rest, "--out", str(out), "--progress", "quiet"])
        case ["harness", "page", "prompt", *rest]:
            task = [SITE] if {"tasks/_sites", "my-tasks"} & set(rest) else [FORM, "--demos", "0"]
            return turkbench(["page", "prompt", *rest, "--task", *task])
        case ["harness", "export", "runs", *rest] if "--curriculum" in rest:
            few = ["--task", SITE, "--task", "Board - A vote for an answer"]
            return turkbench(["export", "runs", *(str(out) if each == "lessons" else each for each in rest), *few])
        case [script, *_] if script.startswith("examples/"):
            return subprocess.run(["sh", *words], check=False, cwd=PROJECT).returncode
        case ["harness", "offline-eval", *rest] | ["harness", "papers", "mind2web", ("train" | "lessons"), *rest]:
            return turkbench([*words[1:], "--out", str(out)])
        case ["harness", ("judge" | "papers" | "tasks" | "document" | "report"), *_]:
            return turkbench(words[1:])
        case ["harness", *rest]:
            return turkbench([*rest, "--out", str(out)])
    raise AssertionError(f"nobody knows how to run {words}")
