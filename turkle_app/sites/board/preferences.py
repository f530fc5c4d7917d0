"""The reader's settings: four tabs, what each holds, and how they begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turkle_app.sites.board.blanks import Blank

TABS = {"profile": "Profile", "privacy": "Privacy", "notifications": "Notifications", "appearance": "Appearance"}
"""Tab -> how it is called."""
OCCASIONS = {
    "reply": "A reply in a thread that I follow",
    "mention": "Somebody quotes me",
    "vote": "A vote for one of my posts",
    "message": "A private message",
    "event": "A new event",
    "report": "A report in a forum that I look after",
}
"""What one can be told of: the rows of the matrix."""
CHANNELS = {"board": "On the board", "mail": "By mail", "digest": "Weekly digest"}
"""How one can be told: its columns."""

BLANKS: Mapping[str, tuple[Blank, ...]] = {
    "profile": (
        Blank(name="shown", label="Display name", least=3, most=30, needed=True),
        Blank(name="town", label="Town", most=40, help="Leave it empty to keep it to yourself."),
        Blank(name="about", label="About me", kind="long", most=300),
        Blank(name="signature", label="Signature", most=80, help="Stands below each of your posts."),
    ),
    "privacy": (
        Blank(name="show_online", label="Show when I am online", kind="switch"),
        Blank(name="show_votes", label="Show others what I voted for", kind="switch"),
        Blank(name="in_member_list", label="List me among the members", kind="switch"),
        Blank(
            name="messages_from",
            label="Who may send me messages",
            kind="choice",
            options=(("everyone", "Everyone"), ("followed", "Members whom I follow"), ("nobody", "Nobody")),
            needed=True,
        ),
    ),
    "appearance": (
        Blank(
            name="theme",
            label="Theme",
            kind="radio",
            options=(("light", "Light"), ("dark", "Dark"), ("sepia", "Sepia")),
            needed=True,
        ),
        Blank(
            name="per_page",
            label="Posts on a page",
            kind="choice",
            options=(("10", "10"), ("20", "20"), ("50", "50")),
            needed=True,
        ),
        Blank(name="show_signatures", label="Show signatures", kind="switch"),
        Blank(name="large_text", label="Larger text", kind="switch"),
    ),
}
"""Tab -> what is asked there; that of notifications is a matrix."""


def first_settings(shown: str, town: str, about: str, signature: str) -> dict[str, Any]:
    """Return the settings with which an episode begins."""
    return {
        "profile": {"shown": shown, "town": town, "about": about, "signature": signature},
        "privacy": {"show_online": True, "show_votes": False, "in_member_list": True, "messages_from": "everyone"},
        "notifications": {
            occasion: {"board": True, "mail": occasion in {"reply", "mention", "message"}, "digest": False}
            for occasion in OCCASIONS
        },
        "appearance": {"theme": "light", "per_page": "10", "show_signatures": True, "large_text": False},
    }
