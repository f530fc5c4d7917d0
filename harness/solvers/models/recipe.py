"""How a model is asked: everything that decides its requests beside the page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

NO_ENCODING = "none"
"""That of a model that is shown pages as pictures alone."""


@dataclass(frozen=True)
class SiteRecipe:
    """What protocol ``site`` can do without, each a part of WebCanvas's agent (Appendix F).

    Attributes:
        planning: ``thought`` (the model thinks before each action, as in ReAct) or ``none``.
        memory: Steps that it is told of again, the last ones; None for all.
        reward: What it is shown to judge its own progress by before each action: ``text``, ``picture``, ``both``; or
            ``none``, and it does not.
        reference: What it is told for that: ``golden`` (how a person did it) or ``none``.
        ocr: Whether what is written in pictures is read and shown with the page's text (AutoWebGLM).
    """

    planning: str = "thought"
    memory: int | None = None
    reward: str = "none"
    reference: str = "none"
    ocr: bool = False


@dataclass(frozen=True)
class Recipe:
    """One way to ask one model.

    Attributes:
        model: The provider's name of the model.
        protocol: ``field`` or ``form``; ``site`` for websites.
        output: ``text`` (actions are written) or ``tools`` (they are tools of the provider's interface).
        field_names: Whether protocol ``form`` tells the names of the fields.
        encoding: A name of ``harness.observe.ENCODINGS``; ``none`` for pictures alone.
        screenshot: One of ``harness.observe.screenshots.MODES``.
        demos: Demonstrations before the page.
        retries: Further tries after a reply without an action that could be read.
        temperature: Of the sampling; None leaves it to the provider.
        likelihoods: Whether to ask how likely each token of a reply was.
        seed: Of the sampling, and of the choice of demonstrations.
        max_input_tokens: Of one request.
        max_output_tokens: Of one reply.
        grammar: Whether replies are held to the grammar of the actions (models in the process only).
        prompts: The set of prompts, a name of ``harness.solvers.models.prompt_sets.PROMPT_SETS``.
        site: What only protocol ``site`` has; None for the others.
        dialect: In which dialect a model uses a computer, a name of ``harness.solvers.models.computer.table.DIALECTS``;
            None for other outputs.
    """

    model: str
    protocol: str = "field"
    output: str = "text"
    field_names: bool = True
    encoding: str = "full"
    screenshot: str = "none"
    demos: int = 0
    retries: int = 1
    temperature: float | None = 0.0
    likelihoods: bool = False
    seed: int = 0
    max_input_tokens: int = 8_000
    max_output_tokens: int = 512
    grammar: bool = False
    prompts: str = "harness"
    site: SiteRecipe | None = None
    dialect: str | None = None

    def to_json(self) -> dict[str, Any]:
        """For ``run.json``: what only websites and computer use have is left out for others."""
        record = asdict(self)
        return {name: value for name, value in record.items() if name not in ("site", "dialect") or value is not None}
