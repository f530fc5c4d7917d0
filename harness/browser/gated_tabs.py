"""What programs may do with the tabs of a site; see ``harness.browser.gate.reachable_page.TabAccess``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harness.browser.channel import Params
from harness.browser.launch import BrowserSettings
from harness.browser.tab import Tab

MOST_TABS = 20
"""Tabs that are open at once."""


class HasTabs(Protocol):
    """A browser with tabs."""

    settings: BrowserSettings

    @property
    def tabs(self) -> Sequence[Tab]:
        """Those that are open."""

    @property
    def context(self) -> str:
        """The browser context that they are in."""

    def use(self, target: str) -> None:
        """Take the tab of a page for the current one."""


class GatedTabs:
    """The tabs of a browser, for programs."""

    def __init__(self, browser: HasTabs) -> None:
        self._browser = browser

    def page_parameters(self) -> Params:
        """See ``TabAccess``."""
        return {"browserContextId": self._browser.context}

    def reason_against_tab(self, url: str) -> str:
        """See ``TabAccess``."""
        if len(self._browser.tabs) >= MOST_TABS:
            return f"there are {MOST_TABS} tabs already"
        policy = self._browser.settings.policy
        return "" if policy.allows(url) else f"the task may visit {', '.join(policy.origins)} only"

    def reason_against_closing(self, target: str) -> str:
        """See ``TabAccess``."""
        others = [tab for tab in self._browser.tabs if tab.target != target]
        return "" if others else "it is the only tab, which stays open"

    def use(self, target: str) -> None:
        """See ``TabAccess``."""
        self._browser.use(target)
