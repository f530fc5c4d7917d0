"""Whether a recorded task holds: the oracle replays its trace in a browser of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from harness.browser.input_back_end import BrowserSession
from harness.catalog.catalog import Catalog
from harness.catalog.trace import Trace
from harness.episode.play import PlayedPage
from harness.episode.play_site import play_site
from harness.episode.registry import find_solver
from harness.episode.site_assignment import SiteAssignment, site_assignment
from harness.records.config import Limits
from harness.records.site_record import Evaluation, SiteRecord
from harness.run.site_control import SiteControl, new_episode
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.text_match import is_met
from harness.sites.site_player import prepare_site

_ORACLE = "oracle"
_LIMITS = Limits()


@dataclass(frozen=True, kw_only=True)
class ProvedPart:
    """A step of the trace, a key node, the page's reward, or the answer.

    Attributes:
        words: Which, for people.
        holds: Whether it does; None if that cannot be told.
        why: What was seen.
    """

    words: str
    holds: bool | None
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What the replay of a recorded task has shown.

    Attributes:
        steps: The trace's, in order.
        nodes: The key nodes in order, then the page's reward and the answer, of tasks that are judged by them.
        warnings: What holds and should not, in sentences.
    """

    steps: tuple[ProvedPart, ...]
    nodes: tuple[ProvedPart, ...]
    warnings: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all steps could be done, and nothing is known not to be met by them."""
        return all(part.holds for part in self.steps) and all(part.holds is not False for part in self.nodes)


def prove(folder: Path, session: BrowserSession, control: SiteControl | None) -> Proof:
    """Replay a task as the oracle does in a run.

    Args:
        folder: The task's folder.
        session: A browser for its origins.
        control: Of the server that serves its bundled site, on which a new episode begins; None for other sites.

    Raises:
        harness.catalog.problems.MalformedTask: the folder is no task.
        harness.run.site_control.SiteControlRefused: the site cannot be set.
        harness.browser.browser.PageFailed: the first page cannot be opened.
        harness.browser.wire.BrowserGone: the browser died.
    """
    catalog = Catalog(folder.parent)
    task = catalog.task(folder.name)
    assignment = site_assignment(task, task.pages[0], 0)
    if control:
        assignment = replace(assignment, episode=new_episode())
        control.begin(assignment.episode, assignment.setting)
    try:
        return _proof(assignment, session)
    finally:
        if control:
            control.end(assignment.episode)


def _proof(assignment: SiteAssignment, session: BrowserSession) -> Proof:
    trace = assignment.trace or Trace(goal="", start="", steps=())
    prepare_site(session, assignment)
    limits = replace(_LIMITS, max_steps=max(_LIMITS.max_steps, 2 * len(trace.steps)))
    solver = find_solver(_ORACLE).make()
    played, trajectory = play_site(session, solver, assignment, limits)
    site = played.body
    record = SiteRecord(
        task=assignment.facts,
        moments=site.moments if site else (),
        moments_lost=site.moments_lost if site else 0,
        answer=site.answer if site else None,
        reward=site.reward if site else None,
    )
    evaluations = evaluate(record, trajectory.texts.get, None)
    nodes = [part for each in evaluations for part in _nodes(each, trace)]
    return Proof(
        steps=tuple(_steps(trace, played)), nodes=tuple(nodes), warnings=tuple(_warnings(assignment, evaluations))
    )


def _places(trace: Trace) -> list[int]:
    """Which of the episode's actions does each step of the trace last: a key to an element is a press and the key."""
    places, count = [], 0
    for step in trace.steps:
        count += 2 if step.do == "press" and step.element is not None else 1
        places.append(count - 1)
    return places


def _steps(trace: Trace, played: PlayedPage) -> Iterator[ProvedPart]:
    """Which steps could be done; of one that could not, why, and of those behind it nothing."""
    has_failed = False
    for step, place in zip(trace.steps, _places(trace), strict=True):
        words = step.note or ("Answer" if step.do == "finish" else step.do)
        if has_failed:
            yield ProvedPart(words=words, holds=None, why="not reached")
        elif place < len(played.steps) and played.steps[place].ok:
            yield ProvedPart(words=words, holds=True)
        else:
            has_failed = True
            yield ProvedPart(words=words, holds=False, why=played.end.detail or "it was not done")


def _nodes(evaluation: Evaluation, trace: Trace) -> Iterator[ProvedPart]:
    if evaluation.evaluator == "answer":
        yield ProvedPart(words="the answer", holds=evaluation.success, why=evaluation.why)
    if evaluation.evaluator == "page_reward":
        yield ProvedPart(words="the page's reward", holds=evaluation.success, why=evaluation.why)
    if evaluation.evaluator != "key_nodes":
        return
    places = _places(trace)
    for number, part in enumerate(evaluation.parts):
        why = part.why
        if is_met(part.score):
            meant = next((place for place, step in enumerate(trace.steps) if number in step.nodes), None)
            met = next(
                (place for place, last in enumerate(places) if part.step is not None and part.step <= last), None
            )
            why = "met before the first step" if met is None else f"met by step {met + 1}"
            if meant is not None and met is not None and met != meant:
                why += f", and it was put on step {meant + 1}"
        yield ProvedPart(words=part.name, holds=is_met(part.score), why=why)


def _warnings(assignment: SiteAssignment, evaluations: tuple[Evaluation, ...]) -> Iterator[str]:
    for evaluation in evaluations:
        if evaluation.evaluator == "key_nodes" and evaluation.floor:
            yield f"a key node is met by the first address, {assignment.facts.start}, by who does nothing, too"
