"""Folders that somebody else has written: what is no file of theirs is neither read nor written through."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from harness.catalog.mirror.store import Store
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands import evaluate, leaderboard
from harness.datasets import fetching
from harness.kit.files.inside import MOST
from harness.models.accounts import ReplyCache
from harness.models.messages import Message, Reply, Request, Text
from harness.records.fatal import CannotWrite
from harness.records.folder_lock import FolderLock
from harness.records.record_file import NotARun
from harness.solvers.models.demos import FILE, Demonstrations

SECRET = b"SECRET-OF-THE-USER\n"
REQUEST = Request("m", (Message("user", (Text("?"),)),))


def replaced(file: Path, how: str, secret: Path) -> None:
    """Put something else in the place of a file, or of a folder."""
    file.unlink(missing_ok=True)
    match how:
        case "link":
            file.symlink_to(secret)
        case "pipe":
            os.mkfifo(file)
        case "device":
            file.symlink_to("/dev/zero")
        case "holes":
            with file.open("wb") as stream:
                stream.truncate(MOST + 1)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_bytes(SECRET)
    return tmp_path / "secret"


@pytest.mark.claim("runs-written")
@pytest.mark.parametrize("name", ["images", "calls", "ledger.jsonl", "attempts/A", "episodes/B/7.json"])
@pytest.mark.parametrize("how", ["link", "pipe"])
def test_nothing_is_written_through_what_a_run_that_is_gone_on_with_has_brought(run, secret, capsys, *, name, how):
    place = run.folder / name
    place.parent.mkdir(exist_ok=True)
    replaced(place, how, secret)
    assert evaluate.main(["--resume", str(run.folder), "--progress", "quiet"]) == INCOMPLETE
    (line,) = capsys.readouterr().err.splitlines()
    assert repr(name) in line
    assert "remove it" in line
    assert secret.read_bytes() == SECRET


@pytest.mark.claim("runs-written")
def test_a_link_to_a_folder_is_not_written_into(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run" / "films").mkdir(parents=True)
    (tmp_path / "run" / "films" / "pictures").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CannotWrite, match="films/pictures"):
        FolderLock(tmp_path / "run")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    FolderLock(tmp_path / "link").release()  # whoever names a folder means what it leads to


@pytest.mark.claim("leaderboard-files")
@pytest.mark.parametrize("how", ["link", "pipe", "device", "holes"])
def test_a_record_that_is_no_file_of_the_leaderboard_is_refused_by_name(tmp_path, secret, how, capsys):
    (tmp_path / "board").mkdir()
    replaced(tmp_path / "board" / "x.json", how, secret)
    page = tmp_path / "board.html"
    status = leaderboard.main(["show", "--folder", str(tmp_path / "board"), "--out", str(page)])
    assert status in {COMPLETE, INCOMPLETE}
    assert "x.json" in page.read_text(encoding="utf-8") + "".join(capsys.readouterr())


@pytest.mark.claim("reply-cache")
@pytest.mark.parametrize("how", ["link", "pipe", "device", "holes"])
def test_a_reply_in_a_cache_that_is_no_file_of_it_is_asked_for_anew(tmp_path, secret, how):
    cache = ReplyCache(tmp_path / "cache", "openai")
    cache.put(REQUEST, Reply("yes"))
    (file,) = (tmp_path / "cache").rglob("*.json")
    secret.write_bytes(file.read_bytes())
    replaced(file, how, secret)
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, Reply("no"))  # in the place of what was there, not through it
    assert cache.get(REQUEST) == Reply("no")
    assert b"yes" in secret.read_bytes()


@pytest.mark.claim("reply-cache")
def test_servers_that_share_a_cache_share_no_reply(tmp_path):
    ReplyCache(tmp_path, "openai http://127.0.0.1:1/v1").put(REQUEST, Reply("of that server"))
    assert ReplyCache(tmp_path, "openai").get(REQUEST) is None
    assert ReplyCache(tmp_path, "openai http://127.0.0.1:2/v1").get(REQUEST) is None


@pytest.mark.claim("texts-names")
@pytest.mark.parametrize("name", ["../../secret", "pipe", "link"])
def test_a_picture_of_a_demonstration_is_one_of_the_run(tmp_path, secret, name):
    secret.rename(tmp_path / "secret.png")
    images = tmp_path / "run" / "images"
    images.mkdir(parents=True)
    os.mkfifo(images / "pipe.png")
    (images / "link.png").symlink_to(tmp_path / "secret.png")
    shown = {"task": "T", "index": 0, "field": "a", "kinds": [], "text": [], "images": [name], "calls": []}
    record = {"count": 1, "copies": {}, "demonstrations": [shown]}
    (tmp_path / "run" / FILE).write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(NotARun):
        Demonstrations.read(tmp_path / "run")


def alone(folder: Path) -> AbstractContextManager[object]:
    return Store(folder).alone()


def fetched(folder: Path) -> AbstractContextManager[object]:
    return fetching._alone(folder / ".lock")


@pytest.mark.parametrize("lock", [alone, fetched])
def test_a_lock_takes_nothing_from_a_file_that_it_leads_to(
    tmp_path, secret, lock: Callable[[Path], AbstractContextManager[object]]
):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / ".lock").symlink_to(secret)
    with lock(tmp_path / "folder"):
        pass
    assert secret.read_bytes() == SECRET
