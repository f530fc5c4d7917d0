"""A scripted model whose calls wait for a sign, so that a run is met in its midst on every node that plays it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from harness.episode.solver import Setup
from harness.models.accounts import DiskAccounts
from harness.models.messages import Reply, Request
from harness.models.presets import Preset
from harness.models.service import ModelService
from harness.models.tokens.counting import tokens_for
from tests.solvers.runs import PRICE, Scripted, ScriptedClient, calls

FREE_CALLS = 3
"""Calls that are answered before all wait."""
HOLD, WAITING = "FAR_HOLD", "FAR_WAITING"
"""The variables that name the sign, and the file with a line for each that waits: its process and those above."""


class HeldClient(ScriptedClient):
    """Answers when it may."""

    def complete(self, request: Request, *, timeout: float) -> Reply:
        sign = Path(os.environ[HOLD])
        if len(calls()) >= FREE_CALLS and not sign.exists():
            with Path(os.environ[WAITING]).open("a", encoding="ascii") as file:
                file.write(" ".join(map(str, _ancestors())) + "\n")
            while not sign.exists():
                time.sleep(0.05)  # the test gives the sign, and nothing here tells of it
        return super().complete(request, timeout=timeout)


class Far(Scripted):
    """A solver whose model is held."""

    @classmethod
    def make_service(cls, setup: Setup, preset: Preset) -> ModelService:
        accounts = setup.accounts or DiskAccounts(setup.folder)
        return ModelService(
            HeldClient,
            price=PRICE,
            tokens=tokens_for(preset.model),
            ledger=accounts.ledger(),
            cache=accounts.replies("held"),
        )


def waiting() -> list[list[int]]:
    """For each call that waits, or did: its process and those above it."""
    file = Path(os.environ[WAITING])
    return [[int(pid) for pid in line.split()] for line in file.read_text().splitlines()] if file.exists() else []


def _ancestors() -> list[int]:
    found = [os.getpid()]
    while found[-1] > 1:
        found.append(int(Path(f"/proc/{found[-1]}/stat").read_text().rpartition(")")[2].split()[1]))
    return found
