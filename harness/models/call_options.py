"""What a user chooses of a model: which, how its requests are made, and what its calls may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.kit.arguments import absolute, money, whole
from harness.kit.options import kept, option


@dataclass(frozen=True, kw_only=True)
class ModelChoice:
    """Which model is asked, and where."""

    GROUP: ClassVar[str] = "the model"

    model: str | None = option(
        metavar="ID",
        help="another model of the preset's provider; for local: a GGUF file",
        on_resume="agree",
        first=True,
    )
    base_url: str | None = option(
        metavar="URL", help="address of a server that speaks the provider's protocol", on_resume="agree"
    )
    retired_anyway: bool | None = option(
        help="ask a model even if its provider has shut it down, e.g. because capacity is reserved "
        "for you (default: ask the model that the provider recommends in its place)",
        changes="called",
        on_resume="free",
    )


@dataclass(frozen=True, kw_only=True)
class PresetModel(ModelChoice):
    """Which model is asked, where ``model`` is the name of a preset, and ``model_id`` the model itself."""

    model_id: str | None = kept()


@dataclass(frozen=True, kw_only=True)
class AskedPreset(PresetModel):
    """The same as arguments: ``--preset`` is the preset, ``--model`` another model of its provider."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    model: str | None = option(flag="preset", metavar="NAME", help="preset of the model")
    model_id: str | None = option(
        flag="model", metavar="ID", help="another model of the preset's provider; for local: a GGUF file"
    )


@dataclass(frozen=True, kw_only=True)
class PresetChoice:
    """The preset of a solver that is not called as one."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    preset: str | None = option(metavar="NAME", help="preset of the model, for --solver mindact, seeact and mcp")


@dataclass(frozen=True, kw_only=True)
class RequestOptions:
    """How a request is made."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    temperature: float | None = option(metavar="T", help="sampling temperature")
    likelihoods: bool | None = option(
        help="record the mean log-likelihood of each reply's tokens; --solver local and servers of "
        "OpenAI's chat protocol give it (docs/how-to/replacing.md)"
    )
    max_input_tokens: int | None = option(
        takes=whole, metavar="N", help="most tokens of a request; the page is cut to fit"
    )
    max_output_tokens: int | None = option(takes=whole, metavar="N", help="most tokens of a reply")


@dataclass(frozen=True, kw_only=True)
class Budget:
    """What all calls of a model may take together."""

    GROUP: ClassVar[str] = "limits and cost of models"

    max_cost: float | None = option(
        takes=money,
        metavar="USD",
        help="most dollars that the whole run may cost; episodes that remain end with the outcome limit",
        changes="spent",
        on_resume="raise",
        first=True,
    )
    max_tokens: int | None = option(
        takes=whole,
        metavar="N",
        help="most tokens of the whole run, sent and received",
        changes="spent",
        on_resume="raise",
    )


@dataclass(frozen=True, kw_only=True)
class CallOptions(Budget):
    """How a model is called, which changes none of its replies."""

    concurrency: int | None = option(
        takes=whole, metavar="N", help="calls in parallel", changes="called", on_resume="raise"
    )
    tokens_per_minute: int | None = option(
        takes=whole, metavar="N", help="most tokens per minute, sent and received", changes="called"
    )
    call_timeout: float | None = option(metavar="SECONDS", help="most seconds for one call", changes="called")
    cache: str | None = option(
        takes=absolute,
        metavar="DIR",
        help="folder of saved replies, which runs can share (default: a folder in the run)",
        changes="called",
        on_resume="agree",
        consent="take replies from, and write them into, the folder",
        private=True,
    )


@dataclass(frozen=True, kw_only=True)
class ModelCall(CallOptions, RequestOptions, ModelChoice):
    """All that decides how one model is called."""
