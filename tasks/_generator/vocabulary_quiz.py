"""Vocabulary quiz: the questions are HTML inside the CSV, and differ in number and kind between instances."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined, texts

NAME = "Vocabulary quiz"

QUIZZES = 24
MOST_MEANINGS = 4
LEVELS = {"A": 0.18, "B": 0.28, "C": 0.4}
"""Level -> the difficulty of its words."""

Word = dict[str, Any]


OPEN = ("knew-all", "difficulty")


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: a quiz asks for 1 to 4 meanings; some have a gap to fill, adjectives to tick, a lone box."""
    rng = crowd.rng
    bank = texts("vocabulary_quiz")
    made = []
    for number in range(QUIZZES):
        level = list(LEVELS)[number % len(LEVELS)]
        quiz = _Quiz([word for word in bank if word["level"] == level], 1 + number % MOST_MEANINGS, rng)
        inputs = {"number": str(number + 1), "level": level, "questions_html": quiz.markup()}
        difficulty = LEVELS[level]
        made.append(
            crowd.made(
                inputs,
                lambda worker, quiz=quiz, difficulty=difficulty: quiz.answers(difficulty, worker),
                quiz.truth(),
                most=5,
            )
        )
    return made


class _Quiz:
    def __init__(self, words: list[Word], meanings: int, rng: random.Random) -> None:
        self._meanings = [_with_options(word, "meaning", words, rng) for word in rng.sample(words, meanings)]
        gap = rng.choice(words)
        self._gap = _with_options(gap, "word", words, rng) if rng.random() < 0.5 else None
        self._mixed = rng.sample(words, 6) if rng.random() < 0.5 else []
        self._asks_knew = rng.random() < 0.4

    def markup(self) -> str:
        parts = [_meaning(f"q{at}", word, options) for at, (word, options) in enumerate(self._meanings, 1)]
        if self._gap:
            parts.append(_gap(*self._gap))
        if self._mixed:
            boxes = "".join(_choice("checkbox", "adjectives", word["word"]) for word in self._mixed)
            parts.append(_question("Tick all the adjectives.", boxes, "q side"))
        if self._asks_knew:
            box = _choice("checkbox", "knew-all", "on", "I knew all the words on this page before")
            parts.append(f'<div class="q">{box}</div>')
        return "\n".join(parts)

    def truth(self) -> dict[str, str]:
        right = {f"q{at}": "" for at in range(1, MOST_MEANINGS + 1)}
        right |= {f"q{at}": word["meaning"] for at, (word, _) in enumerate(self._meanings, 1)}
        mixed = [word["word"] for word in self._mixed]
        adjectives = [word["word"] for word in self._mixed if word["part"] == "adjective"]
        return right | {"gap": self._gap[0]["word"] if self._gap else "", "adjectives": joined(adjectives, mixed)}

    def answers(self, difficulty: float, worker: Worker) -> dict[str, str]:
        given = {f"q{at}": "" for at in range(1, MOST_MEANINGS + 1)}
        for at, (word, options) in enumerate(self._meanings, 1):
            given[f"q{at}"] = worker.choose(word["meaning"], options, difficulty)
        given["gap"] = worker.choose(self._gap[0]["word"], self._gap[1], difficulty) if self._gap else ""
        mixed = [word["word"] for word in self._mixed]
        adjectives = {word["word"] for word in self._mixed if word["part"] == "adjective"}
        given["adjectives"] = joined(worker.tick(adjectives, mixed, difficulty * 0.8), mixed)
        # Who got something wrong seldom says to have known it all, and finds it harder.
        wrong = sum(given[name] != right for name, right in self.truth().items())
        given["knew-all"] = "on" if self._asks_knew and worker.rng.random() < 0.8 / (1 + 3 * wrong) else ""
        given["difficulty"] = worker.choose_near(
            str(min(3, 1 + (difficulty > 0.2) + (wrong > 1))), ("1", "2", "3"), 0.3
        )
        return given


def _with_options(word: Word, key: str, words: list[Word], rng: random.Random) -> tuple[Word, list[str]]:
    # Wrong options are of the same part of speech, so that grammar does not give the answer away.
    others = [other[key] for other in words if other["part"] == word["part"] and other is not word]
    options = [word[key], *rng.sample(others, 3)]
    rng.shuffle(options)
    return word, options


def _meaning(name: str, word: Word, options: list[str]) -> str:
    choices = "".join(_choice("radio", name, option) for option in options)
    return _question(f"What does <em>{html.escape(word['word'])}</em> ({word['part']}) mean?", choices)


def _gap(word: Word, options: list[str]) -> str:
    listed = "".join(f'<option value="{html.escape(option)}">{html.escape(option)}</option>' for option in options)
    select = f'<select name="gap" aria-label="The missing word" required><option value="">…</option>{listed}</select>'
    return f'<div class="q"><p>{html.escape(word["sentence"]).replace("{}", select)}</p></div>'


def _question(text: str, choices: str, style: str = "q") -> str:
    return f'<fieldset class="{style}"><legend>{text}</legend>{choices}</fieldset>'


def _choice(kind: str, name: str, value: str, text: str = "") -> str:
    required = " required" if kind == "radio" else ""
    escaped = html.escape(value)
    return (
        f'<label><input type="{kind}" name="{name}" value="{escaped}"{required}> {html.escape(text) or escaped}</label>'
    )
