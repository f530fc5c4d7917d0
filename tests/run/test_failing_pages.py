"""When pages on which a solver failed before it did anything are enough to stop a run: no browser, a clock by hand."""

from __future__ import annotations

import pytest

from harness.episode.play import PlayedPage
from harness.episode.work import EpisodeEnd
from harness.models.messages import Usage
from harness.models.request_summary import RequestSummary
from harness.records.fatal import Stop
from harness.records.turn import Turn
from harness.run.label_store import PlayedEpisode
from harness.run.page_job import PageJob
from harness.run.stop_reasons import FailingPages

FAILED = EpisodeEnd("agent_error", "exited with status 1")
REFUSED = EpisodeEnd("agent_error", "HTTP 400", refused=RequestSummary(10, 30, 1))
PROSE = PlayedPage(end=EpisodeEnd("agent_error", "no action"), attempts=1, turns=(Turn(usage=Usage(1, 1)),))
FINE = PlayedPage(attempts=1)


class Run:
    """A run's pages, begun and ended one after the other; each takes a second."""

    def __init__(self) -> None:
        self.now = 0.0
        self.streak = FailingPages({"isolate": "masked"}, lambda: self.now)

    def begin(self, index: int) -> PageJob:
        job = PageJob("T", index, f"{index:012x}", "train")
        self.streak.begin(job)
        return job

    def end(
        self, job: PageJob, played: PlayedPage, *, replied: bool = False, acted: bool = False, outcome: str = ""
    ) -> Stop | None:
        self.now += 1
        return self.streak.end(
            job,
            played,
            PlayedEpisode(outcome or played.end.outcome, None, replied=replied, acted=acted),  # type: ignore[arg-type]
        )

    def play(self, *ends: EpisodeEnd, first: int = 0) -> list[Stop | None]:
        return [self.end(self.begin(first + place), failed(end)) for place, end in enumerate(ends)]


def failed(end: EpisodeEnd, attempts: int = 1) -> PlayedPage:
    return PlayedPage(end=end, attempts=attempts)


@pytest.mark.parametrize(
    ("end", "kind", "words"),
    [(FAILED, "program", "exited with status 1"), (REFUSED, "refused", "HTTP 400")],
)
def test_the_third_page_in_a_row_stops_the_run_with_the_last_words(end, kind, words):
    *before, stop = Run().play(end, end, end)
    assert before == [None, None]
    assert stop is not None
    assert (stop.kind, words in stop.words, "on 3 pages" in stop.words) == (kind, True, True)
    assert stop.advice


def test_a_page_that_is_tried_again_is_one_page():
    run = Run()
    assert [run.end(run.begin(0), failed(FAILED)) for _ in range(4)] == [None] * 4


def test_another_failure_begins_a_new_streak():
    run = Run()
    assert run.play(FAILED, FAILED, REFUSED, REFUSED) == [None] * 4
    assert run.play(REFUSED, first=4)[0] is not None


@pytest.mark.parametrize("between", [FINE, PROSE], ids=["ended well", "a model that says nothing of use"])
def test_a_page_that_ends_otherwise_ends_the_streak(between):
    run = Run()
    assert run.play(FAILED, FAILED) == [None, None]
    run.end(run.begin(2), between, replied=between is FINE)
    assert run.play(FAILED, FAILED, first=3) == [None, None]
    assert run.play(FAILED, first=5)[0] is not None


@pytest.mark.parametrize("end", [FAILED, REFUSED])
def test_nothing_stops_a_run_in_which_something_was_done(end):
    run = Run()
    run.end(run.begin(0), FINE, replied=True, acted=True)
    assert run.play(*[end] * 9, first=1) == [None] * 9


def test_a_page_that_was_begun_before_is_waited_for():
    run = Run()
    slow = run.begin(9)
    assert run.play(FAILED, FAILED, FAILED) == [None] * 3
    run.end(slow, FINE, replied=True, acted=True)
    assert run.play(FAILED, first=3) == [None]


def test_pages_that_were_begun_together_stop_the_run_once_all_have_failed():
    run = Run()
    jobs = [run.begin(index) for index in range(4)]
    *before, last = [run.end(job, failed(FAILED)) for job in jobs]
    assert before == [None] * 3
    assert last is not None


@pytest.mark.parametrize(
    ("played", "outcome"),
    [(failed(FAILED, attempts=2), ""), (failed(EpisodeEnd("harness_error", "no page")), "harness_error")],
    ids=["the page died under it", "the harness failed"],
)
def test_what_is_no_fault_of_the_solver_stops_nothing(played, outcome):
    run = Run()
    assert [run.end(run.begin(index), played, outcome=outcome) for index in range(6)] == [None] * 6
