"""Whether a solver replied, and whether it did anything, told by the record of an episode alone."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode, Step
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.models.messages import Usage
from harness.records.agent_report import AgentReport
from harness.records.site_record import Moment, SiteRecord
from harness.records.turn import Turn
from harness.scoring.scored_kind import has_acted, has_replied
from tests.samples import episode, record

FAILED = Step("modify_text('x', 'y')", False, "no such field", 1.0, code=ErrorCode.NO_SUCH_FIELD)
DONE = Step("modify_text('a', 'y')", True, "holds y", 1.0)
PROSE = Turn(reply="Hm.", usage=Usage(1, 1))
UNREADABLE = Turn(reply="x(", calls=("error: not an action",), usage=Usage(1, 1))
ENDS = Turn(reply="finish()", calls=("finish()",), usage=Usage(1, 1))
OF_PROGRAM = Turn(reply="hello", finish="exit 1")
TOUCHED = record("a", sent=("x",), untouched=())


@pytest.mark.parametrize(
    ("values", "replied"),
    [
        ({"outcome": "agent_error", "detail": "refused"}, False),
        ({"outcome": "agent_error", "detail": "of no use", "turns": (PROSE, UNREADABLE)}, False),
        ({"turns": (PROSE,)}, False),
        ({"turns": (PROSE, ENDS)}, True),
        ({"turns": (PROSE,), "lost_turns": (ENDS,)}, True),
        ({"outcome": "agent_error", "detail": "died", "lost_turns": None}, True),
        ({"outcome": "limit", "limit": "cost", "detail": "cost"}, False),
        ({"outcome": "limit", "limit": "time", "detail": "time"}, True),
        ({"outcome": "limit", "limit": "steps", "detail": "steps", "steps": (FAILED,)}, True),
        ({}, True),
        ({"outcome": "unscored"}, True),
        ({"outcome": "unscored", "detail": "RuntimeError"}, False),
        ({"turns": (OF_PROGRAM,), "agent_report": AgentReport(), "unseen": True}, True),
        (
            {
                "outcome": "agent_error",
                "detail": "status 1",
                "turns": (OF_PROGRAM,),
                "agent_report": AgentReport(),
                "unseen": True,
            },
            False,
        ),
        ({"outcome": "harness_error"}, False),
        ({"answered_by": "workers"}, True),
    ],
)
def test_a_reply_is_of_use_if_something_to_do_could_be_read_in_it(values, replied):
    assert has_replied(episode(record(), **values)) is replied


def test_a_program_that_fails_after_it_has_changed_a_field_has_replied():
    values = {"outcome": "agent_error", "detail": "status 1", "unseen": True, "agent_report": AgentReport()}
    assert has_replied(episode(TOUCHED, **values))
    assert has_acted(episode(TOUCHED, **values))


@pytest.mark.parametrize(
    ("fields", "values", "acted"),
    [
        ((record(),), {}, False),
        ((record(),), {"steps": (FAILED,)}, False),
        ((record(),), {"steps": (FAILED, DONE)}, True),
        ((TOUCHED,), {"unseen": True}, True),
        ((TOUCHED,), {}, False),  # the page did that by itself
        ((TOUCHED,), {"unseen": True, "outcome": "harness_error"}, False),
        ((TOUCHED,), {"unseen": True, "submission": None}, False),
        ((record(),), {"answered_by": "workers", "submission": None}, True),
    ],
)
def test_something_was_done_if_an_action_worked_or_a_field_was_changed(fields, values, acted):
    assert has_acted(episode(*fields, **values)) is acted


@pytest.mark.parametrize(("kind", "acted"), [("opened", False), ("moved", False), ("acted", True)])
def test_on_a_website_something_was_done_if_input_reached_an_element(kind, acted):
    facts = SiteFacts(goal="", start="", origins=(), evaluators=Evaluators(page_reward=True))
    site = SiteRecord(task=facts, moments=(Moment(kind=kind),))
    assert has_acted(episode(site=site, submission=None)) is acted
