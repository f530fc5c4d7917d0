"""The labels are in no process in which the code of a solver runs, unless it is one that is handed them."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.checkout import PROJECT
from tests.run.processes import children, evaluating, needs_proc, temporary, until
from tests.site_tasks import START, make_site_task
from tests.task_folders import csv_text, make_task

pytestmark = needs_proc
TEMPLATE = "<p>${text}</p><input name=a>"
_MAPPED = re.compile(r"([0-9a-f]+)-([0-9a-f]+) r\S* \S+ \S+ \S+ *(.*)")
_AT_ONCE = 1 << 24


@pytest.fixture
def secret() -> str:
    """A label that stands nowhere but in the answer columns of a table."""
    return secrets.token_hex(16)


@pytest.fixture
def folder(tmp_path, secret):
    """A task of which the first page is done and the others wait, for each of two workers."""
    rows = [[f"{task} {number}", f"{number} {secret}"] for number in range(4) for task in "A"]
    for task in ("A", "B"):
        make_task(tmp_path / "tasks", task, template=TEMPLATE, table=csv_text(["text", "Answer.a"], *rows))
    (tmp_path / "signs").mkdir()
    return tmp_path


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[int]:
    """A run that goes on until the context ends; the process that the workers are forked from."""
    with evaluating([*arguments, "--progress", "quiet"], folder, WAITS_SIGN=str(folder / "signs")) as process:
        try:
            yield process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def new_run(folder: Path, solver: str) -> tuple[str, ...]:
    options = ("--tasks-dir", str(folder / "tasks"), "--out", str(folder / "run"), "--workers", "2")
    return (*options, "--solver", f"tests.run_solvers:{solver}")


def waiting(folder: Path, *, but: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The two processes in which a solver waits."""

    def found() -> tuple[int, ...]:
        pids = {int(sign.name) for sign in (folder / "signs").iterdir()} - set(but)
        return tuple(sorted(pids)) if len(pids) == 2 else ()

    return until(found)


def is_in_memory(pid: int, text: str) -> bool:
    """Whether a text stands anywhere in the memory of a process."""
    wanted = text.encode()
    with Path(f"/proc/{pid}/maps").open(encoding="utf-8") as maps, Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in maps:
            if (match := _MAPPED.match(line)) and match[3] not in {"[vvar]", "[vsyscall]", "[vvar_vclock]"}:
                start, end = int(match[1], 16), int(match[2], 16)
                # Pieces overlap, so that no text is cut in two.
                for place in range(start, end, _AT_ONCE):
                    memory.seek(place)
                    with suppress(OSError):  # given back since its line was read
                        if wanted in memory.read(min(_AT_ONCE + len(wanted), end - place)):
                            return True
    return False


@pytest.mark.slow
@pytest.mark.claim("worker-labels")
def test_no_label_is_in_the_memory_of_a_worker_nor_of_what_it_was_forked_from(folder, secret):
    with running(folder, *new_run(folder, "WaitsAfterTheFirst")) as parent:
        workers = waiting(folder)
        assert [is_in_memory(pid, secret) for pid in (*workers, parent)] == [False] * 3
        assert all(is_in_memory(pid, "WAITS_SIGN") for pid in workers)  # it would have been found
        # Workers that take the place of others are forked when episodes have long been scored.
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        others = waiting(folder, but=workers)
        assert [is_in_memory(pid, secret) for pid in (*others, parent)] == [False] * 3
    assert secret in (folder / "run" / "episodes" / "A" / "0.json").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.claim("worker-labels")
def test_the_labels_are_in_the_memory_of_a_worker_whose_solver_is_handed_them(folder, secret):
    with running(folder, *new_run(folder, "WaitsWithTheKey")):
        assert [is_in_memory(pid, secret) for pid in waiting(folder)] == [True, True]


@pytest.mark.slow
@pytest.mark.claim("worker-labels-resume")
def test_no_label_of_earlier_episodes_is_in_the_memory_of_the_workers_of_a_run_that_is_resumed(folder, secret):
    with running(folder, *new_run(folder, "WaitsAfterTheFirst")):
        before = waiting(folder)
        until(lambda: list((folder / "run" / "episodes").glob("*/0.json")))
    with running(folder, "--resume", str(folder / "run"), "--yes") as parent:
        workers = waiting(folder, but=before)
        assert [is_in_memory(pid, secret) for pid in (*workers, parent)] == [False] * 3


@pytest.mark.slow
@pytest.mark.claim("worker-labels-resume")
def test_no_label_that_a_solver_has_read_to_prepare_itself_is_in_the_memory_of_its_workers(folder, secret):
    with running(folder, *new_run(folder, "WaitsAfterReadingTheTables")) as parent:
        workers = waiting(folder)
        assert [is_in_memory(pid, secret) for pid in (*workers, parent)] == [False] * 3
    record = (folder / "run" / "run.json").read_text(encoding="utf-8")
    assert '"tables": 2' in record
    assert "instances with labels" not in record


@pytest.mark.slow
def test_nothing_that_a_website_s_task_is_judged_by_is_in_the_memory_of_a_worker(tmp_path, secret):
    (tmp_path / "signs").mkdir()
    table = csv_text(["of"], *([f"{number}"] for number in range(4)))
    judged = {"answer": {"match": "exact", "reference": secret}}
    trace = {"goal": "", "start": START, "steps": [{"do": "finish", "value": secret}]}
    for task in ("A", "B"):
        start = f"{START}?of=/${{of}}/"
        make_site_task(tmp_path / "tasks", task, start=start, table=table, trace=trace, evaluators=judged)
    with running(tmp_path, *new_run(tmp_path, "WaitsAfterTheFirst")) as parent:
        workers = waiting(tmp_path)
        assert [is_in_memory(pid, secret) for pid in (*workers, parent)] == [False] * 3
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        others = waiting(tmp_path, but=workers)
        assert [is_in_memory(pid, secret) for pid in (*others, parent)] == [False] * 3
    assert secret in (tmp_path / "run" / "episodes" / "A" / "0.json").read_text(encoding="utf-8")


# ---- a single page --------------------------------------------------------------------------------------------------

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


@contextmanager
def speaking(folder: Path, command: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command that serves a single page over standard input and output, until the context ends."""
    places = ["--tasks-dir", str(folder / "tasks"), *arguments]
    own = {"XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(temporary(folder))}
    with subprocess.Popen(
        [sys.executable, "-m", "harness", "page", command, *places],
        cwd=PROJECT,
        env={**os.environ, **own},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            for each in (*children(process.pid), process.pid):  # the first has a session of its own
                os.kill(each, signal.SIGKILL)


def command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8").replace("\0", " ")


@pytest.mark.slow
@pytest.mark.claim("single-page-labels")
def test_an_assistant_s_page_is_played_in_processes_that_hold_no_label(folder, secret):
    with speaking(folder, "mcp", "--task", "A", "--out", str(folder / "run")) as relay:
        assert relay.stdin
        assert relay.stdout
        print(json.dumps(HELLO), file=relay.stdin, flush=True)
        answer = relay.stdout.readline()  # by the tools of the page, which is open then
        assert "serverInfo" in answer
        (player,) = children(relay.pid)
        forked = [pid for pid in children(player) if "harness page mcp" in command_line(pid)]
        holding = [pid for pid in forked if is_in_memory(pid, secret)]
        assert secret not in answer
        assert [is_in_memory(pid, secret) for pid in (relay.pid, player)] == [False, False]
        # The one that keeps the key; there are the worker and the reaper of its browsers, too.
        assert (len(holding), len(forked) >= 2) == (1, True)
        (server,) = [pid for pid in children(player) if "turkle_app" in command_line(pid)]
        assert is_in_memory(server, secret)


@pytest.mark.slow
@pytest.mark.claim("single-page-labels")
def test_the_process_that_opens_a_page_for_others_holds_its_labels_and_tells_none_before_the_form_is_sent(
    folder, secret
):
    with speaking(folder, "open", "A", "0") as process:
        assert process.stdout
        assert secret not in process.stdout.readline()
        assert is_in_memory(process.pid, secret)
