"""Examples to learn from: what was sent to a model and the reply that was right (supervised fine-tuning)."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from harness.actions.result import Step
from harness.integrations.exports.chat import answer, chat_of_json, pictures_of, sent, tools_of
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.records.turn import ERROR, Turn


class Spool:
    """A context: rows by place, kept on disk until they are all there."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Spool:
        return self

    def put(self, place: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep the rows of a place."""
        self._file(place).write_text(json.dumps(list(rows)), encoding="utf-8")

    def rows(self, places: Iterable[int]) -> Iterator[dict[str, Any]]:
        """The rows of these places, as far as there are any."""
        for place in places:
            file = self._file(place)
            if file.exists():
                yield from json.loads(file.read_text(encoding="utf-8"))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def _file(self, place: int) -> Path:
        return Path(self._folder.name) / f"{place}.json"


def why_not(turn: Turn, steps: tuple[Step, ...]) -> str:
    """Why a turn is no example to learn from, in words; empty if it is one."""
    first, after = turn.steps
    if not turn.sent:
        return "the request was not kept"
    if any(call.startswith(ERROR) for call in turn.calls):
        return "a part of the reply was no action"
    if not turn.calls:
        return "the reply held no action"
    if not all(step.ok for step in steps[first:after]):
        return "an action did not do what was asked"
    return ""


def examples(episodes: Iterable[ExportedEpisode], out: Path | None, left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    """An example for each turn that can be learnt from.

    Args:
        episodes: With turns; of others nothing is made here.
        out: The file that the examples go to; paths of pictures are relative to its folder.
        left_out: Counts the turns that are no examples, by reason.

    Raises:
        NotARun: what was sent is missing from a run directory.
    """
    for each in episodes:
        picture = pictures_of(each.source, out)
        for number, turn in enumerate(each.episode.turns):
            if reason := why_not(turn, each.episode.steps):
                left_out[reason] += 1
                continue
            request = sent(each.source, turn)
            yield {
                "messages": [*chat_of_json(request["messages"], picture), answer(each.source, turn)],
                **({"tools": tools_of(request["tools"])} if request["tools"] else {}),
                **where(each, turn=number, page=turn.page),
            }


def where(each: ExportedEpisode, **more: Any) -> dict[str, Any]:
    """What an example is accompanied by, so that it can be found again and left out of training."""
    return {
        **each.place(),
        "identical_tasks": list(each.source.identical.get(each.episode.task, ())),
        "score": each.score.score,
        **more,
    }
