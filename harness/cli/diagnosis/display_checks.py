"""The X display of ``--input desktop`` and ``--headed``, fonts, and whether there is room to write files."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.cli.diagnosis.checks import Look, ask
from harness.kit.files.writing import cache_folder

LITTLE, TOO_LITTLE = 2_000_000_000, 100_000_000
"""Bytes below which a folder is warned of, and below which no run comes to its end."""
LITTLE_SHARED = 256_000_000
"""Bytes of shared memory below which browsers crash on large pages."""
SHARED = Path("/dev/shm")  # noqa: S108 - where Linux has it


def check_space() -> Iterator[Look]:
    """The cache, temporary files, shared memory, and the folder of runs."""
    yield _folder("cache", cache_folder(), "let XDG_CACHE_HOME name a folder that can be written")
    yield _folder("TMPDIR", Path(tempfile.gettempdir()), "let TMPDIR name a folder that can be written")
    yield _folder("runs", Path.cwd(), "start commands in a folder that can be written, or give --out")
    if SHARED.is_dir():
        yield _folder(str(SHARED), SHARED, "mount it, or start the container with --shm-size=1g", LITTLE_SHARED, 0)


def _folder(what: str, folder: Path, remedy: str, little: int = LITTLE, too_little: int = TOO_LITTLE) -> Look:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        return Look(what, "problem", f"{folder} cannot be written", remedy)
    try:
        with tempfile.TemporaryFile(dir=there):
            free = shutil.disk_usage(there).free
    except OSError as error:
        return Look(what, "problem", f"{folder} cannot be written: {error.strerror}", remedy)
    words = f"{folder}, {free / 1e9:.1f} GB free"
    if free < too_little:
        return Look(what, "problem", words, "make room")
    if free < little:
        return Look(what, "warning", words, "make room" if folder != SHARED else remedy)
    return Look(what, "ok", words)


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
