"""In what a replay of an episode on a website came out otherwise, told by name; without a browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.actions.result import Step
from harness.catalog import Catalog
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.records.episode import Episode
from harness.records.site_record import Evaluation, Moment, SiteRecord
from harness.run.replaying import refusal_of
from harness.sites.site_replaying import compare_sites
from tests.samples import episode
from tests.site_tasks import make_site_task
from tests.task_folders import make_task

FACTS = SiteFacts(goal="", start="http://a.test/", origins=("http://a.test",), evaluators=Evaluators())
RECORD = SiteRecord(
    task=FACTS,
    moments=(Moment(kind="opened"), Moment(kind="moved", url="http://a.test/", ms=7.0)),
    answer="17",
    state={"cart": [{"product": "p", "quantity": 2}], "a/b": 1},
    evaluations=(Evaluation(evaluator="key_nodes", score=0.5, success=False),),
)
STEPS = (Step("goto('/')", True, "tab 0 shows http://a.test/", 5.0),)


def on_site(steps: tuple[Step, ...] = STEPS, **values: Any) -> Episode:
    return replace(episode(), site=replace(RECORD, **values), submission=None, steps=steps)


def whats(now: Episode) -> list[str]:
    return [f"{each.what}: {each.before} / {each.now}" for each in compare_sites(on_site(), now)]


def test_times_are_no_difference() -> None:
    later = tuple(replace(each, ms=99.0) for each in RECORD.moments)
    assert whats(on_site(moments=later)) == []


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({"steps": (Step("goto('/')", False, "no", 1.0),)}, "step 0 (goto('/')): tab 0 shows http://a.test/ / no"),
        ({"steps": ()}, "number of steps: 1 / 0"),
        ({"moments": RECORD.moments[:1]}, "moment 1: moved tab 0 http://a.test/ / nothing"),
        ({"answer": None}, "answer: 17 / None"),
        ({"refused": ("http://b.test/",)}, "what was refused: [] / ['http://b.test/']"),
        ({"state": {**RECORD.state, "cart": [{"product": "p", "quantity": 3}]}}, "state /cart/0/quantity: 2 / 3"),
        ({"state": {"cart": RECORD.state["cart"]}}, "state /a~1b: 1 / nothing"),
        ({"state": None}, "state /: " + str(RECORD.state) + " / None"),
        ({"evaluations": (Evaluation(evaluator="key_nodes", score=1.0, success=True),)}, "score by key_nodes: 0.5 / 1"),
    ],
)  # fmt: skip
def test_what_is_otherwise_is_named(now: dict[str, Any], said: str) -> None:
    assert whats(on_site(**now)) == [said]


def test_what_only_a_judge_can_tell_is_no_difference() -> None:
    unknown = (Evaluation(evaluator="key_nodes", score=None, success=None),)
    assert whats(on_site(evaluations=unknown)) == []


def test_only_what_the_given_tasks_are_now_says_whether_an_episode_can_be_done_again(tmp_path: Path) -> None:
    make_site_task(tmp_path, "Bundled")
    make_site_task(tmp_path, "Far", site=None)
    make_task(tmp_path, "Form")
    catalog = Catalog(tmp_path)
    found = {name: refusal_of(on_site(), catalog.task(name), live=False) for name in catalog.names()}
    assert found == {
        "Bundled": "",
        "Far": "its website is on the web, which only --network live reaches",
        "Form": "the task is of another kind now",
    }
    assert refusal_of(on_site(), catalog.task("Far"), live=True) == ""
