"""A pause of a run, with a clock that tests set."""

from __future__ import annotations

import pickle

import pytest

from harness.run.pause import BACK_OFF, LONGEST, NotNow, Pause, ProviderGivenUp

WHY = NotNow("no connection")


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def waits(pause: Pause, clock: Clock, tries: int) -> list[float]:
    """How long each try is waited for, when all fail."""
    found = []
    pause.begin(WHY)
    for _ in range(tries):
        began = clock.now
        while not pause.is_due:
            clock.now += 1
        found.append(clock.now - began)
        pause.failed(WHY)
    return found


def test_a_run_that_waits_tries_later_and_later_and_never_gives_up(clock):
    found = waits(Pause("wait", clock), clock, len(BACK_OFF) + 20)
    assert found == [*BACK_OFF, *[LONGEST] * 20]


def test_a_run_that_stops_does_so_after_its_last_try_with_the_reason(clock):
    pause = Pause("stop", clock)
    assert waits(pause, clock, len(BACK_OFF) - 1) == [*BACK_OFF[:-1]]
    with pytest.raises(ProviderGivenUp, match="stopped: no connection"):
        pause.failed(WHY)


def test_it_says_why_and_when_it_tries_again(clock):
    pause = Pause("stop", clock)
    assert pause.begin(WHY) == "paused: no connection; one page is tried again in 2 s"
    clock.now += 2
    assert pause.failed(WHY) == "still paused after 2 s: no connection; one page is tried again in 5 s"
    clock.now += 5
    assert pause.end() == "the provider answers again after 7 s: the run goes on"
    assert not pause.on


def test_the_next_pause_begins_anew(clock):
    pause = Pause("stop", clock)
    waits(pause, clock, len(BACK_OFF) - 1)
    pause.end()
    assert waits(pause, clock, 2) == [*BACK_OFF[:2]]


def test_what_waiting_will_not_mend_ends_the_run_at_once_unless_it_is_to_wait(clock):
    lasting = NotNow("a web page", lasting=True)
    with pytest.raises(ProviderGivenUp, match="a web page"):
        Pause("stop", clock).begin(lasting)
    assert "tried again in 2 s" in Pause("wait", clock).begin(lasting)


def test_a_reason_comes_whole_out_of_a_worker():
    why = pickle.loads(pickle.dumps(NotNow("a web page", lasting=True)))  # noqa: S301 - our own
    assert (str(why), why.lasting) == ("a web page", True)
