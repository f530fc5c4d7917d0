"""Rejection sampling: a model plays the training tasks several times, and learns from what went well.

Only tasks that the curriculum learns from are played. Episodes with the score that is asked for become lessons, in the
model's own words; nothing is trained where there are none. After AutoWebGLM, section 2.4.3.

    python examples/training/rejection.py examples/training/rejection.toml base=model-dpo curriculum=lessons
"""

from __future__ import annotations

import sys
from pathlib import Path

from training_commands import HERE, harness, played, script, served, tasks_of
from training_settings import settings_of


def main() -> None:
    """Play, keep what went well, and train."""
    settings = settings_of(sys.argv[1:])
    curriculum, out = Path(settings["curriculum"]), Path(settings["out"])
    play = ["--temperature", settings["temperature"], "--max-instances", settings["instances"], *settings["play"]]
    runs = []
    with served(settings["base"]) as model:
        for seed in range(settings["tries"]):
            tasks, place = tasks_of(curriculum, "train"), out / "tries" / f"try-{seed}"
            runs += played(tasks, place, *model, *play, "--solver-seed", seed)
    # The division of the first curriculum holds here too: what it keeps for tests is never learnt.
    divided = ["--division", curriculum / "tasks.json", "--curriculum", out / "lessons"]
    if not harness("export runs", *runs, "--min-score", settings["min_score"], *divided):
        print(f"no episode has a score of {settings['min_score']}: nothing to learn from, and no new model")
        return
    stages = [each.parent.name for each in sorted((out / "lessons").glob("*/train.jsonl"), reverse=True)]
    passed = [f"{name}={value}" for name, value in settings["sft"].items()]
    trained = [f"base={settings['base']}", f"curriculum={out / 'lessons'}", f"out={out / 'model'}", f"stages={stages}"]
    script("sft.py", HERE / "sft.toml", *trained, *passed)


if __name__ == "__main__":
    main()
