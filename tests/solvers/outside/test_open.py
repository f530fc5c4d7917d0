"""One page for a program or a person: the command, and the context manager that speaks with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from websocket import create_connection

from harness.browser.sandbox import NO_SANDBOX
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.page import open as open_command
from harness.solvers.outside.opened_page import CannotOpen, NoResult, OpenedPage, StillOpen, open_page
from tests.checkout import PROJECT
from tests.run.processes import needs_proc, nothing_is_left, temporary, until
from tests.site_tasks import ACCOUNT, FACTS, START, TO_THE_ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task

LABEL = "violet – été"
pytestmark = needs_proc


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path, cache, monkeypatch):
    """However a page was left, no process and no temporary file of it stays behind."""
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("TEST_MARK", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(temporary(tmp_path)))
    yield
    until(lambda: nothing_is_left(tmp_path))


@pytest.fixture
def tasks(tmp_path) -> str:
    table = csv_text(["text", "Answer.a"], ["x", LABEL], ["y", "green"])
    make_task(tmp_path / "tasks", "Plain", template="<p>${text}</p><form><input name=a></form>", table=table)
    return str(tmp_path / "tasks")


def devtools(address: str, method: str, **params: str) -> None:
    """What a program from outside does, over a connection of its own."""
    connection = create_connection(address, suppress_origin=True, timeout=30)
    try:
        connection.send(json.dumps({"id": 1, "method": method, "params": params}))
        assert "error" not in json.loads(connection.recv())
    finally:
        connection.close()


def evaluate(address: str, expression: str) -> None:
    devtools(address, "Runtime.evaluate", expression=expression)


def write(address: str, value: str) -> None:
    evaluate(address, f"document.querySelector('[name=a]').value = {json.dumps(value)}")


def but_for_the_sandbox(err: str) -> str:
    """What was said without the warning of machines on which browsers can have no sandbox."""
    return err.replace(f"{NO_SANDBOX}\n", "")


# ---- the command ---------------------------------------------------------------------------------------------------


class Started:
    """The command at work, and the first line that it has printed."""

    def __init__(self, *arguments: str, stdin: int = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness", "page", "open", *arguments],
            cwd=PROJECT,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},  # of a reader that knows no other
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout
        self.line = self.process.stdout.readline()
        self.told = json.loads(self.line)

    def end(self, said: str | None = None) -> dict[str, Any]:
        """The second line, once the process has ended as it should."""
        out, err = self.process.communicate(said, timeout=120)
        assert (self.process.returncode, but_for_the_sandbox(err)) == (COMPLETE, "")
        (line,) = out.splitlines()
        return json.loads(line)


@contextmanager
def started(*arguments: str, stdin: int = subprocess.PIPE) -> Iterator[Started]:
    made = Started(*arguments, stdin=stdin)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


@pytest.mark.slow
def test_a_page_is_opened_told_submitted_upon_a_line_and_scored(tasks):
    with started("--tasks-dir", tasks, "Plain", "0") as at:
        assert (at.told["names"], at.told["seconds"] > 3000) == (["a"], True)
        assert urlsplit(at.told["url"]).path == "/page/Plain/0/"
        assert LABEL not in at.line
        write(at.told["devtools"]["page"], LABEL)
        result = at.end("\n")
    assert (result["task"], result["row"], result["outcome"]) == ("Plain", 0, "scored")
    assert (result["score"], result["ceiling"], result["do_nothing"], result["accepted"]) == (1.0, 1.0, 0.0, True)
    assert result["fields"] == [
        {"name": "a", "kind": "text", "status": "scored", "sent": [LABEL], "labels": [LABEL], "score": 1.0}
        | {"ceiling": 1.0}
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_submits_where_nobody_can_say_a_word(tasks, number):
    with started("--tasks-dir", tasks, "Plain", "1", stdin=subprocess.DEVNULL) as at:
        write(at.told["devtools"]["page"], "green")
        os.kill(at.process.pid, number)
        assert at.end()["score"] == 1.0


@pytest.mark.slow
def test_a_page_is_submitted_when_its_time_is_up(tasks):
    with started("--tasks-dir", tasks, "Plain", "--max-time", "1", stdin=subprocess.DEVNULL) as at:
        result = at.end()
    assert (result["outcome"], result["detail"], result["score"]) == ("limit", "time", 0.0)


@pytest.mark.slow
def test_a_page_that_was_left_is_scored_as_untouched(tasks):
    with started("--tasks-dir", tasks, "Plain") as at:
        page = at.told["devtools"]["page"]
        write(page, LABEL)
        devtools(page, "Page.navigate", url=at.told["url"].replace("/0/", "/1/"))
        result = at.end("\n")
    assert (result["outcome"], result["fields"][0]["sent"], result["score"]) == ("agent_error", [""], 0.0)
    assert "it left the episode's page for" in result["detail"]


@pytest.mark.slow
def test_whoever_hangs_up_is_done_and_fields_are_told_unless_that_is_not_wanted(tasks):
    with started("--tasks-dir", tasks, "--no-field-names", "Plain") as at:
        assert (at.told["names"], at.told["fields"]) == (None, None)
        assert at.end()["fields"][0]["sent"] == [""]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Plane"], "no task matches 'Plane'"),
        (["Plain", "2"], "there is no instance 2: 'Plain' has the instances 0 to 1"),
    ],
)
def test_what_is_no_instance_is_refused_at_once(tasks, capsys, arguments, said):
    assert open_command.main(["--tasks-dir", tasks, *arguments]) == WRONG_USE
    told = capsys.readouterr()
    assert (told.out, said in told.err, told.err.count("\n")) == ("", True, 1)


@pytest.mark.slow
def test_a_second_signal_ends_it_without_a_result(tasks):
    with started("--tasks-dir", tasks, "Plain") as at:
        evaluate(at.told["devtools"]["page"], "setTimeout(() => { for (;;); }, 0)")
        # The first waits for the page, which does not answer.
        os.kill(at.process.pid, signal.SIGINT)
        os.kill(at.process.pid, signal.SIGTERM)
        out, err = at.process.communicate(timeout=120)
    assert (at.process.returncode, out, but_for_the_sandbox(err)) == (INCOMPLETE, "", "interrupted\n")


# ---- the context manager -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_page_is_open_within_a_context_and_scored_when_it_is_left(tasks):
    with open_page("Plain", 0, ["--tasks-dir", tasks, "--max-time", "600"]) as page:
        assert (page.names, [field.kind for field in page.fields or ()]) == (("a",), ["text"])
        assert urlsplit(page.url).path == "/page/Plain/0/"
        assert page.devtools.page.startswith(page.devtools.http.replace("http", "ws"))
        assert page.seconds <= 600
        with pytest.raises(StillOpen):
            page.result  # noqa: B018 - that it raises is what is tested
        write(page.devtools.page, LABEL)
    assert (page.result.score, page.result.fields[0].labels) == (1.0, (LABEL,))


@pytest.mark.slow
def test_a_page_can_be_submitted_before_its_context_is_left(tasks):
    with open_page("Plain", 0, ["--tasks-dir", tasks]) as page:
        result = page.submit()
        assert page.submit() is page.result is result


@pytest.mark.slow
def test_an_error_in_the_context_comes_out_of_it_and_leaves_a_result(tasks):
    pages: list[OpenedPage] = []

    def work() -> None:
        with open_page("Plain", 0, ["--tasks-dir", tasks]) as page:
            pages.append(page)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert pages[0].result.outcome == "scored"


@pytest.mark.slow
def test_what_cannot_be_opened_says_why(tasks):
    with pytest.raises(CannotOpen, match=r"^there is no instance 9: 'Plain' has the instances 0 to 1$"):
        open_page("Plain", 9, ["--tasks-dir", tasks]).__enter__()


@pytest.mark.slow
def test_a_page_whose_process_is_killed_has_no_result_and_leaves_no_browser(tasks):
    with pytest.raises(NoResult, match="ended with status -9"), open_page("Plain", 0, ["--tasks-dir", tasks]) as page:
        page._process.kill()


# ---- websites ------------------------------------------------------------------------------------------------------


@pytest.fixture
def sites(tmp_path) -> str:
    asked = {"key_nodes": [TO_THE_ACCOUNT], "answer": {"match": "exact", "reference": "17.50"}}
    make_site_task(tmp_path / "sites", "Walk", evaluators=asked)
    make_site_task(tmp_path / "sites", "Far", site=None)
    return str(tmp_path / "sites")


@pytest.mark.slow
def test_a_website_is_opened_with_its_goal_on_any_seed_and_what_happens_there_is_evaluated(sites):
    with started("--tasks-dir", sites, "--seeds", "3", "Walk", "2") as at:
        assert (at.told["goal"], at.told["url"], at.told["origins"]) == (FACTS["goal"], START, ["http://travel.test"])
        assert ACCOUNT not in at.line
        devtools(at.told["devtools"]["page"], "Page.navigate", url=ACCOUNT)
        result = at.end('{"answer": "17.50"}\n')
    assert (result["task"], result["row"], result["outcome"]) == ("Walk", 2, "scored")
    assert (result["score"], result["do_nothing"]) == (1.0, 0.0)
    assert [(each["evaluator"], each["score"]) for each in result["evaluations"]] == [
        ("key_nodes", 1.0),
        ("answer", 1.0),
    ]


@pytest.mark.slow
def test_a_program_opens_a_website_and_answers(sites):
    with open_page("Walk", 0, ("--tasks-dir", sites)) as page:
        assert (page.goal, page.origins) == (FACTS["goal"], ("http://travel.test",))
        page.submit("17.50")
    assert (page.result.score, page.result.answer) == (0.0, "17.50")
    assert [each.score for each in page.result.evaluations] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Far"], "'Far' is on the web, which only --network live reaches"),
        (["--server", "http://x", "Walk"], "--server"),
    ],
)
def test_a_website_that_cannot_be_opened_is_refused_in_a_line(sites, capsys, arguments, said):
    assert open_command.main(["--tasks-dir", sites, *arguments]) == WRONG_USE
    told = capsys.readouterr()
    assert (told.out, said in told.err, told.err.count("\n")) == ("", True, 1)
