"""The comparison of what two input back ends sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.inputs import compared
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from tests.samples import episode, record, run_record, submission


def run_of(folder: Path, *episodes: Episode) -> RunDirectory:
    made = RunDirectory(folder)
    made.write(run_record())
    for each in episodes:
        made.add(each, {})
    return made


def sent(index: int = 0, **values: str) -> Episode:
    return episode(index=index, submission=submission(**{name: (value,) for name, value in values.items()}))


def test_equal_forms_are_counted_and_nothing_else_is_said(tmp_path: Path) -> None:
    first, second = (run_of(tmp_path / name, sent(0, a="x"), sent(1, a="y")) for name in "12")
    (line,) = compared(first, second).lines()
    assert line.startswith("2 of 2 pages equal; fields that differ: 0,")
    assert compared(first, second).is_explained


def test_a_field_that_was_sent_otherwise_is_named_with_both_values(tmp_path: Path) -> None:
    found = compared(run_of(tmp_path / "1", sent(a="x", b="s")), run_of(tmp_path / "2", sent(a="y", b="s")))
    assert (found.pages, found.equal) == (1, 0)
    assert [line for line in found.lines() if "'a'" in line and "['x'] and ['y']" in line]


@pytest.mark.parametrize("lacking", [0, 1])
def test_a_page_that_one_run_lacks_is_named(tmp_path: Path, lacking: int) -> None:
    runs = [run_of(tmp_path / str(number), *([] if number == lacking else [sent(7, a="x")])) for number in (0, 1)]
    (line,) = [line for line in compared(*runs).lines() if "only in one run" in line]
    assert "instance 7" in line
    assert not compared(*runs).is_explained


def test_an_episode_that_ended_otherwise_is_not_equal_though_its_form_is(tmp_path: Path) -> None:
    ended = episode(submission=submission(a=("x",)), outcome="agent_error", detail="why")
    found = compared(run_of(tmp_path / "1", sent(a="x")), run_of(tmp_path / "2", ended))
    assert (found.equal, len(found.outcomes), found.is_explained) == (0, 1, False)


def timed(value: str, **values: object) -> Episode:
    written = record("elapsed", "hidden", labels=("9.1",), told=False, **values)
    return episode(fields=(written,), submission=submission(elapsed=(value,)))


@pytest.mark.parametrize(
    ("now", "values", "explained"),
    [
        ("3.5", {"status": "not an answer: a measurement"}, True),
        ("soon", {"status": "not an answer: a measurement"}, False),
        ("3.5", {"status": "scored"}, False),
    ],
)
def test_a_number_that_nobody_can_have_entered_and_no_score_counts_explains_itself(
    tmp_path: Path, now: str, values: dict[str, object], explained: bool
) -> None:
    found = compared(run_of(tmp_path / "1", timed("2.25", **values)), run_of(tmp_path / "2", timed(now, **values)))
    assert (found.equal, found.measured, found.is_explained) == (0, int(explained), explained)
    assert any(line.endswith("measured by the page") for line in found.lines()) == explained


def test_a_number_in_a_field_that_solvers_are_told_of_is_a_difference(tmp_path: Path) -> None:
    told = episode(fields=(record("n"),), submission=submission(n=("1",)))
    found = compared(run_of(tmp_path / "1", told), run_of(tmp_path / "2", sent(n="2")))
    assert (found.measured, found.is_explained) == (0, False)
