"""The options of programs from outside, and of models with the tools of an MCP server."""

from __future__ import annotations

from dataclasses import dataclass

from harness.browser.box.program_options import BoxOptions, Command, McpServer, Passed
from harness.kit.options.option import kept
from harness.models.asking_options import FieldNames
from harness.models.call_options import ModelCall, PresetChoice, PresetModel


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
