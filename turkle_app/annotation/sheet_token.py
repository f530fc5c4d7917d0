"""The name of a sheet: an assignment's number, signed, so that whoever has one can reach that one sheet alone.

A correction has a name of its own, which says how many came before it: so each takes answers once.
"""

from __future__ import annotations

import re

from django.core.signing import BadSignature, Signer

_SALT = "turkle_app.annotation.sheet"
_NAME = re.compile(r"(\d{1,18})(?:-(\d{1,9}))?", re.ASCII)


def sheet_token(assignment_id: int, correction: int | None = None) -> str:
    """Return what stands for an assignment in the address of its sheet.

    Args:
        assignment_id: The assignment's number.
        correction: How many corrections of it there are, if it is to be corrected once more; else None.
    """
    return _signer().sign(str(assignment_id) if correction is None else f"{assignment_id}-{correction}")


def sheet_of(token: str) -> tuple[int, int | None] | None:
    """Return the assignment's number and correction that a token was made for, None if it was not made here."""
    try:
        found = _NAME.fullmatch(_signer().unsign(token))
    except BadSignature:
        return None
    return found and (int(found[1]), None if found[2] is None else int(found[2]))


def _signer() -> Signer:
    return Signer(salt=_SALT, sep=".")
