"""The browser context that our pages are in: its storage and its network are no other page's."""

from __future__ import annotations

from harness.browser.channel import Channel, Params
from harness.browser.flags import proxying
from harness.browser.launch import BrowserSettings


class OwnContext:
    """A browser context, or the browser's own as long as none was made.

    In a browser that others use, too, it ends with our connection to that browser, however that ends. Where the flags
    of that browser are its owner's, it has the network of ours alone.

    Attributes:
        name: By which DevTools knows it; empty for the browser's own.
    """

    def __init__(self, root: Channel, settings: BrowserSettings) -> None:
        """Of the browser at the other end of ``root``."""
        self._root = root
        self._is_shared = settings.is_shared
        self._asked: Params = {"disposeOnDetach": True} if settings.is_shared else {}
        if settings.is_attached:
            server, exceptions = proxying(settings.origin, settings.policy, live=settings.live)
            self._asked |= {"proxyServer": server, "proxyBypassList": exceptions}
        self.name = ""

    def begin(self) -> str:
        """Make a context that nothing was ever in; gives the name of the one before, which is to be thrown away."""
        before, self.name = self.name, self._root.call("Target.createBrowserContext", **self._asked)["browserContextId"]
        if self._is_shared:
            self._root.call("Browser.setDownloadBehavior", behavior="deny", browserContextId=self.name)
        return before

    def renew(self) -> tuple[str, str]:
        """Make a context that nothing was ever in.

        Returns:
            The id of an empty page in it, and the name of the context before, which is to be thrown away.
        """
        before = self.begin()
        created = self._root.call("Target.createTarget", url="about:blank", browserContextId=self.name)
        return created["targetId"], before

    def throw_away(self, name: str) -> None:
        """End a context with its pages; nothing for the browser's own."""
        if name:
            self._root.call("Target.disposeBrowserContext", browserContextId=name)

    def holds(self, target: Params) -> bool:
        """Whether a target (``Target.TargetInfo``) is one of ours: in a browser of our own all are."""
        return not self._is_shared or target.get("browserContextId") == self.name

    @property
    def place(self) -> Params:
        """What names it in commands that are for one context."""
        return {"browserContextId": self.name} if self._is_shared else {}
