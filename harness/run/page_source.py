"""Where the pages of a run that is done again come from: what its user says, and never what the run says."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from harness.browser.browser_choice import visitor_of
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Network
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS
from harness.records.config import InputName, RunConfig
from harness.run.server import own_server


class PagesNotGiven(UserError):
    """A run was made of other files than were given for doing it again; the message says which, and what to give."""


@dataclass(frozen=True)
class PageSource:
    """What pages are made of, and what they reach.

    A run directory may be anybody's. If it could say which files pages are made of, and what they reach, then to look
    at it would be to show a stranger's page any file, and to let it send them away.

    Attributes:
        tasks_dir: The folder of the task folders; None for the bundled tasks.
        overlay: Further facts about them.
        network: What pages reach.
        media: Folder of local copies of outside media.
        require_sandbox: Start no browser without its sandbox.
        input: How actions reach the pages.
    """

    tasks_dir: Path | None = None
    overlay: Path | None = None
    network: Network = "mirror"
    media: Path | None = None
    require_sandbox: bool = False
    input: InputName = "devtools"

    def catalog(self, config: RunConfig) -> Catalog:
        """The tasks.

        Args:
            config: Of the run that is done again.

        Raises:
            PagesNotGiven: the run was made of others, and nobody said that these are to be taken.
            CatalogError: they cannot be used.
        """
        tasks_dir = self.tasks_dir or BUNDLED_TASKS
        if self.tasks_dir is None and config.tasks_dir.absolute() != tasks_dir.absolute():
            raise PagesNotGiven(
                f"the run is of the tasks in {str(config.tasks_dir)!r}: say with --tasks-dir where they are, since no "
                "folder is opened because a run names it"
            )
        if config.overlay and self.overlay is None:
            raise PagesNotGiven(
                f"the run was made with --overlay {str(config.overlay)!r}: give it, too, since no file is read because "
                "a run names it"
            )
        return Catalog(tasks_dir, self.overlay, seeds=config.seeds)

    def differences(self, config: RunConfig) -> str:
        """A sentence on what pages reach other than in the run; empty if nothing."""
        then, now = (config.network, config.media is not None), (self.network, self.media is not None)
        if then == now:
            return ""
        return f"the run was made with {_reach(*then)}, and is done again with {_reach(*now)}: pages may differ"

    def server(self, catalog: Catalog, control_key: str = "") -> AbstractContextManager[str]:
        """A task server for as long as the context lasts; gives its origin.

        Args:
            catalog: The tasks.
            control_key: As of ``own_server``.

        Raises:
            harness.run.server.ServerRefused: it does not start.
        """
        return own_server(
            catalog.tasks_dir, self.overlay, network=self.network, media=self.media, control_key=control_key
        )

    def settings(self, origin: str, config: RunConfig) -> BrowserSettings:
        """Of the browsers."""
        return BrowserSettings(
            origin=origin,
            live_clock=config.live_clock,
            visitor=visitor_of(config.visitor),
            fresh_context=config.fresh_context,
            live=self.network == "live",
            require_sandbox=self.require_sandbox,
            page_tools=config.actions == "page-tools",
        )


def _reach(network: Network, media: bool) -> str:
    return f"--network {network} and {'--media' if media else 'no --media'}"
