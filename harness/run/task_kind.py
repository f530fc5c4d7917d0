"""What a kind of task is to a run: the one protocol that forms, websites and kinds of other packages implement.

A kind is found by its name (``harness.catalog.kinds``); nothing in ``run``, ``episode`` and ``scoring`` asks which
it is. ``harness.forms.kind`` and ``harness.sites.kind`` are two of them; ``examples/terminal_kind/`` is a third, in a
package of its own.

A run goes through its kind in this order: it *checks* what its user asked for; the label side, in the process that
knows the labels, *begins* an episode; a player, in a worker, lets the solver *act*; the label side *finishes* and
*records* it; the record is *scored*, again and again, and *shown*. All that a kind needs for the first three is
imported by the methods that do it: whoever scores a run loads no browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from harness.catalog.kinds import FORM, TASK_KINDS
from harness.kit.errors import UserError
from harness.scoring.scored_kind import ScoredKind

if TYPE_CHECKING:
    from harness.actions.call import ActionCall
    from harness.actions.signature import ActionSpec
    from harness.browser.browser_choice import NavigationPolicy, PictureFormat
    from harness.browser.input_back_end import BrowserSession
    from harness.catalog import Catalog
    from harness.catalog.mirror.outside import Outside
    from harness.catalog.task import Instance, Task
    from harness.episode.assignment import KeyedWorkItem
    from harness.episode.play import PlayedPage
    from harness.episode.solver import AnySolver
    from harness.episode.trajectory import Trajectory
    from harness.records.config import ActionSetName, InputName, Limits, RunConfig
    from harness.records.directory import RunDirectory
    from harness.records.episode import Episode
    from harness.records.results import Results
    from harness.records.under_way import UnderWayFile
    from harness.run.foreign_tasks import ForeignTasks
    from harness.run.page_job import EpisodeFiles, PageJob
    from harness.run.worker import JobReport


ELSEWHERE = "elsewhere"
"""By what an attempt is known of which nothing can be asked once its process is gone."""


class WrongActions(UserError):
    """A set of actions is not for this kind of task."""


class LabelSide:
    """Where what is to be done is made of a task, and a record of what became of it: in a process with the labels."""

    def pages(self, task: Task) -> Any:
        """What all instances of a task have in common, for ``begin`` and ``learn``; it is kept while the task is."""
        return task

    def begin(self, pages: Any, instance: Instance, origin: str, left: str = "") -> KeyedWorkItem | None:
        """What is to be done on an instance, where all is as it has to be at the start.

        Args:
            pages: As ``pages`` gave it.
            instance: One of the task's.
            origin: Of the run's task server.
            left: By what an attempt is known that is not to begin anew, see ``TaskPlayer.begin``; empty to begin anew.

        Returns:
            None if a worker has to look at the page first, see ``TaskPlayer.look``.
        """
        raise NotImplementedError

    def learn(self, pages: Any, instance: Instance, origin: str, reference: Any) -> tuple[KeyedWorkItem, str]:
        """As ``begin``, with what a worker has seen on the page; also what the user should know, or ""."""
        raise LookupError("nobody looks at a page first")

    def drop(self, assignment: Any) -> None:
        """Finish an episode of which no record is made."""

    def finish(self, assignment: Any, played: PlayedPage) -> Episode:
        """Finish an episode, and make its record: with the labels, and what it depends on beside them."""
        raise NotImplementedError

    def why_unknown(self, episode: Episode, played: PlayedPage) -> str:
        """Why nobody can tell the score of an episode any more; empty if it can be told, or has none to tell."""
        return ""

    def most_steps(self, assignment: Any) -> int | None:
        """How many steps the task itself allows; None for as many as the run does."""
        return None


class TaskPlayer:
    """Lets a solver work on instances, in a worker's process; it is told nothing of the labels."""

    def look(self, session: BrowserSession, job: PageJob) -> Any:
        """What there is on a page before anybody works on it, for ``LabelSide.learn``."""
        raise LookupError("nobody looks at a page first")

    def begin(self, session: BrowserSession, job: PageJob, work_item: Any) -> str:
        """Make ready for an attempt; gives by what it is known afterwards, should its process hang."""
        return ELSEWHERE

    def limits(self, work_item: Any, limits: Limits) -> Limits:
        """What the solver may use, of what the run allows: less, where the task says so."""
        return limits

    def act(
        self,
        session: BrowserSession,
        solver: AnySolver,
        work_item: Any,
        limits: Limits,
        *,
        job: PageJob,
        ask_person: Callable[[str], str | None] | None,
        film: PictureFormat | None,
        onlooker: UnderWayFile | None,
        on_open: Callable[[], None],
        on_longer: Callable[[float], None],
    ) -> tuple[PlayedPage, Trajectory]:
        """Let a solver work.

        Args:
            session: A browser that may go where the task may.
            solver: Who works.
            work_item: What is needed for that.
            limits: What the solver may use.
            job: The instance.
            ask_person: Puts a question of the solver to a person; None if nobody attends.
            film: How the pictures of its film are coded; None for no film.
            onlooker: Is told how it goes on; None if nobody is.
            on_open: Is called just before the solver is handed the page.
            on_longer: Is told by how many seconds the episode is put off because the solver waited for a provider.

        Returns:
            What became of it, with the kind's own part as ``PlayedPage.body``; and what the solver did.

        Raises:
            harness.episode.play.PageDied: page or browser died under the solver.
            Exception: as of ``harness.episode.play.play_page``.
        """
        raise NotImplementedError

    def given_up(self, job: PageJob, work_item: Any) -> PlayedPage:
        """What is known of an instance that no attempt is left for."""
        from harness.episode.play import PlayedPage  # noqa: PLC0415
        from harness.episode.work import EpisodeEnd  # noqa: PLC0415

        return PlayedPage(end=EpisodeEnd("agent_error", job.lost.detail if job.lost else ""), unseen=True)

    def left(self, session: BrowserSession, job: PageJob, report: JobReport, limits: Limits) -> PlayedPage:
        """What is known of an attempt whose process hung and had to be killed."""
        from harness.episode.play import left_unseen  # noqa: PLC0415

        return left_unseen(limits)


@dataclass(frozen=True)
class PlayerSetup:
    """What a player is made of.

    Attributes:
        config: Of the run.
        folder: The run directory; on another machine a folder with what the solver has prepared there.
        files: Takes what an episode is going to name.
        solver: Who works; None where nobody does.
        foreign: The benchmark that the tasks are of, set up; None for tasks of a folder.
    """

    config: RunConfig
    folder: Path
    files: EpisodeFiles
    solver: AnySolver | None
    foreign: ForeignTasks | None = None


class TaskReplay(Protocol):
    """Does episodes again, in a worker's process."""

    def differences(
        self, session: BrowserSession, episode: Episode, instance: Instance, calls: Sequence[ActionCall]
    ) -> tuple[Sequence[Any], bool]:
        """In what the same actions come out otherwise, each a text by ``str``; and whether a film was made of them."""

    def reproduction(
        self,
        session: BrowserSession,
        episode: Episode,
        instance: Instance,
        calls: Sequence[ActionCall],
        say: Callable[[str], None],
    ) -> Sequence[Any]:
        """As ``differences``, and in what the record is not made of the task as it is now."""


@dataclass(frozen=True)
class ReplaySetup:
    """What a replay is made of.

    Attributes:
        catalog: Has the tasks.
        config: Of the run that is done again.
        key: As of ``TaskKind.label_side``.
        outside: What pages reach.
        seconds: How long one episode may take.
        film: Where the films of episodes without one go, and how their pictures are coded; None for no films.
    """

    catalog: Catalog
    config: RunConfig
    key: str
    outside: Outside
    seconds: float
    film: tuple[RunDirectory, PictureFormat] | None = None


class KindSummary(NamedTuple):
    """What the summary of a run tells of its scores.

    Attributes:
        tables: As plain text.
        means: The means over the run, in a sentence.
        counts: What was counted beside the outcomes, in sentences.
    """

    tables: Sequence[str]
    means: str
    counts: Sequence[str]


class TaskKind(ScoredKind):
    """A kind of task. What stands here is for one whose tasks need no website and no reference pass.

    Attributes:
        plural: What its tasks are called.
        protocol: What a solver gets, as ``run.json`` has it.
        sets_sites: Whether its tasks are on websites that the run's task server sets for each episode.
        published: Settings of a run that a leaderboard shows beside those that runs of any kind have.
    """

    plural: str
    protocol: str
    sets_sites = False
    published: tuple[str, ...] = ()

    def check(self, config: RunConfig, task: Task | None = None) -> None:
        """Make sure that what was asked for goes with tasks of this kind.

        Args:
            config: What was asked for.
            task: The one task that is meant; None for several, of which those that cannot be reached are left out.

        Raises:
            harness.catalog.problems.CatalogError: it does not.
        """

    def check_task(self, config: RunConfig, task: Task) -> None:
        """Make sure that a task has what was asked for, where that may be read.

        Args:
            config: What was asked for.
            task: One of those that were chosen, with its labels.

        Raises:
            harness.kit.errors.UserError: it has not.
        """

    def check_input(self, name: InputName) -> None:
        """Make sure that input can reach its tasks in a way; raises as ``check``."""

    def actions(self, name: ActionSetName | None) -> Mapping[str, ActionSpec]:
        """The actions that a solver is offered; None is the usual set.

        Raises:
            WrongActions: they are for tasks of another kind.
        """
        raise NotImplementedError

    def unreachable(self, task: Task, config: RunConfig) -> str:
        """Why a task is left out of a run, as its report counts it; empty if it is not."""
        return ""

    def is_answered(self, instance: Instance) -> bool:
        """Whether an instance has what it can be scored by."""
        return any(cell.strip() for cells in instance.labels.values() for cell in cells)

    def site_of(self, task: Task) -> tuple[str, str] | None:
        """The website that has to be there for a task, and its layout; None if none has to."""
        return None

    def reach(self, task: Task) -> tuple[tuple[str, ...], bool]:
        """The origins that a task's browser may go to beside the task server, and whether that serves them."""
        return (), False

    def policy(self, task: Task, server: str) -> NavigationPolicy:
        """Where the browser of a task may go.

        Args:
            task: The task.
            server: The origin of the run's task server.
        """
        from harness.browser.browser_choice import FORM as ONE_PAGE  # noqa: PLC0415

        return ONE_PAGE

    def label_side(self, config: RunConfig, key: str, text: Callable[[str], str | None], outside: Outside) -> LabelSide:
        """The label store of a process that may know the labels.

        Args:
            config: Of the run.
            key: Opens what sets the websites of the run's task server; empty without ``sets_sites``.
            text: Gives the texts that the run directory has, by their SHA-256.
            outside: What pages reach.
        """
        raise NotImplementedError

    def ended(self, folder: Path, task: str, index: int) -> None:
        """The record of an episode was written: what was written down in case of need can go."""

    def player(self, setup: PlayerSetup) -> TaskPlayer:
        """What plays its tasks, in a worker's process."""
        raise NotImplementedError

    def summary(self, results: Results, found: Any) -> KindSummary | None:
        """What the summary of a run tells of its scores; None for tables of tasks and fields.

        Args:
            results: The numbers of the run.
            found: What its ``tally`` has found.
        """
        return None

    def refusal(self, task: Task, *, live: bool) -> str:
        """Why an episode cannot be done again on what its task is now; empty if it can.

        Args:
            task: The task.
            live: Whether pages reach the web.
        """
        return f"{self.plural} are not done again"

    def replay(self, setup: ReplaySetup) -> TaskReplay:
        """What does its episodes again, in a worker's process."""
        raise NotImplementedError


def task_kind(name: str | None) -> TaskKind:
    """The kind of that name.

    Args:
        name: None of a run that was recorded before there were kinds.

    Raises:
        harness.kit.errors.UserError: there is none of that name, or its package is broken.
    """
    kind: TaskKind = TASK_KINDS.find(name or FORM)
    return kind
