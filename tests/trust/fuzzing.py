"""Run directories spoiled at random, by a seed, and the commands that read them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from harness.cli.boundary import error_boundary
from harness.kit.errors import UserError
from harness.run.page_source import PageSource

DEEP = "<deep>"
"""Stands for JSON nested too deep for any reader; it is put in as text, since nobody can write it as a value."""
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**400, -(10**30), 0.5, -0.5, 1e308, float("nan"), float("inf"),
    float("-inf"), "", " ", "\0", "x", "standard", "scored", "turkingbench-2024", "\x1b[2J\x1b]0;title\x07", "\x9b31m",
    "\ud800", "../../etc/passwd", "a\nb", "é" * 300, "x" * 100_000, "9" * 5000, "1e999", [], {}, [[]], [None], [1],
    [""], ["\ud800"], {"": None}, {"x": 1}, {"\x1b": "\x1b"}, [{"name": "a"}], DEEP,
    "\u202etxt\u2066\u200b",
)  # fmt: skip


class Mutator:
    """Spoils copies of a run directory; equal seeds spoil equally."""

    def __init__(self, original: Path, seed: int) -> None:
        self._original = original
        self._random = random.Random(seed)  # noqa: S311 - it draws mistakes, not keys

    def spoil(self, folder: Path) -> str:
        """Put a spoiled copy in place of a folder; says what was done."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._original, folder)
        return "; ".join(self._spoil_once(folder) for _ in range(self._random.choice((1, 1, 1, 2, 4))))

    def _spoil_once(self, folder: Path) -> str:
        files = sorted(file for file in folder.rglob("*.json") if file.is_file())
        # Half of the time what says most: there are many more episodes than files of other kinds.
        file = folder / "run.json" if self._random.random() < 0.3 else self._random.choice(files)
        if not file.is_file():
            return "nothing"
        how = self._random.choices((self._value, self._bytes, self._file), (16, 3, 1))[0]
        return f"{file.relative_to(folder)}: {how(file)}"

    def _value(self, file: Path) -> str:
        try:
            data = json.loads(file.read_bytes())
        except (ValueError, RecursionError):
            return self._bytes(file)
        path = self._place(data)
        if not path:
            new = self._random.choice(VALUES)
            _write(file, new)
            return f"is {new!r:.60}"
        at = data
        for key in path[:-1]:
            at = at[key]
        key = path[-1]
        match self._random.randrange(8):
            case 0 if isinstance(at, dict):
                del at[key]
                what = "deleted"
            case 0 | 1 if isinstance(at, list):
                at.insert(key, at[key])
                what = "twice"
            case 2 if isinstance(at, dict):
                name = self._random.choice([value for value in VALUES if isinstance(value, str)])
                at[name] = at.pop(key)
                what = f"called {name!r:.60}"
            case _:
                at[key] = self._random.choice(self._like(at[key]) or VALUES)
                what = f"is {at[key]!r:.60}"
        _write(file, data)
        return f"{path} {what}"

    def _like(self, value: Any) -> list[Any]:
        """Values of the type of another, most of the time: what has a right type is read further."""
        if self._random.random() < 0.25:
            return []
        return [other for other in VALUES if type(other) is type(value) and other is not DEEP]

    def _place(self, data: Any) -> list[Any]:
        """A way into a JSON value, at each level down with some chance."""
        path: list[Any] = []
        while isinstance(data, dict | list) and data and (not path or self._random.random() < 0.85):
            key = self._random.choice(sorted(data)) if isinstance(data, dict) else self._random.randrange(len(data))
            path.append(key)
            data = data[key]
        return path

    def _bytes(self, file: Path) -> str:
        data = bytearray(file.read_bytes())
        place = self._random.randrange(len(data) + 1)
        match self._random.randrange(3):
            case 0:
                data = data[:place]
            case 1:
                data[place:place] = self._random.randbytes(3)
            case _:
                data[place : place + 1] = b""
        file.write_bytes(data)
        return f"bytes at {place}"

    def _file(self, file: Path) -> str:
        match self._random.randrange(5):
            case 0:
                file.unlink()
                return "removed"
            case 1:
                file.unlink()
                file.mkdir()
                return "a folder"
            case 2:
                file.unlink()
                os.mkfifo(file)
                return "a pipe"
            case 3:
                file.rename(file.with_name("notes.json"))
                return "renamed"
        file.unlink()
        file.symlink_to("/etc/passwd")
        return "a link"


def _write(file: Path, data: Any) -> None:
    text = json.dumps(data).replace(json.dumps(DEEP), "[" * 100_000 + "]" * 100_000)
    file.write_text(text, encoding="utf-8")


def commands(folder: Path, other: Path, out: Path, tasks_dir: Path, *, draw: bool) -> dict[str, Callable[[], int]]:
    """Name -> a command that reads the run in ``folder``, with few draws and without a browser.

    Args:
        folder: The run that was spoiled.
        other: The run that was not.
        out: Where to write.
        tasks_dir: The tasks of both.
        draw: Whether the page of the report is made, too: its pictures take longer than all else.
    """
    from harness.cli.commands import compare, leaderboard, replay, score
    from harness.cli.commands.export import runs as export
    from harness.cli.commands.people.workers import main as people
    from harness.papers.turkingbench.paper import reference_lines
    from harness.reports.gather import gather
    from harness.reports.html.rendering import write
    from harness.reports.html.report_page import page_of

    @error_boundary()
    def report(argv: Any = None) -> int:
        found = gather([folder], argv, draws=20)
        if draw:
            write(page_of(found, reference_lines(), out), out / "report.html")
        return 0

    own = str(folder)
    leaderboard_arguments = ["add", own, "--folder", str(out / "board"), "--tasks-dir", str(tasks_dir)]
    tables = ["--format", "jsonl", "--out", str(out / "tables")]
    return {
        "score": lambda: score.main([own]),
        "score as JSON": lambda: score.main([own, "--json", "--metrics", "turkingbench-2024"]),
        "report": report,
        "compare": lambda: compare.main([str(other), own, "--draws", "20"]),
        "compare as JSON": lambda: compare.main([own, str(other), "--draws", "20", "--json"]),
        "export": lambda: export.main([own, *tables]),
        "export examples": lambda: export.main([own, "--format", "sft", "--min-score", "0"]),
        "export pairs": lambda: export.main([own, "--format", "preference", "--min-score", "0"]),
        "people": lambda: people([own]),
        "replay": lambda: replay.main([own, "--tasks-dir", str(tasks_dir), "--progress", "quiet"]),
        "leaderboard": lambda: leaderboard.main(leaderboard_arguments),
    }


@contextlib.contextmanager
def no_browser() -> Iterator[None]:
    """A context in which replays end where their server would start."""

    def ends(*_: object) -> None:
        raise UserError("no server is started here")

    with patch.object(PageSource, "server", ends):
        yield


def complaint(command: Callable[[], int]) -> tuple[int, str, str]:
    """The exit code of a command, what it printed, and what it complained of."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command()
    return code, out.getvalue(), err.getvalue()
