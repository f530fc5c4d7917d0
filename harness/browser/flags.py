"""What Chromium is told when it starts: flags, and the preferences of its empty profile."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from harness.browser.browser_choice import FORM, NavigationPolicy, split_origin

UNWANTED = (
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    # Pages of the browser's own for its address bar, which agents from outside would find beside theirs.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # After a press a page's own timers would wait for the next frame, behind what the next action does.
    "DeferRendererTasksAfterInput",
    # A page that is asked for again while it loads is to be loaded again.
    "IgnoreDuplicateNavs",
    "Prewarm",
    # A page that is left is to end, locks and workers included. To be put aside for a step back costs time, too.
    "BackForwardCache",
    # A process kept ready for the next site: of each context one, and hardly any page goes to another site.
    "SpareRendererForSitePerProcess",
)
"""Features of Chromium that are switched off."""

_ONE_FRAME = "RenderDocument"
"""A frame of its own for each document: without it opening a page costs a fifth less. But then the listeners of a page
are not told of the turns of a display's wheel that follow closely on turns over the page before."""

PIPE = "--remote-debugging-pipe"
"""Speak DevTools over a pipe and listen at no port."""

# Without the background flags every start stalls on look-ups that a closed network refuses.
FLAGS = (
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-smooth-scrolling",
    "--disable-search-engine-choice-screen",
    "--force-device-scale-factor=1",
    "--disable-blink-features=StorageBuckets,SharedWorker",
    "--hide-scrollbars",
    "--lang=en-US",
    "--allow-pre-commit-input",  # a press before the first frame would be dropped
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    # A window that another one covers goes on drawing: presses wait for its frames.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    # Else of the links that are scripts 200 run in ten seconds, and no more: a matter of the solver's speed.
    "--disable-ipc-flooding-protection",
    # A page that eats memory loses its process at this many megabytes of script objects, before the machine does.
    "--js-flags=--max-old-space-size=1024",
    # No bar over the page that says by which flags it was started.
    "--test-type",
    PIPE,
)

ONE_PAGE = "--block-new-web-contents"
"""What the browser of a form has beside: it opens no second page."""

PAGE_TOOLS = "--enable-features=WebMCP"
"""What lets pages offer tools of their own: the draft WebMCP of the W3C's Web Machine Learning Community Group."""

AGENT_PLACES = ("page", "media", "asset")
"""First parts of the paths that the browser may go to: pages, and in their frames media and mirrored files."""


def without_features(*, is_seen: bool) -> str:
    """The flag that switches features off.

    Args:
        is_seen: Whether the window is on a display.
    """
    return "--disable-features=" + ",".join(UNWANTED if is_seen else (*UNWANTED, _ONE_FRAME))


def open_addresses(origin: str) -> tuple[str, ...]:
    """What addresses begin with that the browser may go to; it refuses all others."""
    return ("about:blank", *(f"{origin}/{place}" for place in AGENT_PLACES))


def is_blocked(url: str, origin: str, policy: NavigationPolicy = FORM) -> bool:
    """Whether the browser would show an error in place of an address, as far as this can be told by its spelling.

    Args:
        url: As somebody has written it.
        origin: The one from which pages come.
        policy: Of a site its origins take that one's place.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    # Of what is no address, the browser says so itself; its list is silent of these schemes.
    if parts.scheme in ("", "about", "blob", "javascript") or (parts.scheme in ("http", "https") and not parts.netloc):
        return False
    return not (policy.allows(url) if policy.is_site else parts.geturl().startswith(open_addresses(origin)))


def proxying(origin: str, policy: NavigationPolicy = FORM, *, live: bool) -> tuple[str, str]:
    """A proxy that is not there, and the exceptions: all requests go to it, or with ``live`` those to this machine.

    Excepted are the one origin, or of a site the origins that this machine serves; with ``live`` requests of a site
    reach its own origins on the web, too, and nothing else there. A refused connection fails at once;
    a look-up on a closed network takes seconds. The implicit exception for loopback addresses is switched off by
    ``<-loopback>``: other ports here are outside as well. Of the exceptions the last one that fits decides.

    Args:
        origin: E.g. ``http://127.0.0.1:8000``.
        policy: Where tabs may go.
        live: Whether pages may reach the network.

    Returns:
        The proxy, and the list of hosts for which it is not used.
    """
    reached = _places(policy) if policy.is_site else ["*"]
    served = _places(policy, on_this_machine=True) if policy.is_site else [urlsplit(origin).netloc]
    return "http://127.0.0.1:1", ";".join([*(reached if live else []), "<-loopback>", *served])


def confinement(origin: str, policy: NavigationPolicy = FORM, *, live: bool) -> list[str]:
    """Flags that keep requests from all that pages are not to reach; the arguments are those of ``proxying``."""
    server, exceptions = proxying(origin, policy, live=live)
    # Names of this machine that do not count as loopback.
    rules = ["MAP 0.0.0.0 ~NOTFOUND", "MAP [::] ~NOTFOUND"]
    rules += [f"MAP {host} {place}" for host, place in policy.hosts.items()]
    return [
        f"--proxy-server={server}",
        f"--proxy-bypass-list={exceptions}",
        f"--host-resolver-rules={', '.join(rules)}",
    ]


def _places(policy: NavigationPolicy, *, on_this_machine: bool = False) -> list[str]:
    """Host and port of the origins of a site, all or those that are served on this machine."""
    split = filter(None, map(split_origin, policy.origins))
    return [f"{host}:{port}" for _, host, port in split if host in policy.hosts or not on_this_machine]


def _filter(origin: str) -> str:
    """An origin as the browser's lists have it: with a dot before the host, since they take in its subdomains else."""
    found = split_origin(origin)
    if found is None:
        raise ValueError(f"{origin!r} is no origin of the web")
    scheme, host, port = found
    return f"{scheme}://.{host}:{port}"


def preferences(origin: str, policy: NavigationPolicy = FORM) -> dict[str, Any]:
    """The profile's ``Preferences``. Navigation is refused by the browser itself but for agent pages of the origin.

    Args:
        origin: The one from which pages come.
        policy: Of a site its origins take that one's place.
    """
    places = ("about:blank", *map(_filter, policy.origins)) if policy.is_site else open_addresses(origin)
    return {
        "policy": {
            "url_blocklist": ["*", "chrome://*", "devtools://*", "about:*"],
            "url_allowlist": list(places),
        },
        "alternate_error_pages": {"enabled": False},
        "autofill": {"enabled": False, "profile_enabled": False, "credit_card_enabled": False},
        "browser": {"check_default_browser": False},
        "credentials_enable_service": False,
        "dns_prefetching": {"enabled": False},
        "profile": {
            "password_manager_enabled": False,
            # Else a page may ask that its storage be kept, and the answer stays.
            "default_content_setting_values": {"durable_storage": 2},
        },
        # What a shortcut or a menu of the browser could still write: nothing is saved, nothing printed.
        "download_restrictions": 3,
        "printing": {"enabled": False},
        "safebrowsing": {"enabled": False},
        "search": {"suggest_enabled": False},
        "translate": {"enabled": False},
    }


LOCAL_STATE = {
    "background_mode": {"enabled": False},
    "ssl": {"rev_checking": {"enabled": False}},
    # No dialog that chooses a file to read or to write.
    "select_file_dialogs": {"allowed": False},
}
"""The profile's ``Local State``."""
