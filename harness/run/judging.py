"""What a run does when its last episode has ended: a judge compares by meaning what nobody else could."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from harness.analysis.judged_run import JUDGE_FOLDER, judge_episodes
from harness.kit.files.writing import cache_folder
from harness.kit.options import view
from harness.kit.text import counted
from harness.models.call_options import Budget
from harness.models.ledger import Totals
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.run.resuming import FLAGS


def left_over(config: RunConfig, spent: Totals) -> Mapping[str, Decimal | int]:
    """What of a run's budget its solver has left for the judge: a budget is of both.

    Args:
        config: What was asked for.
        spent: What the solver has spent.

    Returns:
        ``max_cost`` in US dollars and ``max_tokens``, those that are limited; 0 or less where nothing is left.
    """
    left: dict[str, Decimal | int] = {}
    budget = view(Budget, config.options)
    if budget.max_cost is not None:
        left["max_cost"] = Decimal(str(budget.max_cost)) - (spent.cost or 0) - spent.open_cost
    if budget.max_tokens is not None:
        left["max_tokens"] = (
            budget.max_tokens - spent.usage.input_tokens - spent.usage.output_tokens - spent.open_tokens
        )
    return left


def judge_run(run: RunDirectory, name: str, left: Mapping[str, Decimal | int], note: Callable[[str], None]) -> None:
    """Evaluate again, in their place, the episodes that have no score for want of a judge.

    Nothing that is known already is asked again: a run that was interrupted meanwhile can be gone on with.

    Args:
        run: The run directory.
        name: The preset of the judge's model.
        left: What all of the judge's calls may take, as ``left_over`` has it.
        note: Is told what came of it.

    Raises:
        harness.models.presets.UnknownPreset: there is none of that name.
        harness.records.fatal.CannotWrite: an episode cannot be written.
    """
    if used_up := [FLAGS[limit] for limit, amount in left.items() if amount <= 0]:
        note(f"{name} was not asked, since nothing is left of {' and '.join(used_up)}: --resume with more goes on")
        return
    from harness.scoring.evaluators.model_judge import open_judge  # noqa: PLC0415 - runs without a judge do without

    judge = open_judge(name, run.folder / JUDGE_FOLDER, cache_folder() / JUDGE_FOLDER, left)
    judged, unknown = judge_episodes(run, judge)
    if judged or unknown:
        left_open = f"; of {counted(unknown, 'episode')} it could not tell all" if unknown else ""
        note(f"{name} has judged {counted(judged, 'episode')}{left_open}")
