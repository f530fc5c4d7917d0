"""What is done in processes that are forked, and what comes back from them."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from harness.catalog.problems import CatalogError
from harness.records.fatal import FatalError
from harness.run.forked import in_child, portable


def test_what_a_function_in_a_child_gives_comes_back_and_nothing_else_changes_here():
    seen: list[int] = []

    def function() -> int:
        seen.append(1)
        return os.getpid()

    assert in_child(function) != os.getpid()
    assert seen == []


@pytest.mark.parametrize("error", [CatalogError("no such split"), ValueError("no such model")])
def test_an_error_in_a_child_is_raised_here(error):
    def function() -> None:
        raise error

    with pytest.raises(type(error), match=str(error)):
        in_child(function)


def test_a_child_that_is_killed_is_an_error_and_no_interrupt():
    with pytest.raises(FatalError, match="has ended by itself"):
        in_child(lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_a_child_that_is_interrupted_interrupts_its_parent():
    def function() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_child(function)


def test_an_interrupt_of_the_parent_ends_the_child(tmp_path):
    parent = os.getpid()

    def function() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # so that it is not lost before it is waited for
        os.kill(parent, signal.SIGINT)
        signal.sigwait({signal.SIGTERM})
        (tmp_path / "ended").touch()

    with pytest.raises(KeyboardInterrupt):
        in_child(function)
    assert (tmp_path / "ended").exists()


def test_an_interrupt_while_the_child_is_being_made_ends_it(tmp_path, monkeypatch):
    parent, fork = os.getpid(), os.fork
    sent, send = os.pipe()

    def forks_and_waits() -> int:
        if child := fork():
            os.read(sent, 1)
        return child

    def function() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        os.kill(parent, signal.SIGINT)
        os.write(send, b".")
        signal.sigwait({signal.SIGTERM})
        (tmp_path / "ended").touch()

    over = threading.Event()
    other = threading.Thread(target=over.wait)  # a signal that the main thread has blocked reaches this one
    other.start()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fork", forks_and_waits)
            with pytest.raises(KeyboardInterrupt):
                in_child(function)
        assert (tmp_path / "ended").exists()
    finally:
        over.set()
        other.join()
        os.close(sent)
        os.close(send)


def test_an_error_that_cannot_be_sent_is_told_in_words():
    class HoldsALock(FatalError):
        def __init__(self) -> None:
            super().__init__("a lock")
            self.lock = __import__("threading").Lock()

    HoldsALock.__module__ = "harness.made_up"
    assert str(portable(HoldsALock())) == "a lock"
    assert type(portable(HoldsALock())) is FatalError
