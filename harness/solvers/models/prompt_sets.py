"""The sets of prompts by name (``--prompts``): what writes each, and what can be asked in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.actions.signature import ActionSpec
from harness.solvers.models import turkingbench_prompter
from harness.solvers.models.prompting import OURS, Prompter
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.turkingbench_prompter import TurkingBenchPrompter


@dataclass(frozen=True)
class PromptSet:
    """A set of prompts; its words are the folder of its name in ``harness/prompts``.

    Attributes:
        prompter: Writes its messages.
        retries: Further tries after a reply that cannot be read, unless the user says otherwise.
        unfit: Why a recipe cannot be asked in it; None if it can.
        picture: Which picture a model that sees pictures is shown, unless the user says otherwise; None if that is left
            to the preset.
        has_fixed: Whether the demonstrations are those that the overlay of the task set fixes, as far as it does.
    """

    prompter: Callable[[Recipe, Mapping[str, ActionSpec]], Prompter]
    retries: int
    unfit: Callable[[Recipe], str | None]
    picture: str | None
    has_fixed: bool


PROMPT_SETS: Mapping[str, PromptSet] = {
    OURS: PromptSet(Prompter, 1, lambda _: None, None, has_fixed=False),
    turkingbench_prompter.NAME: PromptSet(
        TurkingBenchPrompter, 0, turkingbench_prompter.unfit, "viewport", has_fixed=True
    ),
}


def prompter_for(recipe: Recipe, known: Mapping[str, ActionSpec]) -> Prompter:
    """What writes the messages of a recipe.

    Args:
        recipe: How the model is asked.
        known: The action library.
    """
    return PROMPT_SETS[recipe.prompts].prompter(recipe, known)
