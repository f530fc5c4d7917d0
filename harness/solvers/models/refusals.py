"""Why a model cannot be asked as its user wants it: options that do not go together, in the words of their flags."""

from __future__ import annotations

from importlib.util import find_spec

from harness.kit.files.installation import installing
from harness.kit.options import flags, given, view
from harness.models.asking_options import OUTPUTS, PLANNING, PROTOCOLS, REFERENCES, REWARDS, SiteAsking
from harness.models.presets import Preset
from harness.observe import ENCODINGS, lettered
from harness.observe.picture_texts import LIBRARY
from harness.observe.screenshots import MODES
from harness.solvers.models.computer.table import DIALECTS
from harness.solvers.models.prompt_sets import why_unfit
from harness.solvers.models.recipe import NO_ENCODING, Recipe
from harness.solvers.solver_options import ModelOptions


def refusal(recipe: Recipe, options: ModelOptions) -> str | None:
    """Why a model cannot be asked so; None if it can."""
    checks = [
        ("--protocol", recipe.protocol, PROTOCOLS),
        ("--output", recipe.output, OUTPUTS),
        ("--encoding", recipe.encoding, (*ENCODINGS, NO_ENCODING)),
        ("--screenshot", recipe.screenshot, MODES),
    ]
    for flag, value, known in checks:
        if value not in known:
            return f"{flag} {value}: there are {', '.join(known)}"
    if options.vision is False and options.screenshot not in (None, "none"):
        return "--no-vision and --screenshot: give one of them"
    if options.vision and options.screenshot == "none":
        return "--vision and --screenshot none: give one of them"
    if recipe.protocol != "field" and recipe.screenshot == "element":
        return (
            f"--screenshot element shows one field: it needs --protocol field; for {recipe.protocol} there is viewport"
        )
    if recipe.protocol != "form" and not recipe.field_names:
        return "--no-field-names needs --protocol form: the other asks for each field by its name"
    if options.demos_from and not recipe.demos:
        return "--demos-from: no demonstrations are asked for; give --demos, too"
    if recipe.grammar and recipe.output == "tools":
        return "a model in the process writes its actions as text: leave --output tools out"
    if recipe.grammar and recipe.screenshot != "none":
        return "a model in the process sees no pictures: leave --vision out"
    return why_unfit(recipe)


def refusal_of_site(recipe: Recipe, options: ModelOptions, judge: Preset) -> str | None:
    """Why a model cannot be asked so about websites; None if it can, and for forms.

    Args:
        recipe: How it is asked.
        options: What its user chose.
        judge: The model that judges progress, where one does.
    """
    site = recipe.site
    if site is None:
        of_sites = given(view(SiteAsking, options))
        return f"{flags(of_sites)}: for websites only" if of_sites else None
    checks = [
        ("--planning", site.planning, PLANNING),
        ("--reward", site.reward, REWARDS),
        ("--reference", site.reference, REFERENCES),
    ]
    for flag, value, known in checks:
        if value not in known:
            return f"{flag} {value}: there are {', '.join(known)}"
    if site.ocr and not ENCODINGS[recipe.encoding].lettered:
        names = " or ".join(lettered())
        return f"--ocr: --encoding {recipe.encoding} does not tell what pictures say: give --encoding {names}"
    if site.ocr and find_spec(LIBRARY) is None:
        return f"--ocr: RapidOCR is not installed; install it with: {installing('ocr')}"
    if recipe.demos:
        return f"--demos {recipe.demos}: there are no demonstrations of websites"
    if options.reward_model and site.reward == "none":
        return f"--reward-model {options.reward_model} judges the progress of the work: give --reward, too"
    if site.reference != "none" and site.reward == "none":
        return f"--reference {site.reference} is told to a model that judges its progress: give --reward, too"
    if site.reward in ("text", "both") and recipe.encoding == NO_ENCODING:
        return f"--reward {site.reward} shows the page as text: give --encoding"
    if site.reward in ("picture", "both") and (judge.pictures is False or judge.provider == "local"):
        return f"--reward {site.reward}: {judge.model} takes no pictures; there is --reward text"
    return None


def refusal_of_computer(recipe: Recipe, options: ModelOptions, preset: Preset) -> str | None:
    """Why a model cannot be asked to use a computer so; None if it can."""
    if recipe.protocol == "field":
        return "--protocol field: a model that uses a computer works on the whole form; leave --protocol out"
    if recipe.dialect is None or DIALECTS[recipe.dialect].provider != preset.provider:
        return (
            f"--output computer: how {recipe.model} uses a computer over the provider {preset.provider} is not known; "
            "the presets for it are in docs/how-to/computer-use.md"
        )
    if options.vision is False or (options.screenshot or "viewport") != "viewport":
        return "--output computer shows the screen, and nothing else: leave --vision and --screenshot out"
    if options.demos or (recipe.protocol == "form" and options.encoding not in (None, NO_ENCODING)):
        return "--output computer shows the screen, and nothing else: leave --encoding and --demos out"
    of_sites = given(view(SiteAsking, options))
    return f"{flags(of_sites)}: not with --output computer" if of_sites else None
