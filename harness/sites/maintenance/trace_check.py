"""One reference trace checked: its site is set, walked through, and compared with how it was."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw, UnidentifiedImageError

from harness.browser.input_back_end import BrowserSession
from harness.catalog.task import Instance, Task
from harness.catalog.trace import ElementMark, Trace
from harness.episode.site_assignment import SiteAssignment, SiteSetting, site_assignment
from harness.kit.files.inside import ForeignFile, read_inside
from harness.run.site_control import SiteControl, new_episode
from harness.run.worker import JobReport
from harness.sites.maintenance.records import ReplayedTrace, TraceFinding
from harness.sites.maintenance.trace_findings import ComparedTask, replayed
from harness.sites.maintenance.trace_walk import StepSight, WalkedTrace, walk

PICTURE_WIDTH = 900
"""Of the pictures in a report, in pixels."""
_QUALITY = 60
_OUTLINE = (214, 40, 57)
_OUTLINE_WIDTH = 5
_MARGIN = 6
_MOST_PICTURE = 16 * 2**20
"""Bytes of a picture beside a trace that is read."""
_MOST_PIXELS = 4_000 * 20_000


@dataclass(frozen=True)
class TraceJob:
    """A trace to be replayed.

    Attributes:
        task: The task.
        instance: One of its instances.
        setting: The site, its layout and its seed.
    """

    task: Task
    instance: Instance
    setting: SiteSetting

    @property
    def base(self) -> ReplayedTrace:
        """What is known before it is replayed."""
        return ReplayedTrace(
            task=self.task.name,
            instance=self.instance.index,
            site=self.setting.site,
            variant=self.setting.variant,
            seed=self.setting.seed,
        )


@dataclass(frozen=True)
class CheckedTrace:
    """What came of it.

    Attributes:
        trace: What was found; its findings name the pictures.
        pictures: WebP by file name.
    """

    trace: ReplayedTrace
    pictures: Mapping[str, bytes]


@dataclass(frozen=True)
class WalkedTwice:
    """What was seen of a trace.

    Attributes:
        task: What it is compared with, and the walk on the layout on which it was made.
        now: The walk on the site of today.
    """

    task: ComparedTask
    now: WalkedTrace


class TraceChecks:
    """Checks traces one after another, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, key: str) -> None:
        """Prepare.

        Args:
            key: Of the control API of the task server.
        """
        self._key = key

    def do(self, session: BrowserSession, job: TraceJob, _report: JobReport) -> CheckedTrace:
        """Check one.

        Raises:
            harness.run.site_control.SiteControlRefused: the site cannot be set.
            harness.browser.wire.BrowserGone: the browser died.
        """
        control = SiteControl(session.browser.settings.origin, self._key)
        seen = look(session, control, job)
        return with_pictures(replayed(seen.task, seen.now, job.base), seen, job.task)


def look(session: BrowserSession, control: SiteControl, job: TraceJob) -> WalkedTwice:
    """Walk through a trace, and before that on the layout on which it was made where that is another one.

    Args:
        session: A browser that may visit the task's sites.
        control: Of the server of the bundled sites.
        job: Which trace.

    Raises:
        harness.run.site_control.SiteControlRefused: the site cannot be set.
        harness.browser.wire.BrowserGone: the browser died.
    """
    assert job.task.trace is not None and job.task.site is not None  # noqa: S101, PT018 - others are left out before
    trace = job.task.trace_of(job.instance)
    assert trace is not None  # noqa: S101 - see above
    assignment = site_assignment(job.task, job.instance, 0)
    marks = tuple(step.element for step in trace.steps)
    urls = tuple(step.url for step in trace.steps)
    was = replace(job.setting, variant=trace.variant)
    before: WalkedTrace | None = None
    strict = not job.setting.site or job.setting.seed == assignment.facts.seed
    if job.setting.site and was != job.setting:
        before = _walked(session, control, replace(assignment, setting=was), marks, strict=False)
        if before.why:
            return WalkedTwice(ComparedTask(job.task.name, job.task.site, job.task.trace, marks, urls), before)
        marks, urls, strict = _as_seen(trace, before), _urls_seen(trace, before), True
    now = _walked(session, control, replace(assignment, setting=job.setting), marks, strict=strict)
    task = ComparedTask(job.task.name, job.task.site, job.task.trace, marks, urls, before, strict)
    return WalkedTwice(task, now)


def _walked(
    session: BrowserSession,
    control: SiteControl,
    assignment: SiteAssignment,
    marks: tuple[ElementMark | None, ...],
    *,
    strict: bool,
) -> WalkedTrace:
    if not assignment.setting.site:
        return walk(session, assignment, marks, lambda: None, strict=strict)
    episode = new_episode()
    control.begin(episode, assignment.setting)
    try:
        there = replace(assignment, episode=episode)
        return walk(session, there, marks, lambda: control.state(episode), strict=strict)
    finally:
        control.end(episode)


def _as_seen(trace: Trace, before: WalkedTrace) -> tuple[ElementMark | None, ...]:
    """By what each element would be known had the trace been recorded on that walk."""
    marks = [step.element for step in trace.steps]
    for place, sight in enumerate(before.sights):
        if sight.state == "done" and sight.mark is not None:
            marks[place] = sight.mark
    return tuple(marks)


def _urls_seen(trace: Trace, before: WalkedTrace) -> tuple[str, ...]:
    urls = [step.url for step in trace.steps]
    for place, sight in enumerate(before.sights):
        urls[place] = "" if sight.lost else sight.url
    return tuple(urls)


# ---- pictures -----------------------------------------------------------------------------------------------------


def with_pictures(trace: ReplayedTrace, seen: WalkedTwice, task: Task) -> CheckedTrace:
    """With pictures of what was found, before and after, the element outlined.

    Args:
        trace: What was found.
        seen: The walks.
        task: The task, beside whose trace there may be pictures of when it was recorded.
    """
    pictures: dict[str, bytes] = {}

    def kept(picture: bytes) -> str:
        name = f"{hashlib.sha256(picture).hexdigest()[:16]}.webp" if picture else ""
        if name:
            pictures[name] = picture
        return name

    findings = tuple(
        replace(each, picture_before=kept(_before(each, seen, task)), picture_after=kept(_after(each, seen)))
        for each in trace.findings
    )
    return CheckedTrace(replace(trace, findings=findings), pictures)


def _before(finding: TraceFinding, seen: WalkedTwice, task: Task) -> bytes:
    if finding.step is None:
        return b""
    if seen.task.before is not None:
        return _outlined(_sight(seen.task.before, finding.step))
    name = seen.task.trace.steps[finding.step - 1].picture
    try:
        return _coded(read_inside(task.folder, name, _MOST_PICTURE), None) if name else b""
    except (ForeignFile, OSError, ValueError):
        return b""  # it is a help, and its absence no finding


def _after(finding: TraceFinding, seen: WalkedTwice) -> bytes:
    return b"" if finding.step is None else _outlined(_sight(seen.now, finding.step))


def _sight(walked: WalkedTrace, step: int) -> StepSight | None:
    return walked.sights[step - 1] if step <= len(walked.sights) else None


def _outlined(sight: StepSight | None) -> bytes:
    return b"" if sight is None or not sight.picture else _coded(sight.picture, sight.box)


def _coded(picture: bytes, box: tuple[float, float, float, float] | None) -> bytes:
    """A picture as a report has it, with a rectangle around an element; empty if it is none."""
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG", "WEBP", "JPEG"]) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                return b""
            image = opened.convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError):
        return b""
    if box:
        left, top, width, height = box
        corners = (left - _MARGIN, top - _MARGIN, left + width + _MARGIN, top + height + _MARGIN)
        if corners[2] > corners[0] and corners[3] > corners[1]:
            ImageDraw.Draw(image).rectangle(corners, outline=_OUTLINE, width=_OUTLINE_WIDTH)
    if image.width > PICTURE_WIDTH:
        image = image.resize((PICTURE_WIDTH, round(image.height * PICTURE_WIDTH / image.width)))
    file = io.BytesIO()
    image.save(file, "WEBP", quality=_QUALITY)
    return file.getvalue()
