"""What reviewers are asked, in words: the same on the page in a file, on the server, and in reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from django.template import Context, Engine
from django.utils.safestring import SafeString, mark_safe

from harness.records.verdict import AnswerVerdict, LabelVerdict

PAGE = files(__package__) / "page"
"""The parts of the page on which is asked."""


@dataclass(frozen=True)
class AnswerChoice:
    """A thing to say of an answer.

    Attributes:
        value: The verdict.
        words: Its words.
        meaning: What is meant by it.
    """

    value: AnswerVerdict
    words: str
    meaning: str


@dataclass(frozen=True)
class LabelChoice:
    """A thing to say of the workers' answers.

    Attributes:
        value: The verdict.
        words: Its words.
    """

    value: LabelVerdict
    words: str


ANSWER_CHOICES = (
    AnswerChoice("correct", "Correct", "A careful worker could have answered so."),
    AnswerChoice("wrong", "Wrong", "An answer, and not a right one."),
    AnswerChoice(
        "placeholder", "Placeholder", "It stands where an answer should, and is none, such as “your answer here”."
    ),
    AnswerChoice(
        "parse_error",
        "Parse error",
        "No answer can be read: the reply has not the form that was asked for, or is blank where something had to be "
        "chosen.",
    ),
    AnswerChoice("unsure", "Cannot tell", "The page does not let you say, such as without a picture that is missing."),
)
LABEL_CHOICES = (
    LabelChoice("right", "Right, or right for the most part"),
    LabelChoice("wrong", "Wrong"),
    LabelChoice("unsure", "Cannot tell"),
)
WORDS: Mapping[str, str] = {
    **{choice.value: choice.words.lower() for choice in ANSWER_CHOICES},
    "label_wrong": "label wrong",
}
"""Category -> its words in a sentence or a table."""


def page_part(name: str, **values: object) -> SafeString:
    """A part of the page on which is asked, as HTML.

    Args:
        name: A template in ``page/``.
        values: What it needs beside the choices.
    """
    context = {"answer_choices": ANSWER_CHOICES, "label_choices": LABEL_CHOICES, **values}
    return _engine().get_template(name).render(Context(context, use_l10n=False))


def page_text(name: str) -> SafeString:
    """A script or a style sheet of the page, to be put in as it is: nothing of strangers' is in it.

    Args:
        name: A file in ``page/``.
    """
    return mark_safe((PAGE / name).read_text(encoding="utf-8"))  # noqa: S308 - a file of ours


@cache
def _engine() -> Engine:
    return Engine(dirs=[str(PAGE)])
