"""What other machines are given of a task set: pages as they are, and no label."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.files.writing import cache_folder
from harness.run.parcel import Parcel, pack, unpack, unpacked
from harness.run.task_parcel import TASKS, pack_tasks
from harness.runlog.config import RunConfig
from tests.task_folders import csv_text, make_task

ODD = 'a "quoted", cell\r\nof two lines; with\tall'


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks"
    page = "<p>${text} ${no_column_of_this}</p><input name=a>".replace("${no_column_of_this}", "")
    rows = [["one", "SECRET 1", "w1"], ["one", "SECRET 2", "w2"], [ODD, "SECRET 3", "w3"]]
    make_task(folder, "Text", template=page, table=csv_text(["text", "Answer.a", "WorkerId"], *rows))
    make_task(folder, "Fixed", template="<input name=a>", table=csv_text(["Answer.a"], ["SECRET 4"]))
    make_task(folder, "Unlabelled", template="<input name=a>", table=None)
    return folder


@pytest.mark.claim("parcel-labels")
def test_pages_are_the_same_there_and_no_label_is_among_them(tasks: Path) -> None:
    names = ["Fixed", "Text", "Unlabelled"]
    parcel = pack_tasks(RunConfig("random", tasks), names)
    assert b"SECRET" not in parcel.data
    assert b"w1" not in parcel.data
    here, there = Catalog(tasks), Catalog(unpack(parcel) / TASKS)
    for name in names:
        mine, theirs = here.task(name), there.task(name)
        assert theirs.template == mine.template
        told = [(each.index, each.id, each.inputs) for each in theirs.pages]
        assert told == [(each.index, each.id, each.inputs) for each in mine.pages]


def test_an_equal_task_set_is_an_equal_parcel_and_is_unpacked_once(tasks: Path) -> None:
    first, second = (pack_tasks(RunConfig("random", tasks), ["Text"]) for _ in range(2))
    assert first == second
    assert unpacked(first.name) is None
    folder = unpack(first)
    assert unpacked(first.name) == folder == unpack(second)
    assert [each.name for each in (cache_folder() / "parcels").iterdir()] == [first.name]


def test_a_damaged_parcel_is_refused() -> None:
    with pytest.raises(ValueError, match="came damaged"):
        unpack(Parcel("0" * 64, b""))


@pytest.mark.parametrize("path", ["../out", "tasks/../../out", "{cache}/out"])
def test_nothing_of_a_parcel_is_written_outside_of_its_folder(path: str) -> None:
    with pytest.raises(ValueError, match="no file in its folder"):
        unpack(pack([("in", b"x"), (path.format(cache=cache_folder()), b"x")]))
    assert [each.name for each in cache_folder().rglob("*")] == ["parcels"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE])
def test_a_parcel_with_anything_but_files_is_refused(kind: bytes, tmp_path: Path) -> None:
    entry = tarfile.TarInfo("odd")
    entry.type, entry.linkname = kind, str(tmp_path / "elsewhere")
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(entry)
    data = stream.getvalue()
    with pytest.raises(ValueError, match="no file in its folder"):
        unpack(Parcel(hashlib.sha256(data).hexdigest(), data))


def test_a_parcel_is_unpacked_on_a_python_whose_archives_know_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    extract_all = tarfile.TarFile.extractall

    def of_debian_12(archive: tarfile.TarFile, path: str = ".", members: None = None, *, numeric_owner: bool = False):
        extract_all(archive, path, members, numeric_owner=numeric_owner)

    monkeypatch.setattr(tarfile.TarFile, "extractall", of_debian_12)
    assert (unpack(pack([("a/b", b"x")])) / "a" / "b").read_bytes() == b"x"
