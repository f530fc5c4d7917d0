"""Shows the first page of each task in a browser, and remembers what was found there."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import TracebackType

from harness.browser.browser import Browser, PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.form.inventory import PageFacts, TaskInventory, inspect_page
from harness.browser.form.submission import NoForm
from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.page_inspection import load
from harness.browser.site_browser import SiteBrowser
from harness.browser.wire import BrowserGone
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance, Task
from harness.datasets.visits.shown import MediaFound, Shown, shown
from harness.episode.site_assignment import site_assignment
from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.writing import cache_folder, write_json
from harness.run.plan import policy_of
from harness.run.progress import Progress
from harness.run.server import own_server, page_url
from harness.run.site_control import SiteControl, SiteControlRefused, new_episode, new_key
from harness.sites.site_player import prepare_site


class SiteElsewhere(UserError):
    """A task whose website does not come with the harness; nobody looks at the web for a picture."""


class SiteVisitor:
    """Opens first pages of websites, one after another.

    A browser is started for the first of them, and another one where a task may visit other origins.
    """

    def __init__(self, settings: BrowserSettings, control_key: str) -> None:
        """Prepare.

        Args:
            settings: Of browsers; their origin is that of the task server.
            control_key: That the server was started with.
        """
        self._settings = settings
        self._control = SiteControl(settings.origin, control_key)
        self._session: BrowserSession | None = None
        self._episode = ""

    def open(self, task: Task) -> SiteBrowser:
        """Show the page that the first instance of a task begins at.

        Args:
            task: On a website.

        Returns:
            The browser that shows it, until the next is opened.

        Raises:
            SiteElsewhere: it is not on a bundled one.
            harness.run.site_control.SiteControlRefused: the site cannot be set.
            harness.browser.browser.PageFailed: the page cannot be shown.
            harness.browser.wire.BrowserGone: the browser died.
            harness.browser.launch.NoBrowser: none can be started.
        """
        assignment = site_assignment(task, task.pages[0], 0)
        if not assignment.setting.site:
            raise SiteElsewhere(f"its website is not bundled, and is not visited: {assignment.facts.start}")
        session = self._session_for(task)
        self._forget()
        episode = new_episode()
        self._control.begin(episode, assignment.setting)
        self._episode = episode
        prepare_site(session, replace(assignment, episode=episode))
        session.site.open(assignment.facts.start)
        return session.site

    def end(self) -> None:
        """End the browser."""
        if self._session:
            self._session.browser.close()
        self._session = None

    def _session_for(self, task: Task) -> BrowserSession:
        policy = policy_of(task, self._settings.origin)
        if self._session is None or self._session.browser.settings.policy != policy:
            self.end()
            self._session = devtools_session(replace(self._settings, policy=policy))
        return self._session

    def _forget(self) -> None:
        if self._episode:
            self._control.end(self._episode)
        self._episode = ""


class CannotBeShown(UserError):
    """A page that no browser could show or read; the message says why."""


@dataclass(frozen=True)
class Visit:
    """One look at the first page of a task.

    Attributes:
        shown: What is on it.
        png: A picture of it from top to bottom; None if none was asked for.
    """

    shown: Shown
    png: bytes | None = None


class PageVisitor:
    """Looks at first pages, one after another; a context.

    What was found is kept in the user's cache: the fields in the inventory that runs use, the rest beside it; of
    websites nothing, since their pages are the server's. A browser is started when a page has to be opened, and another
    one after it was lost.
    """

    def __init__(self, origin: str, outside: Outside, *, control_key: str = "", require_sandbox: bool = False) -> None:
        """Prepare.

        Args:
            origin: Of a task server in agent mode that serves the tasks.
            outside: What its pages get from outside.
            control_key: That the server was started with; without it bundled websites cannot be shown.
            require_sandbox: Start no browser without its sandbox.
        """
        self._settings = BrowserSettings(origin, require_sandbox=require_sandbox)
        self.outside = outside
        self._browser: Browser | None = None
        self._sites = SiteVisitor(self._settings, control_key)

    def __enter__(self) -> PageVisitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def visit(self, task: Task, *, picture: bool = False) -> Visit:
        """Look at the first page of a task.

        Args:
            task: One of those that are served.
            picture: Whether to take a picture of it.

        Raises:
            CannotBeShown: the page cannot be shown or read.
            harness.browser.launch.NoBrowser: no browser can be started.
        """
        if task.site:
            return self._visit_site(task, picture=picture)
        page = task.pages[0]
        inventory = TaskInventory.load(task, live_clock=False, outside=self.outside.template_hash(task))
        facts, kept = inventory.get(page.id), _media_file(inventory, page)
        media, png = _read(kept), None
        try:
            if media is None or picture:
                media, png = self._look(page, picture=picture)
                _keep(kept, media)
            if facts is None:
                facts = inspect_page(self._open_browser(), page_url(self._settings.origin, page))
                _learn(inventory, page, facts)
        except (PageFailed, BrowserGone, CommandFailed, NoForm) as error:
            self._end()
            raise CannotBeShown(" ".join(str(error).split()) or type(error).__name__) from error
        return Visit(shown(task, facts.fields, media), png)

    def _visit_site(self, task: Task, *, picture: bool) -> Visit:
        try:
            browser = self._sites.open(task)
            return Visit(shown(task, (), _media(browser)), browser.picture(full_page=True) if picture else None)
        except (PageFailed, BrowserGone, CommandFailed, SiteControlRefused, SiteElsewhere) as error:
            self._sites.end()
            raise CannotBeShown(" ".join(str(error).split()) or type(error).__name__) from error

    def _look(self, page: Instance, *, picture: bool) -> tuple[MediaFound, bytes | None]:
        browser = self._open_browser()
        browser.open(page_url(self._settings.origin, page))
        return _media(browser), browser.picture(full_page=True) if picture else None

    def _open_browser(self) -> Browser:
        if self._browser is None:
            self._browser = Browser(self._settings)
        return self._browser

    def _end(self) -> None:
        if self._browser:
            self._browser.close()
        self._browser = None
        self._sites.end()


def _media(browser: Browser) -> MediaFound:
    load(browser, _script())
    return codec.typed(browser.run("media.find"), MediaFound)


@lru_cache(maxsize=1)
def _script() -> str:
    return (files(__package__) / "scripts" / "media.js").read_text(encoding="utf-8")


def _media_file(inventory: TaskInventory, page: Instance) -> Path:
    """Where is kept what a page shows: under the name of the task's inventory, which says all that it depends on."""
    looked_by = hashlib.sha256(_script().encode()).hexdigest()[:8]
    return cache_folder() / "media-found" / f"{inventory.file.stem}-{page.id}-{looked_by}.json"


def _read(file: Path) -> MediaFound | None:
    try:
        return codec.decode(file.read_bytes(), MediaFound)
    except (OSError, codec.Malformed):
        return None


def _keep(file: Path, media: MediaFound) -> None:
    with contextlib.suppress(OSError):  # which costs the next look its time, and this one nothing
        write_json(file, codec.plain(media))


def _learn(inventory: TaskInventory, page: Instance, facts: PageFacts) -> None:
    with contextlib.suppress(OSError):  # as above
        inventory.add(page.id, facts)


Look = Callable[[str], tuple[Shown | None, str]]
"""Task -> what a browser found on its first page; or None, and why nothing was found."""


@contextlib.contextmanager
def visitor_of(
    catalog: Catalog, overlay: Path | None, *, media: Path | None = None, require_sandbox: bool = False
) -> Iterator[PageVisitor]:
    """Someone who can visit the tasks of a catalog, for as long as the context lasts.

    Args:
        catalog: The tasks.
        overlay: Further facts about them, as the catalog was given them.
        media: A folder with local copies of remote media; None for none.
        require_sandbox: Start no browser without its sandbox.

    Raises:
        harness.run.server.ServerRefused: the tasks cannot be served.
        harness.catalog.mirror.store.MirrorError: the mirror cannot be read.
    """
    outside, key = Outside("mirror", media), new_key()
    with (
        own_server(catalog.tasks_dir, overlay, media=media, control_key=key) as origin,
        PageVisitor(origin, outside, control_key=key, require_sandbox=require_sandbox) as visitor,
    ):
        yield visitor


@contextlib.contextmanager
def looks(catalog: Catalog, visitor: PageVisitor, progress: Progress) -> Iterator[Look]:
    """A look at each task, for as long as the context lasts; a page that cannot be shown is told and passed over.

    Args:
        catalog: The tasks.
        visitor: Shows their pages.
        progress: Is told how far it is.
    """

    def look(name: str) -> tuple[Shown | None, str]:
        try:
            found, why = visitor.visit(catalog.task(name)).shown, ""
        except CannotBeShown as error:
            found, why = None, str(error)
            progress.note(f"{name!r} cannot be shown: {error}")
        progress.advance(None, None)
        return found, why

    progress.start("pages", len(catalog.names()))
    try:
        yield look
    finally:
        progress.finish()


def not_looking(_: str) -> tuple[None, str]:
    """The look of nobody."""
    return None, ""
