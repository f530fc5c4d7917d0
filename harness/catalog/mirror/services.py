"""Which addresses our own stand-ins answer for: told by the kind of address, whatever the task."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.catalog.mirror.addresses import key

# The script that shows a placeholder for pictures, videos and frames that script asks for.
MEDIA = "media.js"

CONTENT_TYPES = {".js": "text/javascript; charset=utf-8", ".json": "application/json", ".txt": "text/plain"}


@dataclass(frozen=True)
class ReplacedService:
    """Addresses that a stand-in answers for.

    Attributes:
        address: What their `addresses.key` looks like.
        stand_in: The stand-in.
    """

    address: re.Pattern[str]
    stand_in: str


# Services that tell a page where its reader is.
_PLACES = r"""(?:[\w-]+\.)*(?:geobytes\.com|geoplugin\.net|geoiplookup\.(?:net|io)|freegeoip\.(?:net|app|io)|ipinfo\.io
    |ip-api\.(?:com|io)|ipapi\.(?:co|com)|ipstack\.com|geojs\.io|get\.geojs\.io|ipify\.org|ipdata\.co|db-ip\.com
    |smart-ip\.net|hostip\.info|ipgeolocation\.io|ipwhois\.app|ipwho\.is|ipregistry\.co|extreme-ip-lookup\.com|telize\.com
    |jsonip\.com|icanhazip\.com|l2\.io|geoip-db\.com|geolocation-db\.com)"""


def _service(pattern: str, stand_in: str) -> ReplacedService:
    return ReplacedService(re.compile(pattern, re.VERBOSE | re.IGNORECASE), stand_in)


# The first that matches counts.
SERVICES = (
    _service(r".*/crowd-html-elements[\w.-]*\.js(?:\?.*)?", "crowd-html-elements.js"),
    _service(r".*/externalHIT_v1(?:\.min)?\.js(?:\?.*)?", "externalHIT_v1.js"),
    _service(r"[^/]+/cdn-cgi/trace", "geolocation.txt"),
    _service(
        r"(?:api(?:\d|64)?\.)?ipify\.org/(?:\?format=text)?|(?:ipv4\.)?icanhazip\.com/|ipinfo\.io/ip", "geolocation.txt"
    ),
    # A script that sets variables, or calls the function that its address names.
    _service(_PLACES + r"/(?:[^?]*\.(?:js|gp)|gd)(?:\?.*)?", "geolocation.js"),
    _service(_PLACES + r"/.*[?&](?:callback|jsonp|jsoncallback|cb)=.*", "geolocation.js"),
    _service(r"j\.maxmind\.com/app/.*|l2\.io/.*|(?:www\.)?google\.com/jsapi(?:\?.*)?", "geolocation.js"),
    _service(_PLACES + r"/.*", "geolocation.json"),
)


def stand_in_for(url: str) -> str:
    """Return the name of the stand-in that answers for an address; "" if none does."""
    plain = key(url)
    if not plain:
        return ""
    return next((service.stand_in for service in SERVICES if service.address.fullmatch(plain)), "")
