"""What commands print, to readers that may go away."""

from __future__ import annotations

import os
import sys


def print_out(text: str) -> None:
    """Print a line or more; a reader that has seen enough, such as ``head``, may close its end."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Let standard output lead nowhere: Python flushes once more when it ends, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
