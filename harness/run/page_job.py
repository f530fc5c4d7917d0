"""A page that is to be played, as it is handed to a worker, and what became of attempts that came to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from harness.episode.play import PageDied, PlayedPage
from harness.records.config import Limits
from harness.records.episode import Episode, now
from harness.records.film import Film
from harness.records.lost_attempts import LostAttemptFiles, LostAttempts
from harness.records.turn import Turn
from harness.run.server import page_url


@dataclass(frozen=True)
class PageJob:
    """One instance to be worked on.

    Attributes:
        task: The task's name.
        index: The instance's place in its file.
        id: Its id.
        split: The task's split.
        left_page: The id of the instance's page, or the episode of its website, if a solver left it open that hung, or
            that has no further attempt; empty to begin anew.
        lost: What came to nothing before; None if nothing did.
    """

    task: str
    index: int
    id: str
    split: str
    left_page: str = ""
    lost: LostAttempts | None = None

    def url(self, origin: str) -> str:
        """The address of its page at a task server."""
        return page_url(origin, self)

    def failed(self, reason: str) -> Episode:
        """Its episode after a harness error."""
        lost = self.lost
        return Episode(
            self.task,
            self.index,
            self.id,
            self.split,
            "harness_error",
            reason,
            attempts=lost.count if lost else 0,
            lost_turns=lost.turns if lost else (),
            ended=now(),
        )

    def limits(self, limits: Limits) -> Limits:
        """What its solver may still use, of what it might at the start."""
        return self.lost.limits if self.lost else limits

    def after(self, lost: PageDied, *, unknown: bool) -> PageJob:
        """What is to be done once the page has died under the solver.

        Args:
            lost: How.
            unknown: Whether the solver may have asked models past the harness.
        """
        done = lost.trajectory
        left = Limits(done.steps_left(), done.seconds_left())
        return self._lost(str(lost), left, None if unknown else tuple(done.turns))

    def died(self, limits: Limits, reason: str, seconds: float) -> PageJob:
        """What is to be done once the process has died under the solver.

        Args:
            limits: What the solver might use in this attempt.
            reason: How the process died.
            seconds: How long the solver had been at work.
        """
        return self._lost(reason, replace(limits, max_seconds=max(0.0, limits.max_seconds - seconds)), None)

    def unreadable(self, reason: str) -> PageJob:
        """What is to be done if the page that a hung solver left open cannot be read."""
        return self._lost(reason, Limits(0, 0.0), None)

    def _lost(self, reason: str, left: Limits, turns: tuple[Turn, ...] | None) -> PageJob:
        before = self.lost
        if before:
            turns = None if before.turns is None or turns is None else (*before.turns, *turns)
        count = (before.count if before else 0) + 1
        lost = LostAttempts(count, reason, left, turns)
        # Where nobody begins anew, a website is asked how it was left.
        return replace(self, left_page=self.left_page if lost.final else "", lost=lost)

    def keep_lost(self, kept: LostAttemptFiles) -> None:
        """Write down what came to nothing, before anything else is done: the run may be killed.

        Raises:
            harness.records.fatal.CannotWrite: the run directory cannot be written.
        """
        if self.lost:
            kept.write(self.task, self.index, self.lost)

    def with_attempts(self, played: PlayedPage) -> PlayedPage:
        """What became of its page, with the attempts that had come to nothing before."""
        if not self.lost:
            return played
        return replace(played, attempts=played.attempts + self.lost.count, lost_turns=self.lost.turns)


class EpisodeFiles(Protocol):
    """Where goes what an episode is going to name; see ``harness.records.directory.RunDirectory``."""

    def keep(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        """Write what an episode is going to name."""

    def write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        """Write the film of an instance; None for none."""
