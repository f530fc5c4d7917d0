"""Links by which people choose their password: they work once, for three days, and are shown once."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode


def password_path(user: User) -> str:
    """Return the path of a new link for an account. Every link of theirs is void once a password is chosen."""
    name = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("choose-password", kwargs={"name": name, "token": default_token_generator.make_token(user)})


def user_of(name: str, token: str) -> User | None:
    """Return whose link it is, None if it does not work (any more), or the account is closed."""
    try:
        user = User.objects.get(pk=int(urlsafe_base64_decode(name)), is_active=True)
    except (ValueError, OverflowError, User.DoesNotExist):
        return None
    return user if default_token_generator.check_token(user, token) else None


def accounts_of(email: str) -> list[User]:
    """Return the open accounts with an address of e-mail, in whatever case it is written; none for an empty one."""
    if not email or "\0" in email:
        return []
    return list(User.objects.filter(email__iexact=email, is_active=True, anonymous=None).order_by("pk"))
