"""Every command of the documentation and the examples that calls a model, run from its command line against a server.

The list is built from the blocks of commands, so a new one is tested by itself. What stands for something of the
reader's, such as RUN, is there by that name in the folder in which they are run.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from harness.cli.commands import evaluate
from harness.cli.exit_codes import COMPLETE, INCOMPLETE
from harness.cli.turkbench import main as turkbench
from harness.models.presets import presets
from harness.models.providers.anthropic_client import AnthropicClient
from harness.models.providers.openai_client import OpenAIClient
from harness.models.providers.responses_client import ResponsesClient
from harness.papers.mind2web.demonstrations.mind2web_file import written
from tests.checkout import PROJECT
from tests.command_lines import CommandLine, command_lines
from tests.integrations.exports.curriculum.test_sampling import write_lessons
from tests.models.scripted_model import FORM, SITE, ScriptedModel
from tests.models.servers import Server
from tests.papers.mind2web.mindact.pages import demonstrations
from tests.papers.teacher_forced.autowebbench.made import written as written_commands

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
PRINTED = (("autowebglm_ablations.sh", "recorded", "FOLDER"), ("autowebglm_ablations.sh", "live"))
"""Examples that print commands, with their arguments."""
ELSEWHERE = {
    "harness score": "a run that awaits a judge, which tests/test_judge.py has",
    "-original": "the words of a paper, which its user fetches first: tests/papers/wording has them",
    "inspect": "a program of another package, which tests/integrations/adapters/test_inspect.py runs",
    "--solver local": "a model in the process: there is no server to ask",
    "--preset local": "a model in the process: there is no server to ask",
    "--solver mcp": "a server of tools beside the model's, which tests/solvers/outside/test_mcp_loop.py has",
    "miniwob_table6": "a module of examples; its command is harness.evaluate with what it is given",
}
"""Commands with one of these are left to others."""
LEFT_OUT = {
    "--engine": 1, "--address": 1, "--browser-url": 1, "--grid": 1, "--serve-at": 1, "--log-to": 1, "--base-url": 1,
    "--workers": 1, "--max-instances": 1, "--split": 1, "--ocr": 0, "--attended": 0, "--out": 1, "--row": 1,
    "--task": 1, "--dataset": 1, "--resume": 0, "--network": 1, "--pages-per-browser": 1, "--repeats": 1,
    "--count-by": 1, "--demos": 1,
}  # fmt: skip
"""Options with how many values they have that say where and how much, and need machines, terminals or data."""


def asks_a_model(line: CommandLine) -> bool:
    names = {"--preset", "--judge", *presets()}
    return bool(names & {word.removeprefix("page:") for word in line.words}) and not any(
        each in line.text for each in ELSEWHERE
    )


def printed_commands() -> Iterator[CommandLine]:
    for script, *arguments in PRINTED:
        file = PROJECT / "examples" / script
        said = subprocess.run(["sh", file, *arguments], capture_output=True, text=True, check=True, cwd=PROJECT).stdout
        for number, text in enumerate(said.splitlines(), start=1):
            yield CommandLine(file, number, text)


def commands() -> list[CommandLine]:
    """One of those that are the same but for what is left out."""
    lines = [*(line for page in PAGES for line in command_lines(page)), *printed_commands(), *matrix()]
    found: dict[tuple[str, ...], CommandLine] = {}
    for line in lines:
        if asks_a_model(line):
            found.setdefault((*without(line.words), *(["--dry-run"] if "--dry-run" in line.words else [])), line)
    return list(found.values())


def matrix() -> list[CommandLine]:
    """The cells of docs/systems.md, each behind the command of its column."""
    page = PROJECT / "docs" / "systems.md"
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


def without(words: Sequence[str]) -> tuple[str, ...]:
    """The words without what is left out."""
    left, skipped = [], 0
    for word in words:
        if skipped:
            skipped -= 1
        elif word in LEFT_OUT:
            skipped = LEFT_OUT[word]
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
        ("webarena-tasks", f"_sites/{SITE}"),
        ("collected", FORM),
        ("DIR", FORM),
    ):
        shutil.copytree(PROJECT / "tasks" / task, folder / name / Path(task).name)
    written(demonstrations(), folder / "traces.jsonl")
    written_commands(folder / "FOLDER" / "en" / "ind" / "test.json")
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
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "sk-test")
    program, *words = (word.replace("TRACES", "traces.jsonl") for word in without(line.words))
    assert (program, words[0]) == ("python", "-m")
    with Server(ScriptedModel()) as server:
        for client, path in ((OpenAIClient, "/v1"), (ResponsesClient, "/v1"), (AnthropicClient, "")):
            monkeypatch.setattr(client.__init__, "__defaults__", (server.url + path, None, ""))
        if any(presets()[name].base_url for name in presets().keys() & set(words)):
            words += ["--base-url", f"{server.url}/v1"]
        code = run(words[1:], tmp_path / "out")
        said = capfd.readouterr().err
        assert code == COMPLETE or (code == INCOMPLETE and "export pairs" in line.text), said
        assert bool(server.requests) is not ({"--dry-run", "prompt"} & set(words) != set()), said


def run(words: Sequence[str], out: Path) -> int:
    """Run a command in a small way; returns its exit code."""
    match words:
        case ["harness.evaluate", *rest]:
            if "--tasks-dir" not in rest or "tasks/_sites" in rest:
                is_site = "tasks/_sites" in rest or "--prompts autowebglm" in " ".join(rest)
                rest += ["--tasks-dir", "tasks/_sites", "--task", SITE] if is_site else ["--task", FORM, "--demos", "0"]
            rest += ["--max-instances", "1"]
            return evaluate.main(rest if "--dry-run" in rest else [*rest, "--out", str(out), "--progress", "quiet"])
        case ["harness", "page", "prompt", *rest]:
            return turkbench(["page", "prompt", *rest, "--task", FORM, "--demos", "0"])
        case ["harness", "judge", *_]:
            return turkbench(words[1:])
        case ["harness", *rest]:
            return turkbench([*rest, "--out", str(out)])
    raise AssertionError(f"nobody knows how to run {words}")
