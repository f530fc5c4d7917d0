"""Making a recording: each step of the plan in a process of its own, and its output in a file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from benchmarks.golden import mistakes
from benchmarks.golden.model import ScriptedModel
from benchmarks.golden.plan import Step
from benchmarks.golden.volatile import EPISODE, PORT, RUN, still
from harness.kit.files.writing import CACHE_NAME

CHECKOUT = Path(__file__).resolve().parents[2]
FACTS = "golden.json"
_SHARED_CACHES = ("mirror", "tiktoken")
"""What commands of the user have put into the cache, and no run changes."""

_LIMIT_S = 7200


@dataclass(frozen=True)
class Recorder:
    """One recording that is being made.

    Attributes:
        out: Its folder.
        tasks: The folder of the real tasks.
        workers: Browsers, or commands without one, at a time.
        model: Address of the scripted model.
    """

    out: Path
    tasks: Path
    workers: int
    model: str

    def play(self, step: Step) -> None:
        """Do a step, write its output, and say on standard output how long it took."""
        command = [sys.executable, *(self._filled(word, step.name) for word in step.words)]
        (self.out / "files" / step.name).mkdir(parents=True, exist_ok=True)
        begun = monotonic()
        done = subprocess.run(
            command,
            cwd=CHECKOUT,
            env=_environment(self.out / "cache"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
        record = {"command": command, "exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr}
        write_json(self.out / "outputs" / f"{step.name}.json", record)
        if step.run:
            make_still(self.out / "runs" / step.run, self.out / "still" / step.run)
        print(f"{step.name}: exit code {done.returncode}, {monotonic() - begun:.1f} s", flush=True)

    def _filled(self, word: str, step: str) -> str:
        values = {
            "{out}": self.out,
            "{runs}": self.out / "still",
            "{never}": self.out / "never" / step,
            "{inputs}": self.out / "inputs",
            "{tasks}": self.tasks,
            "{model}": self.model,
            "{workers}": self.workers,
        }
        for name, value in values.items():
            word = word.replace(name, str(value))
        return word


def record(out: Path, steps: Iterable[Step], tasks: Path, workers: int) -> None:
    """Do all steps.

    Args:
        out: The recording's folder: does not exist, or is empty.
        steps: In an order in which each finds what it needs.
        tasks: The folder of the real tasks.
        workers: Browsers, or commands without one, at a time.
    """
    _prepare(out, tasks)
    with ScriptedModel() as model, ThreadPoolExecutor(workers) as pool:
        recorder = Recorder(out, tasks, workers, model.url)
        light = []
        for step in steps:
            if step.browser:
                recorder.play(step)
            else:
                light.append(step)
        for _ in pool.map(recorder.play, light):
            pass


def make_still(run: Path, to: Path) -> None:
    """Copy a run with constant times, and a constant port of the scripted model, for commands to read.

    Args:
        run: A run directory; nothing is done if it holds no run.
        to: The copy. Texts and pictures are those of the run, by a link.
    """
    if not (run / "run.json").is_file():
        return
    write_json(to / "run.json", json.loads(PORT.sub("1", json.dumps(still(read_json(run / "run.json"), RUN)))))
    for file in sorted((run / "episodes").glob("*/*.json")):
        write_json(to / file.relative_to(run), still(read_json(file), EPISODE))
    for name in ("texts", "images"):
        if (run / name).is_dir():
            (to / name).symlink_to(run / name)
    if (run / "demos.json").is_file():
        shutil.copy(run / "demos.json", to / "demos.json")


def read_json(file: Path) -> object:
    """The content of a JSON file."""
    return json.loads(file.read_text(encoding="utf-8"))


def write_json(file: Path, value: object) -> None:
    """Write a JSON file; its folder is made as needed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, ensure_ascii=True, indent=1) + "\n", encoding="utf-8")


def _prepare(out: Path, tasks: Path) -> None:
    for name in ("outputs", "runs", "still", "files"):
        (out / name).mkdir(parents=True, exist_ok=True)
    mistakes.write_inputs(out / "inputs")
    users = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / CACHE_NAME
    ours = out / "cache" / CACHE_NAME
    ours.mkdir(parents=True)
    for name in _SHARED_CACHES:
        if (users / name).is_dir():
            (ours / name).symlink_to(users / name)
    facts = {
        "out": str(out),
        "checkout": str(CHECKOUT),
        "tasks": str(tasks),
        "python": sys.executable,
        "revision": _git("rev-parse", "HEAD"),
        "changed_files": _git("status", "--porcelain").splitlines(),
    }
    write_json(out / FACTS, facts)


def _environment(cache: Path) -> dict[str, str]:
    """The user's, without keys, with a cache of the recording's own and a fixed width of the terminal."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_TOKEN"))}
    fixed = {"XDG_CACHE_HOME": str(cache), "COLUMNS": "120", "LINES": "40", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return {**kept, **fixed}


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(CHECKOUT), *words], capture_output=True, text=True, check=False)
    return done.stdout.rstrip("\n")
