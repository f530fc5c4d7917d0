"""A task on a website done once more in a browser, and what was done as a demonstration in Mind2Web's form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.browser.input_back_end import BrowserSession
from harness.browser.network_log import NetworkLog
from harness.browser.page_inspection import as_mhtml
from harness.browser.site_browser import SiteBrowser
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.integrations.exports.http_archive import http_archive
from harness.integrations.exports.site_again import Does, ShownTask, done_again, website_of
from harness.integrations.exports.step_taker import StepTaker
from harness.papers.mind2web.demonstrations.demonstration import Demonstration, domain_of

ARCHIVE = "network.har"


@dataclass(frozen=True)
class KeptOfPages:
    """What is kept beside the HTML of pages.

    Attributes:
        mhtml: Each step's page as one file that browsers open.
        pictures: What the screen shows of it, as PNG.
        har: Of each demonstration, what was asked of servers and what they answered, as an HTTP archive.
    """

    mhtml: bool = False
    pictures: bool = False
    har: bool = False

    def files(self, browser: SiteBrowser, name: str) -> dict[str, bytes]:
        """The files of the page that is shown.

        Args:
            browser: Shows it.
            name: Of the files, without their endings.
        """
        kept = {f"{name}.mhtml": as_mhtml(browser.tab)} if self.mhtml else {}
        return kept | ({f"{name}.png": browser.picture()} if self.pictures else {})


@dataclass(frozen=True)
class Demonstrated:
    """What came of doing a task once more.

    Attributes:
        demonstration: The demonstration; None if there is none.
        why: Why there is none.
        left_out: Action -> how often it was done, which has no element and so is no step.
        files: What is kept beside the demonstration, by path in a folder.
    """

    demonstration: Demonstration | None = None
    why: str = ""
    left_out: Counter[str] = field(default_factory=Counter)
    files: Mapping[str, bytes] = field(default_factory=dict)


def demonstrated(
    session: BrowserSession, shown: ShownTask, does: Does, control_key: str, keep: KeptOfPages
) -> Demonstrated:
    """Do a task, and take down what is done to elements.

    Args:
        session: A browser that may visit the task's sites.
        shown: What is demonstrated.
        does: Does it.
        control_key: Opens what sets the bundled sites.
        keep: What is kept of pages.

    Raises:
        harness.run.site_control.SiteControlRefused: the site cannot be set.
        harness.browser.wire.BrowserGone: the browser died.
    """
    files: dict[str, bytes] = {}

    def made(browser: SiteBrowser, act: SiteActions, _: SiteAssignment) -> StepTaker:
        return StepTaker(browser, act, shown.id, lambda uid: files.update(keep.files(browser, f"{shown.id}/{uid}")))

    logs: list[NetworkLog] = []

    def begin_log() -> None:
        if keep.har:
            logs.append(session.site.log_network())

    done = done_again(session, shown, does, control_key, made, on_cleared=begin_log)
    taker = done.taker
    if taker is None:
        return Demonstrated(why=done.why)
    why = done.why or ("" if taker.steps else "nothing was done to an element")
    if why:
        return Demonstrated(why=why, left_out=taker.left_out)
    for log in logs:
        log.complete(session.site.tab.channel)
        files[f"{shown.id}/{ARCHIVE}"] = http_archive(log, session.site.version)
    return Demonstrated(_record_of(shown, done.goal, taker), left_out=taker.left_out, files=files)


def _record_of(shown: ShownTask, goal: str, taker: StepTaker) -> Demonstration:
    assignment = shown.assignment
    website = website_of(assignment.facts)
    domain, subdomain = domain_of(website)
    return Demonstration(
        annotation_id=shown.id,
        website=website,
        domain=domain,
        subdomain=subdomain,
        confirmed_task=goal,
        action_reprs=tuple(made.words for made in taker.steps),
        steps=tuple(made.step for made in taker.steps),
        more={
            "made_from": shown.made_from,
            "task": assignment.instance.task,
            "instance": assignment.instance.index,
            "split": assignment.split,
            "variant": assignment.setting.variant,
            "seed": assignment.setting.seed,
        },
    )
