"""Episodes of which is not known what happened, since it was lost with the process that had seen it."""

from __future__ import annotations

from harness.catalog.site_facts import AnswerRule, Condition
from tests.scoring.evaluators.made import SHOP, Recording, path, site, url


def test_node_that_was_met_for_certain_is_met_and_the_others_are_unknown():
    facts = site(key_nodes=(url("include", "shop.test"), path("#buy")))
    (found,) = Recording().shows(SHOP).evaluated(facts, is_unseen=True)
    assert [part.score for part in found.parts] == [1.0, None]
    assert (found.score, found.success) == (None, None)
    assert "1 not known" in found.why


def test_all_nodes_that_were_met_are_a_score():
    (found,) = Recording().shows(SHOP).evaluated(site(key_nodes=(url("include", "shop.test"),)), is_unseen=True)
    assert (found.score, found.success) == (1.0, True)


def test_answer_that_nobody_saw_is_unknown():
    facts = site(answer=AnswerRule(match="exact", reference="seven"))
    (found,) = Recording().shows(SHOP).evaluated(facts, is_unseen=True)
    assert (found.score, found.success) == (None, None)
    (found,) = Recording().shows(SHOP).evaluated(facts, is_unseen=True, answer="Seven")
    assert found.score == 1.0


def test_reward_that_nobody_saw_is_unknown():
    facts = site(page_reward=True)
    (found,) = Recording().shows(SHOP).evaluated(facts, is_unseen=True)
    assert (found.score, found.success) == (None, None)


def test_state_of_the_site_is_known_all_the_same():
    facts = site(final_state=(Condition(at="/cart", value=1),))
    (found,) = Recording().shows(SHOP).evaluated(facts, is_unseen=True, state={"cart": 1})
    assert found.score == 1.0
