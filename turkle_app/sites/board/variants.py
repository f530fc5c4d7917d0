"""The board's layouts: what things are called in the page, and what a variant has planted."""

from __future__ import annotations

from collections.abc import Mapping

from turkle_app.sites.site import PlantedChange

MOVED = "moved"
"""The variant in which elements are elsewhere, or called otherwise."""
_USUAL: Mapping[str, str] = {
    "nav_forums": "Forums",
    "nav_events": "Events",
    "nav_texts": "Text shelf",
    "nav_members": "Members",
    "nav_messages": "Messages",
    "nav_settings": "Settings",
    "post_reply": "Post reply",
    "next": "Next",
    "back": "Back",
    "save": "Save changes",
    "texts_address": "/texts/",
}
_MOVED: Mapping[str, str] = {
    "nav_messages": "Letters",
    "post_reply": "Send answer",
    "next": "Continue",
    "texts_address": "/shelf/",
    "search_box": "find-input",
    "reply_text": "answer-field",
    "vote_up": "cheer",
    "filter_author": "by-member",
    "filter_forum": "in-forum",
    "next_page": "continue-button",
    "reply_message": "answer-letter",
    "paste_box": "text-input",
}


class Wording:
    """Names and words of a layout: ``wording["reply_text"]`` is an id, a class or a label.

    Args:
        variant: The layout's name; empty for the usual one.
    """

    def __init__(self, variant: str) -> None:
        self._table = {**_USUAL, **_MOVED} if variant == MOVED else _USUAL

    def __getitem__(self, key: str) -> str:
        return self._table.get(key, key.replace("_", "-"))


PLANTED = (
    PlantedChange(kind="renamed", page="/", before="#search-box", after="#find-input"),
    PlantedChange(
        kind="relabelled",
        page="/",
        before="nav.mine a[href='/messages/']:not([title])",
        after="nav.mine a[href='/messages/'][title]",
        text="Letters",
    ),
    PlantedChange(
        kind="reordered",
        page="/",
        before="nav.mine li:last-child > a[href='/settings/']",
        after="nav.mine li:first-child > a[href='/settings/']",
    ),
    PlantedChange(
        kind="readdressed", page="/", before="nav.main a[href='/texts/']", after="nav.main a[href='/shelf/']"
    ),
    PlantedChange(
        kind="moved",
        page="/thread/1003/",
        before=".thread-head form.follow button",
        after=".thread-foot form.follow button",
    ),
    PlantedChange(
        kind="renamed", page="/thread/1003/", before="#p100302 button.vote-up", after="#p100302 button.cheer"
    ),
    PlantedChange(
        kind="moved",
        page="/thread/1021/",
        before="#p102103 .post-tools > a.report",
        after="#p102103 .post-more a.report",
    ),
    PlantedChange(kind="renamed", page="/thread/1017/", before="#reply-text", after="#answer-field"),
    PlantedChange(
        kind="relabelled",
        page="/thread/1017/",
        before="#reply-form button.primary:not([data-new])",
        after="#reply-form button.primary[data-new]",
        text="Send answer",
    ),
    PlantedChange(kind="renamed", page="/search/", before="#filter-author", after="#by-member"),
    PlantedChange(kind="renamed", page="/search/", before="#filter-forum", after="#in-forum"),
    PlantedChange(
        kind="reordered",
        page="/settings/",
        before="[role=tablist] > #tab-appearance:last-child",
        after="[role=tablist] > #tab-appearance:first-child",
    ),
    PlantedChange(
        kind="moved",
        page="/settings/?tab=notifications",
        before="#panel-notifications .form-foot button",
        after="#panel-notifications .form-head button",
    ),
    PlantedChange(
        kind="reordered",
        page="/moderation/",
        before="#report-73 .decisions > label:first-of-type [value=keep]",
        after="#report-73 .decisions > label:last-of-type [value=keep]",
    ),
    PlantedChange(
        kind="renamed",
        page="/apply/moderator/1/",
        before="#next-page",
        after="#continue-button",
        text="Continue",
    ),
    PlantedChange(kind="renamed", page="/messages/501/", before="#reply-message", after="#answer-letter"),
    PlantedChange(
        kind="renamed",
        page="/texts/new/",
        before="#paste-box",
        after="#text-input",
        page_after="/shelf/new/",
    ),
)
"""What is different in the variant ``moved``: an old trace runs into each of these where it passes."""
