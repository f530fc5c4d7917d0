"""The shop, as the server knows it."""

from __future__ import annotations

from turkle_app.sites.shop.layouts import CHANGES
from turkle_app.sites.shop.shop_state import make_state
from turkle_app.sites.site import Site

SITE = Site(
    name="shop",
    title="Harbour & Hill",
    about="A shop for home, kitchen and outdoors: search with filters, cart with coupons, checkout in steps, account.",
    urlconf="turkle_app.sites.shop.shop_urls",
    make_state=make_state,
    variants=CHANGES,
)
