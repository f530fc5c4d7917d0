"""Questions that are answered in a terminal: one line of text to read, one to write, and no page.

The side that knows the labels makes what is to be done and the record of it; a player lets a solver answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turkbench.harness.actions.call import ActionCall
from turkbench.harness.actions.result import ActionResult
from turkbench.harness.actions.signature import ActionSpec, Parameter
from turkbench.harness.catalog.task import Instance, Task
from turkbench.harness.catalog.template import instantiate
from turkbench.harness.episode.assignment import Page, WorkItem, seed_of
from turkbench.harness.episode.play import PlayedPage
from turkbench.harness.episode.trajectory import Trajectory
from turkbench.harness.episode.work import let_work
from turkbench.harness.records.episode import Episode, OtherRecord
from turkbench.harness.run.task_kind import LabelSide, TaskKind, TaskPlayer, WrongActions
from turkbench.harness.scoring.scores import InstanceScore

ACTIONS = {"answer": ActionSpec("answer", (Parameter("text", "str"),), "Answer the question, and end the episode.")}


@dataclass(frozen=True)
class KeyedQuestion(WorkItem):
    """What is to be done, with the labels, which stay in their process; the page's goal is the question."""

    task: Task
    instance: Instance

    @property
    def work_item(self) -> WorkItem:
        """The part without labels."""
        return WorkItem(self.page)


class Answering:
    """What a solver can do."""

    specs = ACTIONS

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.given: str | None = None

    def answer(self, text: str) -> ActionResult:
        """Answer the question, which is a step; the last answer counts."""
        return self.trajectory.record(ActionCall("answer", {"text": text}), lambda: self._take(text))

    def _take(self, text: str) -> ActionResult:
        self.given = text
        return ActionResult(ok=True, message=f"answered {text!r}")


class TerminalLabelSide(LabelSide):
    """Asks, and writes down."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def begin(self, pages: Task, instance: Instance, origin: str, left: str = "") -> KeyedQuestion:
        """See ``LabelSide``."""
        question = instantiate(pages.template, instance.inputs).strip()
        page = Page(origin, (), (), seed_of(instance, self._seed), goal=question)
        return KeyedQuestion(page, pages, instance)

    def finish(self, assignment: KeyedQuestion, played: PlayedPage) -> Episode:
        """See ``LabelSide``."""
        at, end, labels = assignment.instance, played.end, assignment.instance.labels.get("answer", ())
        kept = {"question": assignment.page.goal, "answer": played.body, "labels": list(labels)}
        return Episode(
            at.task, at.index, at.id, assignment.task.split, end.outcome if labels else "unscored", end.detail,
            limit=end.limit, steps=played.steps, turns=played.turns, attempts=played.attempts, unseen=played.unseen,
            lost_turns=played.lost_turns, timing=played.timing, other=OtherRecord(kind="terminal", kept=kept),
        )  # fmt: skip


class TerminalPlayer(TaskPlayer):
    """Lets a solver answer."""

    def act(
        self, session: Any, solver: Any, work_item: WorkItem, limits: Any, *, on_open: Any, on_longer: Any, **_: Any
    ) -> tuple[PlayedPage, Trajectory]:
        """See ``TaskPlayer``: the browser is left alone."""
        trajectory = Trajectory(limits)
        act = Answering(trajectory)
        on_open()
        end = let_work(solver, work_item, act, session.browser, limits=limits, on_longer=on_longer)
        steps, turns = tuple(trajectory.steps), tuple(trajectory.turns)
        return PlayedPage(act.given, end, steps=steps, turns=turns, attempts=1), trajectory


class Terminal(TaskKind):
    """See ``TaskKind``."""

    plural = "questions in a terminal"
    protocol = "question"
    all_actions: Mapping[str, ActionSpec] = ACTIONS

    def actions(self, name: str | None) -> Mapping[str, ActionSpec]:
        """See ``TaskKind``."""
        if name:
            raise WrongActions(f"--actions {name}: there is nothing but to answer; leave it out")
        return ACTIONS

    def label_side(self, config: Any, *_: Any) -> TerminalLabelSide:
        """See ``TaskKind``."""
        return TerminalLabelSide(config.drawing_seed)

    def player(self, setup: Any) -> TerminalPlayer:
        """See ``TaskKind``."""
        return TerminalPlayer()

    def score(self, episode: Episode, profile: Any) -> InstanceScore:
        """Whether any worker has answered the same, but for blanks around it."""
        kept = episode.other.kept
        same = (kept["answer"] or "").strip() in {each.strip() for each in kept["labels"]}
        score = float(same) if kept["labels"] else None
        return InstanceScore(episode, (), score, 1.0, 0.0, None, None, score)

    def show(self, episode: Episode) -> Iterator[tuple[str, str]]:
        """See ``TaskKind``."""
        yield "question", episode.other.kept["question"]
        yield "answered", episode.other.kept["answer"] or "nothing"


TERMINAL = Terminal()
