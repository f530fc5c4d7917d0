"""The table of sets of prompts (``--prompts``): what writes each, and which tasks, actions and replies it goes with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.actions.signature import ActionSpec
from harness.catalog.kinds import FORM, KindName
from harness.episode.solver import WrongOptions
from harness.kit.files.codec import JsonObject
from harness.kit.registry import Registry, registry
from harness.kit.words import Words, hash_of_words
from harness.models.asking_options import FORM_PROTOCOLS
from harness.records.config import ActionSetName
from harness.run.task_kind import task_kind
from harness.solvers.models.prompting import OURS, WORDS, Prompter
from harness.solvers.models.recipe import Recipe


@dataclass(frozen=True)
class PromptSet:
    """A set of prompts: a row of the table of what is offered.

    Attributes:
        prompter: Writes its messages; a ``SitePrompter`` where it is for websites.
        words: Its texts, and then those of others that it uses, too.
        retries: Further tries after a reply that cannot be read, unless the user says otherwise.
        actions: The action sets that it tells of; the usual one of the kind of task, else the first, unless the user
            says otherwise. None of a set that is not for models as solvers.
        kind: The kind of task that it is for.
        protocols: Those in which it can be asked. A preset that was made for another set takes the first if its own is
            none of them; so it does with outputs.
        outputs: In which form a reply can be had.
        encoding: How the page is shown by a preset that was made for another set; None if as by its own.
        picture: Which picture a model that sees pictures is shown, unless the user says otherwise; None if that is left
            to the preset.
        has_fixed: Whether the demonstrations are those that the overlay of the task set fixes, as far as it does.
        has_grammar: Whether a model in the process is held to the form of its replies.
        needs: What a recipe has to have in place of what it has, as flags; empty if it can be asked in it.
    """

    prompter: Callable[[Recipe, Mapping[str, ActionSpec]], Prompter]
    words: tuple[Words, ...]
    retries: int
    actions: tuple[ActionSetName, ...] = ("turkingbench", "all")
    kind: KindName = FORM
    protocols: tuple[str, ...] = FORM_PROTOCOLS
    outputs: tuple[str, ...] = ("text", "tools")
    encoding: str | None = None
    picture: str | None = None
    has_fixed: bool = False
    has_grammar: bool = True
    needs: Callable[[Recipe], Sequence[str]] = lambda _: ()


PROMPT_SETS: Registry[PromptSet] = registry("prompts")


def words_hash(name: str) -> str:
    """The hash of all words that a set of prompts uses."""
    return hash_of_words(*(each.folder for each in PROMPT_SETS[name].words))


def words_source(name: str) -> JsonObject:
    """Where a set of prompts has its words from, as runs record it; nothing of words that are ours."""
    source = next((each.source for each in PROMPT_SETS[name].words if each.source), {})
    return {"prompts_source": source} if source else {}


def _missing(row: PromptSet) -> str:
    """Why its words are not there; empty if they are."""
    return next((each.missing for each in row.words if each.missing), "")


def prompter_for(recipe: Recipe, known: Mapping[str, ActionSpec]) -> Prompter:
    """What writes the messages of a recipe.

    Args:
        recipe: How the model is asked.
        known: The action library.
    """
    return PROMPT_SETS[recipe.prompts].prompter(recipe, known)


def offered(kind: KindName, actions: ActionSetName | None = None) -> tuple[str, ...]:
    """The sets of prompts for a kind of task.

    Args:
        kind: The kind of task.
        actions: Which action set they have to tell of; None for any.
    """
    return tuple(
        name
        for name, row in PROMPT_SETS.items()
        if row.kind == kind and row.actions and (actions is None or actions in row.actions) and not _missing(row)
    )


def prompts_for(kind: KindName, wanted: str | None, actions: ActionSetName | None, usual: str) -> str:
    """The set of prompts in which a model is asked about tasks.

    Args:
        kind: Of the tasks.
        wanted: What the user said; None if nothing.
        actions: The action set that the user said; None if none.
        usual: What is taken if it goes with the rest and the user said nothing.

    Raises:
        WrongOptions: they do not go together; the message says what does.
    """
    fit = offered(kind, actions)
    if wanted is None and fit:
        return usual if usual in fit else fit[0]
    plural = task_kind(kind).plural
    if wanted is None:
        others = dict.fromkeys(name for each in offered(kind) for name in PROMPT_SETS[each].actions)
        raise WrongOptions(
            f"--actions {actions}: no set of prompts tells a model of them on {plural}; give --actions {_or(others)}"
        )
    row = PROMPT_SETS[wanted]
    if not row.actions or _missing(row):
        return wanted  # which ``why_unfit`` refuses
    if row.kind != kind:
        raise WrongOptions(
            f"--prompts {wanted} is for {task_kind(row.kind).plural}, and these tasks are {plural}: give --prompts "
            f"{_or(fit or offered(kind))}"
        )
    if wanted not in fit:
        rest = f"; --actions {actions} goes with --prompts {_or(fit)}" if fit else ""
        raise WrongOptions(
            f"--prompts {wanted} does not tell of --actions {actions}: it goes with --actions {_or(row.actions)}{rest}"
        )
    return wanted


def why_unfit(recipe: Recipe) -> str | None:
    """Why a recipe cannot be asked in its set of prompts; None if it can."""
    row = PROMPT_SETS[recipe.prompts]
    if lacking := _missing(row):
        return f"--prompts {recipe.prompts}: {lacking}"
    missing = [
        f"--{name} {_or(known)}"
        for name, value, known in (
            ("protocol", recipe.protocol, row.protocols),
            ("output", recipe.output, row.outputs),
        )
        if value not in known
    ]
    missing += row.needs(recipe)
    if not missing:
        return None
    otherwise = f"; or give --prompts {OURS}" if row.kind == FORM and recipe.prompts != OURS else ""
    return f"--prompts {recipe.prompts} needs {', '.join(missing)}{otherwise}"


def _or(names: Iterable[str]) -> str:
    return " or ".join(names)


OUR_SET = PromptSet(Prompter, (WORDS,), retries=1)
