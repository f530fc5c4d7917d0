"""The harness's commands and these scripts, called one after the other; and a model that is served meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDERS = {"forms": ROOT / "tasks", "sites": ROOT / "tasks" / "_sites"}
# One page waits while another is asked about: more would wait longer than a request may take.
PAGES = ("--workers", 2)
# How lessons show a task and ask about it, unless they are exported otherwise.
ASKED = {
    "forms": ("--prompts", "harness", "--protocol", "field", "--encoding", "relevant", "--demos", 0),
    "sites": ("--prompts", "site", "--protocol", "site", "--encoding", "axtree", "--demos", 0),
}


def call(*words: object) -> int:
    """Run a program of this Python and return its exit code, 0 or 1; with another one, end with it."""
    code = subprocess.run([sys.executable, *map(str, words)], check=False).returncode
    if code not in (0, 1):
        sys.exit(f"ended with {code}: {' '.join(map(str, words))}")
    return code


def harness(command: str, *words: object) -> bool:
    """Run a command of the harness; False where it says that nothing came of it, or not all."""
    return call("-m", "harness", *command.split(), *words) == 0


def script(name: str, *words: object) -> None:
    """Run a script of this folder, and end where it fails."""
    if call(HERE / name, *words):
        sys.exit(f"{name} failed")


def played(tasks: Sequence[str], out: Path, *options: object, asked: bool = True) -> list[Path]:
    """Evaluate on bundled tasks, forms in one run and websites in another; returns the run directories.

    Args:
        tasks: Their names.
        out: The folder of both runs.
        options: Of ``harness.evaluate``.
        asked: Whether a model plays, which is asked as in lessons.
    """
    runs = []
    for kind, folder in FOLDERS.items():
        names = [task for task in tasks if (folder / task).is_dir()]
        if names:
            runs.append(out / f"{out.name}-{kind}")
            chosen = [word for name in names for word in ("--task", name)]
            how = (*ASKED[kind], *PAGES) if asked else ()
            harness("evaluate", "--tasks-dir", folder, *chosen, *how, *options, "--out", runs[-1])
    return runs


def tasks_of(curriculum: str | Path, part: Literal["train", "test"]) -> list[str]:
    """The tasks of a curriculum that are learnt from, or those for tests."""
    found: list[str] = json.loads((Path(curriculum) / "tasks.json").read_text(encoding="utf-8"))[part]
    return found


@contextmanager
def served(model: str | Path) -> Iterator[tuple[str, ...]]:
    """Serve a model while the block runs; gives the options that name it to commands of the harness."""
    server = subprocess.Popen([sys.executable, HERE / "serve.py", str(model), "--port", "0"], stdout=subprocess.PIPE)
    try:
        address = server.stdout.readline().decode().strip()
        if not address:
            sys.exit(f"{model} cannot be served")
        yield "--solver", "llama", "--base-url", address, "--model", Path(model).name
    finally:
        server.terminate()
        server.wait()
