"""Checks of the end of an episode: answer, address, what pages say; and what of it is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.catalog.site_facts import Check, Evaluators, Look, SiteFacts, Wanted
from harness.records.site_record import Evaluation, LeftPages, ReadPlace, SiteRecord
from harness.records.texts import named
from harness.scoring.evaluators.checks import is_address
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.text_match import MeaningJudge
from tests.scoring.evaluators.made import SHOP, ScriptedJudge

CART = Look(url="http://shop.test/cart", css="#lines")


def wanted(match: Any, *references: str) -> tuple[Wanted, ...]:
    return tuple(Wanted(match=match, reference=each) for each in references)


def answered(match: Any, *references: str) -> Check:
    return Check(of="answer", any_of=wanted(match, *references))


def says(match: Any, *references: str) -> Check:
    return Check(of="page", any_of=wanted(match, *references), look=CART)


def checked(
    *checks: Check, said: str | None = None, judge: MeaningJudge | None = None, url: str = SHOP, **values: Any
) -> Evaluation:
    """What is said of an episode that ended at ``url``, where the cart's lines said ``said``."""
    task = SiteFacts(goal="Buy", start=SHOP, origins=("http://shop.test",), evaluators=Evaluators(checks=checks))
    name, text = named(said or "")
    place = ReadPlace(look=CART, text=name) if said is not None else ReadPlace(look=CART, why="nobody answers")
    record = SiteRecord(task=task, left=LeftPages(url=url, read=(place,)))
    (found,) = evaluate(replace(record, **values), {name: text}.get, judge)
    return found


@pytest.mark.parametrize(
    ("check", "answer", "score"),
    [
        (answered("exact", "A Kettle"), ' "a kettle" ', 1),
        (answered("exact", "a kettle"), "a kettle.", 0),
        (answered("include", "kettle"), "Two Kettles", 1),
        (answered("exact", "tent", "kettle"), "kettle", 1),
        (answered("word", "6"), "it is 6.", 1),
        (answered("word", "6"), "$6, not less", 1),
        (answered("word", "6"), "6.5", 0),
        (answered("word", "6"), "2016", 0),
        (answered("word", "6"), "5-6", 0),
        (answered("exact", "'"), "'", 1),
    ],
)
def test_answer_is_compared_without_case_quotes_and_space_around(check: Check, answer: str, score: float) -> None:
    assert checked(check, answer=answer).score == score


def test_nothing_answered_is_wrong_and_what_was_lost_is_unknown() -> None:
    check = answered("exact", "kettle")
    assert checked(check).score == 0
    assert checked(check, is_unseen=True).score is None
    assert checked(says("include", "kettle"), left=None).score is None


def test_all_checks_have_to_hold_and_one_that_fails_decides_whatever_is_unknown() -> None:
    by_meaning = answered("semantic", "Decide whether it is a kettle")
    assert checked(answered("exact", "a"), says("exact", "b"), answer="a", said="b").score == 1
    assert checked(answered("exact", "a"), says("exact", "b"), answer="a", said="c").score == 0
    assert checked(by_meaning, says("exact", "b"), answer="a", said="b").score is None
    found = checked(by_meaning, says("exact", "b"), answer="a", said="c")
    assert (found.score, found.success, found.why) == (0.0, False, "0 of 2 checks hold, 1 not known")


def test_judge_is_asked_only_where_something_was_answered() -> None:
    judge = ScriptedJudge({"a pot": 0.8})
    check = answered("semantic", "Decide whether it is a kettle")
    assert checked(check, answer=" ", judge=judge).score == 0
    assert checked(check, answer="a pot", judge=judge).score == 1
    assert [answer for _, answer in judge.asked] == ["a pot"]
    either = Check(of="answer", any_of=(*wanted("exact", "N/A"), *wanted("semantic", "Decide")))
    assert checked(either, answer="n/a").score == 1
    assert checked(either, answer="no").score is None


def test_page_says_what_its_references_mean_and_an_unread_one_is_unknown() -> None:
    assert checked(says("include", "Salt & Pepper"), said="<td>Salt &amp; pepper</td>").score == 1
    assert checked(says("exact", ""), said="").score == 1
    assert checked(says("include", "pot", "pan"), said="a pan").score == 1
    found = checked(says("exact", "pot"))
    assert (found.score, found.parts[0].why) == (None, "not known: nobody answers")


@pytest.mark.parametrize(
    ("url", "match", "references", "holds"),
    [
        ("http://shop.test/cart/", "exact", ["http://shop.test/cart"], True),
        ("http://shop.test/cart?x=1", "exact", ["http://shop.test/cart"], False),
        ("http://shop.test/cart/lines", "include", ["http://shop.test/cart/"], True),
        ("http://other.test/?to=shop.test/cart", "include", ["http://shop.test/cart"], False),
        ("http://shop.test/s?q=a&page=2", "include", ["http://shop.test/s?q=a"], True),
        ("http://shop.test/s?page=2", "include", ["http://shop.test/s?q=a"], False),
        ("http://shop.test/s?q=b", "include", ["http://shop.test/s?q=a", "http://shop.test/s?q=b"], True),
        ("http://[", "include", ["http://shop.test/s"], False),
    ],
)
def test_addresses(url: str, match: str, references: list[str], *, holds: bool) -> None:
    assert is_address(url, wanted(match, *references)) is holds


def test_floor_is_what_is_known_of_doing_nothing() -> None:
    there = Check(of="address", any_of=wanted("include", SHOP))
    assert checked(there).floor == 1
    assert checked(there, answered("exact", "a")).floor == 0
    assert checked(there, says("exact", "a")).floor is None
