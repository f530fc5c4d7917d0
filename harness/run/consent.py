"""Going on with a run that somebody else may have made: what its ``run.json`` would set to work is agreed to first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.browser.box.program_options import BoxOptions, Programs
from harness.episode.registry import SOLVERS
from harness.kit.errors import UserError
from harness.kit.options import NamedOption, names_of, options_in, view
from harness.models.call_options import ModelChoice, PresetChoice
from harness.models.presets import Preset, presets
from harness.records.config import RunConfig, solver_options


class NotAllowed(UserError):
    """A run is not gone on with, since nobody agreed to what it would do; the message says what that is."""


@dataclass(frozen=True)
class RunAct:
    """Something that a run does beyond pages in a shut-in browser, because its ``run.json`` says so.

    Attributes:
        option: The argument of ``python -m harness.evaluate`` that asked for it.
        value: What it was given.
        words: What it does, for its user.
    """

    option: str
    value: str
    words: str

    def __str__(self) -> str:
        return f"{self.words} {self.value!r}"


@dataclass(frozen=True, kw_only=True)
class _AskedModel(PresetChoice, ModelChoice):
    """What says which model a run asks."""


def acts_of(config: RunConfig) -> list[RunAct]:
    """What a run would do that its user should know before going on with it; nothing for most."""
    acts = []
    if config.solver not in SOLVERS and ":" in config.solver and config.solver not in SOLVERS.places().values():
        acts.append(RunAct("solver", config.solver, "run the code of"))
    options = config.options
    acts += _acts_among(solver_options(), options)
    if view(BoxOptions, options).isolate == "none" and view(Programs, options).any:
        acts.append(RunAct("isolate", "none", "run it without a box, with --isolate"))
    chosen = view(_AskedModel, options)
    acts += _acts_among(options_in(RunConfig), vars(config))
    if cube := config.cube:
        acts.append(RunAct("cube", cube.name, "run the code of the benchmark"))
        acts.append(RunAct("cube_origin", ", ".join(cube.origins), "let browsers reach"))
        settings = (f"{name}={value}" for name, value in cube.settings.items())
        acts += [RunAct("cube_set", each, "give the benchmark the setting") for each in settings]
    preset = _preset_of(config)
    address = chosen.base_url or ""
    if address and address != (preset and preset.base_url):
        acts.append(RunAct("base_url", address, "send pages, and the key for that server, to"))
    model = chosen.model or ""
    if preset and preset.provider == "local" and model not in ("", preset.model):
        acts.append(RunAct("model", model, "load the model in the file"))
    return acts


def _acts_among(known: Iterable[NamedOption], values: Mapping[str, Any]) -> list[RunAct]:
    given = [(each, values[each.name]) for each in known if each.about.consent and values.get(each.name)]
    return [RunAct(each.name, _text(value), each.about.consent) for each, value in given if each.about.acts(value)]


def _preset_of(config: RunConfig) -> Preset | None:
    """The model that a run names, with the server and the file that are its own; None if it names none."""
    chosen = view(_AskedModel, config.options)
    names = {"mcp": chosen.preset or (chosen.model or "").partition(":")[0], "mindact": chosen.preset}
    return presets().get(str(names.get(config.solver, config.solver)))


def _cube_of(config: RunConfig) -> dict[str, Any]:
    """What chooses the benchmark of CUBE of a run, as its options are given; nothing if it is of none."""
    cube = config.cube
    return {"cube": cube.name, "cube_origin": cube.origins, "cube_set": tuple(cube.settings.items())} if cube else {}


def _held(config: RunConfig) -> dict[str, Any]:
    """What a run has for each argument that may be given again, by the name of its attribute."""
    own = names_of(RunConfig, on_resume="agree")
    of_run = {name: getattr(config, name) for name in own}
    return {**config.options, "solver": config.solver, **of_run, **_cube_of(config)}


def refuse_what_acts(config: RunConfig) -> None:
    """Refuse a run that does any of it.

    Raises:
        NotAllowed: it does.
    """
    Consent().check(config)


@dataclass(frozen=True)
class Consent:
    """What the user of a run that is gone on with has agreed to.

    Attributes:
        given: Arguments that were given again, by the names of their attributes: each agrees to its value.
        everything: Whether all was agreed to beforehand, ``--yes``.
        ask: Shows the rest, and says whether it is agreed to; None where there is nobody to ask.
    """

    given: Mapping[str, Any] | None = None
    everything: bool = False
    ask: Callable[[list[str]], bool] | None = None

    def check(self, config: RunConfig) -> None:
        """See that everything is agreed to.

        Raises:
            NotAllowed: something is not; or an argument was given that the run does not have so.
        """
        acts, given, held = acts_of(config), self.given or {}, _held(config)
        for option, value in given.items():
            if held.get(option) is None or _text(held[option]) != _text(value):
                raise NotAllowed(
                    f"--{option.replace('_', '-')}: a run that is resumed goes on as it began; leave the option out"
                )
        rest = [str(act) for act in acts if act.option not in given]
        if not rest or self.everything:
            return
        if self.ask is None:
            raise NotAllowed(
                f"to go on with this run is to {'; to '.join(rest)}: what its run.json says. Give --yes if that is "
                "what you want"
            )
        if not self.ask(rest):
            raise NotAllowed("not gone on with")


def asker() -> Callable[[list[str]], bool] | None:
    """What asks the user at the terminal; None if there is none."""
    return _ask if sys.stdin.isatty() and sys.stderr.isatty() else None


def _ask(rest: list[str]) -> bool:
    print("To go on with this run is to", *(f"  {each}" for each in rest), sep="\n", file=sys.stderr)
    print("as its run.json says. Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _text(value: object) -> str:
    match value:
        case list() | tuple():
            return ",".join(sorted(map(str, value)))
        case Path() | str():
            return str(value)
    return repr(value)
