"""The community board as one of the bundled sites."""

from __future__ import annotations

from turkle_app.sites.board.state import BoardState
from turkle_app.sites.board.variants import MOVED, PLANTED
from turkle_app.sites.site import Site

SITE = Site(
    name="board",
    title="The Mending Bench",
    about="A community board: forums, votes, messages, moderation, events and a shelf of texts.",
    urlconf="turkle_app.sites.board.urls",
    make_state=BoardState,
    variants={MOVED: PLANTED},
)
