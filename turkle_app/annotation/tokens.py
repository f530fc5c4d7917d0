"""Tokens by which a program uses the API in the name of an account: shown once, kept as a hash, revoked at any time."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from turkle_app.annotation.models import Token

PREFIX = "turkbench_"
"""How every token begins, so that people and programs that look for leaked secrets know what they have found."""
_USE_NOTED_EVERY = timedelta(minutes=1)


def make_token(user: User, name: str) -> str:
    """Make a token of an account.

    Args:
        user: In whose name a program acts that has it.
        name: What it is for, for its owner to know.

    Returns:
        The token, which is kept nowhere.
    """
    text = PREFIX + secrets.token_urlsafe(32)
    Token.objects.create(user=user, name=name, digest=_digest(text))
    return text


def user_of_token(text: str) -> User | None:
    """Return whose token it is and note its use; None if it is none, was revoked, or its account is closed."""
    token = Token.objects.select_related("user").filter(digest=_digest(text), user__is_active=True).first()
    if token is None:
        return None
    now = timezone.now()
    if token.last_used is None or now - token.last_used > _USE_NOTED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used=now)
    return token.user


def _digest(text: str) -> str:
    # No salt, and no slow hash: nobody guesses 256 random bits, and a token is looked up by its hash.
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
