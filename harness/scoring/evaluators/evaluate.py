"""All evaluators of a task, over one episode."""

from __future__ import annotations

from harness.catalog.site_facts import EvaluatorName
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.evaluators.answer import answer
from harness.scoring.evaluators.checks import checks
from harness.scoring.evaluators.final_state import final_state
from harness.scoring.evaluators.judge import MeaningJudge
from harness.scoring.evaluators.key_nodes import ReadDom, key_nodes
from harness.scoring.evaluators.page_reward import page_reward
from harness.scoring.evaluators.text_match import Matcher, matcher


def evaluate(record: SiteRecord, read_dom: ReadDom, judge: MeaningJudge | None) -> tuple[Evaluation, ...]:
    """What each evaluator of the task says of what was recorded.

    Args:
        record: What was recorded, with the task.
        read_dom: Gives the tree of a page by its SHA-256, as the run directory's ``texts/`` has it.
        judge: Compares by meaning; None if there is none: then such matches have no score.

    Returns:
        The evaluations, the main one first; none of a task that is judged by nothing.
    """
    evaluators = record.task.evaluators
    names = sorted(evaluators.given, key=lambda name: name != evaluators.main)
    compare = matcher(judge)
    return tuple(_evaluation(name, record, read_dom, compare) for name in names)


def _evaluation(name: EvaluatorName, record: SiteRecord, read_dom: ReadDom, compare: Matcher) -> Evaluation:
    rule = record.task.evaluators.answer
    if name == "key_nodes":
        return key_nodes(record, read_dom, compare)
    if name == "answer" and rule is not None:
        return answer(record, rule, compare)
    if name == "checks":
        return checks(record, read_dom, compare)
    return final_state(record) if name == "final_state" else page_reward(record)
