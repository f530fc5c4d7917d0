"""What a run needs and its user should know, looked at before anything is begun: before a folder, a browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.browser.box.program_options import BoxOptions, Programs
from harness.episode.registry import SOLVERS, find_solver
from harness.episode.solver import WrongOptions
from harness.kit.errors import UserError
from harness.kit.options import NamedOption, names_of, options_in, view
from harness.models.call_options import CallOptions, ModelChoice, PresetChoice
from harness.models.client import ModelError
from harness.models.presets import Preset, presets, today
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
        harness.models.presets.ModelRetired: a new run asks a model that is gone, and nobody agreed to that.
        harness.models.readiness.NotReady: a key is not set, a file cannot be used, or nobody listens.
        harness.models.client.MissingExtra: a package is not installed.
        harness.episode.solver.WrongOptions: a limit that cannot be kept.
        harness.kit.errors.UserError: the solver does not begin for a reason of its own.
    """
    solver, options = find_solver(config.solver), config.options
    said = [solver.before_run(options, again=again)]
    looks = config.engine == "local" and not _has_replies(view(CallOptions, options).cache)
    for preset in filter(None, (solver.asks(options), solver.asks_beside(options), _judge(config))):
        said.append(_told_of_model(preset, options, again=again))
        if looks:
            from harness.models.readiness import check_ready  # noqa: PLC0415 - as below

            check_ready(preset, connect=not waits)
    return [each for each in said if each]


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
