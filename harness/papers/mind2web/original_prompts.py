"""The set of prompts ``mind2web-original``: what MindAct's own repository asks, for ``--solver mindact``."""

from __future__ import annotations

from harness.papers.mind2web.mindact.step_requests import ORIGINAL, ORIGINAL_WORDS
from harness.solvers.models.prompt_sets import PromptSet
from harness.solvers.models.prompting import Prompter
from harness.solvers.models.recipe import Recipe


def _unfit(_: Recipe) -> str:
    return f"--prompts {ORIGINAL} is for steps by MindAct: give --solver mindact --preset NAME"


PROMPTS = PromptSet(Prompter, (ORIGINAL_WORDS,), _unfit, retries=0)
