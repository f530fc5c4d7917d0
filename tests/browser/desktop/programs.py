"""Whether the programs that the desktop needs are there."""

from __future__ import annotations

import shutil

from harness.browser.launch import find_browser

MISSING = [name for name in ("Xvfb", "xclip") if not shutil.which(name)]
if not find_browser():
    MISSING.append("chromium")
