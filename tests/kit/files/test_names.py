from __future__ import annotations

from pathlib import PureWindowsPath
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.kit.files.writing import LONGEST_PATH_NAME, path_name, url_name

HARD_NAMES = [
    "two words",
    "Story [Quality] (all)",
    "a+b & c=d?e#f",
    "50% off",
    'O\'Neil "quoted"',
    "slash/back\\slash",
    "-leading dash",
    ".hidden",
    "日本語 ümlaut 🎈",
    "%20",
    "new\nline",
]


@pytest.mark.parametrize("name", HARD_NAMES)
def test_a_name_is_one_segment_of_a_url_and_reads_back(name: str) -> None:
    segment = url_name(name)
    assert not set(segment) & set("/?# \"'<>\\")
    assert unquote(segment) == name


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_name_that_browsers_read_as_a_step_in_the_path_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="segment"):
        url_name(name)


@pytest.mark.parametrize("name", [*HARD_NAMES, ".", ".."])
def test_a_name_of_usual_length_names_a_file_and_reads_back(name: str) -> None:
    file = path_name(name)
    assert file[0] not in ".-"
    assert file.isascii()
    assert not set(file) & set('/\\:*?"<>| \n')
    assert unquote(file) == name


@pytest.mark.parametrize("name", ["CON", "nul", "Com1", "lpt9.txt", "aux.json", "a.", "three...", "."])
def test_a_name_that_windows_cannot_hold_names_a_file_all_the_same(name: str) -> None:
    file = path_name(name)
    assert not PureWindowsPath(file).is_reserved()
    assert file[-1] not in ". "
    assert unquote(file) == name


def test_long_names_with_one_beginning_stay_different_files() -> None:
    first, second = path_name("界" * 85), path_name("界" * 84 + "面")
    assert first != second
    assert len(first) == len(second) == LONGEST_PATH_NAME


def test_an_empty_name_names_no_file() -> None:
    with pytest.raises(ValueError, match="empty"):
        path_name("")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=255))
def test_every_name_fits_a_file_system(name: str) -> None:
    file = path_name(name)
    assert 0 < len(file.encode()) <= LONGEST_PATH_NAME
    assert file not in {".", ".."}
    assert "/" not in file
