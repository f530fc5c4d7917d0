"""What a run was asked for: the ``config`` of its ``run.json``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from harness.browser.camera.picture_format import PictureFormat
from harness.browser.remote_browser import BrowserPlace
from harness.catalog.site_facts import TaskKind
from harness.files.codec import JsonObject
from harness.mirror.network import Network
from harness.models.call_options import Budget
from harness.options.records import view

InputName = Literal["devtools", "webdriver", "desktop"]
"""The input back ends: how actions reach the page."""
ActionSetName = Literal["turkingbench", "webcanvas", "autowebglm", "all"]
"""The sets of actions that a solver can be offered, see ``harness.episode.action_sets``."""
FilmMode = Literal["steps", "none"]
"""Whether a run films its episodes: a frame a step, or not at all."""


EngineName = Literal["local", "ray"]
"""What places episodes on processors, see ``harness.run.engine``."""


@dataclass(frozen=True)
class Limits:
    """What a solver may use on one page.

    Attributes:
        max_steps: Actions.
        max_seconds: Seconds from the opened page, those not counted in which it waits for a model's provider.
    """

    max_steps: int = 1000
    max_seconds: float = 300.0


@dataclass(frozen=True)
class CubeChoice:
    """A benchmark of CUBE whose tasks a run plays (docs/adapters.md).

    Attributes:
        name: As ``cube list`` has it, or the dotted path ``package.module:Class`` of its configuration.
        origins: Where its pages are, e.g. ``http://localhost:8000``; browsers go nowhere else.
        settings: Attributes of its configuration that are others than usual, as plain values.
    """

    name: str
    origins: tuple[str, ...]
    settings: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides a run.

    Attributes:
        solver: A name as ``harness.episode.registry.find_solver`` takes it.
        tasks_dir: The folder of task folders.
        options: What the solver's user chose, see ``harness.episode.solver.Setup``.
        overlay: A file of further facts about its tasks.
        split: Only tasks of this split.
        tasks: Only these tasks: exact names, or globs.
        max_instances: At most this many instances of a task, drawn by the seed.
        workers: Browsers at a time.
        seed: Of the sample, and of solvers that draw unless they have a seed of their own.
        metrics: A name of ``harness.metrics.PROFILES``.
        headed: Show the browser's window.
        input: How actions reach the page.
        live_clock: Leave chance and time of pages alone.
        fresh_context: Show each page in a browser context of its own.
        server: The origin of a server in agent mode that runs already; None to start one.
        limits: Per episode.
        network: What pages reach: the mirror of outside files, the network itself, or nothing.
        media: Folder of local copies of outside media.
        skip_missing_media: Leave out instances whose page needs media that are not there.
        exclude_content_warnings: Leave out tasks that are marked as offensive.
        solver_seed: Of solvers that draw; None for the seed of the sample.
        require_sandbox: Start no browser without its sandbox.
        unlabelled: Take instances that nobody labelled and tasks without a table, too; nothing of them is scored.
        film: Whether episodes are filmed: ``steps`` for a frame a step, ``none``.
        film_pictures: How the pictures of films are coded.
        actions: The actions that a solver is offered; None for the usual ones of its kind of task.
        judge: The model that compares by meaning once the last episode has ended, or that did later
            (``harness.score --judge``); None for none.
        seeds: On how many seeds of its bundled website each task is played, from its own on.
        engine: What places its episodes on processors: worker processes of this machine, or nodes of a Ray cluster, of
            which each has ``workers`` browsers.
        browser_url: The DevTools of a browser that somebody runs; None for browsers of this machine, or of ``grid``.
        grid: The Selenium Grid, or other remote WebDriver, that lends browsers; None for none.
        serve_at: The address of this machine at which browsers elsewhere reach the task server; None for loopback.
        pages_per_browser: How many workers share a browser, each with its page in a browser context of its own; 1 for a
            browser each.
        cube: The benchmark of CUBE that its tasks are of; None for tasks of a folder.
        attended: Whether a person at its terminal answers what solvers ask their user and no task's file answers.
        kind: The kind of its tasks; None before that is found out, and in runs of forms from before there were others.
    """

    solver: str
    tasks_dir: Path
    options: JsonObject = field(default_factory=dict)
    overlay: Path | None = None
    split: str | None = None
    tasks: tuple[str, ...] = ()
    max_instances: int | None = None
    workers: int = 1
    seed: int = 0
    metrics: str = "standard"
    headed: bool = False
    input: InputName = "devtools"
    live_clock: bool = False
    fresh_context: bool = False
    server: str | None = None
    limits: Limits = field(default_factory=Limits)
    network: Network = "mirror"
    media: Path | None = None
    skip_missing_media: bool = False
    exclude_content_warnings: bool = False
    solver_seed: int | None = None
    require_sandbox: bool = False
    unlabelled: bool = False
    film: FilmMode = "none"
    film_pictures: PictureFormat = "webp"
    actions: ActionSetName | None = None
    kind: TaskKind | None = None
    judge: str | None = None
    seeds: int = 1
    engine: EngineName = "local"
    browser_url: str | None = None
    grid: str | None = None
    serve_at: str | None = None
    attended: bool = False
    pages_per_browser: int = 1
    cube: CubeChoice | None = None

    @property
    def drawing_seed(self) -> int:
        """The seed of solvers that draw."""
        return self.seed if self.solver_seed is None else self.solver_seed

    @property
    def browser_place(self) -> BrowserPlace:
        """Where its browsers are."""
        if self.browser_url:
            return "attached"
        return "grid" if self.grid else "here"

    @property
    def rules(self) -> str:
        """By what it is scored, in words: the profile, and who compares by meaning."""
        return rules_in_words(self.metrics, self.judge)

    def allowed(self, limit: str) -> float | None:
        """How much a limit allows: actions or seconds of a page, US dollars or tokens of the run; None if no number."""
        budget = view(Budget, self.options)
        allowed = {
            "steps": self.limits.max_steps,
            "time": self.limits.max_seconds,
            "cost": budget.max_cost,
            "tokens": budget.max_tokens,
        }
        return allowed.get(limit)


def rules_in_words(metrics: str, judge: str | None) -> str:
    """By what is scored: the profile, and who compares by meaning if somebody does."""
    return f"{metrics}, judged by {judge}" if judge else metrics
