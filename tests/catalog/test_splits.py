from __future__ import annotations

from pathlib import Path

import pytest

from harness.catalog.splits import read_splits, split_files


def write(folder: Path, name: str, content: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_bytes(content)
    return file


@pytest.mark.parametrize(
    ("stem", "split"),
    [
        ("evaluation_tasks_easy", "test"),
        ("evaluation_tasks_hard", "challenge"),
        ("subjective_evaluation_tasks", "subjective"),
        ("train", "train"),
        ("my own", "my own"),
    ],
)
def test_a_file_name_says_the_split(tmp_path: Path, stem: str, split: str) -> None:
    lists = read_splits([write(tmp_path, f"{stem}.txt", b"A\n")])
    assert lists.split_of("A") == split
    assert lists.names == (split,)


def test_byte_order_mark_blank_lines_windows_ends_and_a_missing_last_end_do_no_harm(tmp_path: Path) -> None:
    file = write(tmp_path, "test.txt", b"\xef\xbb\xbfA [1]\r\n\r\n  \r\nB\r\nC")
    lists = read_splits([file])
    assert [lists.split_of(name) for name in ("A [1]", "B", "C", "D")] == ["test", "test", "test", None]
    assert lists.unknown(["A [1]", "B", "C"]) == []


def test_a_line_without_a_task_is_reported_with_its_number(tmp_path: Path) -> None:
    file = write(tmp_path, "test.txt", b"Story\n\nGoal feasability\n")
    (problem,) = read_splits([file]).unknown(["Story", "Goal feasibility"])
    assert (problem.task, problem.file, problem.row) == ("Goal feasability", file, 3)
    assert str(problem) == (
        f"{file}, line 3: there is no task 'Goal feasability'; the line is skipped. "
        "Perhaps 'Goal feasibility' is meant."
    )


def test_several_lines_without_a_task_are_one_problem_with_a_count(tmp_path: Path) -> None:
    files = [write(tmp_path, "a.txt", b"Storry\nNews\n"), write(tmp_path, "b.txt", b"Story\nOther\nMore\n")]
    (problem,) = read_splits(files).unknown(["Story"])
    assert str(problem) == (
        f"{tmp_path}: 4 of the 5 names in lists have no task here and are skipped: "
        "'Storry' (a.txt, line 1; perhaps 'Story' is meant), 'News' (a.txt, line 2), 'Other' (b.txt, line 2) and more. "
        "Add the folders, or correct or remove the lines."
    )


def test_a_task_in_two_splits_stays_in_the_first_and_is_reported(tmp_path: Path) -> None:
    files = [write(tmp_path, "a.txt", b"T\n"), write(tmp_path, "b.txt", b"S\nT\n")]
    lists = read_splits(files)
    assert lists.split_of("T") == "a"
    assert [(problem.file.name, problem.row) for problem in lists.problems] == [("b.txt", 2)]


def test_a_task_twice_in_one_list_is_no_problem(tmp_path: Path) -> None:
    assert read_splits([write(tmp_path, "a.txt", b"T\nT\n")]).problems == ()


def test_a_name_is_found_however_its_accents_are_stored(tmp_path: Path) -> None:
    lists = read_splits([write(tmp_path, "test.txt", "Cafe\u0301\n".encode())])
    assert lists.split_of("Caf\u00e9") == "test"
    assert lists.unknown(["Caf\u00e9"]) == []


def test_a_list_that_is_not_utf8_is_reported_and_the_others_used(tmp_path: Path) -> None:
    lists = read_splits([write(tmp_path, "a.txt", b"\xff\n"), write(tmp_path, "b.txt", b"T\n")])
    assert [problem.file.name for problem in lists.problems] == ["a.txt"]
    assert lists.split_of("T") == "b"


def test_the_folder_inside_the_task_set_comes_before_the_one_beside_it(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    beside = write(tmp_path / "splits", "test.txt", b"")
    assert split_files(tasks) == [beside]
    inside = write(tasks / "splits", "train.txt", b"")
    write(tasks / "splits", "notes.md", b"")
    assert split_files(tasks) == [inside]


def test_a_task_set_needs_no_lists(tmp_path: Path) -> None:
    assert split_files(tmp_path / "tasks") == []
    assert read_splits([]).split_of("T") is None
