"""Which websites are bundled, and which host names are theirs. A site is imported when it is first asked for."""

from __future__ import annotations

from functools import cache

from django.utils.module_loading import import_string

from turkle_app.sites.site import PEOPLE_DOMAIN, TEST_DOMAIN, Site

SITES = {
    "board": "turkle_app.sites.board.board_site.SITE",
    "miniwob": "turkle_app.sites.miniwob.miniwob_site.SITE",
    "shop": "turkle_app.sites.shop.shop_site.SITE",
    "travel": "turkle_app.sites.travel.travel_site.SITE",
}
"""Name -> dotted path of its ``Site``."""
HOSTS = {f"{name}.{domain}": name for name in SITES for domain in (TEST_DOMAIN, PEOPLE_DOMAIN)}
"""Host name -> name of the site."""


@cache
def find_site(name: str) -> Site | None:
    """Return the site of a name, None if there is none."""
    if name not in SITES:
        return None
    site: Site = import_string(SITES[name])
    return site
