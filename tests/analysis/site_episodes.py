"""Episodes of tasks on websites, as evaluators have scored them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.actions.result import Step
from harness.analysis.site_results import SiteResults, SiteTally
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.records.episode import Episode
from harness.records.site_record import EvaluatedPart, Evaluation, SiteRecord
from harness.records.turn import Turn
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode

Said = Mapping[str, float | None]


def on_site(said: Said, *, task: str = "T", level: str = "easy", **values: Any) -> Episode:
    """An episode with the scores of its evaluators; 1 is a success, and key nodes have two parts of that score."""
    evaluations = tuple(
        Evaluation(
            evaluator=name,  # type: ignore[arg-type]
            score=score,
            success=None if score is None else score == 1,
            parts=(EvaluatedPart(name="", score=score),) * 2 if name == "key_nodes" else (),
        )
        for name, score in said.items()
    )
    facts = SiteFacts(goal="", start="", origins=(), evaluators=Evaluators(), level=level)
    return episode(task=task, site=SiteRecord(task=facts, evaluations=evaluations), **values)


def results(*episodes: Episode) -> SiteResults:
    found = tally(*episodes).found()
    assert found
    return found


STEP = Step("reload()", True, "", 1.0)


def played(nodes: Sequence[float | None], *, steps: int = 4, cost: float | None = 0.5, **values: Any) -> Episode:
    parts = tuple(EvaluatedPart(name="", score=score) for score in nodes)
    facts = SiteFacts(
        goal="", start="http://a.test/", origins=(), evaluators=Evaluators(), reference_length=4, level="easy"
    )
    found = Evaluation(evaluator="key_nodes", score=None, success=None, parts=parts)
    turns = (Turn(cost=cost),)
    return episode(site=SiteRecord(task=facts, evaluations=(found,)), steps=(STEP,) * steps, turns=turns, **values)


def tally(*episodes: Episode) -> SiteTally:
    seen = SiteTally()
    for each in episodes:
        seen.see(score_episode(each, PROFILES["standard"]))
    return seen
