"""The box of a solver's program: made of the solver's options, the run that it is in, and what the program is told."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from harness.browser.box.box import Box
from harness.browser.box.hidden_places import HiddenPlaces, hidden_places
from harness.browser.box.isolation import CannotIsolate, Isolation, settled
from harness.browser.box.program_options import BoxOptions
from harness.browser.box.relay import Address
from harness.episode.solver import Setup, WrongOptions
from harness.kit.options import view
from harness.models.call_options import CallOptions


def box_options(options: BoxOptions) -> BoxOptions:
    """The options about the box, looked over and filled in.

    Raises:
        WrongOptions: there can be no such box here, or they cannot be meant so.
    """
    try:
        return settled(options)
    except CannotIsolate as error:
        raise WrongOptions(str(error)) from None


def box_of(setup: Setup) -> Box:
    """The box of a run's programs.

    Raises:
        WrongOptions: it is to show what has to be hidden.
    """
    cache = view(CallOptions, setup.options).cache

    def hidden() -> HiddenPlaces:
        return hidden_places(setup.tasks_dir, setup.folder, setup.overlay, Path(cache) if cache else None)

    try:
        box = Box(Isolation.of(setup.options), hidden)
        box.check()
    except CannotIsolate as error:
        raise WrongOptions(str(error)) from None
    return box


def reach_of(*urls: str) -> tuple[Address, ...]:
    """Where addresses of this machine lead, each once."""
    found = (urlsplit(url) for url in urls)
    return tuple(dict.fromkeys(Address(url.hostname, url.port) for url in found if url.hostname and url.port))
