"""Whether the programs that the desktop needs are there."""

from __future__ import annotations

import shutil

from harness.browser.launch import find_programs

MISSING = [name for name in ("Xvfb", "xclip") if not shutil.which(name)]
if not all(find_programs()):
    MISSING.append("chromium with chromedriver")
