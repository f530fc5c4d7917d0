"""Better actions for a model's reply, from episodes without a model, such as the oracle's, on the same instance.

An action that writes a field by its name is right wherever on the page one stands: it needs no prompt of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.episode.library import ACTIONS
from harness.integrations.exports.exported_runs import ExportedEpisode


@dataclass(frozen=True)
class Correction:
    """What episodes did to write a reply's fields.

    Attributes:
        run: The name of the run, of the first field's.
        solver: Who played.
        calls: The actions, in order.
        worth: The mean of the fields' scores.
    """

    run: str
    solver: str
    calls: tuple[ActionCall, ...]
    worth: float

    def message(self, tools: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The actions as a model's reply: calls of tools if there are any, else text."""
        if not tools:
            return {"role": "assistant", "content": "\n".join(map(str, self.calls))}
        made = [
            {
                "id": f"call{number}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(dict(call.args), ensure_ascii=False)},
            }
            for number, call in enumerate(self.calls, start=1)
        ]
        return {"role": "assistant", "content": "", "tool_calls": made}

    def to_json(self) -> dict[str, Any]:
        """What an export tells of it; it belongs to no turn."""
        actions = [str(call) for call in self.calls]
        return {"run": self.run, "solver": self.solver, "turn": None, "worth": self.worth, "actions": actions}


class Corrections:
    """The best that episodes without a model did with each field."""

    def __init__(self) -> None:
        self._best: dict[tuple[str, str, str], Correction] = {}

    def add(self, each: ExportedEpisode) -> None:
        """Take in an episode; one with turns is not looked at."""
        if each.episode.turns:
            return
        scores = {field.record.name: field.score.score for field in each.score.fields}
        calls: dict[str, list[ActionCall]] = {}
        for step in each.episode.steps:
            for call in parse(step.action, ACTIONS) if step.ok else ():
                if isinstance(call, ActionCall) and call.name.startswith("modify_"):
                    calls.setdefault(str(call.args["name"]), []).append(call)
        for name in scores.keys() & calls.keys():
            place = (each.episode.task, each.episode.id, name)
            made = Correction(each.source.name, each.source.solver, tuple(calls[name]), scores[name])
            if place not in self._best or made.worth > self._best[place].worth:
                self._best[place] = made

    def of(self, task: str, id_: str, fields: Sequence[str]) -> Correction | None:
        """The best that was done with some fields of an instance; None if one of them was never written."""
        made = [self._best[task, id_, name] for name in fields if (task, id_, name) in self._best]
        if not made or len(made) < len(fields):
            return None
        calls = tuple(call for each in made for call in each.calls)
        return Correction(made[0].run, made[0].solver, calls, sum(each.worth for each in made) / len(made))
