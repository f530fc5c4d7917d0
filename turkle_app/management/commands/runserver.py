"""``python manage.py runserver``: Django's development server, which knows whether only this machine reaches it."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

from django.conf import settings
from django.core.management.commands import runserver


class Command(runserver.Command):
    """Serve in one process and at one port, and start again when the code changes."""

    def run(self, **options: Any) -> None:
        """Serve, by the rules of a server that others reach if the address is not of this machine alone."""
        settings.TURKLE_LOOPBACK = _is_loopback(self.addr)  # type: ignore[attr-defined] # set by `handle`
        super().run(**options)

    def on_bind(self, server_port: int) -> None:
        """Say where the accounts are, beside where the server is."""
        super().on_bind(server_port)
        if settings.TURKLE_ANNOTATION:
            name = settings.DATABASES["default"]["NAME"]
            self.stdout.write(
                f"With accounts, in {name}: log in, staff at /admin/, too. TURKLE_ANNOTATION=0 is without."
            )
        else:
            self.stdout.write("Without accounts: migrate and createsuperuser make them, and /admin/.")


def _is_loopback(host: str) -> bool:
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except OSError:  # the server says so itself
        return False
    return all(ipaddress.ip_address(address).is_loopback for address in found)
