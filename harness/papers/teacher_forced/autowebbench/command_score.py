"""What a reply to a recorded step is worth: by the paper's measures, and as the public script reckons."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from harness.actions.call import ActionError
from harness.actions.literals import NotLiteralError, read_arguments
from harness.kit.files.codec import Count
from harness.kit.files.writing import cache_folder
from harness.models.client import MissingExtra
from harness.papers.teacher_forced.autowebbench.commands import Command, read_command
from harness.papers.teacher_forced.step_numbers import f1_of

EXTRA = "chinese"
"""The file that brings jieba."""
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[^\w\s]")

Words = Callable[[str], frozenset[str]]
"""The words of a text; each counts once."""


def by_characters(text: str) -> frozenset[str]:
    """Each Chinese character is a word, and so is each run of other letters and digits, and each other sign."""
    return frozenset(_WORD.findall(text))


def by_jieba() -> Words:
    """Words as jieba cuts them, which the public script compares.

    Raises:
        MissingExtra: jieba is not installed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is written for older versions of Python
            jieba = importlib.import_module("jieba")
    except ImportError as error:
        raise MissingExtra("jieba", EXTRA) from error
    jieba.setLogLevel("ERROR")
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    cutter = jieba.Tokenizer()
    # It keeps its dictionary between runs in a form that runs code when it is read; the usual place is everybody's.
    cutter.tmp_dir = str(folder)
    return lambda text: frozenset(each for each in cutter.cut(text) if not each.isspace())


WORDS: Mapping[str, Callable[[], Words]] = {"characters": lambda: by_characters, "jieba": by_jieba}
"""Name -> makes what finds words."""


_OF_ELEMENTS = ("click", "hover", "select", "type_string")
_WITH_PARAMETER = {
    "select": 1, "type_string": 1, "scroll_page": 0, "go": 0, "jump_to": 0, "switch_tab": 0, "user_input": 0,
    "finish": 0,
}  # fmt: skip
"""Function -> which argument the public script takes as its parameter."""


@dataclass(frozen=True, kw_only=True)
class CommandScore:
    """What a reply is worth; a reply without a command is worth nothing in all of it.

    Attributes:
        type: Whether the function is the right one.
        element: Whether the element is; None if no acceptable command has one.
        parameter: ROUGE-1 F of the parameter, from 0 to 1; None if no acceptable command has one.
        success: Whether one acceptable command is met in all that it has: type, element, and a parameter with F1 1.
    """

    type: bool
    element: bool | None
    parameter: float | None
    success: bool


@dataclass(frozen=True, kw_only=True)
class ScriptScore:
    """What the public script takes down of a reply; None of what it leaves out of its means.

    Attributes:
        type: Whether the function is the right one.
        label: Whether the element is; only of commands with one.
        param: ROUGE-1 F of the parameter; only if it is not 0.
        all: Whether function and element are right; only of commands with an element.
    """

    type: bool | None = None
    label: bool | None = None
    param: float | None = None
    all: bool | None = None


@dataclass(frozen=True, kw_only=True)
class KeptReply:
    """A reply with its scores.

    Attributes:
        split: The split of the step.
        step: Which of all steps that are asked, from 0.
        order: Which of the seeds, from 0.
        type: The function of the first label: ``click``.
        reply: What was written, whole.
        problem: Why there is no command in it; empty if there is one. What stands before the colon is the kind.
        score: By the paper's measures.
        script: As the public script reckons.
    """

    split: str
    step: Count
    order: Count
    type: str
    reply: str
    problem: str = ""
    score: CommandScore
    script: ScriptScore

    @property
    def place(self) -> tuple[str, int, int]:
        """Split, step and order."""
        return self.split, self.step, self.order

    @property
    def success(self) -> bool:
        """Whether the step succeeds by the paper's measures."""
        return self.score.success


def score_reply(labels: Sequence[Command], reply: str, words: Words) -> CommandScore:
    """Score a reply by the paper's measures; each is that of the acceptable command that the reply fits best in it.

    Whether a step has an element or a parameter depends on its labels alone, so that the denominators do, too. A reply
    that meets one acceptable command has all of the step's measures.

    Args:
        labels: The acceptable commands.
        reply: What was written.
        words: Finds the words of a parameter.
    """
    read = read_command(reply)
    said = None if isinstance(read, ActionError) else read
    scores = [_against(label, said, words) for label in labels]
    success = any(each.success for each in scores)
    elements = [each.element for each in scores if each.element is not None]
    parameters = [each.parameter for each in scores if each.parameter is not None]
    return CommandScore(
        type=any(each.type for each in scores),
        element=(success or any(elements)) if elements else None,
        parameter=(1.0 if success else max(parameters)) if parameters else None,
        success=success,
    )


def _against(label: Command, said: Command | None, words: Words) -> CommandScore:
    """Against one acceptable command."""
    is_type = said is not None and said.name == label.name
    element = None if label.element is None else said is not None and said.element == label.element
    parameter = None if label.parameter is None else rouge_1(label.parameter, said.parameter if said else None, words)
    success = is_type and element in (None, True) and parameter in (None, 1.0)
    return CommandScore(type=is_type, element=element, parameter=parameter, success=success)


def rouge_1(reference: str, said: str | None, words: Words) -> float:
    """ROUGE-1 F of two parameters: F1 of their words, each of which counts once, from 0 to 1.

    Equal texts are worth 1, whether or not they hold a word.

    Args:
        reference: The right one.
        said: The other; None for none.
        words: Finds their words.
    """
    if said is None or reference == said:
        return float(said is not None)
    return f1_of(words(reference), words(said))


def script_score(labels: Sequence[str], reply: str, words: Words) -> ScriptScore:
    """What the public script (``eval.py``) takes down, with literals in place of what it executes.

    It looks for ``name(...)`` at the beginning, on one line. Labels one after the other write over each other, until
    one agrees in function and element. A label or a reply that it cannot evaluate leaves nothing: ``finish()``, whose
    answer it takes without looking whether there is one, is among them.

    Args:
        labels: The acceptable commands, as they are written.
        reply: What was written.
        words: Finds the words of a parameter; it uses jieba.
    """
    found: dict[str, bool | float] = {}
    for text in labels:
        try:
            label, said = _extracted(text), _extracted(reply.rpartition("A: ")[2].strip())
        except (NotLiteralError, IndexError):
            continue
        if label.name:
            found["type"] = label.name == said.name
        if label.element is not None:
            found["label"] = label.element == said.element
            found["all"] = found["label"] and label.name == said.name
        if label.parameter is not None and (rouge := rouge_1(label.parameter, said.parameter, words)):
            found["param"] = rouge
        if found.get("all"):
            break
    return ScriptScore(
        type=_flag(found, "type"), label=_flag(found, "label"), param=found.get("param"), all=_flag(found, "all")
    )


def _flag(found: dict[str, bool | float], name: str) -> bool | None:
    return bool(found[name]) if name in found else None


def _extracted(text: str) -> Command:
    """What the script finds in a text; a command without a name where it finds none.

    Raises:
        NotLiteralError: it would have to execute something, or what it executes would fail.
        IndexError: an argument is missing.
    """
    line = text.partition("\n")[0]
    opening, end = line.find("("), line.rfind(")")
    name = line[: max(opening, 0)]
    if end < opening or not name or not all(each.isalnum() or each == "_" for each in name):
        return Command("")
    positional, keywords, after = read_arguments(line[: end + 1], opening + 1)
    if keywords or not (line[after : end + 1].strip() or "#").startswith("#"):
        raise NotLiteralError("the script cannot evaluate it", after)
    element = str(positional[0]) if name in _OF_ELEMENTS else None
    parameter = positional[_WITH_PARAMETER[name]] if name in _WITH_PARAMETER else None
    return Command(name, element, None if parameter is None else str(parameter))
