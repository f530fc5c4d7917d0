"""All evaluators of a task, over one episode."""

from __future__ import annotations

from harness.catalog.site_facts import AnswerRule, EvaluatorName
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.evaluators.checks import checks
from harness.scoring.evaluators.final_state import final_state
from harness.scoring.evaluators.key_nodes import ReadDom, key_nodes
from harness.scoring.evaluators.text_match import Matcher, MeaningJudge, is_met, matcher


def answer(record: SiteRecord, rule: AnswerRule, compare: Matcher) -> Evaluation:
    """How well the answer follows the task's rule: letter case and white space around it never count.

    Args:
        record: What was recorded.
        rule: What has to be answered.
        compare: Compares texts.

    Returns:
        The evaluation. Nothing answered is worth 0, whatever the rule is; what was answered may not be known.
    """
    if record.answer is None and record.is_unseen:
        return Evaluation(evaluator="answer", score=None, success=None, floor=0.0, why="not known: it was lost")
    if record.answer is None:
        return Evaluation(evaluator="answer", score=0.0, success=False, floor=0.0, why="nothing was answered")
    given, wanted = record.answer.strip(), rule.reference.strip()
    if rule.match != "semantic":
        given, wanted = given.casefold(), wanted.casefold()
    judged = compare(rule.match, given, wanted)
    return Evaluation(evaluator="answer", score=judged.score, success=is_met(judged.score), floor=0.0, why=judged.why)


def page_reward(record: SiteRecord) -> Evaluation:
    """The page's reward; a negative one, and none, are worth 0; unknown if it was lost.

    Success is the whole reward, 1, as in MiniWoB++'s binary reward (``miniwob.reward.get_binary_reward``): some pages
    give a part of it for a part of what they ask for.
    """
    if record.reward is None and record.is_unseen:
        return Evaluation(evaluator="page_reward", score=None, success=None, floor=0.0, why="not known: it was lost")
    if record.reward is None:
        return Evaluation(evaluator="page_reward", score=0.0, success=False, floor=0.0, why="the page gave no reward")
    score = min(1.0, max(0.0, record.reward))
    why = f"the page gave {record.reward:g}"
    return Evaluation(evaluator="page_reward", score=score, success=record.reward >= 1.0, floor=0.0, why=why)


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
