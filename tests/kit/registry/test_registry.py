"""Named things are found in this package and in others that are installed."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

import pytest

from harness.kit.errors import UserError
from harness.kit.files.installation import IMPORT_ROOT
from harness.kit.registry import Registry, registry

OWN = {"join": "os.path:join", "split": "os.path:split"}


def installed(folder: Path, name: str, points: str) -> None:
    """A package as pip leaves it: what it says of itself, and a module ``NAME_things``."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[turkbench.tests]\n{points}\n")
    (folder / f"{name}_things.py").write_text("ONE, TWO = 1, 2\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_own_things_come_first_and_those_of_others_are_sorted(folder: Path) -> None:
    installed(folder, "others", "two = others_things:TWO\none = others_things:ONE")
    things: Registry[object] = Registry("tests", OWN)
    assert list(things) == ["join", "split", "one", "two"]
    assert (len(things), things["join"], things["one"], "three" in things) == (4, __import__("os").path.join, 1, False)
    assert things.places() == {**OWN, "one": "others_things:ONE", "two": "others_things:TWO"}


def test_a_thing_is_imported_when_it_is_asked_for(folder: Path) -> None:
    installed(folder, "late", "one = late_things:ONE")
    things: Registry[object] = Registry("tests", OWN)
    assert "one" in list(things)
    assert "late_things" not in sys.modules
    assert things["one"] == 1


def test_an_unknown_name_is_told_with_what_there_is() -> None:
    with pytest.raises(
        UserError, match=r"none of the tests is called 'jion'. Did you mean 'join'\? Known: join, split"
    ):
        Registry("tests", OWN).find("jion")


def test_a_name_that_there_is_already_is_refused(folder: Path) -> None:
    installed(folder, "taker", "join = taker_things:ONE")
    with pytest.raises(UserError, match=r"'join' among the tests of the package taker: there is one of that name"):
        list(Registry("tests", OWN))


def test_what_cannot_be_loaded_is_told_with_its_package(folder: Path) -> None:
    installed(folder, "broken", "gone = broken_things:GONE")
    with pytest.raises(UserError, match=r"'gone' among the tests of the package broken cannot be loaded: .*GONE"):
        Registry("tests", OWN).find("gone")


def test_what_is_set_in_a_process_is_found_like_the_rest_and_can_be_taken_back():
    things: Registry[object] = Registry("tests", OWN)
    things["mine"], things["join"] = 1, 2
    assert dict(things) == {"join": 2, "split": os.path.split, "mine": 1}
    del things["mine"], things["join"]
    assert dict(things) == {"join": os.path.join, "split": os.path.split}


@pytest.mark.parametrize("kind", tomllib.loads((IMPORT_ROOT / "harness" / "registered.toml").read_text()))
def test_all_that_is_registered_is_there(kind):
    assert all(thing is not None for thing in registry(kind).values())
