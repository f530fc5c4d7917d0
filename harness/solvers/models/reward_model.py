"""The model that judges the progress of another on a website (WebCanvas, section 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from harness.episode.solver import WrongOptions
from harness.models.asking_options import PresetChange
from harness.models.presets import Preset, UnknownPreset, WrongPreset, presets, resolve
from harness.models.tokens.counting import tokens_for
from harness.solvers.models.asking import ModelCaller
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Counter
from harness.solvers.solver_options import ModelOptions


@dataclass(frozen=True)
class RewardModel:
    """The model that judges progress.

    Attributes:
        recipe: How it is asked, with the kind of reward.
        service: Asks it.
        tokens: Counts.
    """

    recipe: Recipe
    service: ModelCaller
    tokens: Counter


def reward_preset(preset: Preset, options: ModelOptions) -> Preset | None:
    """The model that judges progress, if it is another than the one that acts.

    Args:
        preset: The model that acts.
        options: What its user chose; ``reward_model`` is the name of a preset, which is asked as that preset is, or
            another model of the same provider, at the same server and with the same sampling.

    Raises:
        WrongOptions: the name, or an option with it, cannot be meant so.
    """
    name = options.reward_model
    if name is None:
        return None
    choice = PresetChange(retired_anyway=options.retired_anyway)
    try:
        if name in presets():
            return resolve(name, choice)
        same = replace(choice, model=name, base_url=options.base_url, temperature=options.temperature)
        return resolve(preset.name, replace(same, max_output_tokens=options.max_output_tokens))
    except (UnknownPreset, WrongPreset) as error:
        raise WrongOptions(f"--reward-model {name}: {error}") from None


def reward_model(recipe: Recipe, preset: Preset, service: Callable[[Preset], ModelCaller]) -> RewardModel:
    """A model that judges progress, ready to be asked.

    Args:
        recipe: How the model that acts is asked.
        preset: The model that judges.
        service: Makes what asks a model.
    """
    asked = replace(
        recipe,
        model=preset.model,
        max_input_tokens=preset.max_input_tokens,
        max_output_tokens=preset.max_output_tokens,
        temperature=preset.temperature,
        grammar=preset.provider == "local",
    )
    return RewardModel(asked, service(preset), tokens_for(preset.model, preset.provider))


def told_of_judge(preset: Preset | None) -> dict[str, Any]:
    """The model that judges progress, for ``run.json``; empty if it is the one that acts."""
    if preset is None:
        return {}
    price = preset.price.to_json() if preset.price else None
    return {"reward_model": {"provider": preset.provider, "model": preset.model, "price": price}}
