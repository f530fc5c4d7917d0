"""What is to be done on a website, and the part of it that a solver without a key is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.catalog.login import Cookie, login_of
from harness.catalog.site_facts import Look, SiteFacts
from harness.catalog.task import Instance, Task
from harness.catalog.trace import Trace
from harness.episode.assignment import Page, WorkItem, seed_of
from harness.episode.trajectory import Trajectory
from harness.kit.files.codec import Count
from harness.records.site_record import LeftPages, Moment


@dataclass(frozen=True, kw_only=True)
class PlayedSite:
    """What happened on a website; nothing of it was made with what the task is judged by.

    Attributes:
        moments: As of ``SiteRecord``; the trees that they name are texts of the trajectory.
        moments_lost: As of ``SiteRecord``.
        is_unseen: As of ``SiteRecord``.
        is_forgotten: Whether the site itself has forgotten how the episode left it.
        answer: As of ``SiteRecord``.
        state_before: As of ``SiteRecord``; what is None here the run's label store fills in, which may ask the site.
        state: As of ``SiteRecord``; likewise.
        reward: As of ``SiteRecord``.
        left: As of ``SiteRecord``; the texts that it names are texts of the trajectory.
        refused: As of ``SiteRecord``.
        late: As of ``SiteRecord``.
        goal: What was to be done, as the solver was told it; empty if nobody was.
    """

    moments: tuple[Moment, ...] = ()
    moments_lost: Count = 0
    is_unseen: bool = False
    is_forgotten: bool = False
    answer: str | None = None
    state_before: Any = None
    state: Any = None
    reward: float | None = None
    left: LeftPages | None = None
    refused: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    goal: str = ""


AskPerson = Callable[[str], str | None]
"""Puts a question to a person, and waits; None if the person gives no answer."""


@dataclass(frozen=True)
class User:
    """Whom ``ask_user`` asks.

    Attributes:
        answers: As in ``harness.catalog.site_facts.SiteFacts``: they come first.
        person: Is asked where none of them fits; None if nobody attends.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    person: AskPerson | None = None

    def answer(self, question: str, trajectory: Trajectory) -> str | None:
        """What the user answers; None for nothing.

        Args:
            question: The question.
            trajectory: Of the episode, whose time does not go on while a person is waited for.
        """
        asked = question.casefold()
        answer = next((said for words, said in self.answers.items() if words.casefold() in asked), None)
        if answer is None and self.person:
            with trajectory.waiting():
                answer = self.person(question)
        return answer


@dataclass(frozen=True)
class SiteSetting:
    """What a bundled site is made of for an episode.

    Attributes:
        site: Its name in ``turkle_app.sites``; empty for a site elsewhere, of which nothing can be set.
        variant: Which layout; empty for the usual one.
        seed: Of its data.
    """

    site: str = ""
    variant: str = ""
    seed: int = 0


@dataclass(frozen=True)
class SiteWorkItem(WorkItem):
    """What is needed to let a solver work on a website: nothing that it is judged by, but for where that is read.

    Attributes:
        setting: What the site is made of.
        episode: By what a bundled site knows the episode: the value of the cookie ``episode``; empty for other sites.
        max_steps: Steps that the task allows; None for as many as the run does.
        is_rewarded: Whether the first page itself says what is to be done, when that is over, and what it was worth.
        user_answers: What the user answers, as in ``SiteFacts``.
        looks: Where pages are read when the solver is done, which is told no solver; None where nobody asks.
        login: The cookies that the browser begins with.
    """

    setting: SiteSetting = SiteSetting()
    episode: str = ""
    max_steps: int | None = None
    is_rewarded: bool = False
    user_answers: Mapping[str, str] = field(default_factory=dict)
    looks: tuple[Look, ...] | None = None
    login: tuple[Cookie, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SiteAssignment(SiteWorkItem):
    """What is to be done on a website, with what it is judged by: for the run, and for solvers that may know that.

    Attributes:
        instance: The row that filled the task in.
        facts: The task, filled in.
        trace: The reference, filled in; None if the task has none.
        split: The split of its task.
    """

    instance: Instance
    facts: SiteFacts
    trace: Trace | None = None
    split: str = ""

    @property
    def work_item(self) -> SiteWorkItem:
        """The part without what it is judged by."""
        return SiteWorkItem(
            self.page,
            self.setting,
            self.episode,
            self.max_steps,
            self.is_rewarded,
            self.user_answers,
            self.looks,
            self.login,
        )


def site_assignment(task: Task, instance: Instance, seed: int) -> SiteAssignment:
    """What is to be done on an instance of a site task; no site has been set yet.

    Args:
        task: The task, of the kind ``site``.
        instance: One of its instances.
        seed: Of solvers that draw, in the whole run.

    Raises:
        CatalogError: the login of its folder cannot be used.
    """
    facts = task.site_of(instance)
    return SiteAssignment(
        page=Page(facts.start, (), (), seed_of(instance, seed), facts.goal, facts.origins),
        setting=SiteSetting(facts.site, facts.variant, facts.seed),
        max_steps=step_limit(facts),
        is_rewarded=facts.evaluators.page_reward,
        user_answers=facts.user_answers,
        looks=facts.evaluators.looks if facts.evaluators.checks else None,
        login=login_of(task.folder.parent, facts.origins),
        instance=instance,
        facts=facts,
        trace=task.trace_of(instance),
        split=task.split,
    )


FEWEST_STEPS = 10
"""What a task allows at least, however short its reference (WebCanvas, section 5.1)."""


def step_limit(facts: SiteFacts) -> int | None:
    """The steps that a task allows: one and a half times the reference unless it says otherwise; None if not known."""
    if facts.max_steps is not None or facts.reference_length is None:
        return facts.max_steps
    return max(FEWEST_STEPS, -(-3 * facts.reference_length // 2))
