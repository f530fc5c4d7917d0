"""The travel portal, as the registry finds it."""

from __future__ import annotations

from turkle_app.sites.site import Site
from turkle_app.sites.travel.moved import MOVED, PLANTED
from turkle_app.sites.travel.travel_state import make_state

SITE = Site(
    name="travel",
    title="Driftway",
    about="A travel portal: flights and hotels are looked for, booked, changed and given back.",
    urlconf="turkle_app.sites.travel.addresses",
    make_state=make_state,
    variants={MOVED: PLANTED},
)
