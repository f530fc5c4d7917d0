"""How an episode has left its pages: where it stands in the end, and what is read on pages that its task names."""

from __future__ import annotations

from collections.abc import Sequence

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.site_browser import SiteBrowser
from harness.catalog.site_facts import Look
from harness.episode.trajectory import Trajectory
from harness.records.site_record import LeftPages, ReadPlace
from harness.records.texts import named


def look_at_what_is_left(browser: SiteBrowser, looks: Sequence[Look], trajectory: Trajectory) -> LeftPages:
    """Read the page that was left in front, and then the pages with addresses of their own, in its tab.

    Nothing that a task says is run: what is read is a selector and one of a few properties. No solver sees these pages,
    and what opening them sets off is no moment of the episode.

    Args:
        browser: As the solver has left it.
        looks: Where to look; the page that was left comes first, whatever their order.
        trajectory: Takes what is read as a text.

    Returns:
        Where the episode stands, and what was read, in the order of ``looks``.

    Raises:
        harness.browser.wire.BrowserGone: the browser died.
    """
    url, shown = browser.tab.url, ""
    read: dict[Look, ReadPlace] = {}
    for look in sorted(looks, key=lambda each: each.place(url)):
        try:
            place = look.place(url)
            if place and shown != place:
                browser.open(place)
                shown = place
            said = browser.run("left.read", look.css, look.number, look.reads, look.attribute)
        except (PageFailed, CommandFailed) as error:
            shown = ""
            read[look] = ReadPlace(look=look, url=look.place(url) or url, why=str(error))
            continue
        name, text = named(said)
        trajectory.texts[name] = text
        read[look] = ReadPlace(look=look, url=browser.tab.url, text=name)
    return LeftPages(url=url, read=tuple(read[look] for look in looks))
