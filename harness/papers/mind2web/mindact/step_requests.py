"""What a model is asked about a step: requests, as pure functions of a page and some of its elements.

The words are ours, in ``prompts/``; their structure is published (Deng et al. 2023, section 3.2,
Figure 5 and Table 8): a pruned page, the task, what was done, and options with "none of the above".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.kit.files.installation import hash_of_code
from harness.kit.words import Words, hash_of_words
from harness.models.messages import Message, Request, Text
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import PREVIOUS_TOLD, PageElement, StepQuery
from harness.papers.mind2web.mindact.snippet import Surroundings, option_words, snippet
from harness.papers.wording.original_words import OriginalWords

WORDS = Words("harness.papers.mind2web.mindact")
"""Ours."""
ORIGINAL = "mind2web-original"
"""The set of prompts that is the paper's own (``--prompts``)."""
ORIGINAL_WORDS = OriginalWords("mind2web", WORDS)
LONGEST_REPLY = 300
"""Tokens: three lines, and no thoughts."""
_ACTION = (
    '"\\nAction: " action\n'
    'action ::= "CLICK" | ("TYPE" | "SELECT") "\\nValue: " value\n'
    r"value ::= [^\n]{1,100}"
)
_NOTHING_DONE = "(nothing)"
_NOTHING = "nothing_done"
"""The text for that of a set that has one."""


@dataclass(frozen=True)
class Options:
    """What a model chooses among.

    Attributes:
        elements: In the order in which they are shown.
        numbered: Whether they are labelled by numbers and none of them is 0; else by letters and none of them is A.
    """

    elements: tuple[PageElement, ...]
    numbered: bool = False

    @property
    def none(self) -> str:
        """The label of "none of the above"."""
        return "0" if self.numbered else "A"

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the elements."""
        if self.numbered:
            return tuple(str(number) for number in range(1, len(self.elements) + 1))
        return tuple(chr(ord("B") + place) for place in range(len(self.elements)))


@dataclass(frozen=True)
class ShownExample:
    """What was asked before, with its answer: an example for the model.

    Attributes:
        question: The text of the user's message.
        answer: That of the assistant's.
    """

    question: str
    answer: str


def words_of(prompts: str) -> Words:
    """The words of a set of prompts: the paper's if it is theirs, else ours."""
    return ORIGINAL_WORDS if prompts == ORIGINAL else WORDS


def mindact_prompts_hash(words: Words = WORDS) -> str:
    """SHA-256 over the words: equal hashes mean equal words."""
    if words is not WORDS:
        return hash_of_words(words.folder)
    return hash_of_code([("papers/mind2web/mindact/prompts", "*.md")])


def choice_words(
    query: StepQuery, page: MarkedPage, options: Options, around: Surroundings, words: Words = WORDS
) -> str:
    """A question with options.

    Args:
        query: What is to be done, and what was done.
        page: The page.
        options: The elements to choose among.
        around: How much of the page is shown with them.
        words: In which words.
    """
    step = _step(query, snippet(page, _numbers(options.elements), around), words)
    return words.say("choose", step=step, none=options.none, options="\n".join(option_lines(page, options, words)))


def option_lines(page: MarkedPage, options: Options, words: Words = WORDS) -> list[str]:
    """Elements of a page in words, each with its label, and before them "none of the above"."""
    numbers = _numbers(options.elements)
    none = words.say("none_of_them")
    return [f"{options.none}. {none}"] + [
        f"{label}. {option_words(page, element.backend_node_id, numbers[element.backend_node_id])}"
        for label, element in zip(options.labels, options.elements, strict=True)
    ]


def done_words(query: StepQuery, words: Words = WORDS) -> str:
    """The last steps that were done, a line each."""
    nothing = words.say(_NOTHING) if words.has(_NOTHING) else _NOTHING_DONE
    return "\n".join(query.previous[-PREVIOUS_TOLD:]) or nothing


def generation_words(
    query: StepQuery, page: MarkedPage, elements: Sequence[PageElement], around: Surroundings, words: Words = WORDS
) -> str:
    """A question without options: the element is to be written.

    Args:
        query: What is to be done, and what was done.
        page: The page.
        elements: Those around which it is pruned.
        around: How much of the page is shown with them.
        words: In which words.
    """
    # Without numbers: to repeat one would be to choose.
    unnumbered = dict.fromkeys(_numbers(elements), "")
    return words.say("generate", step=_step(query, snippet(page, unnumbered, around), words))


def choice_request(
    model: str, question: str, examples: Sequence[ShownExample], options: Options, words: Words = WORDS
) -> Request:
    """The request of a question with options, held to its form; ``freely`` takes the form away.

    Args:
        model: The provider's name of the model.
        question: As ``choice_words`` has it.
        examples: ShownExample before it.
        options: Those of the question.
        words: In which words.
    """
    labels = " | ".join(f'"{label}"' for label in options.labels)
    grammar = f'root ::= "Answer: {options.none}" | "Answer: " label {_ACTION}\nlabel ::= {labels}'
    return _request(model, question, examples, grammar, words)


def generation_request(model: str, question: str, examples: Sequence[ShownExample], words: Words = WORDS) -> Request:
    """The request of a question without options; as ``choice_request``."""
    return _request(model, question, examples, rf'root ::= "Element: <" [^\n]{{1,160}} {_ACTION}', words)


def freely(request: Request) -> Request:
    """A request to a model that writes what it will: it is read strictly."""
    return replace(request, grammar=None)


def _request(model: str, question: str, examples: Sequence[ShownExample], grammar: str, words: Words) -> Request:
    before = [
        message
        for example in examples
        for message in (_message("user", example.question), _message("assistant", example.answer))
    ]
    messages = (_message("system", words.say("role")), *before, _message("user", question))
    return Request(model, messages, max_tokens=LONGEST_REPLY, grammar=grammar)


def _message(role: str, text: str) -> Message:
    return Message(role, (Text(text),))


def _step(query: StepQuery, page: str, words: Words) -> str:
    return words.say("step", page=page, task=query.task, done=done_words(query, words))


def _numbers(elements: Sequence[PageElement]) -> dict[str, str]:
    return {element.backend_node_id: str(number) for number, element in enumerate(elements)}
