"""What a run needs and its user should know, looked at before anything is begun: before a folder, a browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.kit.options import options_in, view
from harness.models.call_options import Budget, CallOptions, ModelChoice
from harness.models.client import ModelError, today
from harness.records.config import RunConfig

if TYPE_CHECKING:
    from harness.models.presets import Preset


def told_beforehand(config: RunConfig, *, again: bool, waits: bool) -> list[str]:
    """See that what a run asks can be asked, as far as that is known before it begins.

    On a cluster, keys, packages and addresses are those of its nodes, and nobody looks. Nor where replies are at hand
    that another run was given (``--cache``): they may answer everything.

    Args:
        config: Of the run, with all that its user left open filled in.
        again: Whether a run is gone on with. It goes on with the model that it began with, even if that has been shut
            down meanwhile.
        waits: Whether its user would have it wait for a provider that does not answer.

    Returns:
        What its user should know, in sentences.

    Raises:
        harness.models.client.ModelRetired: a new run asks a model that is gone, and nobody agreed to that.
        harness.models.readiness.NotReady: a key is not set, a file cannot be used, or nobody listens.
        harness.models.client.MissingExtra: a package is not installed.
        harness.episode.solver.WrongOptions: a limit that cannot be kept.
        harness.kit.errors.UserError: the solver does not begin for a reason of its own.
    """
    solver, options = find_solver(config.solver), config.options
    said = [solver.before_run(options, again=again), *_budgets_of_shards(config)]
    looks = config.engine == "local" and not _has_replies(view(CallOptions, options).cache)
    for preset in filter(None, (solver.asks(options), solver.asks_beside(options), _judge(config))):
        said.append(_told_of_model(preset, options, again=again))
        if looks:
            from harness.models.readiness import check_ready  # noqa: PLC0415 - as below

            check_ready(preset, connect=not waits)
    return [each for each in said if each]


def _budgets_of_shards(config: RunConfig) -> Iterator[str]:
    """What a budget of a shard, which knows nothing of the others, comes to for the whole run."""
    if config.shard:
        shards = config.part[1]
        for each in options_in(Budget):
            if (most := config.options.get(each.name)) is not None:
                unit = "US dollars" if each.name == "max_cost" else "tokens"
                yield f"{each.flag} {most:g} is of this shard alone: all {shards} may spend {shards * most:g} {unit}"


# What asks models is imported where one is asked: runs without a model do without.
def _judge(config: RunConfig) -> Preset | None:
    if not config.judge:
        return None
    from harness.models.presets import resolve  # noqa: PLC0415

    return resolve(config.judge, {})


def _told_of_model(preset: Preset, options: Mapping[str, Any], *, again: bool) -> str:
    from harness.models.service import limits_of  # noqa: PLC0415

    news = preset.news(today(), agreed=again or bool(view(ModelChoice, options).retired_anyway))
    try:
        limits_of(preset, options)
    except (ModelError, ValueError) as error:
        raise WrongOptions(str(error)) from None
    return news


def _has_replies(folder: str | None) -> bool:
    return folder is not None and Path(folder).is_dir() and any(Path(folder).iterdir())
