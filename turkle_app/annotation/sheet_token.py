"""The name of a sheet: an assignment's number, signed, so that whoever has one can reach that one sheet alone."""

from __future__ import annotations

from django.core.signing import BadSignature, Signer

_SALT = "turkle_app.annotation.sheet"


def sheet_token(assignment_id: int) -> str:
    """Return what stands for an assignment in the address of its sheet."""
    return _signer().sign(str(assignment_id))


def assignment_of(token: str) -> int | None:
    """Return the number of the assignment that a token was made for, None if it was not made here."""
    try:
        return int(_signer().unsign(token))
    except BadSignature:
        return None


def _signer() -> Signer:
    return Signer(salt=_SALT, sep=".")
