"""The names by which Inspect's registry knows what is ours."""

from __future__ import annotations

from typing import TypeVar

from harness.catalog.tasks_folder import NAMESPACE

T = TypeVar("T")


def name_of(what: str) -> str:
    """The name under which something is registered: that of the entry point, by which Inspect finds it, before it."""
    return f"{NAMESPACE}/{what}"


def named_as_given(it: T) -> T:
    """Let Inspect register a function or a class under the very name that it is given.

    Inspect puts the top module before a name where this is an installed package: ``harness``, under which it would look
    for an entry point of that name; in a checkout it puts nothing. Of what is of a module that it does not find, it
    leaves the name as it is. So names, and logs with them, are the same in both.
    """
    it.__module__ = NAMESPACE
    return it
