"""A task on a website done once more in a browser, and what was done as a demonstration in Mind2Web's form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.input_back_end import BrowserSession
from harness.browser.network_log import NetworkLog
from harness.browser.page_inspection import as_mhtml, dom_snapshot, node_of
from harness.browser.site_browser import SiteBrowser
from harness.episode.observation import element_number
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.integrations.exports.http_archive import http_archive
from harness.integrations.exports.site_again import Does, NotDone, ShownTask, done_again, website_of
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.demonstration import Demonstration, DoneOperation, domain_of
from harness.papers.mind2web.demonstrations.making import MadeStep, TargetGone, made_step
from harness.papers.mind2web.demonstrations.snapshot_tree import SnapshotTree

DONE = {
    "click_element": DoneOperation(op="CLICK", original_op="CLICK"),
    "hover_element": DoneOperation(op="CLICK", original_op="HOVER"),
    "fill": DoneOperation(op="TYPE", original_op="TYPE"),
    "select_option": DoneOperation(op="SELECT", original_op="SELECT"),
}
"""Action -> what Mind2Web calls it."""
ENTER = DoneOperation(op="CLICK", original_op="ENTER")


@dataclass(frozen=True)
class _Sight:
    page: etree._Element
    target: str


class StepTaker:
    """Does one action after the other.

    Attributes:
        steps: What was done to elements.
        left_out: Action -> how often it was done, which has no element and so is no step.
    """

    def __init__(self, browser: SiteBrowser, act: SiteActions, uid: str, on_step: Callable[[str], None]) -> None:
        """Begin.

        Args:
            browser: With the task's first page open.
            act: The actions on it.
            uid: The demonstration's id, of which those of its steps are made.
            on_step: Called with a step's id while the page before it is shown.
        """
        self.steps: list[MadeStep] = []
        self.left_out: Counter[str] = Counter()
        self._browser = browser
        self._act = act
        self._uid = uid
        self._on_step = on_step

    def take(self, call: ActionCall) -> None:
        """Do an action, and take it down if it was done to an element.

        To fill in a search is two steps, to type and to press Enter.

        Raises:
            NotDone: it cannot be done.
            harness.browser.wire.BrowserGone: the browser died.
        """
        if call.name == "fill_search":
            document = self._document
            self.take(ActionCall("fill", call.args))
            if self._document == document:
                self.take(ActionCall("press", {"key": "Enter"}))
        elif call.name in DONE:
            done = DONE[call.name]
            number = element_number(call.args["ref"]) or 0
            value = "" if done.op == "CLICK" else str(call.args["text"])
            self._done(self._seen(number), DoneOperation(op=done.op, original_op=done.original_op, value=value), call)
        elif call.name == "press" and str(call.args["key"]).casefold() == "enter" and (seen := self._focused()):
            self._done(seen, ENTER, call)
        else:
            self._do(call)
            self.left_out[call.name] += 1

    @property
    def _document(self) -> tuple[int, str]:
        return self._browser.tab.number, self._browser.tab.document

    def _seen(self, number: int | None) -> _Sight:
        return _Sight(SnapshotTree(dom_snapshot(self._browser.tab)).root(), str(node_of(self._browser.tab, number)))

    def _focused(self) -> _Sight | None:
        """The page with what has the focus; None if nothing in particular has."""
        seen = self._seen(None)
        whole = ["0", *(each.get(ID_ATTRIBUTE) for each in (seen.page, *seen.page.findall("body")))]
        return None if seen.target in whole else seen

    def _done(self, seen: _Sight, done: DoneOperation, call: ActionCall) -> None:
        uid = f"{self._uid}-{len(self.steps) + 1}"
        self._on_step(uid)
        self._do(call)
        try:
            self.steps.append(made_step(seen.page, seen.target, done, uid))
        except TargetGone as error:
            raise NotDone(f"{call}: {error}") from error

    def _do(self, call: ActionCall) -> ActionResult:
        result = self._act.call(call)
        if not result.ok:
            raise NotDone(f"{call}: {result.message}")
        return result


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
