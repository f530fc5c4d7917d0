"""How a model is asked: everything that decides its requests beside the page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """One way to ask one model.

    Attributes:
        model: The provider's name of the model.
        protocol: ``field`` or ``form``.
        output: ``text`` (actions are written) or ``tools`` (they are tools of the provider's interface).
        field_names: Whether protocol ``form`` tells the names of the fields.
        encoding: A name of ``harness.observe.ENCODINGS``; ``none`` for pictures alone.
        screenshot: One of ``harness.observe.screenshots.MODES``.
        demos: Demonstrations before the page.
        retries: Further tries after a reply without an action that could be read.
        temperature: Of the sampling; None leaves it to the provider.
        seed: Of the sampling, and of the choice of demonstrations.
        max_input_tokens: Of one request.
        max_output_tokens: Of one reply.
        grammar: Whether replies are held to the grammar of the actions (models in the process only).
        prompts: The set of prompts, a name of ``harness.solvers.models.prompt_sets.PROMPT_SETS``.
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
    seed: int = 0
    max_input_tokens: int = 8_000
    max_output_tokens: int = 512
    grammar: bool = False
    prompts: str = "harness"
