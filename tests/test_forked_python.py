"""Programs that are forked are what they would be if they were started."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.checkout import PROJECT
from tests.forked_python import ForkedPython, printed_by

LOOKS = """
import json, os, sys
settings = "turkle_app.settings" in sys.modules
print(json.dumps([dict(os.environ), sys.argv[1:], os.getcwd(), os.getsid(0) == os.getpid(), __name__, settings]))
"""


def script(folder: Path, text: str) -> list[str]:
    (folder / "program.py").write_text(text, encoding="utf-8")
    return [sys.executable, str(folder / "program.py")]


def test_program_has_what_it_is_given_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_WHO_STARTS_IT", "1")
    given = {"PATH": "/bin", "OF_THE_PROGRAM": "ü"}
    seen = json.loads(printed_by([*script(tmp_path, LOOKS), "a", "--b"], given))
    assert seen == [given, ["a", "--b"], str(PROJECT), True, "__main__", False]


def test_program_knows_nothing_of_the_one_before(tmp_path: Path) -> None:
    command = script(tmp_path, "import sys; print('once' in sys.modules); sys.modules['once'] = sys")
    assert [printed_by(command, {}) for _ in range(2)] == ["False\n", "False\n"]


@pytest.mark.parametrize(
    ("text", "status", "said"), [("raise SystemExit(3)", 3, ""), ("1 / 0", 1, "ZeroDivisionError")]
)
def test_program_ends_as_it_would(tmp_path: Path, text: str, status: int, said: str) -> None:
    with ForkedPython(script(tmp_path, text), os.environ) as program:
        assert program.stderr is not None
        assert said in program.stderr.read()
        assert program.wait() == status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_signal_ends_a_program_that_waits(tmp_path: Path, number: signal.Signals) -> None:
    with ForkedPython(script(tmp_path, "print(input('there\\n'))"), os.environ) as program:
        assert program.stdout.readline() == "there\n"
        assert program.poll() is None
        program.send_signal(number)
        assert program.wait() == -number


def test_program_reads_what_it_is_told(tmp_path: Path) -> None:
    with ForkedPython(script(tmp_path, "print(input())"), os.environ) as program:
        print("hello", file=program.stdin, flush=True)
        assert program.stdout.readline() == "hello\n"
