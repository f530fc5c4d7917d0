"""Films in a run directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.records import film as film_module
from harness.records.directory import MalformedRun, NotARun, RunDirectory
from harness.records.fatal import CannotWrite
from harness.records.film import Film, Frame, Target, picture_name

PICTURE = b"a picture"
NAME = picture_name(PICTURE, "webp")
TARGET = Target(css="#a", xpath="//*[@id='a']", box=(1.0, 2.0, 3.0, 4.5), text="A")
FILM = Film(
    frames=(
        Frame(url="http://x/", title="T", picture=NAME, size=(1280, 800), scroll=(0.0, 12.5), ms=3.25),
        Frame(step=0, picture=NAME, size=(1280, 800), target=TARGET, presses=1, keys=None),
        Frame(deed="click (1, 2)", size=(1280, 800)),
    ),
    left_out=2,
)


def test_a_film_is_read_as_it_was_written(tmp_path):
    run = RunDirectory(tmp_path)
    run.write_film("A task/with: odd name", 3, FILM, {NAME: PICTURE})
    assert run.film("A task/with: odd name", 3) == FILM
    assert run.films.picture(NAME) == PICTURE
    assert {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()} == {
        "films/A%20task%2Fwith%3A%20odd%20name/3.json",
        f"films/pictures/{NAME}",
    }


def test_an_episode_without_a_film_has_none(tmp_path):
    assert RunDirectory(tmp_path).film("T", 0) is None


def test_another_attempt_takes_the_place_of_the_film_of_the_one_before(tmp_path):
    run = RunDirectory(tmp_path)
    run.write_film("T", 0, FILM, {NAME: PICTURE})
    other = Film(frames=FILM.frames[:1], replayed=True)
    run.write_film("T", 0, other, {})
    assert run.film("T", 0) == other
    run.write_film("T", 0, None, {})
    assert run.film("T", 0) is None


def test_pictures_are_written_before_the_film_that_shows_them(tmp_path, monkeypatch):
    written: list[str] = []
    monkeypatch.setattr(film_module, "write_bytes", lambda file, _: written.append(file.name))
    monkeypatch.setattr(film_module, "write_json", lambda file, _: written.append(file.name))
    RunDirectory(tmp_path).write_film("T", 0, FILM, {NAME: PICTURE})
    assert written == [NAME, "0.json"]


def test_a_folder_that_cannot_be_written_is_told_of(tmp_path):
    (tmp_path / "films").write_text("in the way")
    with pytest.raises(CannotWrite):
        RunDirectory(tmp_path).write_film("T", 0, FILM, {NAME: PICTURE})


@pytest.mark.claim("films-pictures")
@pytest.mark.parametrize("name", ["../../run.json", f"{'0' * 64}.svg", "", f"{'0' * 64}.webp\n"])
def test_no_frame_can_name_a_file_that_is_no_picture_of_a_film(tmp_path, name: str):
    run = RunDirectory(tmp_path)
    run.write_film("T", 0, FILM, {NAME: PICTURE})
    file = tmp_path / "films" / "T" / "0.json"
    record = json.loads(file.read_text())
    record["frames"][0]["picture"] = name
    file.write_text(json.dumps(record))
    if name:
        with pytest.raises(MalformedRun, match=r"frames\[0\]"):
            run.film("T", 0)
    with pytest.raises(MalformedRun):
        run.films.picture(name)


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 4}', '{"schema": 99, "frames": []}'])
def test_a_film_that_cannot_be_read_says_so(tmp_path, text: str):
    run = RunDirectory(tmp_path)
    run.write_film("T", 0, FILM, {})
    (tmp_path / "films" / "T" / "0.json").write_text(text)
    with pytest.raises(NotARun, match=r"0\.json"):
        run.film("T", 0)


@pytest.mark.claim("films-pictures")
def test_a_picture_is_not_read_through_a_link_that_leads_out(tmp_path: Path):
    run = RunDirectory(tmp_path / "run")
    run.write_film("T", 0, FILM, {NAME: PICTURE})
    (tmp_path / "secret").write_bytes(b"secret")
    picture = tmp_path / "run" / "films" / "pictures" / NAME
    picture.unlink()
    picture.symlink_to(tmp_path / "secret")
    with pytest.raises(NotARun):
        run.films.picture(NAME)


def test_a_run_that_came_to_nothing_leaves_no_films(tmp_path):
    run = RunDirectory(tmp_path / "run")
    run.write_film("T", 0, FILM, {NAME: PICTURE})
    run.discard()
    assert not (tmp_path / "run").exists()
