"""What other machines are given of a task set: pages as they are, and no label."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.kit.files.writing import cache_folder
from harness.records.config import RunConfig
from harness.run.bundle import Bundle, bundle_tasks, bundled, write, written
from tests.task_folders import csv_text, make_task

pytestmark = pytest.mark.usefixtures("own_cache")
ODD = 'a "quoted", cell\r\nof two lines; with\tall'


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    folder = tmp_path / "tasks"
    page = "<p>${text} ${no_column_of_this}</p><input name=a>".replace("${no_column_of_this}", "")
    rows = [["one", "SECRET 1", "w1"], ["one", "SECRET 2", "w2"], [ODD, "SECRET 3", "w3"], ["", "SECRET 5", "w4"]]
    make_task(folder, "Text", template=page, table=csv_text(["text", "Answer.a", "WorkerId"], *rows))
    make_task(folder, "Fixed", template="<input name=a>", table=csv_text(["Answer.a"], ["SECRET 4"]))
    make_task(folder, "Unlabelled", template="<input name=a>", table=None)
    return folder


@pytest.mark.claim("bundle-labels")
def test_pages_are_the_same_there_and_no_label_is_among_them(tasks: Path) -> None:
    names = ["Fixed", "Text", "Unlabelled"]
    bundle = bundle_tasks(RunConfig("random", tasks), names)
    sent = pickle.dumps(bundle)
    assert b"SECRET" not in sent
    assert b"w1" not in sent
    here, there = Catalog(tasks), Catalog(write(bundle))
    for name in names:
        mine, theirs = here.task(name), there.task(name)
        assert theirs.template == mine.template
        told = [(each.index, each.id, each.inputs) for each in theirs.pages]
        assert told == [(each.index, each.id, each.inputs) for each in mine.pages]


def test_an_equal_task_set_is_an_equal_bundle_and_is_written_once(tasks: Path) -> None:
    first, second = (bundle_tasks(RunConfig("random", tasks), ["Text"]) for _ in range(2))
    assert first == second
    assert written(first.name) is None
    folder = write(first)
    assert written(first.name) == folder == write(second)
    assert [each.name for each in (cache_folder() / "bundles").iterdir()] == [first.name]


def test_a_damaged_bundle_is_refused() -> None:
    with pytest.raises(ValueError, match="came damaged"):
        write(Bundle("0" * 64, {}))


@pytest.mark.claim("bundle-folder")
@pytest.mark.parametrize("path", ["../out", "tasks/../../out", "{cache}/out"])
def test_nothing_of_a_bundle_is_written_outside_of_its_folder(path: str) -> None:
    with pytest.raises(ValueError, match="no file in its folder"):
        write(bundled([("in", b"x"), (path.format(cache=cache_folder()), b"x")]))
    assert [each.name for each in cache_folder().rglob("*")] == ["bundles"]


def test_pictures_of_a_task_go_along(tasks: Path) -> None:
    (tasks / "Text" / "media").mkdir()
    (tasks / "Text" / "media" / "one.png").write_bytes(b"bytes of a picture")
    folder = write(bundle_tasks(RunConfig("random", tasks), ["Text"]))
    assert (folder / "Text" / "media" / "one.png").read_bytes() == b"bytes of a picture"
