"""What the files of a box are: the program's own, its environment's and a home, whatever lies around them."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.browser.box.box import Box
from harness.browser.box.hidden_places import HiddenPlaces, hidden_places
from harness.browser.box.isolation import CannotIsolate, Isolation, settled
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.solvers.outside.outside_program import Program
from tests.needs import BOX, NODE, needs
from tests.task_folders import make_task
from tests.trust.programs import environment_at

pytestmark = needs(*BOX)
LABEL = "LABEL-41d7"
SECONDS = 60.0
LISTING = """
import json, os, pathlib, sys
def read(path):
    try:
        return pathlib.Path(path).read_bytes().decode("utf-8", "replace")
    except OSError:
        return None
paths = json.loads(os.environ["PATHS"])
print(json.dumps({path: os.listdir(path) if os.path.isdir(path) else read(path) for path in paths}))
"""


def nothing() -> None:
    """What there is to be seen to meanwhile."""


def run(
    *command: str | Path,
    out: Path | None = None,
    meanwhile: Callable[[], None] = nothing,
    environment: dict[str, str] | None = None,
    **options: object,
) -> Program:
    """A program that has ended in the box that it has by default."""
    hidden = (lambda: hidden_places(out.parent / "tasks", out)) if out else HiddenPlaces
    program = Program(list(map(str, command)), environment or {}, Box(Isolation.of(settled(options)), hidden))
    assert program.run("", SECONDS, meanwhile) == 0, program.stderr.text
    return program


def seen(script: Path, *paths: Path, out: Path | None = None, **options: object) -> dict[Path, object]:
    """What a program finds at paths: the names in a folder, the text of a file, or None."""
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(LISTING, encoding="utf-8")
    # Not as arguments: files that a command names are shown.
    environment = {"PATHS": json.dumps(list(map(str, paths)))}
    said = json.loads(run(sys.executable, script, out=out, environment=environment, **options).stdout.text)
    return {path: said[str(path)] for path in paths}


def written(file: Path, text: str = LABEL) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """The home of our user, which is where the run is started, too."""
    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.setenv("HOME", str(made))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(made)
    return made


@pytest.mark.claim("box-user")
def test_nothing_of_its_user_exists_but_the_folder_of_the_program(home):
    files = [written(home / name) for name in (".ssh/id", ".config/a", "work/notes.txt", "work/agent/helper.py")]
    *others, helper = files
    assert seen(home / "work" / "agent" / "agent.py", *files) == {**dict.fromkeys(others), helper: LABEL}


@pytest.mark.claim("box-task-copies")
def test_tasks_of_the_folder_in_which_the_run_was_started_do_not_exist(home, monkeypatch):
    # Not those of the run, which lie elsewhere.
    table = make_task(home / "checkout" / "tasks", "Plain", table=LABEL) / "batch.csv"
    monkeypatch.chdir(home / "checkout")
    (home / "results" / "run").mkdir(parents=True)
    paths = (table, Path("tasks/Plain/batch.csv"))
    assert seen(home / "checkout" / "agent.py", *paths, out=home / "results" / "run") == dict.fromkeys(paths)


@pytest.mark.claim("box-task-copies")
def test_tasks_that_are_installed_in_the_programs_own_environment_do_not_exist_in_it(home):
    packages = environment_at(home / "environment")
    table = make_task(packages / "harness" / "tasks", "Plain", table=LABEL) / "batch.csv"
    overlay = written(packages / "harness" / "catalog" / "overlays" / "one.json")
    package = written(packages / "harness" / "__init__.py", "WORDS = 'imported'")
    code = f"import harness, os; print(harness.WORDS, [os.path.exists(each) for each in {[str(table), str(overlay)]}])"
    program = run(home / "environment" / "bin" / "python", "-c", code)
    assert program.stdout.text == "imported [False, False]\n"
    assert package.exists()


def test_a_program_is_started_whose_environment_and_folder_are_reached_by_links(home):
    packages = environment_at(home / "kept" / "environment")
    written(packages / "words.py", "WORDS = 'imported'")
    script = written(home / "kept" / "programs" / "agent.py", "import words; print(words.WORDS, __file__)")
    secret = written(home / "kept" / "secret.txt")
    (home / "all").symlink_to("kept")
    (home / ".venv").symlink_to("all/environment")
    (home / "agents").symlink_to(script.parent)
    agent = home / "agents" / "agent.py"
    for python in (home / ".venv" / "bin" / "python", home / "all" / "environment" / "bin" / "python"):
        assert run(python, agent).stdout.text == f"imported {agent}\n"
    assert seen(agent, secret, home / "all" / "secret.txt") == dict.fromkeys((secret, home / "all" / "secret.txt"))


@pytest.mark.claim("box-task-copies")
def test_a_task_set_that_the_program_has_in_its_folder_is_found_and_hidden(home):
    table = make_task(home / "agent" / "data" / "set", "Plain", table=LABEL) / "batch.csv"
    site = written(home / "agent" / "sites" / "Shop" / "task.json", '{"evaluators": []}')
    own = written(home / "agent" / "job" / "task.json", '{"mine": 1}')
    assert seen(home / "agent" / "agent.py", table, site, own) == {table: None, site: None, own: '{"mine": 1}'}


@pytest.mark.slow
@pytest.mark.claim("box-named")
def test_a_file_of_any_task_set_or_run_that_the_command_names_is_hidden(home):
    table = make_task(home / "copies" / "set", "Plain", table=LABEL) / "batch.csv"
    episode = written(home / "old" / "run" / "episodes" / "Plain" / "0.json")
    written(home / "old" / "run" / "run.json")
    notes = written(home / "notes.txt", "for all")
    script = 'for file do if test -s "$file"; then cat "$file"; fi; done'
    assert run("sh", "-c", script, "sh", table, episode, notes).stdout.text == "for all"


@pytest.mark.claim("box-labels")
def test_people_s_answers_and_the_key_of_their_sessions_do_not_exist_even_in_a_home_that_is_shown(home, monkeypatch):
    data = home / ".local" / "share" / "turkbench"
    files = [written(data / name) for name in ("annotation.sqlite3", "secret-key")]
    elsewhere = written(home / "answers" / "kept.sqlite3")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{elsewhere}")
    log = Path(f"{elsewhere}-wal")
    other = written(home / "answers" / "readme.txt")
    files += [elsewhere, written(log)]
    found = seen(home / "agent" / "agent.py", *files, other, out=home / "run", isolate_read=[str(home)])
    assert found == {**dict.fromkeys(files), other: LABEL}


@pytest.mark.claim("box-later-runs")
def test_a_run_that_starts_later_beside_this_one_does_not_exist(home):
    mix = home / "mix"
    (mix / "a").mkdir(parents=True)
    os.mkfifo(fifo := mix / "fifo")
    agent = written(
        mix / "agent.py",
        "import os, sys; open(sys.argv[1]).read(); print(sorted(os.listdir(sys.argv[2])), os.path.exists(sys.argv[3]))",
    )
    written(mix / "old" / "run.json")
    (mix / "empty").mkdir()  # what a run is made in may be there, and hold nothing yet
    later = mix / "later" / "run.json"

    def meanwhile() -> None:
        try:
            opened = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return  # it does not listen yet
        written(later)
        written(mix / "empty" / "run.json")
        os.close(opened)

    program = run(sys.executable, agent, fifo, mix, later, out=mix / "a", meanwhile=meanwhile)
    assert later.exists()
    assert program.stdout.text == "['agent.py', 'fifo'] False\n"


def test_a_program_finds_the_modules_beside_it_though_the_run_is_written_there(home):
    written(home / "work" / "helper.py", "WORDS = 'found'")
    agent = written(home / "work" / "agent.py", "import helper; print(helper.WORDS)")
    (home / "work" / "run").mkdir()
    assert run(sys.executable, agent, out=home / "work" / "run").stdout.text == "found\n"


def test_a_module_of_the_working_folder_can_be_run(home, monkeypatch):
    written(home / "work" / "agent" / "__main__.py", "from agent import helper; print(helper.WORDS)")
    written(home / "work" / "agent" / "helper.py", "WORDS = 'found'")
    secret = written(home / "work" / "secret")
    monkeypatch.chdir(home / "work")
    assert run(sys.executable, "-m", "agent").stdout.text == "found\n"
    assert seen(home / "work" / "agent" / "agent.py", secret)[secret] is None


@needs(NODE)
def test_a_program_of_node_finds_the_packages_above_it(home):
    written(home / "work" / "node_modules" / "words" / "index.js", "module.exports = 'found'")
    written(home / "work" / "package.json", '{"type": "module"}')
    agent = written(home / "work" / "lib" / "agent.js", "import words from 'words'; console.log(words)")
    assert run("node", agent).stdout.text == "found\n"


@pytest.mark.claim("box-user")
def test_a_program_that_lies_in_the_home_itself_does_not_show_it(home):
    secret = written(home / "secret")
    assert seen(home / "agent.py", secret)[secret] is None


@pytest.mark.claim("box-home")
def test_a_program_has_a_home_of_its_own_that_is_empty_can_be_written_and_is_gone_afterwards(home, tmp_path):
    agent = written(
        tmp_path / "agent" / "agent.py",
        "import json, os, pathlib, tempfile\n"
        "home = pathlib.Path.home()\n"
        "print(json.dumps([str(home), os.listdir(home), tempfile.gettempdir()]))\n"
        "for name in ('CONFIG', 'CACHE', 'DATA', 'STATE'):\n"
        "    folder = pathlib.Path(os.environ[f'XDG_{name}_HOME'], 'client')\n"
        "    folder.mkdir(parents=True)\n"
        "    (folder / 'kept').write_text('mine')\n"
        "    assert folder.is_relative_to(home)\n"
        "for other in ('/kept', '/run/kept', '/etc/kept', '/usr/kept'):\n"
        "    try:\n"
        "        pathlib.Path(other).write_text('mine')\n"
        "    except OSError:\n"
        "        continue\n"
        "    raise SystemExit(other)\n",
    )
    says = [json.loads(run(sys.executable, agent).stdout.text) for _ in range(2)]
    assert says == [["/tmp/home", [], "/tmp"]] * 2  # noqa: S108 - of the box
    assert not Path("/tmp/home").exists()  # noqa: S108 - the same path outside
    assert list(home.iterdir()) == []


@pytest.mark.claim("box-user")
def test_no_other_folder_of_the_machine_exists(home):
    named = [Path(each) for each in ("/etc/shadow", "/etc/ssh", "/var/lib", "/media", "/boot")]
    assert seen(home / "agent" / "agent.py", *named) == dict.fromkeys(named)


@pytest.mark.claim("box-named")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"isolate_read": ["/"]}, "that is no box"),
        ({"isolate_read": ["{home}/other"]}, "what lies in .*/other is hidden"),
        ({"isolate_write": ["{home}"]}, "runs are, or may be, written there; name a folder in it"),
    ],
)
def test_what_would_open_the_box_is_refused_before_anything_is_begun(options, said, home):
    written(home / "other" / "run.json")
    (home / "run").mkdir()
    named = {name: [each.format(home=home) for each in values] for name, values in options.items()}
    found = find_solver("command")
    with pytest.raises(WrongOptions, match=said):
        found.make(
            found.setup(found.check({"command": "true", **named}), folder=home / "run", tasks_dir=home / "tasks")
        )


def test_a_folder_that_holds_what_is_hidden_is_not_shown_in_a_container(home):
    make_task(home / "shown" / "set", "Plain")
    box = Box(Isolation("container", "an/image:1", read=(home / "shown",)))
    with pytest.raises(CannotIsolate, match="is hidden; name what the program needs of it instead"):
        box.check()


def test_who_goes_on_with_a_run_of_an_earlier_version_has_the_box_of_today():
    assert [Isolation.of({"isolate": mode}).mode for mode in ("masked", "strict")] == ["box", "box"]


def test_a_program_that_a_script_names_by_env_is_there(home):
    environment_at(home / "environment")
    agent = written(home / "agent" / "agent", "#!/usr/bin/env python\nimport sys; print(sys.prefix)\n")
    agent.chmod(0o755)
    path = {"PATH": f"{home}/environment/bin:{os.environ['PATH']}"}
    assert run(agent, environment=path).stdout.text == f"{home}/environment\n"


def test_a_shell_of_the_system_starts_what_is_named_besides(home):
    agent = written(home / "agent" / "agent.sh", "echo at work")
    script = f". {shlex.quote(str(agent))} | cat"
    assert run("sh", "-c", script, isolate_read=[str(agent)]).stdout.text == "at work\n"
