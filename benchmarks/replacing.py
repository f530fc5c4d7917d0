"""How often the answer "may it replace a worker?" is wrong, on made tasks of which the truth is known.

A made agent is worse than a worker by exactly as much as is allowed: each yes is then a false one. Another is as good
as a worker: each yes is right. docs/replacing.md shows and explains the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from harness.analysis.replacement.answers import AnsweredField, AnsweredItem, answered_field
from harness.analysis.replacement.decisions import WorkerNames, field_decisions
from harness.analysis.replacement.routing import route
from harness.analysis.replacement.sequential import looks_up_to, spent_levels
from harness.records.episode import FieldRecord
from harness.scoring.metrics import PROFILES

TASKS = 200
"""Made tasks of each row."""
EPSILON = 0.1
REDRAWS = 200
_PROFILE = PROFILES["standard"]
_CALIBRATION = 4_000
Random = np.random.Generator
Field = Callable[[Random, float, int], tuple[str, tuple[str, ...], list[str], str]]
"""From chance, how good the agent is and the number of workers: kind, options, labels, and what the agent sent."""


@dataclass(frozen=True)
class MadeTask:
    """A shape of tasks.

    Attributes:
        field: Makes the answers to a field.
        fields: Fields of an item.
        workers: Workers of an item.
        worst: How good the worst agent is.
        equal: How good an agent is that does as a worker does.
    """

    field: Field
    fields: int
    workers: int
    worst: float
    equal: float


def _choice(
    options: tuple[str, ...], worker: float, random: Random, agent: float, workers: int
) -> tuple[str, tuple[str, ...], list[str], str]:
    truth = options[random.integers(len(options))]

    def answer(right: float) -> str:
        return truth if random.random() < right else options[random.integers(len(options))]

    return "radio", options, [answer(worker) for _ in range(workers)], answer(agent)


def _number(worker: float, random: Random, agent: float, workers: int) -> tuple[str, tuple[str, ...], list[str], str]:
    truth = random.uniform(20, 80)

    def answer(spread: float) -> str:
        return str(round(float(np.clip(random.normal(truth, spread), 0, 100))))

    return "range", ("0", "100"), [answer(worker) for _ in range(workers)], answer(worker + 40 * (1 - agent))


def _text(worker: float, random: Random, agent: float, workers: int) -> tuple[str, tuple[str, ...], list[str], str]:
    truth = [f"word{number}" for number in random.integers(1000, size=4)]

    def answer(right: float) -> str:
        return " ".join(word if random.random() < right else f"word{random.integers(1000)}" for word in truth)

    return "text", (), [answer(worker) for _ in range(workers)], answer(agent)


SHAPES: Mapping[str, MadeTask] = {
    "one choice of three, 3 workers": MadeTask(partial(_choice, ("a", "b", "c"), 0.8), 1, 3, 0.0, 0.8),
    "five of yes or no, 5 workers": MadeTask(partial(_choice, ("yes", "no"), 0.9), 5, 5, 0.0, 0.9),
    "a slider, 3 workers": MadeTask(partial(_number, 8.0), 1, 3, 0.0, 1.0),
    "a short text, 4 workers": MadeTask(partial(_text, 0.8), 1, 4, 0.0, 0.8),
}


def measure() -> Iterator[list[list[str]]]:
    """The tables: one look at made tasks; several looks; worker ids; routing."""
    yield list(_one_look())
    yield list(_several_looks())
    yield list(_with_ids())
    yield list(_routing())


def made_items(shape: MadeTask, agent: float, count: int, random: Random) -> list[AnsweredItem]:
    """Items of a made task."""
    return [
        _item(number, [_field(shape, f"q{place}", agent, random) for place in range(shape.fields)], shape.workers)
        for number in range(count)
    ]


def _field(shape: MadeTask, name: str, agent: float, random: Random) -> AnsweredField:
    kind, options, labels, sent = shape.field(random, agent, shape.workers)
    record = FieldRecord(name, kind, options, tuple(labels), "scored", True, True, (sent,), (), ())
    score = _PROFILE.score_field(kind, options, record.labels, record.sent)
    return answered_field(_PROFILE, record, range(shape.workers), score)


def _item(number: int, fields: Sequence[AnsweredField], workers: int) -> AnsweredItem:
    return AnsweredItem("Made", number, str(number), Path(), tuple(fields), workers, workers, {}, None, 0.0)


def as_bad_as_allowed(shape: MadeTask, by: Callable[[AnsweredField], float]) -> float:
    """How good an agent is that is worse than a worker by just as much as is allowed."""
    low, high = shape.worst, shape.equal
    for _ in range(9):
        middle = (low + high) / 2
        random = np.random.default_rng(7)
        mean = np.mean([by(_field(shape, "q", middle, random)) for _ in range(_CALIBRATION)])
        low, high = (middle, high) if mean < -EPSILON else (low, middle)
    return low  # on the side of an agent that is a little worse


def _in_score(field: AnsweredField) -> float:
    return field.beside_crowd or 0.0


def _in_wins(field: AnsweredField) -> float:
    return float(np.mean([float(pair.agent >= pair.worker) - float(pair.worker >= pair.agent) for pair in field.pairs]))


def _one_look() -> Iterator[list[str]]:
    yield ["one look: shape", "items", "false yes, %", "yes if as good, %", "no if worst, %"]
    for name, shape in SHAPES.items():
        bad = as_bad_as_allowed(shape, _in_score)
        for count in (30, 100):
            cells = []
            for agent, wanted in ((bad, "yes"), (shape.equal, "yes"), (shape.worst, "no")):
                random = np.random.default_rng(count)
                told = [
                    [
                        each.answer == wanted
                        for each in field_decisions(made_items(shape, agent, count, random), {}, EPSILON)
                    ]
                    for _ in range(TASKS)
                ]
                # Of a task any false yes counts; what is right is counted by field.
                cells.append(f"{100 * (np.mean([any(each) for each in told]) if agent == bad else np.mean(told)):.1f}")
            yield [name, str(count), *cells]


def _several_looks() -> Iterator[list[str]]:
    yield ["looks at 10, 20 ... 160: shape", "agent", "yes, %", "no, %", "items on average"]
    sizes = looks_up_to(160, 10)
    levels = spent_levels(sizes, 0.05)
    for name in ("one choice of three, 3 workers", "five of yes or no, 5 workers"):
        shape = SHAPES[name]
        for whose, agent in (
            ("just too bad", as_bad_as_allowed(shape, _in_score)),
            ("as good", shape.equal),
            ("worst", shape.worst),
        ):
            random = np.random.default_rng(3)
            yes = no = items_used = 0
            for _ in range(TASKS):
                items = made_items(shape, agent, sizes[-1], random)
                made: dict[str, str] = {}
                for size, level in zip(sizes, levels, strict=True):
                    for each in field_decisions(items[:size], {}, EPSILON, level):
                        if each.answer != "not yet known":
                            made.setdefault(each.name, each.answer)
                    if len(made) == shape.fields:
                        break
                items_used += size
                yes += "yes" in made.values()
                no += "no" in made.values()
            yield [name, whose, f"{100 * yes / TASKS:.1f}", f"{100 * no / TASKS:.1f}", f"{items_used / TASKS:.0f}"]


def _with_ids() -> Iterator[list[str]]:
    yield ["worker ids, 6 workers: items", "agent", "yes, %", "by Student's test, %", "no, %"]
    shape = MadeTask(partial(_choice, ("a", "b", "c"), 0.8), 1, 6, 0.0, 0.8)
    for count in (30, 60, 120):
        names: WorkerNames = {("Made", str(number)): [f"w{row}" for row in range(6)] for number in range(count)}
        for whose, agent in (
            ("just too bad", as_bad_as_allowed(shape, _in_wins)),
            ("as good", shape.equal),
            ("worst", shape.worst),
        ):
            random = np.random.default_rng(count)
            found = [field_decisions(made_items(shape, agent, count, random), names, EPSILON)[0] for _ in range(TASKS)]
            student = [each.annotators is not None and each.annotators.winning_rate_student >= 0.5 for each in found]
            shares = ([each.answer == "yes" for each in found], student, [each.answer == "no" for each in found])
            yield [str(count), whose, *(f"{100 * np.mean(share):.1f}" for share in shares)]


def _routing() -> Iterator[list[str]]:
    yield ["routing, error wanted 10 %: signals", "labels", "error above, %", "to people, %", "error by lot, %"]
    for name, signals, strength in (("one strong", 1, 2.0), ("three weak", 3, 0.5), ("six that say nothing", 6, 0.0)):
        for count in (60, 200):
            random = np.random.default_rng(count)
            above = people = lot = 0.0
            for _ in range(REDRAWS):
                items, wrong = _signalled(signals, strength, count, random)
                found = route(items, 0.1)
                assert found is not None
                kept = [item.index for item in found.to_agent if item.index >= count]
                others = len(items) - count
                above += wrong[kept].sum() / others > 0.1
                people += 1 - len(kept) / others
                lot += wrong[count:].mean() * len(kept) / others
            yield [name, str(count), *(f"{100 * each / REDRAWS:.1f}" for each in (above, people, lot))]


def _signalled(
    signals: int, strength: float, count: int, random: Random
) -> tuple[list[AnsweredItem], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Items with signals, the first of them with labels; and which answers are wrong."""
    size = count + 1_000
    values = random.normal(size=(size, signals))
    chance = 1 / (1 + np.exp(2.0 - strength * values.sum(axis=1) / signals**0.5))
    wrong = (random.random(size) < chance).astype(np.float64)
    items = []
    for number in range(size):
        known = number < count
        field = AnsweredField("q", "radio", (), (), (), 1 - wrong[number] if known else None, 1.0 if known else None)
        told = {f"signal {place}": float(np.exp(values[number, place])) for place in range(signals)}
        items.append(AnsweredItem("Made", number, str(number), Path(), (field,), 3, 3, told, None, 0.0))
    return items, wrong


if __name__ == "__main__":
    from harness.kit.text.tables import aligned

    for table in measure():
        print(aligned(table), flush=True)
        print(flush=True)
