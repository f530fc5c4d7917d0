from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from harness.browser.browser import PageFailed
from harness.browser.channel import BrowserGone
from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.seat import Seat
from harness.run.pool import ATTEMPTS, Pool

SETTINGS = BrowserSettings(origin="http://127.0.0.1:1")


class Office:
    """Seats with nothing on them, counted."""

    def __init__(self):
        self.made = 0
        self.open = 0
        self.refusals: list[Exception] = []

    def seat(self, settings):
        assert settings is SETTINGS
        if self.refusals:
            raise self.refusals.pop()
        self.made += 1
        self.open += 1
        # No process has this number, so that nothing could be killed by it.
        browser = SimpleNamespace(close=self._close, process_group=2**30)
        return Seat(browser, SimpleNamespace(close=lambda: None))  # type: ignore[arg-type]

    def _close(self):
        self.open -= 1


def run(work, jobs, *, workers=1, office=None):
    office = office or Office()
    done: dict[object, object] = {}
    failed: dict[object, str] = {}
    pool = Pool(work, done.__setitem__, failed.__setitem__, settings=SETTINGS, make_seat=office.seat, workers=workers)
    pool.run(jobs)
    return done, failed, office


def failing(times, error):
    """Work that fails so many times for each job."""
    tries: dict[object, int] = {}

    def work(_seat, _worker, job):
        tries[job] = tries.get(job, 0) + 1
        if tries[job] <= times:
            raise error
        return tries[job]

    return work


def test_every_job_is_done_with_one_browser_a_worker():
    done, failed, office = run(lambda _seat, _worker, job: job * 2, range(5))
    assert (done, failed) == ({job: job * 2 for job in range(5)}, {})
    assert (office.made, office.open) == (1, 0)


def test_workers_share_the_jobs():
    meeting = threading.Barrier(2, timeout=30)

    def work(_seat, worker, _job):
        meeting.wait()  # passes only with two workers at two jobs at a time
        return worker

    done, _, office = run(work, range(4), workers=2)
    assert sorted(done) == [0, 1, 2, 3]
    assert set(done.values()) == {0, 1}
    assert (office.made, office.open) == (2, 0)


def test_no_more_browsers_are_started_than_there_are_jobs():
    _, _, office = run(lambda *_: None, range(1), workers=4)
    assert office.made == 1


def test_without_jobs_no_browser_is_started():
    _, _, office = run(lambda *_: None, [])
    assert office.made == 0


@pytest.mark.parametrize("error", [BrowserGone("x"), PageFailed("x"), KeyError("x")])
def test_a_job_whose_browser_died_is_tried_again_in_a_new_one(error):
    done, failed, office = run(failing(1, error), ["job"])
    assert (done, failed) == ({"job": 2}, {})
    assert (office.made, office.open) == (2, 0)


def test_a_job_that_always_fails_is_given_up_with_the_reason():
    done, failed, office = run(failing(ATTEMPTS, BrowserGone("the browser is gone")), ["job"])
    assert (done, failed) == ({}, {"job": "the browser is gone"})
    assert (office.made, office.open) == (ATTEMPTS, 0)


def test_a_reason_without_words_is_the_name_of_the_error():
    _, failed, _ = run(failing(ATTEMPTS, ValueError()), ["job"])
    assert failed == {"job": "ValueError"}


def test_one_failing_job_does_not_end_the_others():
    def work(_seat, _worker, job):
        if job == 1:
            raise ZeroDivisionError("a defect")
        return job

    done, failed, _ = run(work, range(3))
    assert (done, failed) == ({0: 0, 2: 2}, {1: "a defect"})


def test_if_no_browser_starts_at_all_the_run_ends():
    office = Office()
    office.refusals = [NoBrowser("install one")] * 2
    with pytest.raises(NoBrowser, match="install one"):
        run(lambda *_: None, range(2), office=office)


def test_a_browser_that_does_not_start_again_is_one_failed_attempt():
    office = Office()

    def work(_seat, _worker, job):
        if office.made == 1:
            office.refusals = [NoBrowser("no memory")]
            raise BrowserGone("killed")
        return job

    done, failed, _ = run(work, ["job"], office=office)
    assert (done, failed) == ({"job": "job"}, {})


def test_what_goes_wrong_with_a_result_ends_the_run():
    def full(*_):
        raise OSError("no space left")

    pool = Pool(lambda *_: None, full, full, settings=SETTINGS, make_seat=Office().seat)
    with pytest.raises(OSError, match="no space left"):
        pool.run(range(2))


def interrupt_waiting(monkeypatch, times):
    """The main thread gets so many Ctrl-C while it waits for the workers."""
    join = threading.Thread.join
    left = iter(range(times))

    def interrupted(thread, timeout=None):
        if thread.name.startswith("worker-") and next(left, None) is not None:
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)


def test_an_interrupt_lets_the_job_under_way_finish_and_starts_no_other(monkeypatch):
    interrupt_waiting(monkeypatch, 1)
    done: dict[object, object] = {}
    office = Office()
    pool: Pool[int, int] = Pool(
        lambda _seat, _worker, job: pool.stopping.wait(30) and job,
        done.__setitem__,
        lambda *_: None,
        settings=SETTINGS,
        make_seat=office.seat,
    )
    with pytest.raises(KeyboardInterrupt):
        pool.run([7, 8, 9])
    assert done == {7: 7}
    assert office.open == 0


def test_a_job_that_fails_after_an_interrupt_is_neither_done_nor_failed(monkeypatch):
    interrupt_waiting(monkeypatch, 1)
    told: list[object] = []

    def work(*_):
        pool.stopping.wait(30)
        raise BrowserGone("killed")

    pool: Pool[int, int] = Pool(
        work, lambda *_: told.append(_), lambda *_: told.append(_), settings=SETTINGS, make_seat=Office().seat
    )
    with pytest.raises(KeyboardInterrupt):
        pool.run([7, 8])
    assert told == []


def test_a_second_interrupt_does_not_wait_and_what_comes_late_is_not_kept(monkeypatch):
    interrupt_waiting(monkeypatch, 2)
    told: list[object] = []
    go_on = threading.Event()
    left = threading.Event()
    office = Office()
    office._close = left.set  # type: ignore[method-assign]
    pool: Pool[int, bool] = Pool(
        lambda *_: go_on.wait(30),
        lambda *_: told.append(_),
        lambda *_: told.append(_),
        settings=SETTINGS,
        make_seat=office.seat,
    )
    with pytest.raises(KeyboardInterrupt):
        pool.run([7])
    go_on.set()
    assert left.wait(30)
    assert told == []
