"""Who is asking: the account behind a request of a view whose audience are workers or staff."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest


def person(request: HttpRequest) -> User:
    """Return the account of who is logged in.

    Raises:
        TypeError: If nobody is: the view lacks its audience.
    """
    if not isinstance(request.user, User):
        raise TypeError("nobody is logged in where only workers and staff come")
    return request.user
