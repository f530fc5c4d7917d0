"""What a run was asked for: the ``config`` of its ``run.json``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from harness.browser.browser_choice import QUALITY, BrowserPlace, PictureFormat, visitor_part
from harness.catalog.kinds import TASK_KINDS, KindName
from harness.catalog.mirror.outside import Network
from harness.catalog.overlay import overlay_file
from harness.kit.arguments import positive, seconds, shard
from harness.kit.files.codec import JsonObject
from harness.kit.options import REQUIRED, NamedOption, names_of, option, options_in, view
from harness.kit.registry import load, registry
from harness.models.call_options import Budget
from harness.models.providers.surroundings import is_loopback

InputName = Literal["devtools", "webdriver", "desktop"]
"""The input back ends: how actions reach the page."""
ActionSetName = Literal["turkingbench", "webcanvas", "autowebglm", "page-tools", "all"]
"""The sets of actions that a solver can be offered, see ``harness.episode.action_sets``."""
FilmMode = Literal["steps", "none"]
"""Whether a run films its episodes: a frame a step, or not at all."""


EngineName = Literal["local", "ray"]
"""What places episodes on processors, see ``harness.run.engine``."""


TASK_SET = "task set"
TASKS = "tasks"
SCORING = "scoring"
OF_SITES = "websites"
PAGES = "pages"
ACTIONS = "actions"
FILMS = "films"
ENGINE = "engine"
ELSEWHERE = "browsers elsewhere (forms only)"
"""The headings under which the options of runs stand, and by which commands take some of them; ``harness.evaluate``
takes all."""

ONE_DESKTOP = "--input desktop has one pointer and one keyboard: it takes --workers 1"
MANY_WORKERS = 64
"""Browsers at a time beyond which a run can bring a machine down, and its user is asked."""


@dataclass(frozen=True)
class Limits:
    """What a solver may use on one page.

    Attributes:
        max_steps: Actions.
        max_seconds: Seconds from the opened page, those not counted in which it waits for a model's provider.
    """

    GROUP: ClassVar[str] = "limits of a page"

    max_steps: int = option(1000, takes=positive, metavar="N", help="most actions per page (default: %(default)s)")
    max_seconds: float = option(
        300.0,
        flag="max-time",
        takes=seconds,
        metavar="SECONDS",
        help="most seconds per page (default: %(default)s)",
        on_resume="raise",
    )


@dataclass(frozen=True)
class CubeChoice:
    """A benchmark of CUBE whose tasks a run plays (docs/how-to/other-frameworks.md).

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
        metrics: A name of ``harness.scoring.metrics.PROFILES``.
        headed: Show the browser's window.
        input: How actions reach the page.
        live_clock: Leave chance and time of pages alone.
        visitor: What websites are told of their visitor, as ``KEY=VALUE``; empty for what they are usually told.
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
            (``turkbench score --judge``); None for none.
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
        shard: Which part of its instances it plays, such as ``3/16``; None for all. Of all parts ``turkbench merge``
            makes one run.
        kind: The kind of its tasks; None before that is found out, and in runs of forms from before there were others.
    """

    solver: str
    tasks_dir: Path = option(
        REQUIRED,
        metavar="DIR",
        help="folder of task folders (default: the bundled tasks)",
        group=TASK_SET,
    )
    options: JsonObject = field(default_factory=dict)
    overlay: Path | None = option(
        takes=overlay_file,
        metavar="FILE",
        help="further facts about these tasks: a JSON file, or the name of a known task set",
        group=TASK_SET,
    )
    split: str | None = option(
        metavar="NAME",
        help="only tasks of this split, e.g. test; or only the instances in a CSV file with the "
        "columns task and id (default: all)",
        group=TASKS,
        first=True,
    )
    tasks: tuple[str, ...] = option(
        (),
        flag="task",
        metavar="NAME",
        help="only this task, by name or glob; may be repeated",
        group=TASKS,
        first=True,
    )
    max_instances: int | None = option(
        takes=positive,
        metavar="N",
        help="at most N instances of a task, drawn by the seed",
        group=TASKS,
        first=True,
    )
    workers: int = option(
        1,
        takes=positive,
        metavar="N",
        help="worker processes, each with a browser (default: one per core; several per core for a "
        "solver that waits for a model)",
        group="browsers",
        changes="called",
        on_resume="free",
        consent="start browsers, as many at a time as",
        acts=lambda value: value > MANY_WORKERS,
        first=True,
    )
    seed: int = option(0, metavar="N", help="seed that draws the instances (default: %(default)s)", group=TASKS)
    metrics: str = option(
        "standard",
        choices=tuple(registry("metrics")),
        help="scoring profile (default: %(default)s)",
        group=SCORING,
    )
    headed: bool = option(False, help="show the browser's window", group=PAGES, changes="called", on_resume="free")
    input: InputName = option(
        "devtools",
        help="how actions reach the page: devtools (default), webdriver (Selenium), or desktop "
        "(PyAutoGUI on an X display, for actions on the screen)",
        group=ACTIONS,
    )
    live_clock: bool = option(
        False,
        help="do not seed Math.random and the clock of pages",
        group=PAGES,
    )
    visitor: tuple[str, ...] = option(
        (),
        takes=visitor_part,
        metavar="KEY=VALUE",
        help="what pages learn about their visitor: locale=en-GB, time_zone=Europe/London or "
        "user_agent=TEXT; channel=chrome, chrome-beta, chrome-dev or chromium chooses the "
        "browser; may be repeated",
        group=PAGES,
    )
    fresh_context: bool = option(
        False,
        help="open each page in a new browser context, which costs a third of a second per page "
        "(default: one context, cleared after each page)",
        group=PAGES,
    )
    server: str | None = option(
        metavar="URL",
        help="use this task server, which runs in agent mode",
        group=PAGES,
        changes="called",
        on_resume="agree",
        consent="take pages from",
        acts=lambda value: not is_loopback(value),
    )
    limits: Limits = field(default_factory=Limits)
    network: Network = option(
        "mirror",
        help="what pages can load from outside: mirror has local copies of scripts, styles and fonts "
        "(default), live is the network, none is nothing",
        group=PAGES,
        on_resume="agree",
        consent="let pages reach the web, with --network",
        acts=lambda value: value == "live",
    )
    media: Path | None = option(
        metavar="DIR",
        help="local copies of outside pictures, videos and sounds",
        group=PAGES,
        on_resume="agree",
        consent="show pages the files in",
    )
    skip_missing_media: bool = option(
        False,
        help="leave out instances whose pictures, videos or frames are missing",
        group=TASKS,
    )
    exclude_content_warnings: bool = option(False, help="leave out tasks that are marked as offensive", group=TASKS)
    solver_seed: int | None = option(
        metavar="N",
        help="seed of solvers that draw, for several tries on the same instances (default: --seed)",
        group=TASKS,
    )
    require_sandbox: bool = option(
        False,
        help="refuse to start a browser without its sandbox (default: warn)",
        group=PAGES,
        changes="called",
        on_resume="free",
    )
    unlabelled: bool = option(
        False,
        help="also play instances without labels and tasks without a table; they get no score",
        group=TASKS,
    )
    film: FilmMode = option(
        "none",
        help="steps: record a picture of the page when it opens and after each step; none: record "
        "nothing (default: steps for models and programs, none for other solvers)",
        group=FILMS,
    )
    film_pictures: PictureFormat = option(
        "jpeg",
        help=f"how its pictures are coded: jpeg of quality {QUALITY['jpeg']}; webp of quality {QUALITY['webp']}, half "
        "as large and dearer to make; or png, which loses nothing (default: %(default)s)",
        group=FILMS,
    )
    actions: ActionSetName | None = option(
        help="the action set: turkingbench (default for forms), webcanvas (default for websites), autowebglm, "
        "page-tools (the tools that a page itself offers), or all",
        group=ACTIONS,
    )
    kind: KindName | None = option(
        choices=tuple(TASK_KINDS),
        help="kind of task to play, where a folder holds several kinds",
        group=TASKS,
    )
    judge: str | None = option(
        metavar="PRESET",
        help="preset of the model that compares answers by meaning, after all episodes; its calls are "
        "counted separately, within --max-cost and --max-tokens",
        group=OF_SITES,
    )
    seeds: int = option(
        1,
        takes=positive,
        metavar="N",
        help="play each website task with N seeds of its bundled website; each seed is one instance "
        "(default: %(default)s)",
        group=TASK_SET,
    )
    engine: EngineName = option(
        "local",
        help="where episodes run: local is worker processes on this machine (default); ray is the "
        "nodes of a Ray cluster, with --workers browsers on each",
        group=ENGINE,
        changes="called",
        on_resume="free",
        consent="hand its work to other machines, with --engine",
        acts=lambda value: value != "local",
    )
    browser_url: str | None = option(
        metavar="URL",
        help="use a running Chromium: the address of its DevTools (http://HOST:PORT) or of its "
        "WebSocket; pages get a browser context that is closed with the run; the sandbox of that "
        "browser is up to whoever runs it",
        group=ELSEWHERE,
        changes="called",
        on_resume="agree",
        consent="show pages in the browser at",
    )
    grid: str | None = option(
        metavar="URL",
        help="use the browsers of a Selenium Grid, or of another remote WebDriver with DevTools "
        "(se:cdp), e.g. http://HOST:4444",
        group=ELSEWHERE,
        changes="called",
        on_resume="agree",
        consent="show pages in browsers of the Grid at",
    )
    serve_at: str | None = option(
        metavar="ADDRESS",
        help="address of this machine that those browsers can reach; the task server listens there, "
        "and everybody who can reach it can read pages, but no labels (default: 127.0.0.1)",
        group=ELSEWHERE,
        changes="called",
        on_resume="agree",
        consent="serve pages to everybody who reaches",
    )
    attended: bool = option(
        False,
        help="answer the solver's questions at this terminal, where the task's file does not answer "
        "them; needs --actions autowebglm or all",
        group=OF_SITES,
    )
    pages_per_browser: int = option(
        1,
        takes=positive,
        metavar="N",
        help="let N workers share one browser, each with its own browser context; this takes less "
        "memory, but a browser that crashes ends N episodes (forms over DevTools; default: 1)",
        group=ENGINE,
    )
    shard: str | None = option(
        takes=shard,
        metavar="K/N",
        help="of N parts of the run only the K-th, 1/N to N/N: each is a run of its own, on whatever machine, and "
        "turkbench merge makes one run of all",
        group=ENGINE,
    )
    cube: CubeChoice | None = None

    @property
    def part(self) -> tuple[int, int]:
        """The number of its shard, from 1, and how many there are; 1 and 1 of a run of all."""
        number, of = (self.shard or "1/1").split("/")
        return int(number), int(of)

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


_OPTIONS = (
    "harness.solvers.solver_options:ModelOptions",
    "harness.papers.mind2web.mindact_options:MindActOptions",
    "harness.solvers.solver_options:OfflineOptions",
    "harness.solvers.solver_options:HumanOptions",
    "harness.solvers.solver_options:McpOptions",
)
"""Dotted paths of the records of options of these solvers, which name them in a light module of their own."""


def known_options() -> tuple[type[Any], ...]:
    """The records of options of the solvers that have a name."""
    return tuple(map(load, _OPTIONS))


def solver_options() -> tuple[NamedOption, ...]:
    """Their options, each once."""
    found: dict[str, NamedOption] = {}
    for record in known_options():
        for each in options_in(record):
            found.setdefault(each.name, each)
    return tuple(found.values())


def option_names(**about: Any) -> tuple[str, ...]:
    """The names of their options.

    Args:
        **about: Only those of which ``harness.kit.options.Option`` has these attributes.
    """
    return tuple(dict.fromkeys(name for record in known_options() for name in names_of(record, **about)))
