from __future__ import annotations

import contextlib
import threading

import pytest

from harness.episode import clock
from harness.episode.clock import Overdue, run_within


def loop():
    while True:
        pass


def test_an_endless_loop_is_ended():
    with pytest.raises(Overdue) as overdue:
        run_within(0.01, loop)
    assert not overdue.value.left_behind


def test_a_loop_that_swallows_every_exception_is_ended():
    ended = threading.Event()

    def swallow():
        try:
            while True:
                with contextlib.suppress(Exception):
                    pass
        finally:
            ended.set()

    with pytest.raises(Overdue):
        run_within(0.01, swallow)
    assert ended.wait(30)


def test_what_swallows_the_first_throw_gets_another(monkeypatch):
    monkeypatch.setattr(clock, "THROW_SECONDS", 0.2)
    ended = threading.Event()

    def swallow_once():
        with contextlib.suppress(Overdue):
            loop()
        try:
            loop()
        finally:
            ended.set()

    with pytest.raises(Overdue):
        run_within(0.01, swallow_once)
    assert ended.wait(30)


def test_what_blocks_is_left_behind(monkeypatch):
    monkeypatch.setattr(clock, "THROW_SECONDS", 0.01)
    go_on = threading.Event()
    ended = threading.Event()
    left = []

    def block():
        left.append(threading.current_thread())
        try:
            go_on.wait(60)
        finally:
            ended.set()

    with pytest.raises(Overdue) as overdue:
        run_within(0.01, block)
    assert not ended.is_set()
    assert overdue.value.left_behind
    assert clock.is_code_left()
    go_on.set()
    assert ended.wait(30)
    left[0].join(30)
    assert not clock.is_code_left()


@pytest.mark.parametrize("seconds", [1000.0, float("inf")])
def test_what_ends_in_time_is_left_alone(seconds):
    done = []
    run_within(seconds, lambda: done.append(1))
    assert done == [1]


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3)])
def test_an_error_is_passed_on_as_it_was(error):
    def fail():
        raise error

    with pytest.raises(type(error)) as raised:
        run_within(1000, fail)
    assert raised.value is error
