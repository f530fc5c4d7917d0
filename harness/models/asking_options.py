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
        help="one request for each field, a loop over the form, or steps on a website (default there)",
    )


@dataclass(frozen=True, kw_only=True)
class FieldNames:
    """What is told of a form beside the page."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    field_names: bool | None = option(
        help="tell the model which fields there are; --no-field-names is the open-ended variant of form"
    )


@dataclass(frozen=True, kw_only=True)
class PromptsChoice:
    """In which words a model is asked."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    prompts: str | None = option(
        choices=PROMPTS,
        help="in which words and order: ours, or as TurkingBench asked; on websites ours (site), or as WebCanvas or "
        "AutoWebGLM asked; -original: in the words that turkbench papers prompts took from a paper's repository",
    )


@dataclass(frozen=True, kw_only=True)
class Asking(PromptsChoice, FieldNames, ProtocolChoice):
    """How a model is asked about a page."""

    GROUP: ClassVar[str] = ModelChoice.GROUP

    output: str | None = option(
        choices=OUTPUTS,
        help="actions as text, as the provider's tool calls, or as those of a computer that shows pixels alone",
    )
    encoding: str | None = option(metavar="NAME", help="how the page is shown as text; none for pictures alone")
    vision: bool | None = option(help="show the page as a picture, too, or not at all", changes="nothing")
    screenshot: str | None = option(metavar="MODE", help="which picture: viewport, full, element or marks")
    demos: int | None = option(takes=whole, metavar="K", help="demonstrations, from other tasks of the train split")
    demos_from: str | None = option(
        takes=folder,
        metavar="DIR",
        help="a folder of task folders, whose train split they come from (default: the tasks' own)",
        on_resume="agree",
        consent="take demonstrations from the tasks in",
    )
    retries: int | None = option(takes=whole, metavar="N", help="further tries after a reply that cannot be read")


@dataclass(frozen=True, kw_only=True)
class SiteAsking:
    """What only protocol ``site`` has."""

    GROUP: ClassVar[str] = "models on websites"

    planning: str | None = option(choices=PLANNING, help="think before each action (default), or act at once")
    memory: int | None = option(takes=whole, metavar="N", help="steps that the model is told of again (default: all)")
    reward: str | None = option(
        choices=REWARDS,
        help="what the model is shown to judge its own progress by after each step, which ends its work when it finds "
        "it finished (default: none)",
    )
    reward_model: str | None = option(
        metavar="NAME",
        help="who judges that progress: a preset, or another model of the same provider (default: the model that acts)",
    )
    reference: str | None = option(
        choices=REFERENCES,
        help="what it is told for that: golden is how a person did the task and what it is judged by, which no "
        "competitor is told; written is that in a model's words, by turkbench papers webcanvas golden (default: none)",
    )
    ocr: bool | None = option(
        help="read what is written in pictures, and show it with the page's text: with --encoding autowebglm or "
        "autowebglm-forms (needs the extra ocr)"
    )


@dataclass(frozen=True, kw_only=True)
class PresetChange(RequestOptions, Asking, ModelChoice):
    """What changes a preset, see ``harness.models.presets.resolve``."""
