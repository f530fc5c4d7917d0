"""The side of websites that knows the labels: it sets the site, asks for its state in the end, and evaluates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.catalog.golden_reference import golden_reference, written_reference
from harness.catalog.task import Instance, Task
from harness.episode.clock import Clock
from harness.episode.play import PlayedPage
from harness.episode.site_assignment import PlayedSite, SiteAssignment, site_assignment
from harness.kit.options import view
from harness.models.asking_options import SiteAsking
from harness.records.config import RunConfig
from harness.records.episode import Episode
from harness.records.site_record import SiteRecord
from harness.run.site_control import SiteControl, SiteControlRefused, new_episode
from harness.run.task_kind import LabelSide
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.key_nodes import ReadDom

_LOST = "what had come of it on the website until then is lost, so that nobody can tell its score"


@dataclass
class _Begun:
    """An episode that a bundled site knows."""

    control: SiteControl
    state: Any


class SiteLabelSide(LabelSide):
    """Of one process that may know what tasks are judged by."""

    def __init__(self, config: RunConfig, key: str, read_dom: ReadDom) -> None:
        """Open it.

        Args:
            config: Of the run.
            key: Of the control API of the run's task server.
            read_dom: Gives the trees of pages that the run directory has.
        """
        self._config = config
        self._key = key
        self._read_dom = read_dom
        self._begun: dict[str, _Begun] = {}
        self._attempts: dict[tuple[str, int], SiteAssignment] = {}

    def begin(self, pages: Task, instance: Instance, origin: str, left: str = "") -> SiteAssignment:
        """What is to be done, on a site that is as it has to be at the start.

        Args:
            pages: A task on a website.
            instance: One of its instances.
            origin: Of the run's task server.
            left: The episode that a solver left behind that is not to begin anew; empty to begin anew.

        Raises:
            SiteControlRefused: the site cannot be set.
        """
        before = self._attempts.pop((instance.task, instance.index), None)
        if before and before.episode != left:
            self.drop(before)  # of an attempt that came to nothing
        assignment = site_assignment(pages, instance, self._config.drawing_seed)
        reference = view(SiteAsking, self._config.options).reference
        if reference in ("golden", "written"):
            guide = golden_reference(assignment.facts, assignment.trace)
            guide = written_reference(pages.folder, guide) if reference == "written" else guide
            assignment = replace(assignment, page=replace(assignment.page, guide=guide))
        if not assignment.setting.site:
            return assignment
        episode = left or new_episode()
        if left not in self._begun:
            control = SiteControl(origin, self._key)
            state = None if left else control.begin(episode, assignment.setting)
            self._begun[episode] = _Begun(control, state)
        assignment = self._attempts[instance.task, instance.index] = replace(assignment, episode=episode)
        return assignment

    def drop(self, assignment: SiteAssignment) -> None:
        """Let the site forget an episode of which nothing will be handed in."""
        self._attempts.pop((assignment.instance.task, assignment.instance.index), None)
        if begun := self._begun.pop(assignment.episode, None):
            try:
                begun.control.end(assignment.episode)
            except SiteControlRefused:
                return  # the server forgets by itself, in time

    def finish(self, assignment: SiteAssignment, played: PlayedPage) -> Episode:
        """The record of an episode, evaluated; the site forgets it.

        Args:
            assignment: What was to be done.
            played: What became of it.
        """
        clock = Clock()
        site = played.body or PlayedSite()
        before, state = self._states(assignment)
        self.drop(assignment)
        record = SiteRecord(
            task=replace(assignment.facts, goal=site.goal or assignment.facts.goal),
            moments=site.moments,
            moments_lost=site.moments_lost,
            is_unseen=site.is_unseen,
            answer=site.answer,
            state_before=before if site.state_before is None else site.state_before,
            state=None if site.is_forgotten else state if site.state is None else site.state,
            reward=site.reward,
            left=site.left,
            refused=site.refused,
            late=site.late,
        )
        record = replace(record, evaluations=evaluate(record, self._read_dom, None))
        clock.lap("read")
        return site_episode(assignment, played, record, {**played.timing, **clock.timing})

    def _states(self, assignment: SiteAssignment) -> tuple[Any, Any]:
        """What the site told at the start and what it tells now; None for what is not known."""
        begun = self._begun.get(assignment.episode)
        if begun is None:
            return None, None
        try:
            return begun.state, begun.control.state(assignment.episode)
        except SiteControlRefused:
            return begun.state, None

    def why_unknown(self, episode: Episode, played: PlayedPage) -> str:
        """See ``harness.run.task_kind.LabelSide``."""
        main, known = episode.site.main if episode.site else None, played.body
        if main is None or main.score is not None or known is None:
            return ""
        lost = {"final_state": known.is_forgotten, "checks": known.left is None}.get(main.evaluator, known.is_unseen)
        return f"{episode.detail}; {_LOST}" if lost else ""

    def most_steps(self, assignment: SiteAssignment) -> int | None:
        """See ``harness.run.task_kind.LabelSide``."""
        return assignment.max_steps


def site_episode(
    assignment: SiteAssignment, played: PlayedPage, record: SiteRecord, timing: Mapping[str, float]
) -> Episode:
    """The record of an episode on a website.

    Args:
        assignment: What was to be done.
        played: What became of it.
        record: What happened, evaluated.
        timing: Milliseconds by phase.
    """
    instance, end = assignment.instance, played.end
    return Episode(
        task=instance.task,
        index=instance.index,
        id=instance.id,
        split=assignment.split,
        outcome="unscored" if record.main is None or record.main.score is None else end.outcome,
        detail=end.detail,
        limit=end.limit,
        steps=played.steps,
        turns=played.turns,
        lost_turns=played.lost_turns,
        attempts=played.attempts,
        script_errors=played.script_errors,
        messages=played.messages,
        timing=timing,
        agent_report=played.agent_report,
        unseen=played.unseen,
        site=record,
    )
