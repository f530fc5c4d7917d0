"""What a run would send, and what that would cost, without asking any model (``--dry-run``)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from harness.browser.browser import Browser
from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, DevtoolsInput, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.sandbox import NO_SANDBOX
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance
from harness.episode.action_sets import actions_of, site_actions_of
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.episode.trajectory import Trajectory
from harness.forms.task_pages import TaskPages
from harness.kit.text import counted
from harness.models.client import today
from harness.models.cost import Price, dollars
from harness.models.messages import Usage
from harness.records.config import RunConfig
from harness.run.browsers import browser_settings
from harness.run.plan import site_policy
from harness.run.run_tasks import fitted
from harness.run.selection import Selection, choose, setup_of
from harness.run.server import own_server
from harness.run.site_control import new_key
from harness.run.task_kind import task_kind
from harness.sites.site_labels import SiteLabelSide
from harness.sites.site_player import prepare_site
from harness.solvers.models.model import ModelSolver
from harness.solvers.models.planned_request import PlannedRequest
from harness.solvers.models.prompt_sets import PROMPT_SETS


@dataclass(frozen=True)
class OpenPage:
    """An instance's page, open in a browser.

    Attributes:
        page: What a solver is told.
        act: The actions on it.
    """

    page: Page
    act: Actions


class SiteReader:
    """Opens the first pages of tasks, each in a browser that may go where the task may."""

    def __init__(self, config: RunConfig, origin: str, key: str, note: Callable[[str], None]) -> None:
        """Prepare.

        Args:
            config: The run.
            origin: Of its task server.
            key: Of that server's control.
            note: Is told what the user should know.
        """
        self._config = config
        self._origin = origin
        self._note = note
        self._catalog = Catalog(config.tasks_dir, config.overlay, seeds=config.seeds)
        self._desk = SiteLabelSide(config, key, lambda _: None)
        self._browsers = ExitStack()
        self._session: BrowserSession | None = None
        self._policy = NavigationPolicy()

    def open(self, instance: Instance) -> OpenPage:
        """Open an instance's first page.

        Raises:
            harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
            harness.browser.launch.NoBrowser: no browser can be started.
        """
        assignment = self._desk.begin(self._catalog.task(instance.task), instance, self._origin)
        facts = assignment.facts
        session = self._browser(site_policy(facts.origins, self._origin, bundled=bool(facts.site)))
        prepare_site(session, assignment)
        session.site.open(assignment.page.url)
        actions = self._config.actions
        act = site_actions_of(actions)(session.site, session.input, Trajectory(), actions_of(actions))
        self._desk.drop(assignment)
        return OpenPage(assignment.page, act)

    def close(self) -> None:
        """End the browser."""
        self._browsers.close()

    def _browser(self, policy: NavigationPolicy) -> BrowserSession:
        if self._session is None or policy != self._policy:
            self._browsers.close()
            settings = browser_settings(self._config, self._origin)
            self._session, self._policy = devtools_session(replace(settings, policy=policy)), policy
            self._browsers.enter_context(self._session.browser)
            if self._session.browser.sandbox == "off":
                self._note(NO_SANDBOX)
        return self._session


TOKENS_OF_AN_ACTION = 30
"""What a reply with one action takes, for the expected cost: the quotes, the names, the bracket and a short value."""
TURNS_OF_A_FORM = 2
"""Turns of protocol ``form`` for the expected cost: one in which the model fills in, one in which it finishes."""
TURNS_OF_A_SITE = 10
"""Turns of protocol ``site`` for the expected cost: the steps that a task on a website allows at least."""
TOKENS_OF_A_STEP = 90
"""What a reply about a website takes, for the expected cost: an action and a thought of two sentences. Every later
request holds it again."""


@dataclass
class RunPlan:
    """What pages would take.

    Attributes:
        pages: How many.
        requests: How many would be sent if every reply could be used.
        usage: Their tokens: as counted, and as expected of the replies.
        most: Their tokens if every reply were as long as it may be.
        largest: Input tokens of the largest request.
        shrunk: Requests from which something of the page was left out.
        cost: US dollars, expected; None if the model has no price.
    """

    pages: int = 0
    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    most: Usage = field(default_factory=Usage)
    largest: int = 0
    shrunk: int = 0
    cost: Decimal | None = Decimal(0)

    def add(self, planned: PlannedRequest, price: Price | None, fields: int) -> None:
        """Add one first request.

        Args:
            planned: The request.
            price: Of the model.
            fields: Of the page, as many as there are actions in a reply about a whole form.
        """
        if planned.kind == "site":
            turns = TURNS_OF_A_SITE
            remembered = TOKENS_OF_A_STEP * turns * (turns - 1) // 2
            expected = Usage(planned.tokens * turns + remembered, TOKENS_OF_A_STEP * turns)
        else:
            turns = 1 if planned.field else TURNS_OF_A_FORM
            answer = TOKENS_OF_AN_ACTION * (1 if planned.field else max(1, fields))
            expected = Usage(planned.tokens * turns + answer * (turns - 1), answer)
        self.requests += turns
        self.usage += expected
        self.most += Usage(planned.tokens * turns, planned.request.max_tokens * turns)
        self.largest = max(self.largest, planned.tokens)
        self.shrunk += bool(planned.shrunk)
        if price is None or self.cost is None:
            self.cost = None
        else:
            self.cost += price.cost(expected)


class Reader:
    """Opens pages as a run would, to look at them."""

    def __init__(self, config: RunConfig, browser: Browser) -> None:
        """Prepare.

        Args:
            config: The run.
            browser: Shows the pages of its task server.
        """
        self._config = config
        self._browser = browser
        self._outside = Outside(config.network, config.media)
        self._catalog = Catalog(config.tasks_dir, config.overlay)
        self._pages: TaskPages | None = None

    def open(self, instance: Instance) -> OpenPage:
        """Open an instance's page."""
        if self._pages is None or self._pages.task.name != instance.task:
            self._pages = TaskPages(self._catalog.task(instance.task), self._config, self._outside)
        page = self._pages.assignment(self._browser, instance, lambda _: None).page
        self._browser.open(page.url)
        return OpenPage(page, Actions(self._browser, DevtoolsInput(self._browser), Trajectory()))


@contextmanager
def reading(config: RunConfig, note: Callable[[str], None]) -> Iterator[Reader | SiteReader]:
    """A task server, a browser, and what opens pages in it: of forms or of websites, as the tasks are.

    Args:
        config: The run, as ``fitted`` gives it.
        note: Is told what the user should know.

    Raises:
        harness.run.server.ServerRefused: the server does not start.
        harness.browser.launch.NoBrowser: no browser can be started.
    """
    key = new_key() if task_kind(config.kind).sets_sites else ""
    network, media = config.network, config.media
    with own_server(config.tasks_dir, config.overlay, network=network, media=media, control_key=key) as origin:
        if key:
            with closing(SiteReader(config, origin, key, note)) as sites:
                yield sites
            return
        settings = BrowserSettings(
            origin=origin,
            live_clock=config.live_clock,
            live=config.network == "live",
            require_sandbox=config.require_sandbox,
        )
        with Browser(settings) as browser:
            if browser.sandbox == "off":
                note(NO_SANDBOX)
            yield Reader(config, browser)


@contextmanager
def planning(config: RunConfig, tell: Callable[[str], None]) -> Iterator[ModelSolver]:
    """The solver of a run, with its demonstrations, in a run directory that is removed afterwards.

    Args:
        config: The run, as ``harness.run.run_tasks.fitted`` gives it.
        tell: Is given what the user should know of it, line by line.

    Raises:
        WrongOptions: the solver asks no model, or cannot work with its options.
    """
    found = find_solver(config.solver)
    if not (isinstance(found.kind, type) and issubclass(found.kind, ModelSolver)):
        raise WrongOptions(f"the solver {config.solver!r} asks no model: there is no prompt to show")
    with tempfile.TemporaryDirectory() as folder:
        tasks = Catalog(config.tasks_dir, config.overlay).select(config.split, config.tasks)
        setup = setup_of(config, Path(folder), tasks)
        for said in found.prepare(setup).get("told", ()):
            tell(said)
        yield found.kind.set_up(setup)


def dry_run(config: RunConfig, tell: Callable[[str], None]) -> RunPlan:
    """Build every prompt that a run would send first, and reckon.

    Of protocol ``field`` these are all requests, on the page as it is untouched; of protocols ``form`` and ``site`` the
    first, and ``TURNS_OF_A_FORM`` or ``TURNS_OF_A_SITE`` of its size are reckoned with.

    Args:
        config: The run.
        tell: Is given each line for the user.

    Raises:
        WrongOptions: the solver asks no model, or does not take its options.
        harness.episode.registry.UnknownSolver: there is no such solver.
        harness.catalog.problems.CatalogError: unknown split or task.
        harness.run.server.ServerRefused: the task server does not start.
        harness.browser.launch.NoBrowser: no browser can be started.
    """
    total = RunPlan()
    catalog = Catalog(config.tasks_dir, config.overlay, seeds=config.seeds)
    catalog.select(config.split, config.tasks)  # what is wrong there is told before demonstrations are made
    config = fitted(config)
    asked = find_solver(config.solver).asks(config.options)
    if asked and (said := asked.news(today(), agreed=True)):
        tell(said)
    with planning(config, tell) as solver, reading(config, tell) as reader:
        tell(f"{'task':<40} {'pages':>6} {'requests':>9} {'tokens in':>11} {'largest':>8} {'expected':>10}")
        for task, instances in choose(catalog, config, Selection()):
            plan = RunPlan()
            for instance in instances:
                opened = reader.open(instance)
                for each in (plan, total):
                    each.pages += 1
                for planned in solver.first_requests(opened.page, opened.act):
                    for each in (plan, total):
                        each.add(planned, solver.price, len(opened.page.fields))
            tell(_line(task.name, plan))
        for problem in catalog.problems:
            tell(f"problem: {problem}")
        tell(_line("all", total))
        for line in _notes(total, solver):
            tell(line)
    return total


def _line(name: str, plan: RunPlan) -> str:
    return (
        f"{name[:40]:<40} {plan.pages:>6,} {plan.requests:>9,} {plan.usage.input_tokens:>11,} {plan.largest:>8,} "
        f"{dollars(plan.cost):>10}"
    )


def _notes(plan: RunPlan, solver: ModelSolver) -> Iterator[str]:
    yield f"Tokens are counted by: {solver.tokens.name}."
    if solver.tokens.advice:
        yield solver.tokens.advice
    if plan.shrunk:
        some = counted(plan.shrunk, "request leaves", "requests leave")
        yield f"{some} out something of the page to stay within --max-input-tokens."
    if PROMPT_SETS[solver.recipe.prompts].has_fixed and solver.recipe.demos:
        named = min(solver.fixed_demonstrations, solver.recipe.demos)
        yield f"Demonstrations: {named} that the overlay of the task set names; the others are chosen as usual."
    if solver.recipe.protocol == "form":
        yield f"Assumed: {TURNS_OF_A_FORM} turns a form; a model that takes more costs more."
    if solver.recipe.site:
        yield f"Assumed: {TURNS_OF_A_SITE} turns a website, {TOKENS_OF_A_STEP} tokens each, no further tries."
        if solver.recipe.site.reward != "none":
            yield "Judging its own progress (--reward) comes on top of that: about as much again."
    else:
        yield f"Assumed: {TOKENS_OF_AN_ACTION} tokens an action, no further tries."
    if solver.price is not None:
        yield f"If every reply were as long as it may be: {dollars(solver.price.rates.most(plan.most))}."
