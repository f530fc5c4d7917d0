"""A task server with a control, and a browser for one of its sites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.run.plan import site_policy
from harness.run.server import own_server
from harness.run.site_control import SiteControl, new_key
from harness.sites.maintenance import trace_walk


@dataclass(frozen=True)
class Stage:
    """What a trace is walked through on.

    Attributes:
        session: The browser.
        control: Of the server.
    """

    session: BrowserSession
    control: SiteControl


@contextmanager
def impatient() -> Iterator[None]:
    """A context in which no trace waits for elements: on sites of tests they are there as soon as a page is at rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace_walk, "PATIENCE_MS", 100)
        yield


@contextmanager
def staged(tasks_dir: Path, site: str) -> Iterator[Stage]:
    """Serve a folder, with a browser for one bundled site, for as long as the context lasts."""
    key = new_key()
    with own_server(tasks_dir, None, control_key=key) as origin:
        policy = site_policy((f"http://{site}.test",), origin, bundled=True)
        session = devtools_session(BrowserSettings(origin, policy=policy))
        try:
            yield Stage(session, SiteControl(origin, key))
        finally:
            session.input.close()
            session.browser.close()
