from __future__ import annotations

import pytest

from harness.catalog.mirror import standins
from harness.catalog.mirror.mirror import CONTENT_TYPES, MEDIA, SERVICES, stand_in_for


@pytest.mark.parametrize(
    ("url", "stand_in"),
    [
        ("https://assets.crowd.aws/crowd-html-elements.js", "crowd-html-elements.js"),
        ("//someone.example/copy/crowd-html-elements.js?x=1", "crowd-html-elements.js"),
        ("https://s3.amazonaws.com/mturk-public/externalHIT_v1.js", "externalHIT_v1.js"),
        ("http://gd.geobytes.com/gd?after=-1&variables=GeobytesCountry", "geolocation.js"),
        ("http://www.geoplugin.net/javascript.gp", "geolocation.js"),
        ("https://ipinfo.io/json?callback=?", "geolocation.js"),
        ("https://ipinfo.io/json", "geolocation.json"),
        ("https://api.ipify.org?format=json", "geolocation.json"),
        ("https://api.ipify.org", "geolocation.txt"),
        ("https://www.cloudflare.com/cdn-cgi/trace", "geolocation.txt"),
        ("https://someone.example/other.js", ""),
        ("crowd-html-elements.js", ""),
    ],
)
def test_a_stand_in_is_chosen_by_the_kind_of_address(url: str, stand_in: str) -> None:
    assert stand_in_for(url) == stand_in


def test_every_stand_in_that_is_named_is_there() -> None:
    named = {service.stand_in for service in SERVICES} | {MEDIA}
    assert named <= set(standins.PARTS)
    assert all(standins.source(name) and f".{name.rpartition('.')[2]}" in CONTENT_TYPES for name in named)
