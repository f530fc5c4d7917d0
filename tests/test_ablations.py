"""The commands of AutoWebGLM's ablations, as ``examples/autowebglm_ablations.sh`` prints them."""

from __future__ import annotations

import shlex
import subprocess
import tomllib

import pytest

from harness.cli.commands import evaluate, offline_eval
from harness.cli.commands.export import pairs
from tests.checkout import PROJECT

PARSERS = {
    "harness.evaluate": evaluate.parser,
    "harness offline-eval": offline_eval.parser,
    "harness export pairs": pairs.parser,
}


def printed(*arguments: str) -> list[list[str]]:
    script = ["sh", "examples/autowebglm_ablations.sh", *arguments]
    done = subprocess.run(script, cwd=PROJECT, capture_output=True, text=True, check=True)
    return [shlex.split(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "evaluations"), [(["recorded", "F"], 4), (["live"], 4), (["data", "M"], 4), (["training", "M"], 3)]
)
def test_every_command_is_one_of_the_project(arguments: list[str], evaluations: int) -> None:
    lines = printed(*arguments)
    seen = []
    for program, *words in lines:
        if program == "kill":
            continue
        assert program == "python"
        if words[0] == "-m":
            (name,) = (each for each in PARSERS if words[1:][: len(each.split())] == each.split())
            PARSERS[name]().parse_args(words[1 + len(name.split()) :])
            seen.append(name)
        else:
            assert (PROJECT / words[0]).exists()
        if words[1].endswith(".toml"):
            settings = tomllib.loads((PROJECT / words[1]).read_text(encoding="utf-8"))
            assert {each.partition("=")[0] for each in words[2:]} <= settings.keys()
    assert len([name for name in seen if name != "harness export pairs"]) == evaluations
    folders = [words[words.index("--out") + 1] for words in lines if "--out" in words]
    assert len(set(folders)) == len(folders)


def test_it_says_how_it_is_used() -> None:
    done = subprocess.run(["sh", "examples/autowebglm_ablations.sh"], cwd=PROJECT, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"usage" in done.stderr
