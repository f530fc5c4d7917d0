"""What ends a run as a whole."""

from __future__ import annotations


class Hopeless(Exception):
    """What went wrong would go wrong with every other job, too: nothing further is begun."""


class NothingToDo(Exception):
    """No instance was chosen."""


class CannotResume(Exception):
    """A run cannot be continued; the message says which of its foundations has changed, and what to do."""
