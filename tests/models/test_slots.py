"""Places for calls, shared by processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from harness.models.accounts import Slots


class Full(Exception):
    """There was no place."""


def no_sleep(_seconds: float) -> None:
    raise Full


def test_no_more_places_are_held_at_once_than_there_are(tmp_path: Path) -> None:
    with ExitStack() as held:
        for _ in range(3):
            held.enter_context(Slots(tmp_path / "calls", 3, no_sleep).hold())
        with pytest.raises(Full):
            held.enter_context(Slots(tmp_path / "calls", 3, no_sleep).hold())
    with Slots(tmp_path / "calls", 3, no_sleep).hold():
        pass


def test_who_finds_no_place_waits_until_one_is_let_go(tmp_path: Path) -> None:
    held = ExitStack()
    held.enter_context(Slots(tmp_path, 1).hold())
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 3:
            held.close()

    with Slots(tmp_path, 1, sleep).hold():
        assert len(naps) == 3


def test_a_place_is_let_go_when_the_call_fails(tmp_path: Path) -> None:
    slots = Slots(tmp_path, 1, no_sleep)
    with pytest.raises(ZeroDivisionError), slots.hold():
        raise ZeroDivisionError
    with slots.hold():
        pass


def hold_and_die(folder: Path) -> None:
    with Slots(folder, 1).hold():
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_leaves_its_place_to_others(tmp_path: Path) -> None:
    process = multiprocessing.get_context("fork").Process(target=hold_and_die, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with Slots(tmp_path, 1, no_sleep).hold():
        pass


def test_no_place_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one call"):
        Slots(tmp_path, 0)
