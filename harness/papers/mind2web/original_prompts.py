"""The set of prompts ``mind2web-original``: what MindAct's own repository asks, for ``--solver mindact``."""

from __future__ import annotations

from harness.papers.mind2web.mindact.step_requests import ORIGINAL_WORDS
from harness.solvers.models.prompt_sets import PromptSet
from harness.solvers.models.prompting import Prompter

PROMPTS = PromptSet(
    Prompter, (ORIGINAL_WORDS,), retries=0, actions=(), needs=lambda _: ("--solver mindact --preset NAME",)
)
