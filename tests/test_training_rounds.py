"""Preference and rejection rounds from given weights (``demo.py`` with ``rounds.toml``): who is called with what."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.checkout import PROJECT

FOLDER = PROJECT / "examples" / "training"


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(FOLDER))
    yield import_module("demo")
    for name in ("demo", "training_commands", "training_settings"):
        sys.modules.pop(name, None)


def test_rounds_sample_the_given_weights_on_the_given_lessons_and_go_on_from_preferences(
    demo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []

    def call(name: str, *words: object) -> bool:
        called.append([name, *map(str, words)])
        return True

    @contextmanager
    def served(model: Path) -> Iterator[tuple[str, ...]]:
        yield "--solver", "llama", "--base-url", "http://127.0.0.1:1", "--model", str(model)

    for name, stand_in in {"harness": call, "script": call, "served": served}.items():
        monkeypatch.setattr(demo, name, stand_in)
    given = [f"out={tmp_path / 'out'}", "base=sft", "lessons=mine"]
    made = demo.Round(demo.settings_of([str(FOLDER / "rounds.toml"), *given]))
    left = [step for step in demo.STEPS if step.__name__ not in made.set["without"]]
    assert [step.__name__ for step in left] == ["pairs", "preference", "rejection", "before", "after", "report"]
    for step in left[:3]:
        step(made, tmp_path / step.__name__)
    pairs, preference, rejection = called
    assert pairs[:2] == ["export pairs", "mine/complex/train.jsonl"]
    assert pairs[pairs.index("--model") + 1] == "sft"
    assert pairs[pairs.index("--samples") + 1] == "20"
    assert (preference[0], preference[2]) == ("preference.py", "base=sft")
    assert rejection[0] == "rejection.py"
    assert {f"base={tmp_path / 'out' / 'preference'}", "curriculum=mine"} <= set(rejection)
