"""What a user chooses of how a model is asked about a page: the words, what it is shown, what it has to write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.kit.arguments import folder, whole
from harness.kit.options import option
from harness.kit.registry import registry
from harness.models.call_options import ModelChoice, RequestOptions

FORM_PROTOCOLS = ("field", "form")
PROTOCOLS = (*FORM_PROTOCOLS, "site")
OUTPUTS = ("text", "tools", "computer")
PROMPTS = tuple(registry("prompts"))
PLANNING = ("thought", "none")
REWARDS = ("none", "text", "picture", "both")
REFERENCES = ("none", "golden", "written")


@dataclass(frozen=True, kw_only=True)
class ProtocolChoice:
    """In how many requests a page is worked on."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    protocol: str | None = option(
        choices=PROTOCOLS,
        help="how a model is asked: field is one request per field, form is a loop over the whole "
        "form, site is one step at a time on a website (default there)",
    )


@dataclass(frozen=True, kw_only=True)
class FieldNames:
    """What is told of a form beside the page."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    field_names: bool | None = option(
        help="list the fields in the prompt; --no-field-names is the open-ended variant of form"
    )


@dataclass(frozen=True, kw_only=True)
class PromptsChoice:
    """In which words a model is asked."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    prompts: str | None = option(
        choices=PROMPTS,
        help="the set of prompts: our own (harness for forms, site for websites), or after the paper "
        "of that name; NAME-original uses the paper's exact words, which turkbench papers "
        "prompts downloads",
    )


@dataclass(frozen=True, kw_only=True)
class Asking(PromptsChoice, FieldNames, ProtocolChoice):
    """How a model is asked about a page."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    output: str | None = option(
        choices=OUTPUTS,
        help="how the model writes actions: as text, as the provider's tool calls, or as computer use by pixels",
    )
    encoding: str | None = option(metavar="NAME", help="encoding of the page as text; none sends pictures only")
    vision: bool | None = option(help="also show the page as a picture", changes="nothing")
    screenshot: str | None = option(metavar="MODE", help="kind of picture: viewport, full, element or marks")
    demos: int | None = option(
        takes=whole, metavar="K", help="number of demonstrations in the prompt, from other tasks of the train split"
    )
    demos_from: str | None = option(
        takes=folder,
        metavar="DIR",
        help="folder of task folders from whose train split demonstrations come (default: that of the run)",
        on_resume="agree",
        consent="take demonstrations from the tasks in",
    )
    retries: int | None = option(
        takes=whole, metavar="N", help="how often the model is asked again after a reply that cannot be read"
    )


@dataclass(frozen=True, kw_only=True)
class SiteAsking:
    """What only protocol ``site`` has."""

    GROUP: ClassVar[str] = "models on websites"

    planning: str | None = option(
        choices=PLANNING, help="thought: think before each action (default); none: act at once"
    )
    memory: int | None = option(takes=whole, metavar="N", help="number of past steps in the prompt (default: all)")
    reward: str | None = option(
        choices=REWARDS,
        help="have a model judge after each step whether the task is done, and end the episode if so; "
        "it sees the page as text, as a picture, or both (default: none)",
    )
    reward_model: str | None = option(
        metavar="NAME",
        help="the model that judges progress for --reward: a preset, or another model of the same "
        "provider (default: the model that acts)",
    )
    reference: str | None = option(
        choices=REFERENCES,
        help="what that judge is told: golden is how a person did the task and by what it is scored, "
        "so such a run does not compete with others; written is the same in a model's words, "
        "from turkbench papers webcanvas golden (default: none)",
    )
    ocr: bool | None = option(
        help="read text in pictures and show it with the page's text; for --encoding autowebglm and "
        "autowebglm-forms (needs the extra ocr)"
    )


@dataclass(frozen=True, kw_only=True)
class PresetChange(RequestOptions, Asking, ModelChoice):
    """What changes a preset, see ``harness.models.presets.resolve``."""
