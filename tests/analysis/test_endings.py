"""Why episodes ended otherwise than by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.analysis.endings import MOST_REASONS, Endings
from harness.records.episode import Episode
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode


def endings(*played: Episode, run: Path | None = None) -> Endings:
    found = Endings(run)
    for each in played:
        found.see(score_episode(each, PROFILES["standard"]))
    return found


def failed(detail: str, index: int = 0, outcome: str = "harness_error") -> Episode:
    return episode(outcome=outcome, index=index, detail=detail)


def shown(found: Endings) -> dict[str, list[tuple[int, str]]]:
    return {outcome: [(each.count, each.words) for each in of.reasons] for outcome, of in found.found().items()}


def test_episodes_that_ended_by_themselves_have_no_reason():
    assert shown(endings(episode(), episode(outcome="unscored"))) == {}


def test_second_attempts_are_counted_over_all_runs():
    one, other = endings(episode(attempts=2), episode(attempts=1)), endings(episode(attempts=2), episode(attempts=None))
    one.merge(other)
    assert one.second_attempts == 2


def test_outcomes_without_a_score_come_first_and_reasons_by_how_frequent_they_are():
    found = endings(
        episode(outcome="limit", detail="steps", limit="steps", allowed=7),
        failed("one", 1, "agent_error"),
        failed("two", 2, "agent_error"),
        failed("two", 3, "agent_error"),
        failed("the page is gone", 4),
    )
    assert shown(found) == {
        "harness_error": [(1, "the page is gone")],
        "agent_error": [(2, "two"), (1, "one")],
        "limit": [(1, "the page's actions were used up (--max-steps 7)")],
    }
    assert list(found.found()) == ["harness_error", "agent_error", "limit"]


def test_reasons_that_differ_in_numbers_and_names_are_one_with_its_first_as_the_example():
    found = endings(*(failed(f"no field 'q{place}' after {place} s", place) for place in range(3, 6)), run=Path("run"))
    (reason,) = found.found()["harness_error"].reasons
    assert (reason.count, reason.words) == (3, "no field 'q3' after 3 s")
    assert (reason.task, reason.index, reason.file) == ("T", 3, Path("run/episodes/T/3.json"))


def test_rarer_reasons_are_counted_and_not_told():
    words = ["a", "b", "c", "d", "e"]
    found = endings(*(failed(word) for word in words)).found()["harness_error"]
    assert (found.count, len(found.reasons), found.others) == (5, MOST_REASONS, 2)


def test_a_long_reason_is_one_line_and_shortened():
    (reason,) = endings(failed("line\n" * 500)).found()["harness_error"].reasons
    assert "\n" not in reason.words
    assert reason.words.endswith("…")


@pytest.mark.parametrize(
    ("limit", "allowed", "words"),
    [
        ("time", 300.0, "the page's time was used up (--max-time 300)"),
        ("cost", 0.5, "the run's money was used up (--max-cost 0.5)"),
        ("tokens", 7_000, "the run's tokens were used up (--max-tokens 7000)"),
        ("repeats", None, "the same actions were done on the same page again and again"),
        ("a solver's own", None, "the limit of a solver's own was reached"),
    ],
)
def test_a_limit_says_how_much_it_allowed(limit, allowed, words):
    made = episode(outcome="limit", detail=limit, limit=limit, allowed=allowed)
    assert shown(endings(made)) == {"limit": [(1, words)]}


def test_a_limit_of_before_they_were_kept_is_named():
    assert shown(endings(episode(outcome="limit", detail="cost"))) == {"limit": [(1, "the limit of cost was reached")]}


def test_several_runs_are_counted_together_with_the_examples_of_the_first():
    found = endings(failed("a"), run=Path("one"))
    found.merge(endings(failed("a"), failed("b"), run=Path("two")))
    reasons = found.found()["harness_error"].reasons
    assert [(each.count, each.words, each.run) for each in reasons] == [(2, "a", Path("one")), (1, "b", Path("two"))]
