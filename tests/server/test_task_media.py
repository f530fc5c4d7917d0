"""The pictures and sounds in a task's own folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from harness.catalog import Catalog
from tests.task_folders import csv_text, make_task

TEMPLATE = """<img src="media/${picture}.png"><img src='media/gone.png'><input name=a>"""
TABLE = csv_text(["picture", "Answer.a"], ["one", "x"])
BYTES = b"no picture, but 30 bytes of one"


@pytest.fixture
def folder(tasks_dir: Path) -> Path:
    made = make_task(tasks_dir, "a task", template=TEMPLATE, table=TABLE)
    (made / "media").mkdir()
    (made / "media" / "one.png").write_bytes(BYTES)
    return made


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("mode", ["browse", "agent"])
def test_a_page_is_led_to_the_files_of_its_own_task_that_are_there(mode: str, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(mode)
    page = client.get("/page/a%20task/0/").content.decode()
    assert """<img src="/page/a%20task/media/one.png"><img src='media/gone.png'>""" in page
    answer = client.get("/page/a%20task/media/one.png")
    assert b"".join(answer) == BYTES
    assert answer["Content-Type"] == "image/png"


@pytest.mark.usefixtures("folder")
def test_a_player_gets_the_part_of_a_file_that_it_asks_for(agent: Client) -> None:
    answer = agent.get("/page/a%20task/media/one.png", headers={"Range": "bytes=3-9"})
    assert (answer.status_code, b"".join(answer)) == (206, BYTES[3:10])


@pytest.mark.parametrize("address", ["gone.png", "..", "../batch.csv", "%2e%2e%2fbatch.csv", "link.png"])
def test_nothing_else_of_the_folder_can_be_had(folder: Path, agent: Client, address: str) -> None:
    (folder / "media" / "link.png").symlink_to(folder / "batch.csv")
    assert agent.get(f"/page/a%20task/media/{address}").status_code == 404


def test_a_changed_picture_changes_the_fingerprint_of_its_task(folder: Path) -> None:
    catalog = Catalog(folder.parent)
    before = catalog.fingerprint("a task")
    (folder / "media" / "one.png").write_bytes(BYTES[::-1] + b"!")
    assert catalog.fingerprint("a task") != before
