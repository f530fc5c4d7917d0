"""MiniWoB++, as the registry finds it."""

from __future__ import annotations

from turkle_app.sites.miniwob.pages_folder import make_state
from turkle_app.sites.site import Site

SITE = Site(
    name="miniwob",
    title="MiniWoB++",
    about="Small pages, each with an instruction and a reward of its own. They have to be fetched.",
    urlconf="turkle_app.sites.miniwob.miniwob_urls",
    make_state=make_state,
)
