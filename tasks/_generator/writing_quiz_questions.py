"""Writing quiz questions: open generation of a question, its right answer and three wrong ones, from a passage."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import texts

NAME = "Writing quiz questions"
FREE = ("question",)
OPEN = ("right_answer", "wrong_1", "wrong_2", "wrong_3", "difficulty", "found_in")

_ASKS = (
    "What do you learn about {about} in “{title}”, is it {a} or {b}?",
    "Which of these goes with {about}: {a}, {b} or {c}?",
    "In “{title}”, which answer is true of {about}?",
    "Think of {about} in the text. Is the right word {b}, {c} or {a}?",
    "What is said of {about}, if it is neither {b} nor {c}?",
    "Reading “{title}”, what would you say of {about}: {c}, or {a}?",
    "Only one of these fits {about} in the text on “{title}”, namely?",
)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: the answers of a worker belong to the fact that the question is about."""
    return [
        crowd.made(
            {"title": item["title"], "passage": item["passage"]},
            lambda worker, item=item: _answers(item, worker),
            {"kept_rules": "on"},
            most=5,
        )
        for item in texts("writing_quiz_questions")
    ]


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    at = worker.pick((0, 0, 1))
    right, *wrong = item["facts"][at]
    told = dict(zip("abc", (right, *wrong), strict=False)) | {"about": item["about"], "title": item["title"]}
    wrong = worker.rng.sample(wrong, 3)
    if worker.hasty:
        wrong[2] = "none of them"
    return {
        "question": worker.say([text.format(**told) for text in _ASKS], talk=False),
        "right_answer": worker.copy(right, 0.05),
        "wrong_1": wrong[0],
        "wrong_2": wrong[1],
        "wrong_3": wrong[2],
        "difficulty": worker.choose_near("medium", ("easy", "medium", "hard"), 0.35),
        "found_in": ("beginning", "end")[at],
        "kept_rules": "" if worker.errs(0.15) else "on",
    }
