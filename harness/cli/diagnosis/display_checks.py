"""The X display of ``--input desktop`` and ``--headed``, and the fonts in which pages are shown."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from harness.cli.diagnosis.finding import Look, ask

SCRIPTS = {
    "Latin": "en",
    "Greek": "el",
    "Cyrillic": "ru",
    "Arabic": "ar",
    "Hebrew": "he",
    "Devanagari": "hi",
    "Bengali": "bn",
    "Tamil": "ta",
    "Thai": "th",
    "Chinese": "zh-cn",
    "Japanese": "ja",
    "Korean": "ko",
    "emoji": "und-zsye",
}
"""Script -> a language of it, as fontconfig names it."""
FONTS = "sudo apt-get install fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"
_SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - where X servers have their sockets
_LOCAL = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?")


def check_display() -> Iterator[Look]:
    """A display, or what makes one; and what types text beyond ASCII."""
    missing = [name for name in ("xclip",) if not shutil.which(name)]
    display = os.environ.get("DISPLAY", "")
    if not display and not shutil.which("Xvfb"):
        missing.insert(0, "Xvfb")
    local = _LOCAL.fullmatch(display)
    if missing:
        words = f"{' and '.join(missing)} not there, which --input desktop needs"
        yield Look("display", "warning", words, "`sudo apt-get install xvfb xclip`")
    elif local and not (_SOCKETS / f"X{local[1]}").exists():
        words = f"DISPLAY={display}, where no X server is"
        yield Look("display", "warning", words, "`unset DISPLAY`, so that Xvfb is used, or name a server that runs")
    else:
        yield Look("display", "ok", f"DISPLAY={display}" if display else "none; --input desktop starts Xvfb")


def check_fonts() -> Iterator[Look]:
    """Whether each of the common scripts is in some font."""
    answers = {script: ask(["fc-list", f":lang={language}", "family"]) for script, language in SCRIPTS.items()}
    if None in answers.values():
        words = "fc-list is not there, so that nobody can tell which scripts pages can be shown in"
        yield Look("fonts", "warning", words, "`sudo apt-get install fontconfig`")
        return
    lacking = [script for script, answer in answers.items() if not (answer and answer.ok and answer.text)]
    if lacking:
        words = f"none for {', '.join(lacking)}: such text is shown as boxes"
        yield Look("fonts", "warning", words, f"`{FONTS}`")
    else:
        yield Look("fonts", "ok", f"for {', '.join(SCRIPTS)}")
