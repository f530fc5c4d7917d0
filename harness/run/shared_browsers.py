"""The process by which the workers of a run share browsers, and which runs can have it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from harness.browser.input_back_end import BrowserSession, SessionMaker
from harness.browser.launch import BrowserSettings
from harness.browser.shared_browser import SharedBrowser, serve
from harness.catalog.problems import CatalogError
from harness.episode.registry import find_solver
from harness.records.config import RunConfig
from harness.run.forked import PROCESSES, live_with
from harness.run.task_kind import task_kind

STOP_SECONDS = 20.0
"""How long browsers may take to end."""


def check_sharing(config: RunConfig) -> None:
    """Make sure that workers can share browsers, if a run asks for it.

    Args:
        config: Of the run, with the kind of its tasks.

    Raises:
        CatalogError: what else was asked for does not go with it.
    """
    if config.pages_per_browser == 1:
        return
    for is_asked, what in (
        (task_kind(config.kind).sets_sites, "it is for forms: where a website may go is a matter of the whole browser"),
        (config.input != "devtools", f"--input {config.input} has a browser for each worker"),
        (config.headed, "--headed: pages that share a window would cover each other"),
        (config.browser_place != "here", "it is for browsers that are started here"),
        (
            find_solver(config.solver).drives_itself,
            f"--solver {config.solver} lets a program drive the browser, which would be that of others, too",
        ),
    ):
        if is_asked:
            raise CatalogError(f"--pages-per-browser: {what}; leave one of them out.")


@contextlib.contextmanager
def shared_browsers(make_session: SessionMaker, places: int) -> Iterator[SessionMaker]:
    """A context in which sessions are in browsers that they share; gives what makes them, in processes forked within.

    Args:
        make_session: What makes a session in a browser.
        places: How many share one.
    """
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    parent = os.getpid()

    def be_switchboard() -> None:
        ours.close()
        live_with(parent)
        serve(theirs, places)

    process = PROCESSES.Process(target=be_switchboard)
    process.start()
    theirs.close()

    def make(settings: BrowserSettings) -> BrowserSession:
        return make_session(replace(settings, join=partial(SharedBrowser, ours)))

    try:
        yield make
    finally:
        ours.close()
        process.join(STOP_SECONDS)
        process.kill()  # browsers that are still there have reapers of their own
        process.join()
