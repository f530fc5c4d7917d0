from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.catalog.mirror.building import collecting
from harness.cli.commands.setup import mirror as command
from tests.catalog.mirror.sources import FakePackages, FakeWeb
from tests.task_folders import make_task


@pytest.fixture
def tasks(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of tasks whose only outside script is of a package that can be had."""
    del own_cache
    monkeypatch.setattr(collecting, "listed", lambda: iter(()))
    monkeypatch.setattr(collecting, "Origin", FakeWeb)
    monkeypatch.setattr(collecting, "RegistryPackages", lambda _: FakePackages({"npm:a@1.0.0": {"a.js": b"a()"}}))
    make_task(tmp_path / "tasks", "one", template='<script src="https://unpkg.com/a@1.0.0/a.js"></script>')
    return tmp_path / "tasks"


def _run(*arguments: object) -> int:
    return command.main([str(argument) for argument in arguments])


def test_a_build_prints_what_came_from_where_and_can_be_repeated(
    tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("build", "--tasks-dir", tasks) == 0
    said = capsys.readouterr().out
    assert "[1/1] mirrored, exact: https://unpkg.com/a@1.0.0/a.js from npm a@1.0.0: a.js" in said
    assert "1 address: 1 mirrored (1 exact)" in said
    assert _run("build", "--tasks-dir", tasks) == 0
    assert "1 kept" in capsys.readouterr().out


def test_what_cannot_be_had_is_named_with_the_reason(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_task(tasks, "two", template='<script src="https://x.org/mine.js"></script>')
    assert _run("build", "--tasks-dir", tasks) == 1
    assert "missing: https://x.org/mine.js - nothing at https://x.org/mine.js" in capsys.readouterr().out


def test_an_address_in_a_script_that_may_not_use_it_is_no_failure(
    tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_task(tasks, "two", template='<script>load("https://x.org/mine.js")</script>')
    assert _run("build", "--tasks-dir", tasks) == 0
    assert "missing: https://x.org/mine.js (in a script, which may not use it)" in capsys.readouterr().out


def test_a_build_that_is_interrupted_says_what_is_kept(
    tasks: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(FakeWeb):
        def try_hosts(self, urls: Iterable[str]) -> None:
            del urls
            raise KeyboardInterrupt

    monkeypatch.setattr(collecting, "Origin", Interrupted)
    assert _run("build", "--tasks-dir", tasks) == 1
    assert "the next build goes on from there" in capsys.readouterr().err


def test_list_and_verify_tell_what_is_there(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run("build", "--tasks-dir", tasks)
    capsys.readouterr()
    assert _run("list") == 0
    assert "[npm a@1.0.0: a.js; MIT]" in capsys.readouterr().out
    assert _run("list", "--json") == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert record["status"] == "exact"
    assert _run("verify") == 0
    file = next((tasks.parent / "cache").rglob(record["sha256"]))
    file.write_bytes(b"changed")
    assert _run("verify") == 1
    assert f"changed: {file}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [("build", "--tasks-dir", "nowhere"), ("build", "--dataset", "nothing")])
def test_wrong_use_is_one_line(tasks: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    del tasks
    assert _run(*arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_cache_that_cannot_be_written_is_one_line(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tasks.parent / "cache").write_text("a file")
    assert _run("build", "--tasks-dir", tasks) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
