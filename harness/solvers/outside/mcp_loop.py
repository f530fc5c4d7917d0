"""A model that works with the tools of an MCP server, in a loop (``--solver mcp``): ours for the page, or another's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.browser.box.program_options import BoxOptions
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.solver import DevtoolsSolver, Setup, Solver, WrongOptions
from harness.kit.options import filled, flags, given, names_of, view
from harness.models.client import ModelError
from harness.models.presets import Preset, UnknownPreset, WrongPreset, proxy_told, resolve
from harness.models.service import open_service
from harness.models.tokens.counting import tokens_for
from harness.solvers.models.asking import ModelCaller
from harness.solvers.models.prompt_sets import words_hash
from harness.solvers.models.prompting import OURS
from harness.solvers.outside.assistant import AssistantSolver
from harness.solvers.outside.command import checked_assistant, passed_on, program_of, server_of, told_by_name
from harness.solvers.outside.foreign_server import ForeignServerSolver
from harness.solvers.outside.mcp_server import Client, make_server
from harness.solvers.outside.outside_program import box_of, box_options
from harness.solvers.outside.page_tools import PageTools
from harness.solvers.outside.tool_loop import ModelSettings, ToolLoop, converse
from harness.solvers.solver_options import AssistantOptions, LoopOptions, McpOptions


class McpSolver:
    """Makes the solver that the options ask for: an assistant with ``--command``, else a model in a loop."""

    waits = True
    options = McpOptions

    @classmethod
    def check(cls, name: str, options: McpOptions) -> McpOptions:
        """Look the options over; see ``harness.episode.solver``.

        Raises:
            WrongOptions: they cannot be meant so.
        """
        if options.command is not None:
            _refuse_others(f"{name} with --command", options, AssistantOptions)
            return checked_assistant(options)
        _refuse_others(name, options, LoopOptions)
        if options.mcp_server is None and (boxed := given(view(BoxOptions, options))):
            raise WrongOptions(f"{flags(boxed)}: the solver {name!r} takes no such options without --mcp-server")
        passed_on(options)
        if options.preset is None and options.model_id is None:
            if options.model:
                raise WrongOptions(
                    f"--model is a provider's name of a model; name the preset: --preset {options.model}"
                )
            raise WrongOptions(
                f"--solver {name} needs --command, the program of an assistant, or --preset, that of a model that can "
                "call tools (--list-solvers prints them)"
            )
        preset = cls.find_preset(options)
        if options.mcp_server is not None:
            options = filled(options, given(box_options(view(BoxOptions, options))))
        server_of(options)
        return replace(
            told_by_name(options),
            field_names=options.field_names is not False,
            model=preset.model if options.preset else options.model,
            model_id=None if options.preset else preset.model,
            max_input_tokens=preset.max_input_tokens,
            max_output_tokens=preset.max_output_tokens,
        )

    @classmethod
    def asks(cls, _name: str, options: McpOptions) -> Preset | None:
        """The model of the loop; see ``harness.episode.solver``."""
        return None if options.command is not None else cls.find_preset(options)

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """What decides a run; see ``harness.episode.solver``."""
        if setup.options.command is not None:
            return {"prompts": words_hash(OURS)}
        preset = cls.find_preset(setup.options)
        price = preset.price.to_json() if preset.price else None
        told = {"provider": preset.provider, "model": preset.model, "prompts": words_hash(OURS), "price": price}
        return {**told, **proxy_told(preset)}

    @classmethod
    def set_up(cls, setup: Setup) -> Solver | DevtoolsSolver:
        """A new solver; see ``harness.episode.solver``.

        Raises:
            WrongOptions: as for ``check``.
        """
        options: McpOptions = setup.options
        tell_fields, environment = options.field_names is not False, passed_on(options)
        if options.command is not None:
            command, box = program_of(options, "command"), box_of(setup)
            return AssistantSolver(command, environment, tell_fields=tell_fields, box=box)
        preset = cls.find_preset(options)
        try:
            service = cls.make_service(setup, preset)
        except (ModelError, ValueError) as error:
            raise WrongOptions(str(error)) from None
        talk = ModelSettings(preset, service, tokens_for(preset.model, preset.provider), setup.seed)
        if server := server_of(options):
            return ForeignServerSolver(talk, server, environment, tell_fields=tell_fields, box=box_of(setup))
        return LoopSolver(talk, tell_fields=tell_fields)

    @classmethod
    def find_preset(cls, options: McpOptions) -> Preset:
        """The model: that of the preset, or another one of its provider.

        Raises:
            WrongOptions: there is no such preset, or its models cannot call tools.
        """
        name, model = options.preset, options.model
        if name is None:
            name, _, named = str(options.model).partition(":")
            model = named or options.model_id
        try:
            preset = resolve(name, {**given(options), "model": model, "output": "tools"})
        except (UnknownPreset, WrongPreset) as error:
            raise WrongOptions(f"--preset: {error}") from None
        if preset.provider == "local":
            raise WrongOptions("--preset: a model in the process writes text and calls no tools; take another")
        return preset

    @classmethod
    def make_service(cls, setup: Setup, preset: Preset) -> ModelCaller:
        """What asks the model."""
        return open_service(preset, setup.options, setup.folder, seed=setup.seed, accounts=setup.accounts)


def _refuse_others(name: str, options: McpOptions, taken: type[Any]) -> None:
    if others := [each for each in given(options) if each not in names_of(taken)]:
        raise WrongOptions(f"{flags(others)}: the solver {name!r} takes no such options")


class LoopSolver:
    """Shows a model the action library as an MCP server, calls what it asks for, until it asks for nothing."""

    def __init__(self, talk: ModelSettings, *, tell_fields: bool) -> None:
        """Prepare.

        Args:
            talk: The model.
            tell_fields: Whether the model is told which fields there are.
        """
        self._talk = talk
        self._tell_fields = tell_fields

    def solve(self, page: Page, act: Actions) -> None:
        """Let the model work on the page.

        Raises:
            NoUsableReply: too many replies in a row were cut off.
            ModelError: the model gives no answer.
            harness.episode.trajectory.LimitReached: a limit of the episode or the run.
        """
        tools = PageTools(page, act, tell_fields=self._tell_fields)
        digest = act.observation.digest
        loop = ToolLoop(self._talk, act.trajectory, lambda: tools.is_over, digest=digest, specs=tools.specs)
        converse(Client(make_server(tools)), loop, tools.instructions)
        tools.settle()
