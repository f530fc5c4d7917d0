"""Which tests are taken for slow, and where the mark is set."""

from __future__ import annotations

from tests.tiers import Function, marked_anew, slowest

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
