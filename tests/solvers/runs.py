"""Whole runs of a scripted model: a solver that is found by its dotted path, behind the real accounts and cache."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness.cli.commands.evaluate import main
from harness.episode.solver import Setup
from harness.kit.options import filled, given
from harness.models.accounts import DiskAccounts
from harness.models.cost import Price, TokenRates
from harness.models.ledger import SpendingLimits
from harness.models.messages import Reply, Request, Usage
from harness.models.presets import Preset
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for
from harness.records.directory import RunDirectory
from harness.solvers.models.model import ModelSolver
from harness.solvers.solver_options import ModelOptions
from tests.task_folders import csv_text, make_task

PRICE = Price(TokenRates(Decimal(10), Decimal(30)))
USAGE = Usage(input_tokens=1_000, output_tokens=100)
"""Of every reply: 1.3 cents."""


class ScriptedClient:
    """Fills in whatever it is asked about, and notes each call in the file that ``SCRIPTED_CALLS`` names."""

    def complete(self, request: Request, *, timeout: float) -> Reply:  # noqa: ARG002
        with Path(os.environ["SCRIPTED_CALLS"]).open("a", encoding="utf-8") as file:
            file.write(f"{request.key()}\n")
        if sign := os.environ.get("SCRIPTED_KILL"):
            _die_once(Path(sign))
        model = os.environ.get("SCRIPTED_MODEL", "")
        thought = os.environ.get("SCRIPTED_THOUGHT", "")
        last = request.messages[-1].text
        field = last.rpartition("The name of the field: ")[2].strip()
        if "The name of the field: " in last:
            return Reply(f"{thought}modify_text({field}, 'filled')", usage=USAGE, model=model)
        if last.startswith("Input: "):
            field = last.partition("\n")[0].removeprefix("Input: ")
            return Reply(f"{thought}self.actions.modify_text({field!r}, 'filled')", usage=USAGE, model=model)
        if len(request.messages) > 2:
            return Reply(f"{thought}finish()", usage=USAGE, model=model)
        names = last.partition("by name:\n")[2].splitlines()
        return Reply(thought + "\n".join(f"modify_text({name}, 'filled')" for name in names), usage=USAGE, model=model)


def _die_once(sign: Path) -> None:
    """Kill the worker in its second call, as a machine that goes off would."""
    if len(calls()) == 2 and not sign.exists():
        sign.touch()
        os.kill(os.getpid(), signal.SIGKILL)


class Scripted(ModelSolver):
    """A preset whose model is a script."""

    @classmethod
    def find_preset(cls, name: str, options: ModelOptions) -> Preset:  # noqa: ARG003
        usual = {"encoding": "text", "demos": 0, "prompts": "harness", "retired_anyway": True}
        return replace(super().find_preset("gpt4-text", filled(options, {**usual, **given(options)})), retirement=None)

    @classmethod
    def asks(cls, name: str, options: Mapping[str, Any]) -> None:
        """Nobody beyond this process."""

    @classmethod
    def make_service(cls, setup: Setup, preset: Preset) -> ModelService:
        options: ModelOptions = setup.options
        accounts = setup.accounts or DiskAccounts(setup.folder, Path(options.cache) if options.cache else None)
        return ModelService(
            ScriptedClient,
            price=PRICE,
            tokens=tokens_for(preset.model),
            ledger=accounts.ledger(),
            cache=accounts.replies("scripted"),
            limits=SpendingLimits(
                None if options.max_cost is None else Decimal(str(options.max_cost)), options.max_tokens
            ),
        )


def make_pages(folder: Path, count: int) -> None:
    """The task "Text" with so many pages of two fields, each labelled with what the script fills in."""
    rows = [[f"text {number}", "filled", "filled"] for number in range(count)]
    page = "<p>${text}</p><input name=a><input name=b>"
    make_task(folder, "Text", template=page, table=csv_text(["text", "Answer.a", "Answer.b"], *rows))


def as_a_user(patch: pytest.MonkeyPatch, cache: Path) -> None:
    """What a user of a model on a server of their own has: a cache, a key, and no proxy."""
    patch.setenv("XDG_CACHE_HOME", str(cache))
    patch.setenv("OPENAI_API_KEY", "sk-test")
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        patch.delenv(name, raising=False)
        patch.delenv(name.upper(), raising=False)


SCRIPTED = f"{__name__}:{Scripted.__name__}"


def evaluate(tasks: Path, out: Path, *more: str, solver: str = SCRIPTED) -> tuple[int, RunDirectory]:
    arguments = ["--tasks-dir", str(tasks), "--out", str(out), "--solver", solver, "--progress", "quiet"]
    return main([*arguments, "--workers", "1", *more]), RunDirectory(out)


def calls() -> list[str]:
    """The keys of the requests that reached the model."""
    file = Path(os.environ["SCRIPTED_CALLS"])
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []
