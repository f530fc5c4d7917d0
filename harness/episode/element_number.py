"""The number by which an observation shows an element, as solvers write it."""

from __future__ import annotations

from harness.actions.result import ErrorCode
from harness.episode.refusal import ActionRefused
from harness.observe.encoding import number_of

_LONGEST = 9
"""Digits of a number."""


def element_number(ref: object) -> int | None:
    """The number that is meant by ``7``, ``'7'``, ``'[7]'``, ``'#7'``, or letters as in ``'G'``; None if it is none."""
    digits = str(ref).strip().strip("[]#")
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST else number_of(digits)


def expect_number(ref: object) -> int:
    """As ``element_number``.

    Raises:
        ActionRefused: it is none.
    """
    number = element_number(ref)
    if number is None:
        raise ActionRefused(ErrorCode.NO_SUCH_ELEMENT, f"{ref!r} is no number of an element")
    return number
