from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.catalog.problems import CatalogError
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE, error_boundary, naming_the_file
from harness.kit.errors import UnfinishedWork, UserError
from harness.models.client import MissingExtra
from harness.records.fatal import CannotWrite


def raising(error: BaseException, **boundary: str):
    @error_boundary(**boundary)
    def main(argv=None):  # noqa: ARG001 - what every command takes
        raise error

    return main


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UserError("nothing of that name"), WRONG_USE),
        (CatalogError("nothing of that name"), WRONG_USE),
        (UnfinishedWork("the disk is full"), INCOMPLETE),
        (MissingExtra("openai", "openai"), WRONG_USE),
        (CannotWrite(Path("run"), OSError(28, "No space left on device")), INCOMPLETE),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_user_can_mend_is_a_line_and_an_exit_code(error, code, capsys):
    assert raising(error)() == code
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"error: {error}\n")


def test_what_a_command_returns_is_its_exit_code():
    @error_boundary()
    def main(argv=None):
        return len(argv)

    assert main(["one", "two"]) == 2


def test_a_defect_passes():
    with pytest.raises(KeyError):
        raising(KeyError("a defect"))()


@pytest.mark.parametrize(
    ("boundary", "said"), [({}, "interrupted\n"), ({"interrupted": "kept"}, "kept\n"), ({"interrupted": ""}, "")]
)
def test_an_interrupted_command_is_incomplete_and_says_what_it_wants(boundary, said, capsys):
    assert raising(KeyboardInterrupt(), **boundary)() == INCOMPLETE
    assert capsys.readouterr().err == said


def test_a_broken_pipe_that_is_not_standard_output_is_a_defect():
    with pytest.raises(BrokenPipeError):
        raising(BrokenPipeError(32, "Broken pipe"))()


@pytest.mark.parametrize("printing", ["print(i)", "print_out(str(i))"])
def test_a_reader_that_has_seen_enough_may_go_away(printing):
    program = f"""
import sys
from harness.cli.boundary import error_boundary
from harness.cli.boundary import print_out
@error_boundary()
def main(argv=None):
    for i in range(100_000):
        {printing}
    return 7
sys.exit(main())
"""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = subprocess.run([sys.executable, "-c", program], stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b""
    assert done.returncode == (INCOMPLETE if printing == "print(i)" else 7)


def test_an_error_of_the_file_system_names_its_file():
    with pytest.raises(UserError, match=r"^/there: No such file or directory$"), naming_the_file(Path("/folder")):
        raise FileNotFoundError(2, "No such file or directory", "/there")
    with pytest.raises(UserError, match=r"^/folder: Is a directory$"), naming_the_file(Path("/folder")):
        raise IsADirectoryError(21, "Is a directory")


def test_exit_codes_are_those_that_the_documentation_tells():
    assert (COMPLETE, INCOMPLETE, WRONG_USE) == (0, 1, 2)
