"""The options of MindAct and SeeAct as solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.kit.options import option
from harness.models.asking_options import PromptsChoice
from harness.models.call_options import ModelCall, PresetChoice

RANDOM = "random"
ORDER = "order"
LEXICAL = "lexical"
LEARNED = "learned"
CROSS_ENCODER = "cross-encoder"
BI_ENCODER = "bi-encoder"
FLOORS = (RANDOM, ORDER, LEXICAL)
"""They have learned nothing, and need nothing."""
WITH_A_PLACE = (f"{LEARNED}:FILE", f"{CROSS_ENCODER}:DIR", f"{BI_ENCODER}:DIR")
"""As they are asked for, with where they are."""
USUAL = LEXICAL
"""Whose best a model is asked about, unless its user says otherwise."""


@dataclass(frozen=True, kw_only=True)
class Ranking(PresetChoice):
    """Whose likeliest elements which model is asked about."""

    GROUP: ClassVar[str] = "--solver mindact, seeact"

    ranker: str | None = option(
        metavar="NAME",
        help="the ranker that picks the elements for the prompt: lexical (default), learned:FILE, "
        "cross-encoder:DIR or bi-encoder:DIR (turkbench papers mind2web)",
        on_resume="agree",
        consent="rank elements by what is in",
        acts=lambda value: ":" in str(value),
    )


@dataclass(frozen=True, kw_only=True)
class SeeActOptions(ModelCall, Ranking):
    """What can be chosen for ``--solver seeact``."""


@dataclass(frozen=True, kw_only=True)
class MindActOptions(PromptsChoice, SeeActOptions):
    """What can be chosen for ``--solver mindact``."""
