"""A hostile program (tests/trust/hostile.py) in every kind of box, and without one: what it gets, and what not."""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.browser.box import isolation
from harness.browser.box.box import NO_BOX, Box, Needs
from harness.browser.box.hidden_places import hidden_places
from harness.browser.box.isolation import Isolation
from harness.browser.box.program_options import Mode
from harness.browser.box.relay import Address
from harness.cli.commands.evaluate import main
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.records.directory import RunDirectory
from harness.solvers.outside.outside_program import CannotStart, Program
from tests.needs import BOX, needs, require
from tests.runs import sent, stage
from tests.task_folders import csv_text, make_task
from tests.trust.programs import database_at, environment_at

HERE = Path(__file__).parent
AGENT = HERE.parent / "solvers" / "outside" / "agent.py"
ASSISTANT = HERE.parent / "solvers" / "outside" / "assistant.py"
LABEL = "LABEL-7f3a"
OF_THE_ENVIRONMENT = "KEY-91c2"
needs_bubblewrap = needs(*BOX)
SECONDS = 120.0


def nothing() -> None:
    """What there is to be seen to meanwhile."""


@contextmanager
def listening(family: int, address: Any, answer: bytes = b"", often: int = 0) -> Iterator[socket.socket]:
    """Somebody who listens, and answers so many connections."""
    with socket.socket(family) as listener:
        listener.bind(address)
        listener.listen(8)

        def serve() -> None:
            with suppress(OSError):
                for _ in range(often):
                    with listener.accept()[0] as made:
                        made.recv(100)
                        made.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@dataclass
class World:
    """What stands around a program: a task set, runs, a cache, keys, sockets, other files; all in one folder."""

    folder: Path
    order: dict[str, Any]
    hosts: tuple[Address, ...]
    fifo: Path

    def attack(
        self, mode: Mode, *, read: tuple[Path, ...] = (), survive: bool = False
    ) -> tuple[dict[str, Any], Program]:
        shown = Isolation(mode, hosts=self.hosts, read=read, write=(self.folder / "writable",))
        hidden = lambda: hidden_places(self.folder / "tasks", self.folder / "results" / "mine")  # noqa: E731
        box = Box(shown, hidden) if mode != "none" else NO_BOX
        order = {**self.order, "isolated": mode != "none", "fifo": str(self.fifo) if survive else ""}
        python = str(self.folder / "environment" / "bin" / "python")
        program = Program([python, str(self.folder / "agent" / "hostile.py"), json.dumps(order)], {}, box)
        status = program.run("", SECONDS, nothing)
        assert status == 0, program.stderr.text
        left = [file for folder in order["to write"] if (file := Path(folder) / "by-a-stranger").exists()]
        for file in left:
            file.unlink()
        return {**json.loads(program.stdout.text), "left": [str(file.parent) for file in left]}, program


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world").resolve()
    for place in ("results/mine", "results/notes", "work/below", "writable", "agent"):
        (folder / place).mkdir(parents=True)
    shutil.copy(HERE / "hostile.py", folder / "agent")
    table = csv_text(["text", "Answer.a"], ["x", LABEL])
    make_task(folder / "tasks", "Plain", table=table)
    make_task(folder / "elsewhere", "Linked", table=table)
    (folder / "tasks" / "Linked").symlink_to(folder / "elsewhere" / "Linked")
    packages = environment_at(folder / "environment")
    make_task(folder / "copies" / "set", "Plain", table=table)
    make_task(packages / "harness" / "tasks", "Plain", table=table)
    database_at(folder / "kept" / "mine.sqlite3", LABEL)
    database_at(folder / "agent" / "somebodys.db", LABEL)
    made = {
        "tasks/Plain/batch.csv", "elsewhere/Linked/batch.csv", "copies/set/Plain/batch.csv", "kept/mine.sqlite3",
        "agent/somebodys.db", f"{packages.relative_to(folder)}/harness/tasks/Plain/batch.csv",
    }  # fmt: skip
    written = {
        "results/mine/run.json", "results/other/run.json", "results/other/episodes/Plain/0.json", "agent/old/run.json",
        "home/.cache/turkbench/inventory/one.json", "home/.local/share/turkbench/annotation.sqlite3",
        "home/.local/share/turkbench/secret-key", "keys/secret-key", "work/.env", ".env", ".git/objects/ab",
        f"{packages.relative_to(folder)}/harness/catalog/overlays/one.json",
    }  # fmt: skip
    for name in written:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(LABEL, encoding="utf-8")
    files = made | written
    (folder / "notes.txt").write_text("for all", encoding="utf-8")
    os.mkfifo(fifo := folder / "writable" / "fifo")
    in_memory = ctypes.create_string_buffer(LABEL.encode())
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("HOME", str(folder / "home"))
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
            patch.delenv(name, raising=False)
        patch.setenv("DATABASE_URL", f"sqlite:///{folder}/kept/mine.sqlite3")
        patch.chdir(folder / "work" / "below")
        patch.setenv("SOME_API_KEY", OF_THE_ENVIRONMENT)
        # Another program of the user's, which was given the key. It leads a group: ours may have a number that is taken
        # in the box, too.
        other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
        stack.enter_context(other)
        stack.callback(other.kill)
        port = stack.enter_context(listening(socket.AF_INET, ("127.0.0.1", 0)))
        provider = stack.enter_context(listening(socket.AF_INET, ("127.0.0.2", 0), b"at your service", 99))
        local = stack.enter_context(listening(socket.AF_INET, ("127.0.0.1", 0)))
        stack.enter_context(listening(socket.AF_UNIX, str(folder / "agent.sock")))
        abstract = f"@{folder}"
        stack.enter_context(listening(socket.AF_UNIX, "\0" + abstract[1:]))
        allowed = Address("127.0.0.2", provider.getsockname()[1])
        own = os.getpid()
        paths = [str(folder / name) for name in files]
        order = {
            "secret": LABEL,
            "secret of the environment": OF_THE_ENVIRONMENT,
            "files": [*paths, str(folder / "tasks/Linked/batch.csv"), *(f"/proc/{own}/root{path}" for path in paths)],
            "folders": [str(folder / name) for name in ("tasks", "results/mine", "results/other")],
            "searched": [str(folder), "/proc/self/cwd/../.."],
            "public": str(folder / "notes.txt"),
            "memory": [own, ctypes.addressof(in_memory), len(LABEL)],
            "outside": own,
            "group": other.pid,
            "port": port.getsockname()[1],
            "socket file": str(folder / "agent.sock"),
            "abstract socket": abstract,
            "to write": [str(folder), str(folder / "work" / "below"), str(folder / "writable")],
            "addresses": [str(allowed), "192.0.2.1:443", "127.0.0.2:1"],
            "local provider": local.getsockname()[1],
        }  # fmt: skip
        yield World(folder, order, (allowed, Address("localhost", local.getsockname()[1])), fifo)


@pytest.fixture(scope="module", params=["as it is", "with all around it shown"])
def attacked(request, world: World) -> tuple[World, dict[str, Any], Program]:
    require(*BOX)
    return world, *world.attack("box", read=(world.folder,) if request.param != "as it is" else ())


def test_without_a_box_a_program_gets_all_of_it(world: World):
    got, _ = world.attack("none")
    assert all(got["files"].values()), got["files"]
    assert all(got["folders"].values())
    assert all(LABEL in shown for shown in got["unmasked"].values())
    assert len(got["search"][str(world.folder)]) >= 8
    assert got["environments"]
    assert got["memory"] == LABEL or os.getuid()  # whether ordinary users may depends on the kernel's settings
    assert (got["signal"], got["group signal"], got["loopback"]) == ("sent", "sent", "connected")
    assert (got["socket file"], got["abstract socket"]) == ("connected", "connected")
    assert len(got["left"]) == 3


@pytest.mark.claim("box-labels")
def test_labels_runs_caches_and_keys_do_not_exist_in_a_box(attacked):
    got = attacked[1]
    assert not any(got["files"].values()), got["files"]
    assert not any(got["folders"].values()), got["folders"]
    assert not any(got["search"].values()), got["search"]


@pytest.mark.claim("box-user")
@needs_bubblewrap
def test_other_files_of_its_user_exist_in_a_box_if_they_are_named_and_not_otherwise(world: World):
    assert world.attack("box")[0]["public"] is None
    assert world.attack("box", read=(world.folder / "notes.txt",))[0]["public"] == "for all"


@pytest.mark.claim("box-mounts")
def test_what_hides_a_place_cannot_be_taken_away_by_root_of_a_namespace_of_ones_own(attacked):
    assert not any(LABEL in (got or "") for got in attacked[1]["unmasked"].values())


@pytest.mark.claim("box-processes")
def test_memory_and_environment_of_other_programs_do_not_exist_in_a_box(attacked):
    assert (attacked[1]["environments"], attacked[1]["memory"], attacked[1]["own environment"]) == ([], None, False)


@pytest.mark.claim("box-signals")
def test_a_program_in_a_box_can_signal_nobody_outside(attacked):
    got = attacked[1]
    assert got["group signal"] is None
    assert got["signal"] is None


@pytest.mark.claim("box-network")
def test_a_program_in_a_box_reaches_neither_this_machine_nor_the_world(attacked):
    got = attacked[1]
    assert (got["loopback"], got["outer world"]) == (None, None)
    assert (got["socket file"], got["abstract socket"]) == (None, None)


@pytest.mark.claim("box-hosts")
def test_a_program_in_a_box_reaches_the_hosts_that_are_allowed_and_what_is_refused_is_counted(attacked):
    world, got, program = attacked
    assert (got["local provider"], got["proxy"].pop(str(world.hosts[0]))) == ("connected", "at your service")
    assert got["proxy"] == dict.fromkeys(["192.0.2.1:443", "127.0.0.2:1"], "HTTP/1.1 403 Not allowed by --allow-host")
    assert program.refused == "the box refused: 192.0.2.1:443 (1 time), 127.0.0.2:1 (1 time)"


@pytest.mark.claim("box-writing")
def test_a_program_in_a_box_writes_to_its_own_folder_and_to_what_was_named_only(attacked):
    world, got, _ = attacked
    assert got["left"] == [str(world.folder / "writable")]
    assert got["own temporary folder"]


@pytest.mark.claim("box-machine")
def test_a_program_in_a_box_can_change_no_setting_of_the_machine_even_as_root(attacked):
    assert attacked[1]["kernel"] is None


@pytest.mark.claim("box-leftovers")
@needs_bubblewrap
def test_what_a_program_leaves_running_in_a_box_ends_with_it_whatever_session_it_is_in(world: World):
    # The pipe ends when the last process that holds it open has ended.
    reading = os.open(world.fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with selectors.DefaultSelector() as ends:
            ends.register(reading, selectors.EVENT_READ)
            got, _ = world.attack("box", survive=True)
            assert got["left behind"]
            while ends.select(30) and os.read(reading, 100):
                pass
            assert ends.select(0), "it runs on"
    finally:
        os.close(reading)


# ---- programs at work ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    make_task(
        folder, "Plain", template="<p>${text}</p><input name=a>", table=csv_text(["text", "Answer.a"], ["x", "yes"])
    )
    with stage(folder) as made:
        yield made


def solver(name: str, command: str, tasks_dir: Path, folder: Path, **options: object) -> Any:
    found = find_solver(name)
    checked = found.check({"command": command, **options})
    return found.make(found.setup(checked, folder=folder, tasks_dir=tasks_dir))


@needs_bubblewrap
def test_a_program_in_a_box_works_on_its_page(at, tmp_path):
    command = f"{sys.executable} {AGENT} report"
    made = at.play("Plain", solver("command", command, at.catalog.tasks_dir, tmp_path, isolate="box"))
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",)), made.detail
    said = json.loads(made.turns[0].reply)
    assert said["url"] == said["told"]["url"]
    assert said["environment"]["TMPDIR"] == "/tmp"  # noqa: S108 - of the box


@needs_bubblewrap
def test_an_assistant_in_a_box_has_its_tools(at, tmp_path):
    command = f"{sys.executable} {ASSISTANT} {{config}} fill"
    made = at.play("Plain", solver("mcp", command, at.catalog.tasks_dir, tmp_path, isolate="box"))
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",)), made.turns


@needs_bubblewrap
def test_a_program_that_is_not_in_its_box_is_told_how_to_name_it(at, tmp_path):
    made = at.play("Plain", solver("command", "env no-such-program", at.catalog.tasks_dir, tmp_path, isolate="box"))
    assert made.outcome == "agent_error"
    script = tmp_path / "agent"
    script.write_text("#!/no/interpreter\n", encoding="utf-8")
    script.chmod(0o755)
    made = at.play("Plain", solver("command", str(script), at.catalog.tasks_dir, tmp_path / "run", isolate="box"))
    assert (
        "agent cannot be started in the box: No such file or directory; what it needs there can be named" in made.detail
    )


@needs_bubblewrap
def test_a_box_that_fails_is_said_to_have_failed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    box = Box(Isolation("box", read=(tmp_path,)))
    program = Program(["true"], {}, box, Needs(reach=(Address("127.0.0.1", 70_000),)))
    with pytest.raises(CannotStart, match="true cannot be started: the box failed: "):
        program.run("", SECONDS, nothing)


@pytest.mark.claim("box-named")
@needs_bubblewrap
@pytest.mark.parametrize("options", [{"isolate_read": ["{tasks}"]}, {"isolate_write": ["{run}"]}])
def test_what_is_hidden_cannot_be_named_to_be_shown(options, tmp_path):
    tasks, run = tmp_path / "tasks", tmp_path / "run"
    make_task(tasks, "Plain")
    run.mkdir()
    named = {name: [each.format(tasks=tasks, run=run) for each in values] for name, values in options.items()}
    with pytest.raises(WrongOptions, match="is hidden"):
        solver("command", "true", tasks, run, isolate="box", **named)


@pytest.mark.claim("box-named")
@needs_bubblewrap
def test_a_file_of_the_task_set_that_a_command_names_is_hidden_all_the_same(tmp_path):
    table = make_task(tmp_path / "tasks", "Plain") / "batch.csv"
    link = tmp_path / "link.csv"
    link.symlink_to(table)
    box = Box(Isolation("box"), lambda: hidden_places(tmp_path / "tasks", tmp_path / "run"))
    program = Program(["cat", str(table), str(link)], {}, box)
    assert program.run("", SECONDS, nothing) == 1
    assert program.stdout.text == ""


# ---- options, records ------------------------------------------------------------------------------------------------


@pytest.fixture
def no_bubblewrap(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    isolation.why_not.cache_clear()
    yield
    isolation.why_not.cache_clear()


@needs_bubblewrap
def test_a_program_is_in_a_box_unless_its_user_says_otherwise():
    assert find_solver("command").check({"command": "true"})["isolate"] == "box"
    assert find_solver("command").check({"command": "true", "isolate": "none"})["isolate"] == "none"


@pytest.mark.claim("box-or-nothing")
@pytest.mark.usefixtures("no_bubblewrap")
def test_where_no_box_can_be_made_the_default_is_none_and_is_said_loudly_with_the_remedy():
    assert find_solver("command").check({"command": sys.executable})["isolate"] == "none"
    assert isolation.warning("none") == (
        "WARNING: the program runs without a box and can read all your files, the labels among them "
        "(no box can be made here: bubblewrap is not installed (apt-get install bubblewrap))"
    )


@needs_bubblewrap
def test_no_box_is_said_loudly_even_if_it_was_asked_for():
    assert isolation.warning("none").endswith("(--isolate none)")
    assert [isolation.warning(mode) for mode in ("box", "container", None)] == [""] * 3


@pytest.mark.claim("box-or-nothing")
@pytest.mark.usefixtures("no_bubblewrap")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"isolate": "box"}, "--isolate box is not possible here: bubblewrap is not installed"),
        ({"isolate": "masked"}, "--isolate masked: there is one such box now, --isolate box"),
        ({"isolate": "strict"}, "--isolate strict: there is one such box now, --isolate box"),
        ({"isolate": "container", "isolate_image": "i"}, "neither docker nor podman is installed"),
        ({"isolate": "container"}, "--isolate container and --isolate-image IMAGE go together"),
        ({"isolate": "none", "isolate_image": "i"}, "--isolate container and --isolate-image IMAGE go together"),
        ({"isolate": "none", "allow_host": ["a.b"]}, "--allow-host: these open a box, and there is none"),
        ({"allow_host": ["a.b"]}, "and none can be made here: bubblewrap is not installed"),
        ({"isolate": "container", "isolate_image": "i", "allow_host": ["a b"]}, "--allow-host a b: not of the form"),
        ({"isolate": "no"}, "--isolate no: there are none, box, container"),
    ],
)
def test_a_box_that_cannot_be_had_is_refused_before_anything_is_begun(options, said):
    with pytest.raises(WrongOptions, match=said):
        find_solver("command").check({"command": sys.executable, **options})


def test_an_address_has_the_port_of_https_unless_it_is_said():
    assert Address.read("API.example.com") == Address("api.example.com", 443)
    assert Address.read("[::1]:8080") == Address("::1", 8080)
    for wrong in ("", "a b", "http://a", "a:0", "a:70000", "a/b"):
        with pytest.raises(ValueError, match="HOST"):
            Address.read(wrong)


@pytest.mark.slow
@pytest.mark.claim("box-or-nothing")
@needs_bubblewrap
@pytest.mark.parametrize(("given", "kept"), [((), "box"), (("--isolate", "none"), "none")])
def test_a_run_tells_in_its_record_how_its_program_was_shut_in(given, kept, tmp_path, capsys):
    tasks, out = tmp_path / "tasks", tmp_path / "runs" / "one"
    make_task(tasks, "Plain", table=csv_text(["text", "Answer.a"], ["x", "yes"]))
    command = f"cat {tasks / 'Plain' / 'batch.csv'}"
    main(["--tasks-dir", str(tasks), "--out", str(out), "--solver", "command", "--command", command, *given])
    directory = RunDirectory(out)
    assert directory.read().isolation == kept
    (episode,) = directory.episodes()
    assert ("yes" in episode.turns[0].reply) == (kept == "none")
    assert ("WARNING: the program runs without a box" in capsys.readouterr().err) == (kept == "none")


@pytest.mark.slow
def test_a_solver_without_a_program_has_no_isolation(tmp_path):
    make_task(tmp_path / "tasks", "Plain")
    main(["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--solver", "do-nothing"])
    assert RunDirectory(tmp_path / "run").read().isolation is None


# ---- containers ------------------------------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path, monkeypatch) -> Iterator[Path]:
    """A stand-in for docker, first on the path; gives the file of what it was told. No real engine is at work here."""
    saw, program = tmp_path / "saw.jsonl", tmp_path / "bin" / "docker"
    program.parent.mkdir()
    source = (HERE / "engine.py").read_text(encoding="utf-8").replace("ENGINE_SAW_FILE", str(saw))
    program.write_text(f"#!{os.path.realpath(sys.executable)}\n{source}", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    isolation.why_not.cache_clear()
    yield saw
    isolation.why_not.cache_clear()


def told(saw: Path, what: str) -> list[list[str]]:
    lines = (json.loads(line) for line in saw.read_text(encoding="utf-8").splitlines())
    return [words for words in lines if words[0] == what]


@needs_bubblewrap
def test_a_program_in_a_container_reaches_the_browser_and_the_container_is_removed(at, engine: Path, tmp_path):
    script = "import json, os, sys, urllib.request; told = json.load(sys.stdin); "
    script += "print(urllib.request.urlopen(told['devtools']['http'] + '/json/list').status, sorted(os.environ))"
    command = f"python3 -c {json.dumps(script)}"
    options: dict[str, Any] = {"isolate": "container", "isolate_image": "an/image:1"}
    made = at.play("Plain", solver("command", command, at.catalog.tasks_dir, tmp_path, **options))
    assert made.outcome == "scored", made.turns
    assert made.turns[0].reply.startswith("200 ")
    assert "TURKBENCH_URL" in made.turns[0].reply
    ((_, *words),) = told(engine, "run")
    name = words[words.index("--name") + 1]
    assert told(engine, "rm") == [["rm", "--force", name]]


@pytest.mark.claim("box-container")
@needs_bubblewrap
def test_a_container_has_no_network_no_rights_and_no_files_but_what_is_named(engine: Path, tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", OF_THE_ENVIRONMENT)
    shown = Isolation("container", "an/image:1", read=(tmp_path / "bin",), write=(tmp_path,))
    program = Program(["true"], {"AGENT_KEY": OF_THE_ENVIRONMENT}, Box(shown))
    assert program.run("", SECONDS, nothing) == 0, program.stderr.text
    ((_, *words),) = told(engine, "run")
    for expected in (["--network", "none"], ["--cap-drop", "ALL"], ["--security-opt", "no-new-privileges"]):
        assert words[words.index(expected[0]) + 1] == expected[1]
    assert {"--rm", "--read-only"} < set(words)
    user = words[words.index("--user") + 1]
    assert not user.startswith("0:")
    volumes = [words[place + 1] for place, word in enumerate(words) if word == "--volume"]
    assert volumes[1:] == [f"{tmp_path}/bin:{tmp_path}/bin:ro", f"{tmp_path}:{tmp_path}:rw"]
    assert volumes[0].endswith(":/run/box:ro")
    passed = {words[place + 1] for place, word in enumerate(words) if word == "--env"}
    assert {"AGENT_KEY", "HOME", "TMPDIR"} <= passed
    assert not passed & {"PATH", "SOME_API_KEY"}
    assert OF_THE_ENVIRONMENT not in " ".join(words)


@pytest.mark.slow
@needs_bubblewrap
def test_a_program_in_a_container_that_hangs_is_ended_with_its_time(engine: Path):
    program = Program(["sh", "-c", "echo begun; sleep 600"], {}, Box(Isolation("container", "an/image:1")))
    assert program.run("", 3.0, nothing) is None
    assert program.stdout.text == "begun\n"
    assert told(engine, "rm")


@needs_bubblewrap
def test_an_image_s_programs_need_not_be_on_this_machine(engine: Path):
    options = {"command": "agent-of-the-image", "isolate_image": "an/image:1"}
    assert find_solver("command").check(options)["isolate"] == "container"
    assert told(engine, "info") == [["info"]]
