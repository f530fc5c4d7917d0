"""What a run is made of, as flat parameters: numbers, switches and choices, so that nothing private comes along.

Of a solver's options those are left out that can hold a key, a command, an address or a path.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from harness.integrations.tracking.tracker import Parameters
from harness.kit.files.installation import PACKAGE
from harness.kit.options import given, is_closed, options_in, view
from harness.models.call_options import Budget, ModelChoice
from harness.papers.turkingbench.row_command import HOW_ASKED
from harness.records.config import RunConfig
from harness.records.run_record import RunRecord

_OF_CONFIG = ("split", "judge", "drawing_seed", *(each.name for each in options_in(RunConfig) if is_closed(each)))
"""What is free text of these is the name of a split or of a preset."""
_RECIPE = (*(name for name in HOW_ASKED if name != "model"), "field_names", "retries", "seed")
"""Of how a model is asked."""


def begun_parameters(record: RunRecord) -> Parameters:
    """What is known when the instances are chosen.

    Args:
        record: The content of ``run.json``.
    """
    config, provenance, recipe = record.config, record.provenance, record.solver.get("recipe") or {}
    git = provenance.git
    return _known(
        {
            "solver": solver_name(record),
            "model": model_name(record),
            "provider": record.solver.get("provider"),
            "prompts": record.solver.get("prompts"),
            **{f"recipe.{name}": recipe.get(name) for name in _RECIPE},
            **{f"recipe.{name}": value for name, value in (recipe.get("site") or {}).items()},
            **{name: getattr(config, name) for name in _OF_CONFIG},
            **given(view(Budget, config.options)),
            "max_steps": config.limits.max_steps,
            "max_seconds": config.limits.max_seconds,
            "protocol": record.protocol,
            "planned_episodes": record.planned_episodes,
            "task_set": record.task_set,
            "sample": record.sample,
            "version.python": provenance.python,
            f"version.{PACKAGE}": provenance.packages.get(PACKAGE),
            "revision": git.revision if git else None,
            "revision.changed_files": len(git.changed_files) if git else None,
        }
    )


def solver_name(record: RunRecord) -> str:
    """The solver of a run; of a file of one's own without its folder."""
    return PurePath(record.config.solver).name


def model_name(record: RunRecord) -> str:
    """The model that a run asked for; of a file without its folder; empty if it named none."""
    asked = view(ModelChoice, record.config.options).model or (record.solver.get("recipe") or {}).get("model") or ""
    return PurePath(str(asked)).name if record.config.solver == "local" else str(asked)


def ended_parameters(record: RunRecord) -> Parameters:
    """What is known when the episodes have been played.

    Args:
        record: The content of ``run.json``.
    """
    return _known(
        {
            "status": record.status,
            "stopped": record.stopped.kind if record.stopped else None,
            "comparability_id": record.comparability_id,
            "inventory": record.inventory,
            "version.browser": record.provenance.browser,
            "served": ", ".join(sorted(record.served)),
        }
    )


def _known(values: Mapping[str, Any]) -> Parameters:
    return {name: value for name, value in values.items() if isinstance(value, (str, int, float, bool)) and value != ""}
