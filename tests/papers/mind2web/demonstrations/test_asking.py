"""What a solver is asked of a step tells nothing of what was done."""

from __future__ import annotations

from dataclasses import replace

from harness.kit.files import codec
from harness.papers.mind2web.demonstrations.asking import asked_step
from tests.papers.teacher_forced.made import CLICK, PAGE, SELECT, TYPE, demonstration, step


def test_candidates_stand_in_the_order_of_the_document_whichever_of_them_is_right():
    orders = {
        tuple(each.backend_node_id for each in asked_step(demonstration(steps=[one]), 0).candidates)
        for one in (CLICK, TYPE, SELECT)
    }
    assert orders == {("4", "6", "7", "10", "11")}


def test_candidates_that_are_not_in_the_page_stand_in_the_order_of_their_ids():
    asked = asked_step(demonstration(steps=[step(html="<html></html>")]), 0)
    assert [each.backend_node_id for each in asked.candidates] == ["4", "6", "7", "10", "11"]


def test_a_step_says_of_no_candidate_that_it_is_the_right_one():
    for each in asked_step(demonstration(steps=[CLICK]), 0).candidates:
        assert (each.is_original_target, each.is_top_level_target, dict(each.more)) == (None, None, {})
        assert not any(name.startswith("data_pw_testid") for name in each.attributes)


def test_what_the_recorder_left_in_the_page_is_removed():
    marked = PAGE.replace("<button ", '<button data_pw_testid_buckeye="u1" ').replace(
        "<a ", "<a data_pw_testid_buckeye_candidate='1' "
    )
    asked = asked_step(demonstration(steps=[step(html=marked)]), 0)
    assert asked.raw_html == asked.cleaned_html == PAGE


def test_no_step_is_told_what_is_done_in_it_or_after_it():
    whole = demonstration(steps=[CLICK, replace(TYPE, operation=replace(TYPE.operation, value="Sesame")), SELECT])
    assert "Sesame" not in codec.line(asked_step(whole, 1)).decode()
    assert asked_step(whole, 1).previous == whole.action_reprs[:1]
    assert asked_step(whole, 0).previous == ()


def test_an_element_that_is_listed_twice_is_one_candidate():
    twice = replace(CLICK, negatives=(*CLICK.negatives, CLICK.positives[0]))
    ids = [each.backend_node_id for each in asked_step(demonstration(steps=[twice]), 0).candidates]
    assert len(ids) == len(set(ids)) == 5
