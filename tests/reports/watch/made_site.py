"""An episode on a website, written without a browser: two tabs, three steps, key nodes, a state and an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.actions.result import Step
from harness.catalog.site_facts import AnswerRule, Condition, Evaluators, KeyNode, SiteFacts
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import Film, Frame, picture_name
from harness.records.site_record import ActedElement, Moment, SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from tests.reports.watch.made import SIZE, png
from tests.samples import episode

HOME = "http://shop.test"
FACTS = SiteFacts(
    goal="Put the blue kettle into the cart.",
    start=f"{HOME}/",
    origins=(HOME,),
    site="shop",
    seed=7,
    level="easy",
    reference_length=2,
    evaluators=Evaluators(
        key_nodes=(
            KeyNode(target="url", match="exact", reference="kettle", key="q", note="kettles were looked for"),
            KeyNode(target="url", match="include", reference="/cart", note="the cart was opened"),
            KeyNode(target="element_value", match="semantic", reference="a friendly greeting", note="a greeting"),
        ),
        final_state=(Condition(at="/cart/0/name", value="blue kettle"), Condition(at="/orders", how="absent")),
        answer=AnswerRule(match="exact", reference="done"),
    ),
)
MOMENTS = (
    Moment(kind="moved", url=f"{HOME}/", ms=0.0),
    Moment(
        kind="acted",
        step=0,
        url=f"{HOME}/",
        event="click",
        element=ActedElement(place=(0,), tag="button", css="#search", text="Search"),
        ms=40.0,
    ),
    Moment(kind="moved", step=0, url=f"{HOME}/search?q=kettle", ms=90.0),
    Moment(kind="opened", step=1, tab=1, url=f"{HOME}/product/4", ms=120.0),
    Moment(kind="closed", step=2, tab=1, ms=180.0),
)
STATE = {"cart": [{"name": "red kettle"}], "orders": []}
STEPS = tuple(Step(action, True, "done", 20.0) for action in ("click_element(3)", "new_tab()", "close_tab()"))


def on_shop(facts: SiteFacts = FACTS, **values: Any) -> Episode:
    """An episode that met the first key node in its first step, and nothing else.

    Args:
        facts: The task.
        values: Of the record of the site, or else of the episode.
    """
    names = {*SiteRecord.__dataclass_fields__} - {"task"}
    given: dict[str, Any] = {"moments": MOMENTS, "state_before": {"cart": []}, "state": STATE, "answer": "Done "}
    given |= {name: value for name, value in values.items() if name in names}
    record = SiteRecord(task=facts, **given)
    record = replace(record, evaluations=evaluate(record, lambda _: None, None))
    rest = {name: value for name, value in values.items() if name not in names}
    return episode(**{"steps": STEPS, "submission": None, "site": record, **rest})


def write_site_film(run: RunDirectory, made: Episode) -> None:
    """A frame of the opened page and one of each step."""
    pictures, frames = {}, []
    for step in (None, *range(len(made.steps))):
        data = png(f"after {step}")
        name = picture_name(data, "png")
        pictures[name] = data
        frames.append(Frame(step=step, picture=name, url=f"{HOME}/", title="Shop", size=SIZE))
    run.films.write(made.task, made.index, Film(frames=tuple(frames)), pictures)
