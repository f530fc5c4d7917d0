"""When a provider counts as gone."""

from __future__ import annotations

import pickle

import pytest

from harness.models.retry import FailureStreak, ProviderGone


def streak(*failures: tuple[str, str]) -> FailureStreak:
    found = FailureStreak()
    for kind, page in failures:
        found = found.then(kind, page)
    return found


def first_outage(kind: str, pages: list[str]) -> int | None:
    """After how many failures, on these pages in turn, there is an outage."""
    found = FailureStreak()
    for number, page in enumerate(pages, start=1):
        found = found.then(kind, page)
        if found.is_outage:
            return number
    return None


@pytest.mark.parametrize(("kind", "failures"), [("unreachable", 5), ("timeout", 3)])
def test_a_server_that_is_not_there_or_hangs_is_an_outage_after_a_few_failures_be_it_of_one_page(kind, failures):
    assert first_outage(kind, ["/page/T/0/"] * 20) == failures


@pytest.mark.parametrize("kind", ["server error", "unreadable"])
def test_what_one_page_may_have_caused_is_an_outage_only_on_several(kind):
    assert first_outage(kind, ["/page/T/0/"] * 50) is None
    assert first_outage(kind, [f"/page/T/{number // 4}/" for number in range(50)]) == 9
    assert first_outage(kind, [f"/page/T/{number}/" for number in range(50)]) == 5


def test_a_web_page_is_an_outage_at_once():
    assert first_outage("web page", ["/page/T/0/"]) == 1


@pytest.mark.parametrize("kind", ["busy", "refused", ""])
def test_a_provider_that_answers_in_its_own_words_is_there(kind):
    assert first_outage(kind, [f"/page/T/{number}/" for number in range(50)]) is None


def test_failures_of_another_kind_begin_anew():
    others = [("unreachable", "/page/T/0/")] * 4
    assert not streak(*others, ("busy", "/page/T/0/"), *others).is_outage
    assert streak(*others, ("unreachable", "/page/T/0/")).is_outage


def test_the_error_comes_whole_out_of_a_worker():
    error = pickle.loads(pickle.dumps(ProviderGone("no", lasting=True)))  # noqa: S301 - our own
    assert (str(error), error.lasting) == ("no", True)
