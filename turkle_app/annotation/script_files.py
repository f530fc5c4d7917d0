"""Our own scripts that stand in a sheet, among a stranger's; those of people's pages are in ``script/``."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "sheet_scripts"


def script_text(name: str) -> str:
    """Return the text of one of the scripts of sheets, by its name without the ending.

    Raises:
        FileNotFoundError: If there is no such script.
    """
    return (_FOLDER / f"{name}.js").read_text(encoding="utf-8")
