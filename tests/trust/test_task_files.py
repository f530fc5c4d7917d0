"""A task set is somebody else's data: only regular files that lie in a task's own folder are read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.catalog import Catalog, CatalogError, MalformedTask
from harness.catalog.mirror.building.collecting import wanted_by
from harness.catalog.mirror.media import Media
from harness.catalog.problems import Problem
from tests.task_folders import make_task
from turkle_app.listing import listings

SECRET = "SECRET-OF-THE-USER"  # noqa: S105 - it is none
FILES = {
    "template.html": f"<p>${{text}}</p><input name=a><img src='https://x.example/{SECRET}.png'> adult content {SECRET}",
    "batch.csv": f"text,Answer.a\r\none,{SECRET}\r\n",
    "task.json": json.dumps({"title": SECRET}),
}


@pytest.fixture
def tasks(tmp_path) -> Path:
    make_task(tmp_path / "tasks", "Good")
    make_task(tmp_path / "tasks", "T")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "tasks"


def replaced(tasks: Path, name: str, how: str) -> None:
    file = tasks / "T" / name
    file.unlink(missing_ok=True)
    match how:
        case "absolute link":
            file.symlink_to(tasks.parent / name)
        case "relative link":
            file.symlink_to(Path("..") / ".." / name)
        case "link to a link":
            (tasks / "T" / "other").symlink_to(tasks.parent / name)
            file.symlink_to("other")
        case "link to another task":
            (tasks / "Other").mkdir()
            (tasks / "Other" / name).write_text(FILES[name], encoding="utf-8")
            file.symlink_to(Path("..") / "Other" / name)
        case "link to itself":
            file.symlink_to(name)
        case "pipe":
            os.mkfifo(file)
        case "device":
            file.symlink_to("/dev/zero")


HOW = ["absolute link", "relative link", "link to a link", "link to another task", "link to itself", "pipe", "device"]


@pytest.mark.claim("task-files")
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_task_that_is_not_its_own_is_named_and_not_read(tasks, name, how):
    replaced(tasks, name, how)
    catalog = Catalog(tasks)
    found = [problem for problem in catalog.check() if problem.task == "T"]
    assert [(problem.file, str(problem).count("\n")) for problem in found] == [(tasks / "T" / name, 0)]
    with pytest.raises(MalformedTask):
        catalog.task("T")
    seen = [
        *map(str, catalog.problems),
        repr(catalog.facts("T")),
        catalog.fingerprint("T"),
        catalog.set_fingerprint(["T"]),
    ]
    seen += [str(catalog.duplicates()), str(wanted_by([tasks]))]
    assert SECRET not in "".join(seen)
    assert catalog.task("Good").instances  # the others are used


def test_a_link_within_the_folder_of_a_task_is_followed(tasks):
    (tasks / "T" / "page.html").write_text("<p>${text}</p><input name=a>", encoding="utf-8")
    (tasks / "T" / "template.html").unlink()
    (tasks / "T" / "template.html").symlink_to("page.html")
    assert Catalog(tasks).task("T").instances


def test_the_folder_of_a_task_may_be_a_link_and_so_may_that_of_the_tasks(tasks, tmp_path):
    make_task(tmp_path / "elsewhere", "Linked")
    (tasks / "Linked").symlink_to(tmp_path / "elsewhere" / "Linked")
    (tmp_path / "link").symlink_to(tasks)
    catalog = Catalog(tmp_path / "link")
    assert catalog.check() == []
    assert catalog.task("Linked").instances


@pytest.mark.parametrize("how", ["link", "pipe"])
def test_a_split_list_that_is_no_file_of_its_folder_is_named_and_not_read(tasks, tmp_path, how):
    (tasks / "splits").mkdir()
    (tmp_path / "notes").write_text(SECRET, encoding="utf-8")
    if how == "link":
        (tasks / "splits" / "mine.txt").symlink_to(tmp_path / "notes")
    else:
        os.mkfifo(tasks / "splits" / "mine.txt")
    problems: list[Problem] = Catalog(tasks).check()
    assert SECRET not in str(problems)
    assert ["mine.txt" in str(problem.file) for problem in problems] == ([True] if how == "link" else [])


def test_a_pinned_split_that_is_a_link_to_elsewhere_is_refused(tasks, tmp_path):
    (tasks / "splits").mkdir()
    (tmp_path / "ids.json").write_text(json.dumps({"tasks": {SECRET: []}}), encoding="utf-8")
    (tasks / "splits" / "some.json").symlink_to(tmp_path / "ids.json")
    with pytest.raises(CatalogError, match=r"some\.json.*leads out of its folder") as error:
        Catalog(tasks)
    assert SECRET not in str(error.value)


@pytest.mark.claim("task-files")
def test_media_that_lead_out_of_their_folder_are_not_there(tmp_path):
    host = tmp_path / "media" / "x.example"
    host.mkdir(parents=True)
    (tmp_path / "secret.png").write_text(SECRET, encoding="utf-8")
    (host / "link.png").symlink_to(tmp_path / "secret.png")
    os.mkfifo(host / "pipe.png")
    (host / "own.png").write_text("own", encoding="utf-8")
    media = Media(tmp_path / "media")
    found = {name: media.find(f"https://x.example/{name}.png") for name in ("link", "pipe", "own")}
    assert {name for name, file in found.items() if file} == {"own"}


@pytest.mark.claim("task-files")
@pytest.mark.parametrize("how", [each for each in HOW if each != "link to another task"])
def test_the_list_of_tasks_shows_no_file_of_somewhere_else_and_ends(tasks, how):
    replaced(tasks, "batch.csv", how)
    (tasks.parent / "batch.csv").write_text(f"text,Title\r\none,{SECRET}\r\n", encoding="utf-8")
    assert {listing.name: listing.title for listing in listings(Catalog(tasks))}["T"] == "T"
