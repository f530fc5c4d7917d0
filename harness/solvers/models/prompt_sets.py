"""The sets of prompts by name (``--prompts``): what writes each, and what can be asked in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.actions.signature import ActionSpec
from harness.solvers.models import autowebglm_prompter, site_prompter, turkingbench_prompter, webcanvas_prompter
from harness.solvers.models.autowebglm_prompter import AutoWebGLMPrompter
from harness.solvers.models.prompting import OURS, Prompter, prompts_hash
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.site_prompter import SitePrompter
from harness.solvers.models.turkingbench_prompter import TurkingBenchPrompter
from harness.solvers.models.webcanvas_prompter import WebCanvasPrompter


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
        builds_on: Further folders there whose words it uses.
    """

    prompter: Callable[[Recipe, Mapping[str, ActionSpec]], Prompter]
    retries: int
    unfit: Callable[[Recipe], str | None]
    picture: str | None
    has_fixed: bool = False
    builds_on: tuple[str, ...] = ()


def _unfit_for_forms(recipe: Recipe) -> str | None:
    """Why a recipe cannot be asked in the set of forms; None if it can."""
    if recipe.protocol == site_prompter.PROTOCOL:
        return f"--prompts {OURS} is for forms: a website needs --prompts {' or '.join(SITE_SETS)}"
    return None


SITE_SETS: Mapping[str, Callable[[Recipe, Mapping[str, ActionSpec]], SitePrompter]] = {
    site_prompter.NAME: SitePrompter,
    webcanvas_prompter.NAME: WebCanvasPrompter,
    autowebglm_prompter.NAME: AutoWebGLMPrompter,
}
"""Those of websites, the usual one first."""

PROMPT_SETS: Mapping[str, PromptSet] = {
    OURS: PromptSet(Prompter, 1, _unfit_for_forms, None),
    turkingbench_prompter.NAME: PromptSet(
        TurkingBenchPrompter, 0, turkingbench_prompter.unfit, "viewport", has_fixed=True
    ),
    site_prompter.NAME: PromptSet(SitePrompter, 1, site_prompter.unfit, None, builds_on=(OURS,)),
    webcanvas_prompter.NAME: PromptSet(
        WebCanvasPrompter, 2, webcanvas_prompter.unfit, None, builds_on=(site_prompter.NAME, OURS)
    ),
    autowebglm_prompter.NAME: PromptSet(
        AutoWebGLMPrompter, 1, autowebglm_prompter.unfit, None, builds_on=(site_prompter.NAME, OURS)
    ),
}


def words_hash(name: str) -> str:
    """The hash of all words that a set of prompts uses (``prompts_hash``)."""
    return prompts_hash(name, *PROMPT_SETS[name].builds_on)


def prompter_for(recipe: Recipe, known: Mapping[str, ActionSpec]) -> Prompter:
    """What writes the messages of a recipe.

    Args:
        recipe: How the model is asked.
        known: The action library.
    """
    return PROMPT_SETS[recipe.prompts].prompter(recipe, known)


def site_prompter_for(recipe: Recipe, specs: Mapping[str, ActionSpec]) -> SitePrompter:
    """What writes the messages of a recipe about websites.

    Args:
        recipe: How the model is asked, in a set of ``SITE_SETS``.
        specs: The action set of the run.
    """
    return SITE_SETS[recipe.prompts](recipe, specs)
