"""Looking over a flat: an inspector's notes are put into a form of forty fields, most of them boxes."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made, Truth

NAME = "Looking over a flat"
OPEN = ("sure",)

FLATS = 20
ROOMS = ("kitchen", "bathroom", "bedroom", "living room", "hall")
# What may be wrong in a room, and how the notes say so.
FAULTS = {
    "damp": ("the wall is damp", "there is a wet patch", "it smells of mould"),
    "crack": ("a crack runs across the ceiling", "one tile is cracked", "the window pane has a crack"),
    "socket": ("a socket hangs loose", "one socket is dead", "the light switch sparks"),
    "draught": ("cold air comes in at the window", "the window does not close", "there is a draught"),
    "paint": ("the paint peels off", "it needs a coat of paint", "the walls are scratched"),
    "floor": ("a floorboard creaks badly", "the floor is uneven", "there is a hole in the carpet"),
}
KEPT = {
    "smoke-alarm": "a smoke alarm",
    "lift": "a lift",
    "balcony": "a balcony",
    "cellar": "a cellar",
    "bicycle-room": "a room for bicycles",
}
STATES = ("poor", "fair", "good")


@dataclass(frozen=True)
class Flat:
    """A flat: its faults as room and fault, and what belongs to it."""

    faults: frozenset[tuple[str, str]]
    has: frozenset[str]
    floor: int
    size: int
    keys: int


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: boxes are forgotten now and then, most often far down the form."""
    return [_instance(crowd, number) for number in range(1, FLATS + 1)]


def _instance(crowd: Crowd, number: int) -> Made:
    rng = crowd.rng
    every = [(room, fault) for room in ROOMS for fault in FAULTS]
    flat = Flat(
        frozenset(rng.sample(every, rng.randint(4, 10))),
        frozenset(name for name in KEPT if rng.random() < 0.5),
        rng.randint(1, 7),
        rng.randint(28, 110),
        rng.randint(2, 6),
    )
    state = STATES[2 if len(flat.faults) < 6 else 1 if len(flat.faults) < 9 else 0]
    truth: dict[str, Truth] = {
        f"{room.replace(' ', '-')}_{fault}": "on" if (room, fault) in flat.faults else "" for room, fault in every
    }
    truth |= {name: "on" if name in flat.has else "" for name in KEPT}
    truth |= {"floor": str(flat.floor), "size": str(flat.size), "keys": str(flat.keys), "state": state}

    def answers(worker: Worker) -> dict[str, str]:
        given = {}
        for place, (name, right) in enumerate(truth.items()):
            if name in ("floor", "size", "keys", "state"):
                continue
            wrong = worker.errs(0.1 + 0.004 * place if right else 0.02)
            given[name] = "on" if bool(right) != wrong else ""
        ticked = sum(given[f"{room.replace(' ', '-')}_{fault}"] == "on" for room, fault in every)
        return given | {
            "floor": str(max(0, flat.floor + (worker.pick((-1, 1)) if worker.errs(0.1) else 0))),
            "size": str(flat.size) if not worker.errs(0.1) else str(flat.size)[::-1].lstrip("0"),
            "keys": str(flat.keys) if not worker.errs(0.1) else str(flat.keys + 1),
            # Who has ticked fewer faults thinks better of the flat.
            "state": worker.choose_near(STATES[2 if ticked < 6 else 1 if ticked < 9 else 0], STATES, 0.2),
            "sure": worker.choose_near("4", ("1", "2", "3", "4", "5"), 0.5),
        }

    return crowd.made({"number": f"{300 + 7 * number}", "notes": _notes(flat, rng)}, answers, truth)


def _notes(flat: Flat, rng: random.Random) -> str:
    parts = [f"Flat on floor {flat.floor}, {flat.size} square metres. {flat.keys} keys handed over."]
    for room in rng.sample(ROOMS, len(ROOMS)):
        said = [rng.choice(FAULTS[fault]) for fault in FAULTS if (room, fault) in flat.faults]
        rng.shuffle(said)
        parts.append(f"{room.capitalize()}: {', and '.join(said) if said else 'nothing to complain about'}.")
    there = [KEPT[name] for name in KEPT if name in flat.has]
    missing = [KEPT[name] for name in KEPT if name not in flat.has]
    if there:
        parts.append(f"There is {', '.join(there)}.")
    if missing:
        parts.append(f"No trace of {' or '.join(missing)}.")
    return " ".join(parts)
