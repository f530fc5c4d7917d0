"""Which tests are taken for slow, and where the mark is set."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.tiers import LONGEST, Function, late, marked_anew, overtime, run_alone, slowest

LOG = """
============================= slowest durations ==============================
6.00s setup    tests/a/test_b.py::test_first
2.00s call     tests/a/test_b.py::test_second[x-1]
0.50s call     tests/a/test_b.py::test_second[a b]
0.25s teardown tests/a/test_b.py::test_second[x-1]
0.10s call     tests/a/test_b.py::TestOf::test_third
1 passed in 9.00s
"""


def test_the_longest_of_a_test_s_parameters_counts_and_what_all_are_set_up_with_is_shared() -> None:
    assert slowest(LOG) == {
        Function("tests/a/test_b.py", "test_first"): 1.5,
        Function("tests/a/test_b.py", "test_second"): 3.75,
        Function("tests/a/test_b.py", "TestOf::test_third"): 1.6,
    }


BOTH = """
4.50s setup    tests/a/test_b.py::test_first
7.00s call     tests/a/test_b.py::test_first
7.00s call     tests/a/test_b.py::test_second[x]
0.50s call     tests/a/test_b.py::test_third
"""
ALONE = """
3.00s setup    tests/a/test_b.py::test_first
0.50s call     tests/a/test_b.py::test_first
1.50s call     tests/a/test_b.py::test_second[x]
"""
FIRST, SECOND = (Function("tests/a/test_b.py", f"test_{name}") for name in ("first", "second"))


def test_late_is_what_takes_too_long_alone_too_of_its_set_up_a_part() -> None:
    asked: list[set[Function]] = []

    def run(tests: Iterable[Function]) -> str:
        asked.append(set(tests))
        return ALONE

    # A third of three seconds is that of each.
    assert late(BOTH, run) == {SECOND: 2.5}
    assert asked == [{FIRST, SECOND}]


def test_nothing_is_run_again_where_no_test_takes_long_and_a_slow_one_may() -> None:
    slow = "9.00s call tests/test_tiers.py::test_a_test_that_took_long_beside_others_is_run_again_by_pytest"
    assert late(f"1.90s call tests/a/test_b.py::test_first\n{slow}", lambda _: "not asked") == {}


@pytest.mark.parametrize("last", ["3 passed in {}s", "1 failed, 2 passed, 1 skipped in {}s (0:10:00)"])
def test_a_tier_that_took_longer_than_it_may_is_told_by_how_much(last: str) -> None:
    assert overtime(f"{LOG}{last.format(LONGEST + 60)}\n") == 60.0
    assert overtime(f"{LOG}{last.format(LONGEST - 60)}\n") == 0.0


@pytest.mark.slow
def test_a_test_that_took_long_beside_others_is_run_again_by_pytest() -> None:
    name = "test_marks_are_set_at_slow_tests_and_taken_from_those_that_are_fast_now"
    assert "1 passed" in run_alone([Function("tests/test_tiers.py", name)])


def test_marks_are_set_at_slow_tests_and_taken_from_those_that_are_fast_now() -> None:
    source = """\
@pytest.mark.parametrize("x", [1])
def test_slow(x):
    pass


@pytest.mark.slow
@pytest.mark.other
def test_fast():
    pass


@pytest.mark.slow
def test_that_did_not_run():
    pass


class TestOf:
    def test_slow(self):
        pass
"""
    after = marked_anew(source, ["test_slow", "TestOf::test_slow"], ["test_slow", "test_fast", "TestOf::test_slow"])
    assert after == source.replace("@pytest.mark.slow\n@pytest.mark.other", "@pytest.mark.other").replace(
        '@pytest.mark.parametrize("x"', '@pytest.mark.slow\n@pytest.mark.parametrize("x"'
    ).replace("    def test_slow", "    @pytest.mark.slow\n    def test_slow")
    assert marked_anew(after, [], []) == after
