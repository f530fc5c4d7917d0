"""The settings of a script: a TOML file, and what is to be otherwise on the command line."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any


def settings_of(arguments: list[str]) -> dict[str, Any]:
    """The settings: a TOML file, and ``name=value`` behind it for each that is to be another.

    ``table.name=value`` is one in a table.
    """
    if not arguments:
        sys.exit("name the file with the settings, such as sft.toml; docs/how-to/training.md tells of it")
    settings = tomllib.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    for each in arguments[1:]:
        path, _, value = each.partition("=")
        *tables, name = path.split(".")
        place = settings
        for table in tables:
            place = place.get(table, {})
        if name not in place:
            sys.exit(f"{path}: {arguments[0]} has no such setting; there are {', '.join(settings)}")
        place[name] = value if isinstance(place[name], str) else tomllib.loads(f"value = {value}")["value"]
    return settings
