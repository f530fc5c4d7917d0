"""The model that an export asks: its options on the command line, and the service that they mean."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness.kit.arguments import money
from harness.kit.errors import UserError
from harness.models.client import ModelError, today
from harness.models.presets import Preset, UnknownPreset, WrongPreset, resolve
from harness.models.service import ModelService, open_service


def add_asked_model(parse: argparse._ActionsContainer) -> None:
    """Add the options that say more of a preset."""
    parse.add_argument("--model", metavar="ID", help="another model of the preset's provider")
    parse.add_argument("--base-url", metavar="URL", help="address of a server that speaks the provider's protocol")
    parse.add_argument("--max-cost", type=money, metavar="USD", help="the most that all answers together may cost")


def asked_model(name: str, arguments: argparse.Namespace, folder: Path) -> tuple[Preset, ModelService]:
    """The preset with what the command line changes in it, and what asks it.

    Args:
        name: Of the preset.
        arguments: With the options of ``add_asked_model``; ``temperature``, ``max_output_tokens`` and ``seed`` count
            where they are there.
        folder: Where replies are kept, so that nothing is asked twice.

    Raises:
        UserError: there is no such preset, or it cannot be asked so.
    """
    wanted = ("model", "base_url", "temperature", "max_output_tokens", "max_cost")
    options = {each: getattr(arguments, each, None) for each in wanted}
    try:
        preset = resolve(name, options)
        if said := preset.news(today(), agreed=True):
            print(said, file=sys.stderr)
        return preset, open_service(preset, options, folder, seed=getattr(arguments, "seed", 0))
    except (UnknownPreset, WrongPreset, ModelError, ValueError) as error:
        raise UserError(str(error)) from None
