"""Spoken messages: announcements put together from spoken parts, with noise; nothing of them stands in the page."""

from __future__ import annotations

import json
import random
import wave
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined
from tasks._generator.raster.film import scatter
from tasks._generator.sound import wav

NAME = "Spoken messages"
OPEN = ("transcript", "replayed")

MESSAGES = 20
_SPEECH = Path(__file__).parent / "speech.wav"
_PARTS = json.loads((Path(__file__).parent / "speech.json").read_text(encoding="utf-8"))
_KINDS = {
    "is late. Minutes:": "late",
    "has a new platform:": "new platform",
    "is cut short. Coaches:": "fewer coaches",
    "is cancelled. Take number": "cancelled",
}
VEHICLES = ("train", "bus", "ferry")
PLACES = tuple(name.removeprefix("place: ") for name in _PARTS if name.startswith("place: "))
CAUSES = ("snow", "fallen tree", "broken door", "ill driver", "football match", "works on the line", "none given")
SOUNDS = ("gong", "hiss", "hum", "beeps")


@dataclass(frozen=True)
class Message:
    """What is said, part by part, and what is heard beside it."""

    start: str
    place: str
    what: str
    number: int
    why: str
    end: str
    noises: tuple[str, ...]
    fast: bool

    @property
    def words(self) -> str:
        """The message in writing."""
        why = f" {self.why}" if self.why else ""
        return f"{self.start} {self.place} {self.what} {self.number}{why}. {self.end}."

    @property
    def cause(self) -> str:
        """The reason, as the page names it."""
        causes = dict(zip(_of("why"), CAUSES, strict=False))
        return causes.get(self.why, "none given")


def _of(kind: str) -> list[str]:
    return [name.split(": ", 1)[1] for name in _PARTS if name.startswith(f"{kind}: ")]


@cache
def _messages() -> list[Message]:
    rng = random.Random(f"{NAME}, messages")
    made = []
    for _ in range(MESSAGES):
        noises = rng.sample(SOUNDS, rng.randint(0, 2))
        made.append(
            Message(
                rng.choice(_of("start")),
                rng.choice(PLACES),
                rng.choice(list(_KINDS)),
                rng.randint(2, 12),
                rng.choice(_of("why")) if rng.random() < 0.75 else "",
                rng.choice(_of("end")),
                tuple(noise for noise in SOUNDS if noise in noises),
                rng.random() < 0.4,
            )
        )
    return made


def files() -> dict[str, bytes]:
    """Speak the messages."""
    with wave.open(str(_SPEECH)) as file:
        speech = np.frombuffer(file.readframes(file.getnframes()), dtype=np.uint8).astype(np.int64) - 128
    return {
        f"media/{number:02d}.wav": _spoken(message, number, speech) for number, message in enumerate(_messages(), 1)
    }


def _spoken(message: Message, number: int, speech: NDArray[np.int64]) -> bytes:
    names = [f"start: {message.start}", f"place: {message.place}", f"what: {message.what}", f"number: {message.number}"]
    names += [f"why: {message.why}"] if message.why else []
    names += [f"end: {message.end}"]
    pause = np.zeros(700 if message.fast else 1800, dtype=np.int64)
    pieces = [np.zeros(1600, dtype=np.int64)]
    for name in names:
        start, length = _PARTS[name]
        piece = speech[start : start + length]
        # Quicker speech leaves out every seventh stretch of 40 samples, which keeps its pitch.
        if message.fast:
            piece = piece[(np.arange(len(piece)) // 40) % 7 != 6]
        pieces += [piece, pause]
    sound = np.concatenate(pieces)
    at = np.arange(len(sound))
    if "gong" in message.noises:
        fade = np.maximum(0, 8000 - at)
        sound = sound + _wave(at, 18) * 45 * fade // 8000
    if "hiss" in message.noises:
        sound = sound + np.floor(scatter(len(sound), 1, number)[0] * 25).astype(np.int64) - 12
    if "hum" in message.noises:
        sound = sound + _wave(at, 80) * 14
    if "beeps" in message.noises:
        sound = sound + _wave(at, 6) * 22 * ((at // 900) % 9 == 4)
    return wav(sound * 7 // 8)


def _wave(at: NDArray[np.int64], period: int) -> NDArray[np.int64]:
    """A square wave of so many samples, in whole numbers."""
    return np.where(at % period < period // 2, 1, -1)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs takes a place or a number for one that sounds like it."""
    return [_instance(crowd, number, message) for number, message in enumerate(_messages(), 1)]


def _instance(crowd: Crowd, number: int, message: Message) -> Made:
    vehicle = message.start.split()[1]
    kind = _KINDS[message.what]

    def answers(worker: Worker) -> dict[str, str]:
        place = worker.choose(message.place, PLACES, 0.2)
        heard = message.number + (worker.pick((-1, 1, 10)) if worker.errs(0.2) else 0)
        words = message.words.replace(message.place, place).replace(f" {message.number}", f" {heard}")
        if worker.hasty:  # writes the first sentence and a half
            words = words.rsplit(". ", 1)[0] + "."
        return {
            "transcript": worker.copy(worker.voice.written(words, worker.rng, talk=False), 0.1),
            "vehicle": worker.choose(vehicle, VEHICLES, 0.25),
            "place": place,
            "news": worker.choose(kind, tuple(_KINDS.values()), 0.2),
            "number": str(heard),
            "cause": worker.choose(message.cause, CAUSES, 0.25, ("none given",)),
            "sounds": joined(worker.tick(message.noises, SOUNDS, 0.25), SOUNDS),
            "replayed": "on" if worker.rng.random() < 0.2 + 0.5 * worker.care else "",
        }

    truth = {
        "vehicle": vehicle,
        "place": message.place,
        "news": kind,
        "number": str(message.number),
        "cause": message.cause,
        "sounds": joined(message.noises, SOUNDS),
    }
    return crowd.made({"recording": f"{number:02d}"}, answers, truth, most=5)
