"""Pairs of a better and a worse reply to the same prompt on the same page (for preference optimisation).

A reply is judged by the fields that it was the last to write: the mean of their scores at the end of its episode. A
reply without any action is judged 0. A reply that wrote no scored field, or none that a later one did not write again,
is not judged.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.episode.library import ACTIONS
from harness.integrations.exports.chat import answer, chat_of_json, kept, pictures_of, sent, tools_of
from harness.integrations.exports.exported_runs import ExportedEpisode, ExportedRun
from harness.records.texts import named
from harness.records.turn import ERROR, Turn


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


_END = "finish"
"""Ends a model's work on a form."""
_NOT_JUDGED = "a reply that cannot be judged, since it wrote no scored field, or a later one wrote its fields again"


@dataclass(frozen=True)
class JudgedTurn:
    """A turn with its worth.

    Attributes:
        source: Its run.
        place: Its episode, see ``ExportedEpisode.place``.
        number: Its place among the turns of the episode.
        turn: The turn.
        worth: Between 0 and 1.
    """

    source: ExportedRun
    place: Mapping[str, Any]
    number: int
    turn: Turn
    worth: float

    def to_json(self) -> dict[str, Any]:
        """What an export tells of it."""
        return {
            "run": self.source.name,
            "solver": self.source.solver,
            "turn": self.number,
            "worth": self.worth,
            "actions": list(self.turn.calls),
        }


def judged(each: ExportedEpisode) -> list[JudgedTurn]:
    """The turns of an episode that can be judged, in order."""
    scores = {field.record.name: field.score.score for field in each.score.fields}
    last: dict[str, int] = {}
    for number, turn in enumerate(each.episode.turns):
        last |= dict.fromkeys(written_by(turn), number)
    found = []
    for number, turn in enumerate(each.episode.turns):
        worth = [scores[name] for name in written_by(turn) if name in scores and last[name] == number]
        if worth:
            found.append(JudgedTurn(each.source, each.place(), number, turn, sum(worth) / len(worth)))
        elif all(call.startswith(ERROR) for call in turn.calls):
            found.append(JudgedTurn(each.source, each.place(), number, turn, 0.0))
    return found


def written_by(turn: Turn) -> tuple[str, ...]:
    """The names of the fields that a turn's actions write, each once."""
    names: dict[str, None] = {}
    for text in turn.calls:
        match [] if text.startswith(ERROR) else parse(text, ACTIONS):
            case [ActionCall(name=action, args={"name": str(name)})] if action.startswith("modify_"):
                names[name] = None
    return tuple(names)


def pairs(episodes: Iterable[ExportedEpisode], out: Path | None, left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    """Every pair of replies to one prompt that differ in what they do and in worth.

    The better one may also be what episodes without a model did with the fields that a reply wrote.

    Args:
        episodes: Of one run or several.
        out: The file that the pairs go to; paths of pictures are relative to its folder.
        left_out: Told of the replies that are in no pair, by reason.

    Raises:
        NotARun: what was sent is missing from a run directory.
    """
    groups: dict[tuple[str, str, str, str], list[JudgedTurn]] = defaultdict(list)
    corrections = Corrections()
    for each in episodes:
        corrections.add(each)
        told = [found for found in judged(each) if found.turn.sent]
        if unjudged := len(each.episode.turns) - len(told):
            left_out[_NOT_JUDGED] += unjudged
        for found in told:
            groups[_observation(found)].append(found)
    for group in groups.values():
        different = _different(group)
        paired: set[int] = set()
        for first, second in combinations(different, 2):
            if first.worth != second.worth and first.turn.calls != second.turn.calls:
                better, worse = (first, second) if first.worth > second.worth else (second, first)
                paired |= {id(first), id(second)}
                yield _pair(better, worse, out)
        for each_reply in different:
            correction = _correction(each_reply, corrections)
            if correction and not any(_does(other, correction) for other in group):
                paired.add(id(each_reply))
                yield _pair(correction, each_reply, out)
        left_out.update(_why_alone(each_reply) for each_reply in different if id(each_reply) not in paired)


def _correction(found: JudgedTurn, corrections: Corrections) -> Correction | None:
    """Something better than a reply that wrote fields, and ended its work or did not: the end is kept."""
    names = written_by(found.turn)
    if not names or not _writes_alone(found.turn):
        return None
    made = corrections.of(found.place["task"], found.place["id"], names)
    if made is None or made.worth <= found.worth:
        return None
    return replace(made, calls=(*made.calls, ActionCall(_END, {}))) if found.turn.calls[-1] == f"{_END}()" else made


def _writes_alone(turn: Turn) -> bool:
    """Whether a reply did nothing but write fields by name and, in the end, end its work."""
    *before, last = turn.calls
    return all(call.startswith("modify_") for call in before) and last.startswith(("modify_", f"{_END}()"))


def _why_alone(found: JudgedTurn) -> str:
    """Why a reply is in no pair."""
    if found.worth >= 1:
        return "a right reply without a worse one to its prompt"
    if found.turn.calls and not found.turn.calls[0].startswith(ERROR) and not _writes_alone(found.turn):
        return "a reply that did more than write fields, without another to its prompt that is worth more or less"
    return (
        "a reply without another to its prompt that is worth more or less, and with no run without a model that did "
        "better with its fields (such as an oracle's: name it, too)"
    )


def _does(found: JudgedTurn, correction: Correction) -> bool:
    return found.turn.calls == tuple(map(str, correction.calls))


def _observation(found: JudgedTurn) -> tuple[str, str, str, str]:
    """Instance, page and prompt: the same for two turns whose models were told the same, whichever models they are."""
    # As it is on disk: a long text stands there by its hash.
    request = kept(found.source, found.turn.sent)
    prompt, _ = named([request["messages"], request["tools"]])
    return found.place["task"], found.place["id"], found.turn.page, prompt


def _different(group: Iterable[JudgedTurn]) -> list[JudgedTurn]:
    """The first of those that do the same."""
    first: dict[tuple[tuple[str, ...], float], JudgedTurn] = {}
    for each in group:
        first.setdefault((each.turn.calls, each.worth), each)
    return list(first.values())


def _pair(better: JudgedTurn | Correction, worse: JudgedTurn, out: Path | None) -> dict[str, Any]:
    source, place = worse.source, worse.place
    request = sent(source, worse.turn)
    chosen = answer(better.source, better.turn) if isinstance(better, JudgedTurn) else better.message(request["tools"])
    return {
        "prompt": chat_of_json(request["messages"], pictures_of(source, out)),
        **({"tools": tools_of(request["tools"])} if request["tools"] else {}),
        "chosen": [chosen],
        "rejected": [answer(source, worse.turn)],
        **{name: place[name] for name in ("task", "index", "id", "split", "held_out")},
        "identical_tasks": list(source.identical.get(place["task"], ())),
        "page": worse.turn.page,
        "better": better.to_json(),
        "worse": worse.to_json(),
    }
