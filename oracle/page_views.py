"""Looks at a page that only the oracle takes: what may do something, where words stand, what can be dragged where."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Any

from harness.browser.launch import in_page_script
from harness.episode.probe import Probe

SCRIPTS = ("looks.js", "drawn_controls.js")
"""In-page scripts, in the order in which they are loaded."""


def look(probe: Probe, function: str, *arguments: object) -> Any:
    """What a function of the oracle's in-page scripts tells (``OracleLooks`` in ``scripts/types.d.ts``).

    Args:
        probe: Of the open page.
        function: Its name, e.g. ``pressables``.
        *arguments: Whatever JSON holds.
    """
    probe.load(in_page_script("content"))
    probe.load(_scripts())
    return probe.look(f"oracle.{function}", *arguments)


@lru_cache(maxsize=1)
def _scripts() -> str:
    folder = resources.files("oracle").joinpath("scripts")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
