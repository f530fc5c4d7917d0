"""A model as a solver: a preset with what its user chose over it, asked by one of three protocols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Protocol, Self

from harness.catalog.kinds import KindName
from harness.episode.action_sets import USUAL
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS, Actions
from harness.episode.solver import Setup, WrongOptions
from harness.kit.options import filled, given, view
from harness.kit.words import hash_of_words
from harness.models.asking_options import FORM_PROTOCOLS, SiteAsking
from harness.models.client import ModelError
from harness.models.cost import Price
from harness.models.presets import Preset, UnknownPreset, WrongPreset, proxy_told, resolve
from harness.models.providers.provider_table import PROVIDERS, check_address
from harness.models.service import open_service, warm_up
from harness.models.tokens.counting import Tokens, tokens_for
from harness.records.config import ActionSetName
from harness.run.task_kind import task_kind
from harness.solvers.models.asking import Asker, ModelCaller
from harness.solvers.models.computer.protocol import WORDS as COMPUTER_WORDS
from harness.solvers.models.computer.protocol import ComputerProtocol, told_of
from harness.solvers.models.computer.table import dialect_for
from harness.solvers.models.demo_pages import make_demonstrations
from harness.solvers.models.demos import FILE as DEMOS_FILE
from harness.solvers.models.demos import Demonstrations
from harness.solvers.models.field_protocol import FieldProtocol
from harness.solvers.models.form_protocol import FormProtocol
from harness.solvers.models.planned_request import PlannedRequest
from harness.solvers.models.prompt_sets import (
    PROMPT_SETS,
    prompter_for,
    prompts_for,
    words_hash,
    words_source,
)
from harness.solvers.models.recipe import NO_ENCODING, Recipe, SiteRecipe
from harness.solvers.models.refusals import refusal, refusal_of_computer, refusal_of_site
from harness.solvers.models.reward_model import RewardModel, reward_model, reward_preset, told_of_judge
from harness.solvers.models.site_protocol import SiteProtocol
from harness.solvers.models.view import Observer
from harness.solvers.solver_options import ModelOptions

COMPUTER = "computer"


class PageProtocol(Protocol):
    """In how many requests a page is worked on."""

    def solve(self, page: Page, act: Any) -> None:
        """As ``ModelSolver.solve``."""

    def first_requests(self, page: Page, act: Any) -> Iterator[PlannedRequest]:
        """As ``ModelSolver.first_requests``."""


class ModelSolver:
    """Lets a model fill in pages.

    Attributes:
        recipe: How the model is asked.
        preset: The model.
        tokens: Counts its tokens.
        fixed_demonstrations: How many of the demonstrations the overlay of the task set names.
    """

    waits = True
    kinds = ("form", "site")
    options = ModelOptions

    def __init__(self, setup: Setup) -> None:
        """Make the solver of a run.

        Args:
            setup: The run, with the options that ``check`` gave and the demonstrations that ``prepare`` wrote.
        """
        self.preset = self.find_preset(setup.name, setup.options)
        self.recipe = recipe_of(self.preset, setup.options, setup.seed)
        self.tokens = tokens_for(self.preset.model, self.preset.provider)
        demos = Demonstrations.read(setup.folder) if self.recipe.demos else Demonstrations()
        self.fixed_demonstrations = demos.fixed
        service = self.make_service(setup, self.preset)
        judge = reward_preset(self.preset, setup.options)
        asked = reward_model(self.recipe, judge, partial(self.make_service, setup)) if judge else None
        self._protocol = _protocol_of(self.recipe, service, self.tokens, demos, asked)

    # ---- what may be another in a subclass --------------------------------------------------------------------

    @classmethod
    def find_preset(cls, name: str, options: ModelOptions) -> Preset:
        """The model of a solver's name.

        Raises:
            WrongOptions: there is no such preset, or the options do not fit it.
        """
        try:
            return resolve(name, replace(options, vision=_wants_pictures(options)))
        except (UnknownPreset, WrongPreset) as error:
            raise WrongOptions(str(error)) from None

    @classmethod
    def make_service(cls, setup: Setup, preset: Preset) -> ModelCaller:
        """What asks the model.

        Raises:
            harness.models.client.ModelError: a limit is set that cannot be kept.
            ValueError: a limit that leaves room for nothing.
        """
        return open_service(preset, setup.options, setup.folder, seed=setup.seed, accounts=setup.accounts)

    # ---- what a run calls (``harness.episode.solver``) ----------------------------------------------------------

    @classmethod
    def fit(
        cls, name: str, options: ModelOptions, kind: KindName, actions: ActionSetName | None
    ) -> tuple[ModelOptions, ActionSetName | None]:
        """The options and the action set for tasks of a kind, with what the set of prompts decides filled in.

        Raises:
            WrongOptions: kind, set of prompts and actions do not go together.
        """
        preset = cls.find_preset(name, options)
        is_site = kind == "site"
        if options.protocol is not None and (options.protocol == "site") != is_site:
            fit = ("site",) if is_site else FORM_PROTOCOLS
            raise WrongOptions(
                f"--protocol {options.protocol}: these tasks are {task_kind(kind).plural}, which have "
                f"--protocol {' or '.join(fit)}; leave --protocol out"
            )
        if preset.output == COMPUTER:
            return _left_open(options, {"protocol": "site", "prompts": "site"} if is_site else {}), actions
        own = cls.find_preset(name, replace(options, prompts=None)).prompts
        prompts = prompts_for(kind, options.prompts, actions, "site" if is_site else own)
        row = PROMPT_SETS[prompts]
        decided: dict[str, Any] = {"prompts": prompts}
        if prompts != own:
            decided |= {} if preset.protocol in row.protocols else {"protocol": row.protocols[0]}
            decided |= {} if preset.output in row.outputs else {"output": row.outputs[0]}
            decided |= {"encoding": row.encoding} if row.encoding else {}
        if is_site:
            decided["demos"] = 0
        if actions is None and USUAL[kind] not in row.actions:
            actions = row.actions[0]
        return _left_open(options, decided), actions

    @classmethod
    def check(cls, name: str, options: ModelOptions) -> ModelOptions:
        """Look the options over, and fill in what the preset decides.

        Raises:
            WrongOptions: they cannot be meant so.
        """
        preset = cls.find_preset(name, options)
        if preset.base_url is not None:
            try:
                check_address(preset.base_url)
            except ModelError as error:
                raise WrongOptions(str(error)) from None
        recipe = recipe_of(preset, options, 0)
        if recipe.output == COMPUTER:
            reason = refusal_of_computer(recipe, options, preset)
        else:
            judge = reward_preset(preset, options) or preset
            reason = refusal(recipe, options) or refusal_of_site(recipe, options, judge)
        if recipe.likelihoods and (recipe.output == COMPUTER or not PROVIDERS[preset.provider].tells_likelihoods):
            reason = f"--likelihoods: {preset.provider} is not asked how likely its replies were; leave it out"
        if reason:
            raise WrongOptions(reason)
        of_site = asdict(recipe.site) if recipe.site else {}
        decided = asdict(recipe) | of_site | {"vision": recipe.screenshot != "none", "model": preset.model}
        return filled(options, {**decided, "base_url": preset.base_url})

    @classmethod
    def asks(cls, name: str, options: ModelOptions) -> Preset | None:
        """The model; see ``harness.episode.solver``."""
        return cls.find_preset(name, options)

    @classmethod
    def asks_beside(cls, name: str, options: ModelOptions) -> Preset | None:
        """The model that judges progress, if it is another; see ``harness.episode.solver``."""
        return reward_preset(cls.find_preset(name, options), options)

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """Make the demonstrations, and write them into the run directory.

        Returns:
            What decides the model's prompts.

        Raises:
            WrongOptions: there is nothing to make demonstrations of, or the model cannot be asked with these options.
            harness.run.server.ServerRefused: the task server does not start.
            harness.browser.launch.NoBrowser: no browser can be started.
        """
        preset = cls.find_preset(setup.name, setup.options)
        recipe = recipe_of(preset, setup.options, setup.seed)
        tokens = tokens_for(preset.model, preset.provider)
        try:
            judge = reward_preset(preset, setup.options)
            for each in filter(None, (preset, judge)):
                cls.make_service(setup, each)
            demos = _demonstrations(setup, recipe, tokens)
        except (ModelError, ValueError) as error:
            raise WrongOptions(str(error)) from None
        return {
            "provider": preset.provider,
            "prompts": hash_of_words(COMPUTER_WORDS.folder) if recipe.dialect else words_hash(recipe.prompts),
            **words_source(recipe.prompts),
            "recipe": recipe.to_json(),
            "price": preset.price.to_json() if preset.price else None,
            "tokens_counted_by": tokens.name,
            "pictures_counted_by": tokens.images,
            **told_of(recipe),
            **told_of_judge(judge),
            **proxy_told(preset),
            "demonstrations": [f"{each.task}/{each.index}/{each.field}" for each in demos.listed],
            "demonstrations_fixed": demos.fixed,
            **_told_of(demos, setup),
        }

    @classmethod
    def warm_up(cls, setup: Setup) -> None:
        """Load what asking the model takes; see ``harness.episode.solver``."""
        warm_up(cls.find_preset(setup.name, setup.options))
        if judge := cls.asks_beside(setup.name, setup.options):
            warm_up(judge)

    @classmethod
    def set_up(cls, setup: Setup) -> Self:
        """The solver of one worker."""
        return cls(setup)

    def solve(self, page: Page, act: Actions) -> None:
        """Fill in the page, or work towards the goal of a website.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode or of the run.
            harness.solvers.models.asking.NoUsableReply: the model wrote nothing that could be done.
            harness.models.client.ModelError: the model gives no answer.
        """
        self._protocol.solve(page, act)

    # ---- looking ahead ----------------------------------------------------------------------------------------

    @property
    def price(self) -> Price | None:
        """Of the model; None if it is not known."""
        return self.preset.price

    def first_requests(self, page: Page, act: Actions) -> Iterator[PlannedRequest]:
        """What would be sent about a page first; nothing is."""
        return self._protocol.first_requests(page, act)


def _protocol_of(
    recipe: Recipe, service: ModelCaller, tokens: Tokens, demos: Demonstrations, judge: RewardModel | None
) -> PageProtocol:
    if recipe.dialect:
        return ComputerProtocol(recipe, service, tokens)
    if recipe.protocol == "site":
        return SiteProtocol(recipe, service, tokens, judge)
    prompter = prompter_for(recipe, ACTIONS)
    kind = FieldProtocol if recipe.protocol == "field" else FormProtocol
    return kind(prompter, Asker(prompter, service), Observer(prompter, tokens), demos)


def _left_open(options: ModelOptions, decided: Mapping[str, Any]) -> ModelOptions:
    """The options with what is decided of those that their user left open."""
    return replace(options, **{name: value for name, value in decided.items() if getattr(options, name) is None})


def recipe_of(preset: Preset, options: ModelOptions, seed: int) -> Recipe:
    """How a model is asked: the preset, and what its user chose over it.

    Args:
        preset: With the options of ``harness.models.presets.resolve`` over it already.
        options: The rest of what its user chose.
        seed: The run's seed.
    """
    uses_computer = preset.output == COMPUTER
    return Recipe(
        model=preset.model,
        protocol=preset.protocol,
        output=preset.output,
        field_names=options.field_names is not False,
        encoding=NO_ENCODING if uses_computer else preset.encoding,
        screenshot="viewport" if uses_computer else _screenshot(preset, options),
        demos=0 if uses_computer else preset.demos,
        retries=PROMPT_SETS[preset.prompts].retries if options.retries is None else options.retries,
        temperature=preset.temperature,
        likelihoods=bool(preset.likelihoods),
        seed=seed,
        max_input_tokens=preset.max_input_tokens,
        max_output_tokens=preset.max_output_tokens,
        grammar=preset.provider == "local" and PROMPT_SETS[preset.prompts].has_grammar,
        prompts=preset.prompts,
        site=_site_recipe(options) if preset.protocol == "site" else None,
        dialect=(dialect_for(preset.provider, preset.model) or preset.dialect) if uses_computer else None,
    )


def _site_recipe(options: ModelOptions) -> SiteRecipe:
    # Who judges progress is asked by a recipe of its own.
    return SiteRecipe(**given(replace(view(SiteAsking, options), reward_model=None)))


def _wants_pictures(options: ModelOptions) -> bool | None:
    """Whether the user wants the page shown as a picture; None if that is left to the preset."""
    if options.vision is None and options.screenshot is not None:
        return options.screenshot != "none"
    return options.vision


def _screenshot(preset: Preset, options: ModelOptions) -> str:
    if preset.modality == "text":
        return "none"
    if options.screenshot:
        return options.screenshot
    if brought := PROMPT_SETS[preset.prompts].picture:
        return brought
    # Around which field would the border of a whole form be?
    return "viewport" if preset.protocol != "field" and preset.screenshot == "element" else preset.screenshot


def _demonstrations(setup: Setup, recipe: Recipe, tokens: Tokens) -> Demonstrations:
    """Those of a run that is gone on with, else new ones; written into the run directory."""
    if not recipe.demos:
        return Demonstrations()
    if (setup.folder / DEMOS_FILE).exists():
        return Demonstrations.read(setup.folder)
    demos = make_demonstrations(setup, recipe, Observer(prompter_for(recipe, ACTIONS), tokens))
    demos.write(setup.folder)
    return demos


def _told_of(demos: Demonstrations, setup: Setup) -> dict[str, Any]:
    """How many demonstrations pages are shown, and from where if not from their own set; for ``run.json``."""
    if not demos.count:
        return {}
    tasks = setup.tasks or ("",)
    fewest, most = demos.shown(tasks)
    told: dict[str, Any] = {"demonstrations_shown": {"asked": demos.count, "fewest": fewest, "most": most}}
    if demos.source_hash:
        told["demonstrations_from"] = {"folder": demos.source, "sha256": demos.source_hash}
    if shortage := demos.shortage(tasks):
        told["told"] = [f"{setup.name}: {shortage}"]
    return told
