"""One task on a website for whoever is outside, with nothing around it but a server and a browser; then evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.reaper import BrowserReaper
from harness.browser.sandbox import NO_SANDBOX
from harness.catalog import Catalog
from harness.catalog.task import Instance
from harness.episode.play_site import play_site
from harness.episode.solver import AnySolver
from harness.records.config import RunConfig
from harness.run.browsers import browser_settings
from harness.run.plan import policy_of, web_reach
from harness.run.server import task_server
from harness.run.site_control import new_key
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode
from harness.sites.kind import SITES
from harness.sites.site_labels import SiteLabelSide
from harness.sites.site_player import prepare_site


def attend_site(
    config: RunConfig, catalog: Catalog, instance: Instance, solver: AnySolver, note: Callable[[str], None]
) -> InstanceScore:
    """Open an instance's website, let the solver wait for whoever works there, and evaluate what happened.

    Args:
        config: How the site is shown, and how long it may be worked on.
        catalog: Has the task.
        instance: The instance.
        solver: Waits.
        note: Is told what the user should know.

    Raises:
        harness.catalog.problems.CatalogError: it is on the web, or asked for in a way that websites do not know.
        harness.run.server.ServerRefused: the task server cannot be started.
        harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
        harness.browser.launch.NoBrowser: no browser can be started.
        harness.browser.wire.BrowserGone, harness.browser.channel.CommandFailed,
        harness.browser.browser.PageFailed: the browser was lost, or the site cannot be opened in it.
    """
    task = catalog.task(instance.task)
    SITES.check(config, task)
    if task.site and not task.site.site:
        note(web_reach(task.site.origins))
    key, texts = new_key(), dict[str, str]()
    store = SiteLabelSide(config, key, texts.get)
    with (
        BrowserReaper() as reaper,  # should this process be killed, it ends the browser
        task_server(config, lambda: catalog.set_fingerprint(catalog.names()), control_key=key) as origin,
    ):
        settings = replace(browser_settings(config, origin), scratch=reaper.folder, announce=reaper.watch_me)
        with _session(replace(settings, policy=policy_of(task, origin)), reaper) as session:
            if session.browser.sandbox == "off":
                note(NO_SANDBOX)
            assignment = store.begin(task, instance, origin)
            prepare_site(session, assignment)
            played, trajectory = play_site(session, solver, assignment.work_item, config.limits)
        texts.update(trajectory.texts)
        return score_episode(store.finish(assignment, played), PROFILES[config.metrics])


@contextmanager
def _session(settings: BrowserSettings, reaper: BrowserReaper) -> Iterator[BrowserSession]:
    session = devtools_session(settings)
    try:
        yield session
    finally:
        session.input.close()
        session.browser.close()
    reaper.forget(session.browser.process_group)
