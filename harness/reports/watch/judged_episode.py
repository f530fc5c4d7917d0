"""What judges said of an episode, as its page says it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.text import shorten
from harness.scoring.judges.saved_judgements import judged_folders, judges_beside

_LONGEST_REPLY = 600


@dataclass(frozen=True)
class JudgementView:
    """What one judge said of an episode.

    Attributes:
        judge: Its name, with the repeat if it judged more than once.
        verdict: Its verdict, and of a failure the kind, if it was asked; where there is none, ``unread``.
        why: Its words, or why there is no verdict; shortened.
    """

    judge: str
    verdict: str
    why: str


def judgements_of(run: Path, task: str, index: int) -> tuple[JudgementView, ...]:
    """What judges said of an episode, judge by judge; what cannot be read says so.

    Args:
        run: The run directory.
        task: The task.
        index: The instance's place in its table.
    """
    return tuple(_each(run, task, index))


def _each(run: Path, task: str, index: int) -> Iterator[JudgementView]:
    for kept in judged_folders(judges_beside(run)):
        try:
            judge, said = kept.judge(), kept.judgement(task, index)
        except UserError as error:
            yield JudgementView(kept.folder.parent.name, "cannot be read", shorten(str(error), _LONGEST_REPLY))
            continue
        if said:
            name = judge.name + (f", repeat {judge.repeat}" if judge.repeat > 1 else "")
            why = said.why or said.reply.strip()
            kind = f": {said.failure.kind.replace('_', ' ')}" if said.failure and said.failure.kind else ""
            yield JudgementView(name, (said.outcome or "unread") + kind, shorten(why, _LONGEST_REPLY))
