"""Several browsers at work on a list of jobs; a browser that dies is replaced and its job tried again."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.seat import Seat, SeatMaker, headless_seat
from harness.run.guardian import Guardian

Job = TypeVar("Job")
Done = TypeVar("Done")
What = TypeVar("What")
ATTEMPTS = 3
"""How often a job is tried, each time but the first in a new browser."""


class Pool(Generic[Job, Done]):
    """Workers, one browser each, that share a queue of jobs.

    Attributes:
        stopping: Set to let the workers finish what they are at and end.
    """

    def __init__(
        self,
        work: Callable[[Seat, int, Job], Done],
        on_done: Callable[[Job, Done], None],
        on_failed: Callable[[Job, str], None],
        *,
        settings: BrowserSettings,
        make_seat: SeatMaker = headless_seat,
        workers: int = 1,
        on_interrupt: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare a pool.

        Args:
            work: Does one job; gets the seat and the worker's number.
            on_done: Called with each result, one call at a time.
            on_failed: Called with the reason when a job failed ``ATTEMPTS`` times.
            settings: For every browser.
            make_seat: Starts a browser with its screen.
            workers: Browsers at a time.
            on_interrupt: Called at the first Ctrl-C, when no further job is begun.
        """
        self.stopping = threading.Event()
        self._work = work
        self._on_done = on_done
        self._on_failed = on_failed
        self._settings = settings
        self._make_seat = make_seat
        self._workers = workers
        self._on_interrupt = on_interrupt
        self._lock = threading.Lock()
        self._fatal: BaseException | None = None
        self._abandoned = False
        self._seated = False

    def run(self, jobs: Iterable[Job]) -> None:
        """Do all jobs, in order of their start.

        Raises:
            NoBrowser: no browser can be started at all.
            KeyboardInterrupt: passed on, after the jobs under way are finished; at once if there is a second one.
        """
        waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        count = 0
        for job in jobs:
            waiting.put(job)
            count += 1
        with Guardian() as guardian:
            threads = [
                threading.Thread(
                    target=self._serve, args=(number, waiting, guardian), name=f"worker-{number}", daemon=True
                )
                for number in range(min(self._workers, count))
            ]
            for thread in threads:
                thread.start()
            try:
                self._wait(threads)
            except KeyboardInterrupt:
                # The guardian kills the browsers of the jobs under way; what comes of those jobs is not kept.
                with self._lock:
                    self._abandoned = True
                raise
        if self._fatal:
            raise self._fatal

    def _wait(self, threads: Sequence[threading.Thread]) -> None:
        try:
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            self.stopping.set()
            self._on_interrupt()
            for thread in threads:
                thread.join()
            raise

    def _serve(self, number: int, waiting: queue.SimpleQueue[Job], guardian: Guardian) -> None:
        seat: Seat | None = None
        try:
            while not self.stopping.is_set():
                try:
                    job = waiting.get_nowait()
                except queue.Empty:
                    return
                seat = self._attempt(number, job, seat, guardian)
        except BaseException as error:  # noqa: BLE001 - a thread's error would vanish; `run` raises it
            self._fatal = error
            self.stopping.set()
        finally:
            if seat:
                _leave(seat, guardian)

    def _attempt(self, number: int, job: Job, seat: Seat | None, guardian: Guardian) -> Seat | None:
        """Try a job; the seat that the next job can use."""
        reason = ""
        for _ in range(ATTEMPTS):
            try:
                if seat is None:
                    seat = self._take_seat(guardian)
                result = self._work(seat, number, job)
            except Exception as error:  # whatever one job meets must not end the others
                if isinstance(error, NoBrowser) and not self._seated:
                    raise
                reason = str(error) or type(error).__name__
                if seat:
                    _leave(seat, guardian)
                seat = None
                if self.stopping.is_set():
                    return None  # neither done nor failed: it could have been tried again
                continue
            self._report(self._on_done, job, result)
            return seat
        self._report(self._on_failed, job, reason)
        return seat

    def _take_seat(self, guardian: Guardian) -> Seat:
        seat = self._make_seat(self._settings)
        guardian.watch(seat.browser.process_group)
        self._seated = True
        return seat

    def _report(self, call: Callable[[Job, What], None], job: Job, what: What) -> None:
        with self._lock:
            if not self._abandoned:
                call(job, what)


def _leave(seat: Seat, guardian: Guardian) -> None:
    seat.display.close()
    seat.browser.close()
    guardian.forget(seat.browser.process_group)


__all__ = ["ATTEMPTS", "NoBrowser", "Pool", "Seat", "SeatMaker", "headless_seat"]
