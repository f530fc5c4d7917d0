"""Worker processes with browser sessions in which there is nothing."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.browser.browser import PageFailed
from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.browser.input_back_end import BrowserSession
from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.wire import BrowserGone, PipeEnds
from harness.records.fatal import FatalError
from harness.run import pool as pools
from harness.run import worker as workers
from harness.run.interrupts import Interrupts
from harness.run.pause import NotNow, Pause, ProviderGivenUp
from harness.run.pool import Pool, PoolListener, WorkersDie
from harness.run.worker import ATTEMPTS, Replaced

SETTINGS = BrowserSettings(origin="http://127.0.0.1:1")


class Log:
    """A file to which processes add lines."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.touch()

    def add(self, line: object) -> int:
        """Add a line; how often it stands there now."""
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(f"{line}\n")
        return self.count(line)

    def count(self, line: object) -> int:
        return self.file.read_text(encoding="utf-8").splitlines().count(str(line))


class Work:
    """Does each job with a function; ``spent`` from when the function says so."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.spent = False
        self._function = function

    def do(self, _session, job, report):
        return self._function(self, job, report)


def fake_session(close: Callable[[], object] = lambda: None) -> BrowserSession:
    """A session with a browser of which there is a pipe, and nothing else."""
    # No process has this number, so that nothing could be killed by it.
    browser = SimpleNamespace(close=close, process_group=2**30, ends=PipeEnds(*os.pipe()), sandbox="on")
    return BrowserSession(browser, SimpleNamespace(close=lambda: None))  # type: ignore[arg-type]


class Outcome:
    """What a pool told its owner."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.done: dict[object, object] = {}
        self.failed: dict[object, str] = {}
        self.said: list[str] = []
        self.interrupted = 0

    def on_interrupt(self) -> None:
        self.interrupted += 1
        self.log.add("interrupted")


@pytest.fixture
def log(tmp_path):
    return Log(tmp_path / "log")


def run(
    log: Log,
    function,
    jobs,
    *,
    on_done=None,
    count=1,
    patience=60.0,
    refusals=0,
    make_work=None,
    interrupts=0,
    pause=None,
) -> Outcome:
    """Let a pool do jobs, all of one group, with so many Ctrl-C meanwhile."""
    outcome = Outcome(log)

    def make_session(settings):
        assert settings.scratch.is_dir()
        if log.count("refused") < refusals:
            log.add("refused")
            raise NoBrowser("install one")
        log.add("made")
        return fake_session(lambda: log.add("closed"))

    with (
        Interrupts() as asked,
        Pool(
            make_work or (lambda: Work(function)),
            PoolListener(
                on_done or outcome.done.__setitem__,
                outcome.failed.__setitem__,
                outcome.said.append,
                outcome.on_interrupt,
            ),
            workers=count,
            patience=patience,
            interrupts=asked,
            make_session=make_session,
            pause=pause,
        ) as pool,
    ):
        pool.open(SETTINGS)
        pool.put("group", jobs)
        threading.Thread(target=interrupt, args=(log, interrupts), daemon=True).start()
        with pytest.raises(KeyboardInterrupt) if interrupts else nullcontext():
            pool.finish()
    return outcome


def failing(log: Log, times: int, error: Exception):
    """Work that fails so many times for each job."""

    def function(_work, job, _report):
        tries = log.add(f"try {job}")
        if tries <= times:
            raise error
        return tries

    return function


def test_every_job_is_done_with_one_browser_a_worker(log):
    outcome = run(log, lambda _work, job, _report: job * 2, range(9))
    assert (outcome.done, outcome.failed) == ({job: job * 2 for job in range(9)}, {})
    assert (log.count("made"), log.count("closed")) == (1, 1)


def test_a_worker_s_browser_is_replaced_where_jobs_may_go_elsewhere_and_those_of_one_browser_come_together(log):
    shop, board = NavigationPolicy(("http://shop.test",)), NavigationPolicy(("http://board.test",))
    done = []

    def make_session(settings):
        log.add(f"for {' '.join(settings.policy.origins) or 'forms'}")
        return fake_session(lambda: log.add("closed"))

    with (
        Interrupts() as asked,
        Pool(
            lambda: Work(lambda _work, job, _report: job),
            PoolListener(lambda job, _done: done.append(job), lambda _job, _why: None),
            workers=1,
            patience=60.0,
            interrupts=asked,
            make_session=make_session,
        ) as pool,
    ):
        for group, policy, weight in (("a", shop, 4.0), ("b", board, 3.0), ("c", shop, 2.0), ("d", FORM, 1.0)):
            pool.put(group, [f"{group}{number}" for number in range(2)], weight, policy)
        pool.open(SETTINGS)
        pool.finish()
    assert done == ["d0", "d1", "a0", "a1", "c0", "c1", "b0", "b1"]
    assert [log.count(f"for {name}") for name in ("forms", "http://shop.test", "http://board.test")] == [1, 1, 1]


def test_workers_are_processes_that_share_the_jobs(log):
    def together(_work, job, _report):
        log.add(f"at {job}")
        # The first two jobs end only if they are under way at one time.
        while not (log.count("at 0") and log.count("at 1")):
            os.sched_yield()
        return os.getpid()

    outcome = run(log, together, range(2), count=2)
    assert len(set(outcome.done.values()) - {os.getpid()}) == 2
    assert (log.count("made"), log.count("closed")) == (2, 2)


def test_without_jobs_no_browser_is_started(log):
    assert run(log, None, []).done == {}
    assert log.count("made") == 0


def test_jobs_that_come_late_are_done_too():
    with (
        Interrupts() as interrupts,
        Pool(
            lambda: Work(lambda _work, job, _report: job),
            PoolListener((done := {}).__setitem__, {}.__setitem__),
            workers=1,
            patience=60,
            interrupts=interrupts,
            make_session=lambda _: fake_session(),
        ) as pool,
    ):
        pool.put("a", [1])
        pool.open(SETTINGS)
        pool.put("b", [2])
        pool.finish()
        pool.put("a", [3])
        pool.finish()
    assert done == {1: 1, 2: 2, 3: 3}


@pytest.mark.parametrize("error", [BrowserGone("x"), PageFailed("x"), KeyError("x")])
def test_a_job_whose_browser_died_is_tried_again_in_a_new_one(log, error):
    outcome = run(log, failing(log, 1, error), ["job"])
    assert (outcome.done, outcome.failed) == ({"job": 2}, {})
    assert (log.count("made"), log.count("closed")) == (2, 2)


def test_a_job_that_always_fails_is_given_up_with_the_reason(log):
    outcome = run(log, failing(log, ATTEMPTS, BrowserGone("the browser is gone")), ["job"])
    assert (outcome.done, outcome.failed) == ({}, {"job": "the browser is gone"})
    assert log.count("try job") == ATTEMPTS


def test_a_reason_without_words_is_the_name_of_the_error(log):
    assert run(log, failing(log, ATTEMPTS, ValueError()), ["job"]).failed == {"job": "ValueError"}


def test_one_failing_job_does_not_end_the_others(log):
    def function(_work, job, _report):
        if job == 1:
            raise ZeroDivisionError("a defect")
        return job

    outcome = run(log, function, range(3))
    assert (outcome.done, outcome.failed) == ({0: 0, 2: 2}, {1: "a defect"})


def test_a_browser_is_replaced_after_a_number_of_pages(log, monkeypatch):
    monkeypatch.setattr(workers, "PAGES_PER_BROWSER", 3)
    run(log, lambda *_: None, range(7))
    assert (log.count("made"), log.count("closed")) == (3, 3)


def test_if_no_browser_starts_at_all_the_run_ends(log):
    with pytest.raises(NoBrowser, match="install one"):
        run(log, lambda *_: None, range(2), refusals=1)


def test_a_browser_that_does_not_start_again_is_one_failed_attempt(log):
    outcome = run(log, failing(log, 1, BrowserGone("killed")), ["first", "job"], refusals=0)
    assert outcome.done == {"first": 2, "job": 2}


def test_what_would_end_every_job_ends_the_run(log):
    with pytest.raises(FatalError, match="no space"):
        run(log, failing(log, 9, FatalError("no space")), range(3))
    assert log.count("try 0") == 1


def test_work_that_cannot_be_made_ends_the_run(log):
    def make_work():
        raise ValueError("no such model")

    with pytest.raises(ValueError, match="no such model"):
        run(log, None, range(2), make_work=make_work)


def test_an_error_that_cannot_cross_to_another_process_is_told_in_words(log):
    class Local(Exception):
        pass

    def make_work():
        raise Local("no such model")

    with pytest.raises(FatalError, match="Local: no such model"):
        run(log, None, range(2), make_work=make_work)


def test_what_goes_wrong_with_a_result_ends_the_run():
    def full(*_):
        raise OSError("no space left")

    with (
        Interrupts() as interrupts,
        Pool(
            lambda: Work(lambda *_: None),
            PoolListener(full, full),
            workers=1,
            patience=60,
            interrupts=interrupts,
            make_session=lambda _: fake_session(),
        ) as pool,
    ):
        pool.open(SETTINGS)
        pool.put("group", range(2))
        with pytest.raises(OSError, match="no space left"):
            pool.finish()


def test_what_is_said_twice_is_told_once(log):
    outcome = run(log, lambda _work, _job, report: report.say("the cache is full"), range(3))
    assert outcome.said == ["the cache is full"]


# Workers that die, hang or are spent.


def test_a_worker_that_dies_is_replaced_and_its_job_done_again(log):
    def dies_once(_work, job, _report):
        if log.add(f"try {job}") == 1 and job == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return job

    outcome = run(log, dies_once, range(6))
    assert (outcome.done, outcome.failed) == ({job: job for job in range(6)}, {})
    assert [log.count(f"try {job}") for job in range(6)] == [1, 2, 1, 1, 1, 1]


def test_a_job_at_which_every_worker_dies_is_given_up(log):
    def dies(_work, job, _report):
        log.add(f"try {job}")
        if job == 1:
            os._exit(3)
        return job

    outcome = run(log, dies, range(3))
    assert (outcome.done, outcome.failed) == ({0: 0, 2: 2}, {1: "its worker process ended with status 3"})
    assert log.count("try 1") == ATTEMPTS


def test_workers_that_die_before_they_begin_end_the_run(log):
    with pytest.raises(WorkersDie, match="with status 4"):
        run(log, None, range(2), make_work=lambda: os._exit(4))


@pytest.mark.slow
def test_a_worker_that_hangs_is_ended_and_its_job_done_again(log):
    def hangs_once(_work, job, _report):
        if log.add(f"try {job}") == 1 and job == 1:
            threading.Event().wait()
        return job

    outcome = run(log, hangs_once, range(3), patience=0.5)
    assert (outcome.done, outcome.failed) == ({0: 0, 1: 1, 2: 2}, {})


@pytest.mark.slow
def test_a_job_that_asked_for_longer_is_given_it(log):
    def takes_long(_work, job, report):
        log.add(f"try {job}")
        report.longer(60.0)
        threading.Event().wait(1.5)
        return job

    outcome = run(log, takes_long, ["job"], patience=0.5)
    assert (outcome.done, log.count("try job")) == ({"job": "job"}, 1)


@pytest.mark.slow
def test_a_job_that_asked_for_longer_does_not_live_for_ever(log):
    def hangs(_work, job, report):
        if log.add(f"try {job}") == 1:
            report.longer(0.5)
            threading.Event().wait()
        return job

    assert run(log, hangs, ["job"], patience=0.5).done == {"job": "job"}


def died(reason: str, seconds: float) -> str:
    return f"after {reason}, {seconds < 60}"


def test_a_worker_that_is_killed_can_leave_another_job_in_place_of_its_own(log):
    def dies(_work, job, report):
        if log.add(f"try {job}") == 1:
            report.instead("if it hangs", died)
            os.kill(os.getpid(), signal.SIGKILL)
        return f"did {job}"

    outcome = run(log, lambda work, job, report: dies(work, job, report) if job == "job" else job, ["job"])
    assert list(outcome.done) == ["after its worker process ended by signal 9, True"]
    assert log.count("try job") == 1


def test_a_job_can_be_replaced_by_another_whose_failures_count_anew(log):
    def function(_work, job, _report):
        tries = log.add(f"try {job}")
        if tries < ATTEMPTS:
            raise BrowserGone("killed")
        if job == "job":
            raise Replaced("other")
        return tries

    assert run(log, function, ["job"]).done == {"other": ATTEMPTS}
    assert (log.count("made"), log.count("closed")) == (2 * ATTEMPTS, 2 * ATTEMPTS)


def test_a_job_that_is_replaced_is_done_even_after_an_interrupt(log):
    def function(_work, job, _report):
        if job == "other":
            return job
        log.add("begun")
        wait_for(log, "interrupted")
        raise Replaced("other")

    assert run(log, function, ["job"], interrupts=1).done == {"other": "other"}


def test_a_job_that_took_the_place_of_another_is_given_back_as_it_is(log):
    def function(_work, job, _report):
        if job == "job":
            raise Replaced("other")
        if log.add(f"try {job}") == 1:
            raise NotNow("away")
        return job

    outcome = run(log, function, ["job"], pause=Pause(clock=lambda: float("inf")))
    assert outcome.done == {"other": "other"}


@pytest.mark.slow
def test_a_worker_that_hangs_can_leave_another_job_in_place_of_its_own(log):
    def hangs(_work, job, report):
        log.add(f"try {job}")
        if job == "job":
            report.instead("the rest of it", died)
            threading.Event().wait()
        return f"did {job}"

    outcome = run(log, hangs, ["job"], patience=0.5)
    assert outcome.done == {"the rest of it": "did the rest of it"}
    assert log.count("try job") == 1


def test_a_spent_worker_ends_after_its_job_and_another_goes_on(log):
    def spends(work, job, _report):
        work.spent = job == 0
        return os.getpid()

    outcome = run(log, spends, range(4))
    assert sorted(outcome.done) == [0, 1, 2, 3]
    assert outcome.done[0] != outcome.done[1] == outcome.done[3]


# Interrupts.


def interrupt(log: Log, times: int) -> None:
    """As Ctrl-C does, when a job has begun; again when the pool has said that it knows."""
    for sign in ("begun", "interrupted")[:times]:
        wait_for(log, sign)
        os.kill(os.getpid(), signal.SIGINT)


def wait_for(log: Log, line: str) -> None:
    while not log.count(line):
        os.sched_yield()


def test_an_interrupt_lets_the_job_under_way_finish_and_starts_no_other(log):
    def function(_work, job, _report):
        log.add("begun")
        wait_for(log, "interrupted")
        return job

    outcome = run(log, function, range(20), interrupts=1)
    assert (outcome.done, outcome.failed, outcome.interrupted) == ({0: 0}, {}, 1)
    assert (log.count("made"), log.count("closed")) == (1, 1)


def test_a_job_that_fails_after_an_interrupt_is_neither_done_nor_failed(log):
    def function(_work, _job, _report):
        log.add("begun")
        wait_for(log, "interrupted")
        raise BrowserGone("killed")

    outcome = run(log, function, range(3), interrupts=1)
    assert (outcome.done, outcome.failed, log.count("begun")) == ({}, {}, 1)


def test_a_second_interrupt_ends_at_once(log):
    def function(_work, _job, _report):
        log.add("begun")
        threading.Event().wait()

    outcome = run(log, function, range(3), interrupts=2)
    assert (outcome.done, outcome.failed) == ({}, {})


def test_an_error_of_the_owner_is_raised_and_not_taken_for_the_end_of_a_worker(log):
    def refuse(_job, _result):
        raise BrokenPipeError("nobody reads this")

    with pytest.raises(BrokenPipeError, match="nobody reads this"):
        run(log, lambda *_: "done", ["a"], on_done=refuse)


# ---- an outage that concerns all jobs ------------------------------------------------------------------------------


class NoWait(Pause):
    """A pause whose tries are due at once."""

    is_due = True


def out_for(log: Log, looks: int):
    """Work that cannot be done until it was tried so many times, whatever the job."""

    def function(_work, job, _report):
        log.add(f"begin {job}")
        if log.add("look") <= looks:
            raise NotNow("nobody answers")
        return job

    return function


@pytest.mark.parametrize("count", [1, 3])
def test_jobs_that_cannot_be_done_now_are_done_later_and_none_fails(log, count):
    outcome = run(log, out_for(log, 4), range(9), count=count, pause=NoWait())
    assert (sorted(outcome.done), outcome.failed) == (list(range(9)), {})
    assert outcome.said[0] == "paused: nobody answers; one page is tried again in 2 s"
    assert outcome.said[-1].startswith("the provider answers again after")


def test_workers_that_meet_an_outage_together_begin_one_pause(log):
    outcome = run(log, out_for(log, 6), range(30), count=3, pause=NoWait())
    paused = [said for said in outcome.said if said.startswith("paused")]
    tries = [said for said in outcome.said if said.startswith("still paused")]
    # Three may have asked when it began; the others were tries, one at a time.
    assert (len(paused), len(tries) >= 3) == (1, True)


def test_in_a_pause_one_job_after_another_is_tried(log):
    outcome = run(log, out_for(log, 4), range(9), pause=NoWait())
    begun = [line for line in log.file.read_text(encoding="utf-8").splitlines() if line.startswith("begin")]
    # Those that met the outage come last, in their order; none of the others was begun before it was over.
    assert begun == [f"begin {job}" for job in (*range(9), *range(4))]
    assert len(outcome.said) == 5


def test_a_job_that_is_to_blame_itself_keeps_no_other_from_being_done(log):
    def function(_work, job, _report):
        if job == 0:
            raise NotNow("the server breaks over this")
        log.add(f"did {job}")

    with pytest.raises(ProviderGivenUp, match="breaks over this"):
        run(log, function, range(9), pause=NoWait())
    assert all(log.count(f"did {job}") == 1 for job in range(1, 9))


def test_a_pool_that_waited_for_long_enough_stops_and_leaves_its_jobs_undone(log):
    with pytest.raises(ProviderGivenUp, match="stopped: nobody answers"):
        run(log, out_for(log, 10_000), range(9), count=2, pause=NoWait())
    assert log.count("look") < 20


def test_an_interrupt_ends_a_pause(log):
    def function(_work, _job, _report):
        log.add("begun")
        raise NotNow("nobody answers")

    outcome = run(log, function, range(9), pause=Pause("wait"), interrupts=1)
    assert (outcome.done, outcome.failed, outcome.interrupted) == ({}, {}, 1)


def test_no_more_workers_come_up_at_a_time_than_there_are_processors(monkeypatch):
    monkeypatch.setattr(pools, "STARTS", 2)
    done, busiest = [], 0

    def function(_work, _job, report):
        report.instead(None, died)

    with (
        Interrupts() as asked,
        Pool(
            lambda: Work(function),
            PoolListener(lambda job, _: done.append(job), print),
            workers=6,
            patience=60.0,
            interrupts=asked,
            make_session=lambda _: fake_session(),
        ) as pool,
    ):
        pool.open(SETTINGS)
        while not all(worker.idle for worker in pool._workers):
            pool.step(1)
        pool.put("group", range(12))
        assert sum(bool(worker.jobs) for worker in pool._workers) == 2
        while len(done) < 12:
            pool.step(1)
            rising = [worker for worker in pool._workers if worker.jobs and not worker.is_up]
            busiest = max(busiest, len(rising))
        pool.finish()
    assert sorted(done) == list(range(12))
    assert busiest <= 2


def test_a_worker_that_does_not_come_up_keeps_the_others_waiting_for_one_attempt_only(log, monkeypatch):
    monkeypatch.setattr(pools, "STARTS", 1)

    def function(_work, job, _report):
        if log.add(f"try {job}") == 1 and job == 0:
            raise BrowserGone("it hangs")
        while log.count("try 1") == 0:
            pass

    assert sorted(run(log, function, range(2), count=2).done) == [0, 1]
