"""The tab of a site that the window shows, asked by an input back end: what is asked may bring another in its place."""

from __future__ import annotations

from typing import Any

from harness.browser.desktop.wheel import RunInPage
from harness.browser.live_page import PageClosed, PageFailed
from harness.browser.site_browser import SiteBrowser


def run_in_front_tab(site: SiteBrowser) -> RunInPage:
    """What calls functions of the in-page library in the current tab of a site.

    It gives None where the document is left, or another tab becomes the current one, before there is an answer: a
    hidden tab has no frames to wait for.
    """

    def run(function: str, *arguments: object) -> Any:
        tab = site.tab
        try:
            number = tab.send_run(function, *arguments)
            tab.channel.wait_until(lambda: site.tab is not tab or tab.channel.are_answered([number]))
            if site.tab is tab:
                return tab.values([number])[0]
        except (PageFailed, PageClosed):
            return None
        tab.channel.drop([number])
        return None

    return run
