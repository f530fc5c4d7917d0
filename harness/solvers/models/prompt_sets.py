"""The sets of prompts by name (``--prompts``): what writes each, and what can be asked in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.actions.signature import ActionSpec
from harness.kit.files.codec import JsonObject
from harness.kit.registry import Registry, registry
from harness.kit.text.words import Words, hash_of_words
from harness.solvers.models.prompting import OURS, WORDS, Prompter
from harness.solvers.models.recipe import Recipe


@dataclass(frozen=True)
class PromptSet:
    """A set of prompts.

    Attributes:
        prompter: Writes its messages.
        words: Its texts, and then those of others that it uses, too.
        unfit: Why a recipe cannot be asked in it; None if it can.
        retries: Further tries after a reply that cannot be read, unless the user says otherwise.
        for_sites: Whether it is for websites; its prompter is a ``SitePrompter`` then.
        picture: Which picture a model that sees pictures is shown, unless the user says otherwise; None if that is left
            to the preset.
        has_fixed: Whether the demonstrations are those that the overlay of the task set fixes, as far as it does.
        has_grammar: Whether a model in the process is held to the form of its replies.
    """

    prompter: Callable[[Recipe, Mapping[str, ActionSpec]], Prompter]
    words: tuple[Words, ...]
    unfit: Callable[[Recipe], str | None]
    retries: int
    for_sites: bool = False
    picture: str | None = None
    has_fixed: bool = False
    has_grammar: bool = True


PROMPT_SETS: Registry[PromptSet] = registry("prompts")


def words_hash(name: str) -> str:
    """The hash of all words that a set of prompts uses."""
    return hash_of_words(*(each.folder for each in PROMPT_SETS[name].words))


def words_source(name: str) -> JsonObject:
    """Where a set of prompts has its words from, as runs record it; nothing of words that are ours."""
    source = next((each.source for each in PROMPT_SETS[name].words if each.source), {})
    return {"prompts_source": source} if source else {}


def why_unfit(recipe: Recipe) -> str | None:
    """Why a recipe cannot be asked in its set of prompts; None if it can."""
    prompts = PROMPT_SETS[recipe.prompts]
    missing = _missing(prompts)
    return f"--prompts {recipe.prompts}: {missing}" if missing else prompts.unfit(recipe)


def _missing(prompts: PromptSet) -> str:
    return next((each.missing for each in prompts.words if each.missing), "")


def prompter_for(recipe: Recipe, known: Mapping[str, ActionSpec]) -> Prompter:
    """What writes the messages of a recipe.

    Args:
        recipe: How the model is asked.
        known: The action library.
    """
    return PROMPT_SETS[recipe.prompts].prompter(recipe, known)


def _unfit_for_forms(recipe: Recipe) -> str | None:
    """Why a recipe cannot be asked in the set of forms; None if it can."""
    if recipe.protocol == "site":
        of_sites = [name for name, each in PROMPT_SETS.items() if each.for_sites and not _missing(each)]
        return f"--prompts {OURS} is for forms: a website needs --prompts {' or '.join(of_sites)}"
    return None


OUR_SET = PromptSet(Prompter, (WORDS,), _unfit_for_forms, retries=1)
