"""How often somebody may fail to log in.

By name and address together, so that nobody guesses a password, and nobody's failures keep the owner of an account out
who comes from another address; and by address alone, so that nobody tries one password with all names.
"""

from __future__ import annotations

import ipaddress
import unicodedata
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from turkle_app.annotation.models import FailedLogin

WINDOW = timedelta(minutes=15)
MOST_BY_NAME = 10
MOST_BY_ADDRESS = 100


def address_of(request: HttpRequest) -> str:
    """Return from where a request comes: what the proxy says, if one is configured; of IPv6 the network."""
    address: str = request.META.get("REMOTE_ADDR", "")
    if settings.TURKLE_ORIGINS:
        # The last one is what our own proxy has seen; those before it are what it was told.
        address = request.headers.get("X-Forwarded-For", address).rpartition(",")[2].strip()
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    # Who has one address of IPv6 has as many as there are in its network.
    return address if known.version == 4 else str(ipaddress.ip_network(f"{known}/64", strict=False))


def begin_attempt(name: str, address: str, most: int = MOST_BY_NAME) -> bool:
    """Note an attempt to log in as failed, before the password is looked at; `forget` it if it was right.

    Args:
        name: That of the account; what is counted and is no log-in has one with a blank, which no account has.
        address: From where, as `address_of` says.
        most: How many may be noted for the name from the address.

    Returns:
        Whether it may be made. One that may not is not noted, so that trying on does not prolong the wait.
    """
    with transaction.atomic():
        start = timezone.now() - WINDOW
        FailedLogin.objects.filter(at__lt=start).delete()
        if FailedLogin.objects.filter(name=_key(name), address=address).count() >= most:
            return False
        if FailedLogin.objects.filter(address=address).count() >= MOST_BY_ADDRESS:
            return False
        FailedLogin.objects.create(name=_key(name), address=address, at=timezone.now())
        return True


def forget(name: str, address: str) -> None:
    """Forget the failures of a name from an address, from which its password has been given now."""
    FailedLogin.objects.filter(name=_key(name), address=address).delete()


def _key(name: str) -> str:
    # As the form reads a name: without blanks around it, and one way of writing for all that look alike.
    return unicodedata.normalize("NFKC", name.replace("\0", "").strip()).strip().casefold()[:150]
