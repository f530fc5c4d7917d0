"""Run directories with turns, made in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.actions.call import ActionCall, ActionError
from harness.actions.parser import parse
from harness.actions.result import ActionResult, ErrorCode, Step
from harness.episode.library import ACTIONS
from harness.episode.trajectory import Trajectory
from harness.models.client import Exchange
from harness.models.messages import Reply, Request
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.turn import turn_of
from tests.samples import episode, record, run_record, submission

LABELS = {"a": "yes", "b": "LABEL-B"}
"""Field -> the only right answer."""


def played(
    exchanges: Sequence[tuple[Request, Reply]],
    *,
    index: int = 0,
    split: str = "train",
    cost: float | None = 0.25,
    page: str = "p" * 64,
    refused: bool = False,
) -> tuple[Trajectory, Episode]:
    """An episode of a form with the two fields of ``LABELS``: what was said, and that it was done.

    Args:
        exchanges: What was asked and answered.
        index: Of the instance.
        split: Of the task.
        cost: Of each turn.
        page: Digest of the page, at each turn.
        refused: Whether its actions fail.
    """
    act = Trajectory(Limits(100, 1000.0))
    sent: dict[str, tuple[str, ...]] = {}
    for request, reply in exchanges:
        with turn_of(act, request, Exchange(reply=reply, usage=reply.usage, cost=cost, ms=12.5), page=page) as turn:
            found = parse(reply.text, ACTIONS)
            turn.read(*found)
            for call in found:
                if isinstance(call, ActionError):
                    continue
                assert isinstance(call, ActionCall)
                code = ErrorCode.NOT_TAKEN if refused else None
                act.steps.append(Step.of(call, ActionResult(ok=not refused, message="m", ms=1.0, code=code)))
                sent[str(call.args["name"])] = (str(call.args["value"]),)
    fields = [record(name, labels=(label,), sent=sent.get(name, ())) for name, label in LABELS.items()]
    made = episode(
        *fields,
        index=index,
        id=f"{index:012x}",
        split=split,
        submission=submission(**sent),
        steps=tuple(act.steps),
        turns=tuple(act.turns),
        timing={"open": 5.0, "wait": 7.0},
        messages={"messages": 3, "waits": 2},
    )
    return act, made


def write_run(
    folder: Path, *episodes: tuple[Trajectory, Episode], solver: str = "m", identical: Sequence[Sequence[str]] = ()
) -> Path:
    """A run directory with these episodes; gives its folder."""
    run = RunDirectory(folder)
    run.write(run_record(config=RunConfig(solver, folder), identical_tasks=tuple(map(tuple, identical))))
    for act, made in episodes:
        run.add(made, act.images, act.texts)
    return folder
