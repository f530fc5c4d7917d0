"""The options of solvers: models, programs from outside, and what others have done.

They stand apart from the solvers, so that a command line is read without these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.browser.box.program_options import BoxOptions, Command, McpServer, Passed
from harness.kit.arguments import existing
from harness.kit.options import kept, option
from harness.models.asking_options import Asking, FieldNames, SiteAsking
from harness.models.call_options import CallOptions, ModelCall, ModelChoice, PresetChoice, PresetModel, RequestOptions


@dataclass(frozen=True, kw_only=True)
class ModelOptions(CallOptions, RequestOptions, SiteAsking, Asking, ModelChoice):
    """What can be chosen for a preset that fills in pages."""


@dataclass(frozen=True, kw_only=True)
class AssistantOptions(FieldNames, BoxOptions, Passed, Command):
    """What can be chosen for ``--solver command``, and for ``--solver mcp`` with ``--command``."""


@dataclass(frozen=True, kw_only=True)
class LoopOptions(FieldNames, BoxOptions, Passed, McpServer, ModelCall, PresetChoice, PresetModel):
    """What can be chosen for ``--solver mcp`` with ``--preset``.

    Runs of before ``--preset`` have the preset as ``model``, and the model as ``model_id``.
    """


@dataclass(frozen=True, kw_only=True)
class McpOptions(LoopOptions, AssistantOptions):
    """What can be chosen for ``--solver mcp``."""


@dataclass(frozen=True, kw_only=True)
class SocketOptions(FieldNames):
    """Of the page that ``turkbench page mcp`` serves."""

    socket: str | None = kept()


@dataclass(frozen=True, kw_only=True)
class OfflineOptions:
    """What can be chosen for ``--solver offline``."""

    GROUP: ClassVar[str] = "recorded answers"

    predictions: str | None = option(
        takes=existing,
        metavar="FILE",
        help="file of recorded outputs, for --solver offline",
        on_resume="agree",
        consent="take answers from the file",
    )
    predictions_sha256: str | None = kept()


@dataclass(frozen=True, kw_only=True)
class HumanOptions:
    """What can be chosen for ``--solver human``."""

    GROUP: ClassVar[str] = OfflineOptions.GROUP

    answers: str | None = option(
        takes=existing,
        metavar="FILE",
        help="results file of people's answers, for --solver human",
        on_resume="agree",
        consent="take people's answers from the file",
    )
    annotator: str | None = option(metavar="NAME", help="whose answers are played, for --solver human")
    answers_sha256: str | None = kept()
