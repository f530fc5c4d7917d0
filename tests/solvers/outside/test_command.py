"""Programs from outside, real ones, work on real pages: tests/solvers/outside/agent.py."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.browser import devtools
from harness.browser.browser import Browser
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.evaluate import main as evaluate
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.models.messages import Usage
from harness.records.agent_report import AgentReport
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from harness.solvers.outside.command import CommandSolver
from harness.solvers.outside.outside_program import KEPT_HEAD, KEPT_TAIL, PASSED_ON, CannotStart, Output, Program
from tests.run.processes import until
from tests.runs import Stage, sent, stage
from tests.site import in_page
from tests.solvers.runs import make_pages
from tests.task_folders import csv_text, make_task

AGENT = Path(__file__).parent / "agent.py"
PROGRAM = f"{sys.executable} {AGENT}"
KEY = "k-0123456789abcdef"


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a", "Answer.b"], ["x", "yes", "SECRET-LABEL"], ["y", "", "yes"])
    make_task(folder, "Plain", template="<p>${text}</p><input name=a><input name=b value=b>", table=table)
    with stage(folder) as made:
        yield made


def solver(what: str, *more: str, **options: object) -> CommandSolver:
    given = {"command": " ".join((PROGRAM, what, *more)), "isolate": "none", **options}
    checked = find_solver("command").check(given)
    made = find_solver("command").make(find_solver("command").setup(checked, folder=Path(), tasks_dir=Path()))
    assert isinstance(made, CommandSolver)
    return made


@pytest.fixture
def play(at: Stage) -> Callable[..., Episode]:
    def play(
        what: str, *more: str, seconds: float = 60.0, browser: Browser | None = None, **options: object
    ) -> Episode:
        return at.play("Plain", solver(what, *more, **options), limits=Limits(max_seconds=seconds), browser=browser)

    return play


def score(made: Episode) -> float | None:
    return score_episode(made, PROFILES["standard"]).score


def test_a_program_is_told_the_page_its_browser_its_fields_and_its_time(at: Stage, play):
    made = play("report", seconds=30.0)
    assert (made.outcome, sent(made)) == ("scored", {"a": ("yes",), "b": ("b",)})
    assert made.turns[0].page
    said = json.loads(made.turns[0].reply)
    told, environment = said["told"], said["environment"]
    assert told["url"] == said["url"] == environment["TURKBENCH_URL"] == at.url("Plain")
    assert told["names"] == json.loads(environment["TURKBENCH_FIELDS"]) == ["a", "b"]
    assert [field["kind"] for field in told["fields"]] == ["text", "text"]
    assert 0 < told["seconds"] == float(environment["TURKBENCH_SECONDS"]) <= 30.0
    assert environment["TURKBENCH_DEVTOOLS"] == told["devtools"]["http"]
    assert told["devtools"]["page"] == environment["TURKBENCH_DEVTOOLS_PAGE"]
    assert told["devtools"]["page"].endswith(environment["TURKBENCH_TARGET"])
    # Programs may have been written when the variables had other names.
    assert environment["HARNESS_URL"] == told["url"]


def test_a_program_is_given_no_label_and_no_variable_that_is_not_listed(play, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", KEY)
    said = play("report").turns[0].reply
    assert "SECRET-LABEL" not in said
    assert KEY not in said
    own = {name for name in json.loads(said)["environment"] if not name.startswith(("TURKBENCH_", "HARNESS_"))}
    assert own <= {*PASSED_ON, "TMPDIR"}


def test_a_program_is_not_told_the_fields_if_its_user_says_so(play):
    said = json.loads(play("report", field_names=False).turns[0].reply)
    assert (said["told"]["names"], said["told"]["fields"]) == (None, None)
    assert "TURKBENCH_FIELDS" not in said["environment"]


@pytest.mark.parametrize(
    ("option", "name", "value", "kept"),
    [
        ("pass_env", "AGENT_MODEL", "gpt-6-luna-2026-01-31", "gpt-6-luna-2026-01-31"),
        ("pass_env", "AGENT_API_KEY", KEY, "[key]"),
        ("pass_secret", "AGENT_SETTING", "unlike-any-key", "[key]"),
    ],
)
def test_what_is_handed_over_is_kept_out_of_records_if_it_is_a_key_or_its_user_says_so(
    play, monkeypatch, *, option, name, value, kept
):
    monkeypatch.setenv(name, value)
    assert play("say", name, **{option: [name]}).turns[0].reply == f"{kept}\n"


def test_what_a_program_reports_of_its_own_work_is_recorded_as_its_word(play):
    said = {"input_tokens": 1200, "output_tokens": 30, "cost": 0.25, "steps": 4, "model": "m-1"}
    made = play("tokens", shlex.quote(json.dumps({"agent_report": said})))
    assert made.agent_report == AgentReport(**said)
    assert (made.usage, made.cost, made.effort_in_steps) == (Usage(1200, 30), 0.25, 4)


def test_a_program_that_reports_nothing_has_an_unknown_cost_and_not_none(play):
    made = play("tokens")
    assert made.agent_report == AgentReport()
    assert (made.usage, made.cost, made.effort_in_steps) == (None, None, None)


def test_a_report_that_cannot_be_true_does_not_count_and_is_said_to(play):
    made = play("tokens", shlex.quote(json.dumps({"agent_report": {"cost": -1}})))
    assert made.agent_report == AgentReport()
    assert "the agent's report does not count" in made.turns[0].note


def test_a_program_that_fails_is_an_agent_error_with_its_last_words_and_the_page_is_scored(play):
    made = play("fail")
    assert made.outcome == "agent_error"
    assert "exited with status 3: one\ntwo: it cannot go on" in made.detail
    assert sent(made)["a"] == ("yes",)
    assert (made.turns[0].finish, made.turns[0].note) == ("exit 3", "standard error:\none\ntwo: it cannot go on\n")


def test_a_program_that_is_killed_is_an_agent_error(play):
    assert "was ended by signal 15: it said nothing" in play("die").detail


@pytest.mark.slow
def test_a_program_whose_time_is_up_is_ended_with_all_that_it_started(play):
    made = play("hang", seconds=3.0)
    assert (made.outcome, made.detail, made.turns[0].finish) == ("limit", "time", "time")
    assert sent(made)["a"] == ("yes",)
    until(lambda: not is_running(int(made.turns[0].reply)))  # a process that was killed is not gone at once


@pytest.mark.slow
def test_a_script_that_a_program_leaves_running_in_the_page_is_stopped(play, monkeypatch):
    monkeypatch.setattr(devtools, "ANSWER_SECONDS", 0.5)
    made = play("spin", "setTimeout")
    assert (made.outcome, sent(made)) == ("scored", {"a": ("yes",), "b": ("b",)})


@pytest.mark.slow
def test_a_program_whose_scripts_begin_anew_without_end_has_lost_the_page(at: Stage, play, monkeypatch):
    monkeypatch.setattr(devtools, "ANSWER_SECONDS", 0.3)
    with Browser(at.browser.settings) as browser:
        made = play("spin", "setInterval", browser=browser)
    assert made.outcome == "agent_error"
    assert "scripts running in the page" in made.detail
    assert sent(made) == {"b": ("b",)} | dict.fromkeys(["a"], ("",))


def test_what_a_program_leaves_running_is_ended(play):
    made = play("leave-running")
    assert made.outcome == "scored"
    until(lambda: not is_running(int(made.turns[0].reply)))  # a process that was killed is not gone at once


def test_of_what_a_program_writes_the_beginning_and_the_end_are_kept(play):
    reply = play("flood").turns[0].reply
    assert len(reply) < KEPT_HEAD + KEPT_TAIL + 100
    assert f"bytes left out ...]\n{'x' * 100}" in reply
    assert reply.endswith("xthe end\n")


def test_what_a_program_submitted_itself_counts(play):
    made = play("submit")
    assert made.submission is not None
    assert (made.outcome, made.submission.via, sent(made)["a"]) == ("scored", "solver", ("yes",))


def test_a_page_that_a_program_loaded_again_is_the_page_still(play):
    made = play("reload")
    assert (made.outcome, sent(made)["a"]) == ("scored", ("again",))


def test_a_program_that_leaves_the_page_is_told_so_and_gets_no_credit_for_the_other_page(at: Stage, play):
    made = play("leave", at.url("Plain", 1))
    assert made.outcome == "agent_error"
    assert f"it left the episode's page for {at.url('Plain', 1)}" in made.detail
    assert sent(made) == {"a": ("",), "b": ("b",)}
    assert made.submission is not None
    assert not made.submission.accepted
    assert play("report").outcome == "scored"


BLOCKED = "https://example.org/somewhere"


def test_a_blocked_address_costs_nothing_that_was_answered_before_and_is_named(play):
    made = play("ask-for", BLOCKED)
    assert made.outcome == "scored", made.detail
    assert sent(made) == {"a": ("yes",), "b": ("moreb",)}
    asked = f"the program asked for {BLOCKED}, which is blocked"
    assert made.turns[0].note == f"{asked}; the episode's page was brought back with its form as it was"


def test_a_program_that_asks_for_blocked_addresses_again_and_again_has_left_the_page(play):
    made = play("ask-for-ever", BLOCKED)
    assert made.outcome == "agent_error"
    assert f"it left the episode's page for {BLOCKED}, though it had been brought back once" in made.detail


def test_a_program_can_open_no_other_page_and_the_page_gets_its_size_back(at: Stage, play):
    made = play("tab")
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",))
    assert [(step.action, step.code) for step in made.steps] == [("devtools('Target.createTarget')", "not_allowed")]
    targets = at.browser.channel.call("Target.getTargets")["targetInfos"]
    assert [target["url"] for target in targets if target["url"].startswith(at.origin)] == [at.url("Plain")]
    assert in_page(at.browser, "[innerWidth, innerHeight]") == [1280, 800]


@pytest.mark.parametrize(("what", "method"), [("close-page", "Page.close"), ("close-browser", "Browser.close")])
def test_a_program_can_close_neither_the_page_nor_the_browser(at, play, what, method):
    made = play(what)
    assert (made.outcome, made.submission.via) == ("scored", "press")
    assert [(step.action, step.code) for step in made.steps] == [(f"devtools({method!r})", "not_allowed")]
    at.browser.open(at.url("Plain"))


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def nothing() -> None:
    """What there is to be seen to meanwhile."""


def test_a_program_need_not_read_what_it_is_told():
    program = Program([sys.executable, "-c", "print(1)"], {})
    assert program.run("x" * 1_000_000, 60, nothing) == 0
    assert program.stdout.text == "1\n"


def test_a_program_is_ended_when_whoever_started_it_gives_up():
    class GivesUp(Exception):
        pass

    def give_up() -> None:
        raise GivesUp

    program = Program([sys.executable, "-c", "import time; time.sleep(600)"], {})
    with pytest.raises(GivesUp):
        program.run("", 60, give_up)


def test_a_program_that_cannot_be_executed_says_why(tmp_path):
    file = tmp_path / "agent"
    file.write_bytes(b"\x7fELF nothing")
    file.chmod(0o755)
    with pytest.raises(CannotStart, match="agent cannot be started: "):
        Program([str(file)], {}).run("", 60, nothing)


def test_the_temporary_folder_of_a_program_is_removed():
    program = Program(
        [sys.executable, "-c", "import os; print(os.environ['TMPDIR'], os.path.isdir(os.environ['TMPDIR']))"], {}
    )
    assert program.run("", 60, nothing) == 0
    folder, was_there = program.stdout.text.split()
    assert (was_there, Path(folder).exists()) == ("True", False)


def test_an_output_keeps_what_is_short_as_it_is():
    output = Output()
    for piece in ("a" * (KEPT_HEAD - 1), "b" * (KEPT_TAIL + 1)):
        output.add(piece.encode())
    assert output.text == "a" * (KEPT_HEAD - 1) + "b" * (KEPT_TAIL + 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, 'give the program: --command "python my_agent.py"'),
        ({"command": "no-such-program-here --x"}, "there is no program 'no-such-program-here'"),
        ({"command": "sh -c 'unclosed"}, "cannot be read: No closing quotation"),
        ({"command": "sh", "model": "m", "max_cost": "1"}, "--model, --max-cost: the solver 'command' takes no such"),
        ({"command": "sh", "pass_env": ["NOT_SET_ANYWHERE"]}, "--pass-env NOT_SET_ANYWHERE: it is neither"),
        ({"command": "sh", "pass_secret": ["NOT_SET_ANYWHERE"]}, "--pass-secret NOT_SET_ANYWHERE: it is neither"),
        ({"command": f"sh {KEY}"}, "--command holds a key"),
    ],
)
def test_options_that_cannot_be_meant_so_are_refused(options, said, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", KEY)
    with pytest.raises(WrongOptions, match=said):
        find_solver("command").check(options)


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_program_that_fails_before_it_does_anything_stops_the_run_with_its_last_words(tmp_path, capsys):
    make_pages(tmp_path / "tasks", 5)
    file, run = tmp_path / "agent.py", RunDirectory(tmp_path / "run")
    frames = "\\n".join(f"    at step{number} (node:internal/modules/loader:{number}:9)" for number in range(9))
    file.write_text(f"import sys\nsys.exit('Error: Cannot find package\\n{frames}\\n\\nNode.js v20')\n")
    arguments = ["--solver", "command", "--command", f"{sys.executable} {file}", "--isolate", "none"]
    more = ["--tasks-dir", str(tmp_path / "tasks"), "--workers", "1", "--out", str(run.folder)]
    assert evaluate([*arguments, *more]) == INCOMPLETE
    said, record = capsys.readouterr().err, run.read()
    for words in ("on 3 pages, one after the other", "exited with status 1: Error: Cannot find package\nNode.js v20"):
        assert words in said
        assert words in record.stopped.words
    assert (record.status, record.stopped.kind, record.results.overall.score) == ("failed", "program", None)


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_program_that_ends_well_and_does_nothing_has_the_score_of_doing_nothing(tmp_path, capsys):
    make_pages(tmp_path / "tasks", 1)
    arguments = ["--solver", "command", "--command", "true", "--isolate", "none", "--workers", "1"]
    more = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run")]
    assert evaluate([*arguments, *more]) == COMPLETE
    assert "Nothing was ever done: this is the score of doing nothing." in capsys.readouterr().out
