"""Whether a model can be asked, as far as that can be known before it is: package, key, file, and who listens."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit

from harness.kit.errors import UserError
from harness.models.client import RequestRefused
from harness.models.presets import Preset
from harness.models.providers.local import model_file
from harness.models.providers.provider_table import PROVIDERS, check_client
from harness.models.providers.surroundings import proxy_of

PATIENCE = 2.0
"""Seconds in which a connection has to come about, the look-up of the name included."""
_PORTS = {"https": 443, "socks4": 1080, "socks5": 1080, "socks5h": 1080}


class NotReady(UserError):
    """A model cannot be asked; the message says what is missing and what to do."""


def check_ready(preset: Preset, *, connect: bool = True) -> None:
    """See that a model can be asked. Nothing is sent, and no provider's library is imported.

    Whether somebody listens is asked of a server of one's own, or of the proxy on the way to any; a provider's own
    address is left alone.

    Args:
        preset: The model.
        connect: Whether it is tried if somebody listens.

    Raises:
        NotReady: its key is not set, its file cannot be used, or nobody listens.
        harness.models.client.MissingExtra: a package is not installed.
    """
    try:
        check_client(preset.provider, base_url=preset.base_url, api_key_env=preset.api_key_env)
        if preset.provider == "local":
            model_file(preset.model)
    except RequestRefused as error:
        raise NotReady(str(error)) from None
    if connect:
        _check_listener(preset)


def _check_listener(preset: Preset) -> None:
    address = preset.base_url or PROVIDERS[preset.provider].address
    if proxy := proxy_of(address) if address else "":
        if why := _refusal(proxy):
            raise NotReady(f"nobody listens at {proxy}, the proxy that the environment names ({why})")
    elif preset.base_url and (why := _refusal(preset.base_url)):
        raise NotReady(
            f"nobody listens at {preset.base_url} ({why}): start the model's server there, or give its address with "
            "--base-url"
        )


def _refusal(address: str) -> str:
    """Why there is no connection with an address; empty if there is one."""
    parts = urlsplit(address)
    place = (parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 80))
    found = [f"no connection within {PATIENCE:g} s"]

    def connect() -> None:
        try:
            with contextlib.closing(socket.create_connection(place, PATIENCE)):
                found[0] = ""
        except OSError as error:
            found[0] = error.strerror or str(error)

    # In a thread, since the look-up of a name knows no time-out.
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return found[0]
