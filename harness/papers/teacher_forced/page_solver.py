"""Any solver of sites asked step by step: it is shown each step's page in a browser, and its first action counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.site_browser import SiteBrowser
from harness.browser.wire import BrowserGone
from harness.episode.action_sets import actions_of, site_actions_of
from harness.episode.assignment import Page
from harness.episode.observation import element_number
from harness.episode.registry import SolverEntry, find_solver
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteWorkItem
from harness.episode.solver import AnySolver, WrongOptions
from harness.episode.trajectory import Trajectory
from harness.episode.work import EpisodeEnd, let_work
from harness.kit.files.installation import BUNDLED_TASKS
from harness.models.cost import Price
from harness.models.messages import Usage
from harness.models.no_episode import NoRoomLeft
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE, AskedStep, PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import Operation
from harness.papers.teacher_forced.step_page import ORIGIN, StepBrowser, page_without_scripts
from harness.papers.teacher_forced.step_solvers import PAGE, NotAsked, StepSetup
from harness.records.config import ActionSetName, Limits, option_names
from harness.records.site_record import Moment
from harness.solvers.models.model import ModelSolver

DONE = "first action"
"""In place of a limit: the action that counts is done."""
_NUMBERED: Mapping[str, Operation] = {
    "click_element": "CLICK",
    "hover_element": "CLICK",
    "fill": "TYPE",
    "fill_search": "TYPE",
    "select_option": "SELECT",
}
"""What is done to an element by its number, and how Mind2Web calls that."""
_LOOKS = frozenset({"get_html", "capture_screen", "scroll", "scroll_to", "maximize", "wait_till_loaded"})
"""They do nothing to the page: the solver goes on."""
_LEAVE = frozenset({"goto", "go_back", "go_forward", "reload", "new_tab", "switch_tab", "close_tab"})
"""They leave the page, and there is no other: the step is over, whatever came of them."""


class FirstActionTrajectory(Trajectory):
    """A trajectory that ends with the first action that is no look and could be done.

    Attributes:
        predicted: That action; None until it is done.
    """

    def __init__(self, limits: Limits, browser: SiteBrowser) -> None:
        """Begin one.

        Args:
            limits: How many actions there may be before: looks, and those that cannot be done.
            browser: Shows a page whose elements have ids.
        """
        super().__init__(limits)
        self.predicted: PredictedStep | None = None
        self._browser = browser
        self._moments: list[Moment] = []

    def note_moments(self, moments: Sequence[Moment], _trees: Mapping[str, str]) -> None:
        """Take down what has happened, as ``harness.episode.moment_log.KeepMoments``."""
        self._moments += moments

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """As of ``Trajectory``.

        Raises:
            LimitReached: ``DONE`` if this was the action that counts; else a limit.
        """
        number = element_number(call.args.get("ref", "")) if call.name in _NUMBERED else None
        # Before it is done, since a press may lead elsewhere.
        id_ = None if number is None else self._browser.run("elements.attribute", number, ID_ATTRIBUTE)
        self._moments.clear()
        result = super().record(call, work)
        if (result.ok and call.name not in _LOOKS) or call.name in _LEAVE:
            self.predicted = self._prediction(call, number, id_)
            self.stop_at(DONE)
        return result

    def _prediction(self, call: ActionCall, number: int | None, id_: str | None) -> PredictedStep:
        op, value = _NUMBERED.get(call.name), ""
        if number is None:
            op, value, id_ = self._reached()
        elif op == "TYPE":
            value = str(call.args.get("text", ""))
        elif op == "SELECT":
            value = self._chosen(number)
        problem = "" if id_ is not None else f"no element: {call}"
        return PredictedStep(backend_node_id=id_, op=op if id_ is not None else None, value=value, problem=problem)

    def _chosen(self, number: int) -> str:
        """The text of the option that a list shows now."""
        found = self._browser.run("elements.options", number)
        chosen = set(found.get("chosen", ()))
        return next((str(each["text"]) for each in found.get("options", ()) if each["value"] in chosen), "")

    def _reached(self) -> tuple[Operation | None, str, str | None]:
        """What an action did that aims at no number, by the events that reached the page."""
        acted = [each for each in self._moments if each.kind == "acted" and each.element]
        if not acted:
            return None, "", None
        first = acted[0]
        written = next((each for each in acted if each.event in ("input", "change")), None)
        tag = written.element.tag if written and written.element else ""
        is_pressed = any(each.event == "click" for each in acted) and tag not in ("select", "textarea")
        if written is None or written.element is None or is_pressed:
            return "CLICK", "", self._id_of(first)
        return ("SELECT" if tag == "select" else "TYPE"), written.element.value or "", self._id_of(written)

    def _id_of(self, moment: Moment) -> str | None:
        """The id of the element that an event reached, or of the nearest one around it that has one."""
        if moment.element is None or not moment.dom:
            return None
        node = json.loads(self.texts[moment.dom])
        found = node[1].get(ID_ATTRIBUTE)
        for place in moment.element.place:
            elements = [child for child in node[2] if isinstance(child, list)]
            if place >= len(elements):
                break
            node = elements[place]
            found = node[1].get(ID_ATTRIBUTE, found)
        return None if found is None else str(found)


_LIMITS = Limits(max_steps=10)
"""Of one step: actions that only look or cannot be done, before one is."""
_TRIES = 2


@dataclass(frozen=True)
class _OpenStep:
    """A step whose page is open: what the solver is told, how it acts, and what it did."""

    page: Page
    act: SiteActions
    trajectory: FirstActionTrajectory


class PageStepSolver:
    """A solver of sites, asked for one action on each step's page."""

    def __init__(self, solver: AnySolver, seed: int = 0, actions: ActionSetName | None = None) -> None:
        """Ask a solver; the browser is started with the first page.

        Args:
            solver: A solver of sites that is handed no key and does not drive the browser itself.
            seed: Of what it draws.
            actions: The action set that it is offered; None for the usual one.
        """
        self._solver = solver
        self._seed = seed
        self._actions = actions
        self._browser = StepBrowser()

    @classmethod
    def set_up(cls, setup: StepSetup) -> Self:
        """The solver of an evaluation; its name stands behind ``page:``.

        Raises:
            UserError: there is no such solver, it cannot work step by step, or with these options.
        """
        name = setup.name.removeprefix(PAGE)
        entry = find_solver(name)
        _check(entry)
        options, actions = entry.fit(_options(setup.options, entry.options), "site")
        made = entry.setup(options, folder=setup.folder, tasks_dir=BUNDLED_TASKS, seed=setup.seed, kind="site")
        entry.prepare(made)
        return cls(entry.make(made), setup.seed, actions)

    def predict(self, asked: AskedStep) -> PredictedStep:
        """Show it the page, and take its first action.

        Raises:
            harness.papers.teacher_forced.step_solvers.NotAsked: the page cannot be shown, in another browser neither.
            harness.models.client.ModelError: the solver's model gives no answer.
        """
        try:
            html = page_without_scripts(asked.raw_html)
        except ValueError as error:
            return PredictedStep(backend_node_id=None, op=None, problem=f"no page: {error}")
        for _ in range(_TRIES):
            try:
                return self._first_action(asked, html)
            except (BrowserGone, CommandFailed, PageFailed) as error:
                gone = error
                self._browser.end()
        raise NotAsked(f"the page could not be shown: {gone}") from gone

    def close(self) -> None:
        """End the browser, and serve no page any more."""
        self._browser.close()

    @property
    def price(self) -> Price | None:
        """Of the solver's model; None if it is not known."""
        return self._solver.price if isinstance(self._solver, ModelSolver) else None

    def questions(self, asked: AskedStep) -> Iterator[Usage]:
        """What its model would be asked; see ``harness.papers.teacher_forced.evaluation_work``.

        Raises:
            WrongOptions: the solver asks no model.
        """
        if not isinstance(self._solver, ModelSolver):
            raise WrongOptions("--dry-run: the solver asks no model: it costs nothing")
        try:
            opened = self._show(asked, page_without_scripts(asked.raw_html))
        except ValueError:
            return
        for each in self._solver.first_requests(opened.page, opened.act):
            yield Usage(each.tokens, each.request.max_tokens)

    def _first_action(self, asked: AskedStep, html: str) -> PredictedStep:
        opened = self._show(asked, html)
        work_item = SiteWorkItem(opened.page)
        browser = self._browser.session.site
        end = let_work(self._solver, work_item, opened.act, browser, limits=_LIMITS, on_longer=lambda _seconds: None)
        if end.limit == "time":
            self._browser.end()  # what did not end in time may still hold the page
        return _prediction(opened.trajectory, end)

    def _show(self, asked: AskedStep, html: str) -> _OpenStep:
        url, session = self._browser.show(html), self._browser.session
        browser = session.site
        trajectory = FirstActionTrajectory(_LIMITS, browser)
        kind, known = site_actions_of(self._actions), actions_of(self._actions)
        act = kind(browser, session.input, trajectory, known, keep=trajectory.note_moments)
        page = Page(url, (), (), self._seed_of(asked), goal_with_history(asked), (ORIGIN,))
        return _OpenStep(page, act, trajectory)

    def _seed_of(self, asked: AskedStep) -> int:
        step = f"{self._seed}:{asked.website}:{asked.task}:{len(asked.previous)}"
        return int.from_bytes(hashlib.sha256(step.encode("utf-8", "replace")).digest()[:8], "big")


def goal_with_history(asked: AskedStep) -> str:
    """What a solver of sites is told: the task, and what was done before, which it would know in a live episode."""
    if not asked.previous:
        return asked.task
    steps = "\n".join(f"{number}. {each}" for number, each in enumerate(asked.previous, start=1))
    return f"{asked.task}\nThese steps towards it have been done already:\n{steps}\nDo the next one."


def _prediction(trajectory: FirstActionTrajectory, end: EpisodeEnd) -> PredictedStep:
    if trajectory.predicted is not None:
        return trajectory.predicted
    if end.limit in ("cost", "tokens"):
        raise NoRoomLeft(f"the evaluation's limit of {end.limit} leaves no room for it")
    why = end.detail if end.outcome == "agent_error" else f"limit of {end.limit}" if end.limit else "nothing was done"
    return PredictedStep(backend_node_id=None, op=None, problem=why)


def _check(entry: SolverEntry) -> None:
    name = f"{PAGE}{entry.name}"
    if entry.keyed or entry.needs_labels:
        raise WrongOptions(f"--solver {name}: it works by the labels of a task, and a step has none")
    if entry.drives_itself:
        raise WrongOptions(f"--solver {name}: it drives the browser itself; a step is asked action by action")
    if "site" not in entry.kinds:
        raise WrongOptions(f"--solver {name}: it works on forms only")


def _options(options: Mapping[str, Any], taken: type[Any]) -> dict[str, Any]:
    """The options of the evaluation as a solver of sites calls them.

    Args:
        options: Of the evaluation.
        taken: The record of those that the solver takes.

    Raises:
        WrongOptions: they have no such option.
    """
    renamed = {("model" if name == "model_id" else name): value for name, value in options.items() if name != "model"}
    if "model" in options:
        if "preset" not in {each.name for each in fields(taken)}:
            raise WrongOptions(f"--preset: the model is named by the solver, --solver {PAGE}{options['model']}")
        renamed["preset"] = options["model"]
    if unknown := sorted(set(renamed) - set(option_names(argument=True))):
        raise WrongOptions(f"--set {unknown[0]}: solvers of sites have no such option")
    return renamed
