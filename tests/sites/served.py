"""The bundled sites, served by this process to a browser that maps their host names to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.wsgi import get_wsgi_application
from django.test import override_settings
from waitress import create_server

from harness.browser.browser_session import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.navigation_policy import NavigationPolicy
from tests.sites.visits import AGENT


@contextmanager
def sites_served() -> Iterator[str]:
    """Serve the sites in agent mode; gives host and port."""
    with override_settings(**AGENT):
        server = create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=4, clear_untrusted_proxy_headers=True)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.effective_port}"
        finally:
            server.close()
            thread.join()


def site_session(name: str, place: str) -> BrowserSession:
    """A browser for a site that is served at a place; it is to be closed."""
    origin = f"http://{name}.test"
    policy = NavigationPolicy((origin,), {f"{name}.test": place})
    return devtools_session(BrowserSettings(f"http://{place}", policy=policy))
