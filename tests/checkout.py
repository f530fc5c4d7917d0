"""Where the checkout is that the tests belong to, and the published data beside it, on machines that have them."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def _beside(variable: str, name: str) -> Path:
    """A folder that a variable of the environment names, else one beside the checkout."""
    return Path(os.environ.get(variable) or PROJECT.parent / "shared" / name)


TURKINGBENCH = _beside("TURKINGBENCH_DIR", "turkingbench")
PAPERS = _beside("PAPERS_DIR", "papers")
PEERS = _beside("PEERS_DIR", "peers")
"""Data of WebCanvas, Online-Mind2Web, Mind2Web and AutoWebGLM, a folder each."""
CASES = _beside("CASES_DIR", "cases")
"""Inputs that were rebuilt from reports of users of such tools, a folder for each kind."""
