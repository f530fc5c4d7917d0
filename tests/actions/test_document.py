"""docs/reference/action-library.md is what the code makes of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.episode.library import ACTIONS
from harness.episode.library_page import document
from harness.episode.pointer_actions import POINTER_ACTIONS
from harness.episode.site_actions import SITE_ACTIONS

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs" / "reference" / "action-library.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == document(), "write it anew: make docs"


def test_every_action_has_a_section():
    headings = [line for line in document().splitlines() if line.startswith("## `")]
    on_websites = (each for each in SITE_ACTIONS if each not in ACTIONS)
    assert headings == [f"## `{name}`" for name in (*ACTIONS, *on_websites, *POINTER_ACTIONS)]


def test_the_module_prints_the_page():
    command = [sys.executable, "-m", "harness", "document", "actions"]
    printed = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True)
    assert printed.stdout.decode() == document()
