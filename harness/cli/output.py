"""What commands print, to readers that may go away."""

from __future__ import annotations

import io
import os
import select
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


def output_is_broken() -> bool:
    """Whether nobody reads standard output any more."""
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except io.UnsupportedOperation:  # it is no file
        return False
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
