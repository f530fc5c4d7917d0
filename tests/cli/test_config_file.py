from __future__ import annotations

import pytest

from harness.cli.boundary import WRONG_USE
from harness.cli.commands import evaluate
from harness.cli.config_file import with_config
from harness.cli.solver_arguments import options_of
from harness.cli.task_arguments import config_of
from harness.records.config import Limits, RunConfig
from harness.run.asked_run import config_toml


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config.toml"


def parsed(*words: str) -> RunConfig:
    command = evaluate.parser()
    arguments = command.parse_args(with_config(command, words))
    return config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))


def test_the_file_of_a_run_makes_the_same_run_again(file, tmp_path):
    config = RunConfig(
        "gpt-4o",
        tmp_path,
        options={"demos": 3, "vision": False, "temperature": 0.5, "encoding": 'a "b"\x7f\\'},
        tasks=("One", "Two's"),
        max_instances=5,
        workers=7,
        headed=True,
        limits=Limits(20, 60.5),
        film="steps",
        kind="form",
        media=tmp_path / "media",
    )
    file.write_text(config_toml(config), encoding="utf-8")
    assert parsed("--config", str(file)) == config


def test_what_is_typed_counts_more_than_the_file(file):
    file.write_text('solver = "oracle"\ntask = ["A", "B"]\nmax-instances = 3\nseed = 4\n', encoding="utf-8")
    found = parsed("--config", str(file), "--task", "C", "--max-instances=9")
    assert (found.solver, found.tasks, found.max_instances, found.seed) == ("oracle", ("C",), 9, 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sede = 3", "there is no option 'sede'. Did you mean 'seed'?"),
        ("headed = 3", "headed: it is true or false, not 3"),
        ("seed = true", "seed: it is a text or a number, not True"),
        ("seed = [1]", "seed: it takes one value, not a list"),
        ("task = [[1]]", "task: it is a text or a number, not [1]"),
        ("seed = ", "is no TOML: "),
    ],
)
def test_what_is_wrong_with_the_file_is_told_in_one_line(file, text, said, capsys):
    file.write_text(text, encoding="utf-8")
    assert evaluate.main(["--solver", "oracle", "--config", str(file)]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {file}")
    assert said in line


def test_a_file_that_is_not_there_is_named(file, capsys):
    assert evaluate.main(["--config", str(file)]) == WRONG_USE
    assert f"error: {file}: No such file" in capsys.readouterr().err


OWN = """
from dataclasses import dataclass
from harness.kit.options import option

@dataclass(frozen=True, kw_only=True)
class Options:
    mood: str | None = option(choices=("calm", "bold"), help="in which it works")

class Mine:
    options = Options

    def __init__(self, mood):
        self.mood = mood

    @classmethod
    def set_up(cls, setup):
        return cls(setup.options.mood)

    def solve(self, page, act): ...
"""


def test_an_option_of_a_solver_of_ones_own_is_an_argument_at_once(tmp_path, capsys):
    mine = tmp_path / "mine.py"
    mine.write_text(OWN, encoding="utf-8")
    solver = ["--solver", f"{mine}:Mine"]
    with pytest.raises(SystemExit):
        evaluate.main([*solver, "--help-all"])
    assert "--mood {calm,bold}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        evaluate.main([*solver, "--mood", "sad"])
    assert "argument --mood: invalid choice: 'sad'" in capsys.readouterr().err
