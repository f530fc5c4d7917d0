"""A task on a website: what its ``task.json`` says beside what every task's says.

Goals, addresses and what evaluators refer to may hold ``${variables}``, which the task's table fills in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

NodeTarget = Literal["url", "element_path", "element_value"]
Match = Literal["exact", "include", "semantic"]
PathMethod = Literal["css", "xpath"]
ConditionIs = Literal["is", "is_not", "contains", "lacks", "at_least", "at_most", "count", "exists", "absent"]
CheckMatch = Literal["exact", "include", "word", "semantic"]
CheckedThing = Literal["answer", "address", "page"]
ReadAs = Literal["text", "value", "markup", "attribute", "selected"]
EvaluatorName = Literal["fields", "key_nodes", "final_state", "page_reward", "answer", "checks"]
EVALUATORS: tuple[EvaluatorName, ...] = ("fields", "key_nodes", "final_state", "page_reward", "answer", "checks")
"""In the order in which one of them is the task's main one, unless the task says which."""


@dataclass(frozen=True, kw_only=True)
class KeyNode:
    """A condition that every right way meets at some moment (WebCanvas, section 3.1).

    Attributes:
        target: What is looked at: an address, which element was acted on, or what that holds afterwards.
        match: How it is compared. Paths are compared exactly only.
        reference: The address or a part of it, the path, the value; for ``semantic`` a rule in words.
        key: Of ``url``: the query's key whose first value is looked at; empty for the address itself.
        path: Of ``element_value``: the element that has to have been acted on; empty for any.
        method: How paths are written.
        host: Of elements: the name of the site that the page has to be of, as in ``registrable_label``; empty for any.
        url: Of elements: where the node was recorded. Of addresses: the whole address that was recorded.
        note: What it means, for people.
    """

    target: NodeTarget
    match: Match
    reference: str
    key: str = ""
    path: str = ""
    method: PathMethod = "css"
    host: str = ""
    url: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """What has to be so in the site's own state in the end.

    Attributes:
        at: Where in the state, a JSON pointer (RFC 6901), e.g. ``/orders/0/total``.
        how: How it is compared.
        value: What with; nothing for ``exists`` and ``absent``.
    """

    at: str
    how: ConditionIs = "is"
    value: Any = None


@dataclass(frozen=True, kw_only=True)
class AnswerRule:
    """What the answer has to be that is given with ``finish``.

    Attributes:
        match: How it is compared; letter case and white space around it never count.
        reference: The answer, a part of it, or a rule in words.
    """

    match: Match
    reference: str


@dataclass(frozen=True, kw_only=True)
class Look:
    """Where something is read on a page when the episode is over.

    Attributes:
        url: The address that is opened for it; empty for the page that was left in front.
        part: Without ``url``: the form of a path, ``/f/*/*/``; the beginning of the left page's address that has it is
            opened. Empty, or where the address does not begin so: the page as it was left.
        css: Finds the elements that are read, as the browser reads selectors; empty for the whole page.
        number: Which of them, from 0; None for all, one a line.
        reads: What of them: the text that is seen, the value that is held, the markup, an attribute, or the number of
            the option that is selected, from 0.
        attribute: Of ``attribute``: its name.
    """

    url: str = ""
    css: str = ""
    number: int | None = 0
    reads: ReadAs = "text"
    part: str = ""
    attribute: str = ""

    def place(self, left: str) -> str:
        """The address that is opened for it; empty for the page as it was left.

        Args:
            left: The address of the page that was left in front.
        """
        if self.url or not self.part:
            return self.url
        split = urlsplit(left)
        form = re.escape(self.part).replace(r"\*", "[^/]*").rstrip("/")
        found = re.match(rf"{form}(?=/|$)", split.path)
        return f"{split.scheme}://{split.netloc}{found[0]}/" if found else ""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is right.

    Attributes:
        match: How it is compared: all of it, a part, a part that is a word of its own, or by meaning.
        reference: What with; for ``semantic`` a rule in words.
    """

    match: CheckMatch
    reference: str


@dataclass(frozen=True, kw_only=True)
class Check:
    """Something that has to be so in the end (WebArena, section 3.2).

    Attributes:
        of: What is compared: what was answered with ``finish``, the address of the page that was left in front, or what
            is read on a page.
        any_of: What it is compared with; one of these is enough.
        look: Of ``page``: where it is read.
        note: What it means, for people.
    """

    of: CheckedThing
    any_of: tuple[Wanted, ...]
    look: Look | None = None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Evaluators:
    """By what an episode of the task is judged; each that is given is.

    Attributes:
        key_nodes: In the order in which the reference meets them; they count as a set.
        final_state: Conditions that all have to hold.
        answer: What has to be answered.
        page_reward: Whether the page itself gives a reward (MiniWoB++).
        checks: What all has to be so in the end, of answer, address and pages.
        judged: Whether a judge of the whole trajectory says afterwards if it succeeded, so that there may be no
            evaluator: then an episode has no score.
        main: Whose score is the instance's; None for the first of ``EVALUATORS`` that is given.
    """

    key_nodes: tuple[KeyNode, ...] = ()
    final_state: tuple[Condition, ...] = ()
    answer: AnswerRule | None = None
    page_reward: bool = False
    checks: tuple[Check, ...] = ()
    judged: bool = False
    main: EvaluatorName | None = None

    @property
    def given(self) -> tuple[EvaluatorName, ...]:
        """Those by which it is judged."""
        there = {
            "key_nodes": bool(self.key_nodes),
            "final_state": bool(self.final_state),
            "answer": self.answer is not None,
            "page_reward": self.page_reward,
            "checks": bool(self.checks),
        }
        return tuple(name for name in EVALUATORS if there.get(name))

    @property
    def looks(self) -> tuple[Look, ...]:
        """Where pages are read in the end, each place once."""
        return tuple(dict.fromkeys(check.look for check in self.checks if check.look is not None))


@dataclass(frozen=True, kw_only=True)
class SiteFacts:
    """A task on a website, before or after a row of the table has filled it in.

    Attributes:
        goal: What is to be done, in words: all that a solver is told of it.
        start: The address that it begins at.
        origins: The origins that it may visit, that of ``start`` first, e.g. ``http://shop.test``.
        evaluators: By what it is judged.
        site: The bundled site it is on, by its name in ``turkle_app.sites``; empty for any other.
        variant: Which layout of that site; empty for the usual one.
        seed: Of the data of that site.
        level: ``easy``, ``medium`` or ``hard``; empty if not known.
        reference_length: Steps of the reference; None if not known.
        max_steps: Steps that a solver may take; None for one and a half times the reference, at least ten.
        json_variables: Columns of the table whose cells are JSON, such as ``3`` or ``true``: a condition's value that
            is one of these variables and nothing else becomes that number or truth. All other variables are texts.
        user_answers: What the user answers who is asked by ``ask_user``: words that the question holds -> the answer;
            the first that fit count, letter case apart, and empty words fit any question.
    """

    goal: str
    start: str
    origins: tuple[str, ...]
    evaluators: Evaluators
    site: str = ""
    variant: str = ""
    seed: int = 0
    level: str = ""
    reference_length: int | None = None
    max_steps: int | None = None
    json_variables: tuple[str, ...] = ()
    user_answers: Mapping[str, str] = field(default_factory=dict)
