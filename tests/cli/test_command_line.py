from __future__ import annotations

import pytest

from harness.cli.boundary import WRONG_USE
from harness.cli.command_line import CommandLine


@pytest.fixture
def parse() -> CommandLine:
    made = CommandLine(prog="tool", description="Does it.", epilog="exit codes: 0")
    made.add_argument("--number", type=int, help="how many")
    made.add_argument("--colour", choices=("red", "blue"), help="which")
    made.renamed("--count", "--number")
    return made


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--numbr", "3"], "--numbr 3: there is no such argument. Did you mean '--number'?"),
        (["--number", "three"], "argument --number: invalid int value: 'three'"),
        (["--colour", "green"], "argument --colour: invalid choice: 'green'"),
        (["--count", "3"], "--count 3: it is called --number now"),
        (["more"], "more: there is no such argument ("),
    ],
)
def test_what_is_wrong_is_told_in_one_line(parse, words, said, capsys):
    with pytest.raises(SystemExit) as ended:
        parse.parse_args(words)
    assert ended.value.code == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert said in line
    assert line.endswith("(tool --help tells what there is)")


def test_the_help_begins_with_a_few_options_and_examples_and_tells_where_the_rest_is(parse, capsys):
    parse.begin_with(["--number"], ["tool --number 3"])
    with pytest.raises(SystemExit):
        parse.parse_args(["--help"])
    told = capsys.readouterr().out
    assert "--number" in told
    assert "--help-all" in told
    assert "  tool --number 3" in told
    assert "--colour" not in told
    with pytest.raises(SystemExit):
        parse.parse_args(["--help-all"])
    assert "--colour" in capsys.readouterr().out


def test_a_command_in_the_description_stands_in_single_backquotes(capsys):
    with pytest.raises(SystemExit):
        CommandLine(prog="tool", description="Does it: ``tool --number 3``.").parse_args(["--help"])
    assert "Does it: `tool --number 3`." in capsys.readouterr().out
