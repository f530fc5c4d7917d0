from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from harness.run.guardian import Guardian

LONG = [sys.executable, "-c", "import signal; print('up', flush=True); signal.pause()"]


@pytest.fixture
def process():
    with subprocess.Popen(LONG, stdout=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "up\n"
        yield running
        running.kill()


def test_what_is_still_watched_at_the_end_is_killed(process):
    with Guardian() as guardian:
        guardian.watch(process.pid)
    assert process.wait(30) == -signal.SIGKILL


def test_what_was_forgotten_lives_on(process):
    with subprocess.Popen(LONG, stdout=subprocess.PIPE, text=True, start_new_session=True) as other:
        with Guardian() as guardian:
            guardian.watch(process.pid)
            guardian.watch(other.pid)
            guardian.forget(process.pid)
        assert other.wait(30) == -signal.SIGKILL
    assert process.poll() is None


def test_what_is_watched_is_killed_when_the_watching_process_is(process):
    code = (
        "import os, signal; from harness.run.guardian import Guardian; "
        f"guardian = Guardian(); guardian.watch({process.pid}); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert process.wait(30) == -signal.SIGKILL


def test_a_guardian_that_was_killed_is_done_without(process):
    with Guardian() as guardian:
        guardian._process.kill()
        guardian._process.wait()
        guardian.watch(process.pid)
        guardian.forget(process.pid)
    assert process.poll() is None
