"""The task that is being recorded: what the person says of it, the steps, and the key nodes on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from harness.catalog.site_facts import AnswerRule, Evaluators, KeyNode, Match, SiteFacts
from harness.catalog.site_reading import LEVELS
from harness.catalog.trace import Trace, TraceStep
from harness.kit.errors import UserError
from harness.scoring.evaluators.proposals import Proposal, proposals
from harness.sites.recording.order import RecordingOrder
from harness.sites.recording.recorded_step import NOT_RECORDED, RecordedStep
from harness.sites.recording.step_maker import StepMaker

LONGEST = {"title": 120, "goal": 4_000, "answer": 4_000, "reference": 4_000, "note": 300}
_MATCHES: tuple[Match, ...] = ("exact", "include", "semantic")
_SECRET = f"a password was typed here and is not recorded: {NOT_RECORDED!r} stands for it"


class CannotDo(UserError):
    """What was asked of a recording cannot be done as it stands; the message says why and what to do."""


@dataclass
class TaskDraft:
    """A task in the making.

    Attributes:
        order: What is recorded.
        title: The task's name, and that of its folder.
        goal: What is to be done, in words.
        level: ``easy``, ``medium`` or ``hard``; empty if not known.
        answer: What is answered in the end; None if the task asks for nothing.
        answer_match: How an answer is compared with that.
        is_rewarded: Whether the first page itself says what is to be done, and what that was worth (MiniWoB++).
        maker: The steps.
    """

    order: RecordingOrder
    title: str = ""
    goal: str = ""
    level: str = ""
    answer: str | None = None
    answer_match: Match = "exact"
    is_rewarded: bool = False
    maker: StepMaker = field(init=False)

    def __post_init__(self) -> None:
        self.maker = StepMaker(self.order.start)

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """In order."""
        return tuple(self.maker.steps)

    @property
    def nodes(self) -> tuple[KeyNode, ...]:
        """All key nodes, in the order of their steps."""
        return tuple(node for step in self.maker.steps for node in step.nodes)

    # ---- edits ----------------------------------------------------------------------------------------------------

    def describe(self, said: Mapping[str, Any]) -> None:
        """Take what the person says of the task: any of its attributes that are texts.

        Raises:
            CannotDo: one is too long, or no level or match.
        """
        for name in ("title", "goal", "level", "answer", "answer_match"):
            if name not in said:
                continue
            value = said[name]
            if value is None and name == "answer":
                self.answer = None
                continue
            if not isinstance(value, str) or len(value) > LONGEST.get(name, 20):
                raise CannotDo(f"The {name} is no text of at most {LONGEST.get(name, 20)} characters: shorten it")
            value = value.strip()
            if name == "level" and value not in LEVELS:
                raise CannotDo(f"{value!r} is no level: choose {', '.join(LEVELS[1:])}")
            if name == "answer_match" and value not in _MATCHES:
                raise CannotDo(f"{value!r} is no match: choose {', '.join(_MATCHES)}")
            setattr(self, name, value)

    def step(self, number: int) -> RecordedStep:
        """The step of a number.

        Raises:
            CannotDo: there is none.
        """
        for step in self.maker.steps:
            if step.number == number:
                return step
        raise CannotDo("This step is not there any more: look at the list again")

    def remove(self, number: int) -> None:
        """Take a step out, with its key nodes.

        Raises:
            CannotDo: there is none of that number.
        """
        self.maker.forget(self.step(number).number)

    def proposals(self, number: int) -> tuple[Proposal, ...]:
        """The key nodes that a step suggests.

        Raises:
            CannotDo: there is no such step.
        """
        step = self.step(number)
        return proposals(_trace_step(step, ()), step.after, step.held)

    def put_node(self, number: int, node: KeyNode) -> None:
        """Put a key node on a step.

        Raises:
            CannotDo: there is no such step, or the node is none that can be met.
        """
        step = self.step(number)
        if not node.reference.strip():
            raise CannotDo("A key node needs something to compare with: write it into the reference")
        if len(node.reference) > LONGEST["reference"] or len(node.note) > LONGEST["note"]:
            raise CannotDo("The reference or the note of the key node is too long: shorten it")
        if node.target == "element_path" and node.match != "exact":
            raise CannotDo("An element is compared exactly: choose exact")
        if NOT_RECORDED in node.reference or (step.secret and node.target == "element_value"):
            raise CannotDo("A key node cannot ask for a password, which nothing records: choose another")
        if any(_is_like(each, node) for each in self.nodes):
            raise CannotDo("This key node is there already")
        self._replace(replace(step, nodes=(*step.nodes, node)))

    def drop_node(self, number: int, place: int) -> None:
        """Take a key node off a step.

        Raises:
            CannotDo: there is no such step or node.
        """
        step = self.step(number)
        if not 0 <= place < len(step.nodes):
            raise CannotDo("This key node is not there any more: look at the list again")
        self._replace(replace(step, nodes=step.nodes[:place] + step.nodes[place + 1 :]))

    def _replace(self, step: RecordedStep) -> None:
        steps = self.maker.steps
        steps[[each.number for each in steps].index(step.number)] = step

    # ---- what it comes to -----------------------------------------------------------------------------------------

    def facts(self) -> SiteFacts:
        """The task.

        Raises:
            CannotDo: something that it needs is not there yet; the message says what.
        """
        if not self.title:
            raise CannotDo("The task has no title yet: write one, which becomes the name of its folder")
        if not self.goal:
            raise CannotDo("The task has no goal yet: say in words what is to be done")
        if not self.maker.steps and self.answer is None:
            raise CannotDo("Nothing was done yet: do the task in the recorded browser")
        if not self.nodes and self.answer is None and not self.is_rewarded:
            raise CannotDo("Nothing says yet when the task is done: put a key node on a step, or give an answer")
        setting = self.order.setting
        return SiteFacts(
            goal=self.goal,
            start=self.order.start,
            origins=self.order.origins,
            evaluators=Evaluators(key_nodes=self.nodes, answer=self._rule(), page_reward=self.is_rewarded),
            site=setting.site,
            variant=setting.variant,
            seed=setting.seed,
            level=self.level,
            reference_length=len(self.trace().steps),
        )

    def _rule(self) -> AnswerRule | None:
        return None if self.answer is None else AnswerRule(match=self.answer_match, reference=self.answer)

    def trace(self, pictures: Mapping[str, str] | None = None) -> Trace:
        """How it was done.

        Args:
            pictures: Name of a picture -> name of its file; None for a trace without pictures.
        """
        steps, count = [], 0
        for step in self.maker.steps:
            places = tuple(range(count, count + len(step.nodes)))
            count += len(step.nodes)
            steps.append(_trace_step(step, places, (pictures or {}).get(step.picture, "")))
        if self.answer is not None:
            steps.append(TraceStep(do="finish", value=self.answer, url=steps[-1].url if steps else self.order.start))
        made_by, variant = "a person", self.order.setting.variant
        return Trace(goal=self.goal, start=self.order.start, steps=tuple(steps), made_by=made_by, variant=variant)


def _trace_step(step: RecordedStep, nodes: tuple[int, ...], picture: str = "") -> TraceStep:
    return TraceStep(
        do=step.do,
        element=None if step.do == "press" and step.focused else step.element,
        value=step.value,
        url=step.url,
        nodes=nodes,
        picture=picture,
        note=f"{step.words}; {_SECRET}" if step.secret else step.words,
    )


def _is_like(one: KeyNode, other: KeyNode) -> bool:
    """Whether two nodes are met by the same, wherever they were recorded."""
    return replace(one, url="", note="") == replace(other, url="", note="")
