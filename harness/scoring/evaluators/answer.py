"""Answer: what was given with ``finish``, compared with what had to be."""

from __future__ import annotations

from harness.catalog.site_facts import AnswerRule
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.evaluators.text_match import Matcher, is_met


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
