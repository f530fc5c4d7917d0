"""MindAct as a solver of tasks on websites: the same that is asked step by step of demonstrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any, Self
from urllib.parse import urlsplit

from lxml import etree

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.catalog.kinds import KindName
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.site_actions import SiteActions
from harness.episode.solver import Setup, WrongOptions
from harness.kit.errors import UserError
from harness.models.client import Exchange
from harness.models.messages import Reply, Request
from harness.models.presets import Preset, resolve
from harness.models.providers.provider_table import check_address
from harness.models.service import open_service, warm_up
from harness.models.tokens.counting import tokens_for
from harness.observe.snapshot import ELEMENT, TEXT, Node, Snapshot
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import Candidate, DoneOperation
from harness.papers.mind2web.demonstrations.element_words import name_of, role_of, step_words
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.questions import AskModel, Questions
from harness.papers.mind2web.mindact.ranker import Ranker
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact.step_requests import ORIGINAL, mindact_prompts_hash, words_of
from harness.papers.mind2web.mindact.step_solvers import REJECTED, MindAct
from harness.papers.mind2web.mindact_options import USUAL, MindActOptions, SeeActOptions
from harness.records.turn import turn_of
from harness.solvers.models.asking import ModelCaller, NoUsableReply
from harness.solvers.models.prompting import FINISH
from harness.solvers.models.site_asking import place_of

_ID = "backend_node_id"
_STATES = ("checked", "selected")


def asked_of(task: str, website: str, previous: tuple[str, ...], snapshot: Snapshot) -> AskedStep:
    """A step of a website's episode as solvers of steps are asked it.

    Args:
        task: The goal.
        website: The site.
        previous: What was done, in words.
        snapshot: The page; an element's id is the number by which it is acted on.
    """
    page = "".join(_written(snapshot))
    candidates = tuple(
        Candidate(backend_node_id=str(node.ref), tag=node.text.lower()) for node in snapshot.nodes if node.ref
    )
    return AskedStep(
        task=task, website=website, previous=previous, raw_html=page, cleaned_html=page, candidates=candidates
    )


def _written(snapshot: Snapshot) -> Iterator[str]:
    """What can be seen, and what can be acted on; without recursion, since pages may be deeper than Python's stack."""
    waiting: list[int | str] = [*(place for place, node in enumerate(snapshot.nodes) if node.parent < 0)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        node = snapshot.nodes[item]
        if node.type == TEXT:
            yield escape(node.text) if node.shown else ""
            continue
        if node.type == ELEMENT and (node.shown or node.ref):
            yield f"<{node.text.lower()}{_attributes(node)}>"
            waiting.append(f"</{node.text.lower()}>")
        waiting += reversed(snapshot.children[item])


def _attributes(node: Node) -> str:
    values = {name: value for name, value in node.attributes if name not in (_ID, "value", *_STATES)}
    if node.ref:
        values[_ID] = str(node.ref)
    if node.control:
        # What it holds now, where its HTML has what it held first.
        values |= {"value": node.control.value} if node.control.value else {}
        values |= {state: state for state in _STATES if state in node.control.states}
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())


class MindActSolver:
    """Asks a model which of the likeliest elements of the page is next, five at a time."""

    waits = True
    options: type[SeeActOptions] = MindActOptions
    kinds: tuple[KindName, ...] = ("site",)
    form_task = ""
    """The task of a form, which has no goal."""

    def __init__(self, preset: Preset, ranker: Ranker, service: ModelCaller, seed: int) -> None:
        """Work with a model.

        Args:
            preset: The model.
            ranker: Whose best elements it is asked about.
            service: Asks it.
            seed: Of its sampling, and of the order of the elements.
        """
        self.preset = preset
        self.ranker = ranker
        self.seed = seed
        self._service = service

    # ---- what a run calls (``harness.episode.solver``) ----------------------------------------------------------

    @classmethod
    def check(cls, name: str, options: SeeActOptions) -> SeeActOptions:
        """Look the options over, and fill in what was left open.

        Raises:
            WrongOptions: they cannot be meant so.
        """
        if not options.preset:
            raise WrongOptions(f"the solver {name!r} asks a model: give --preset NAME (--list-solvers prints them)")
        try:
            preset = preset_of(options)
            if preset.base_url is not None:
                check_address(preset.base_url)
            ranker_named(options.ranker or USUAL)
            if isinstance(options, MindActOptions) and options.prompts not in (None, ORIGINAL):
                raise WrongOptions(f"--prompts {options.prompts} is not MindAct's: it has {ORIGINAL}, and its own")
            if missing := words_of(preset.prompts).missing:
                raise WrongOptions(f"--prompts {preset.prompts}: {missing}")
        except UserError as error:
            raise WrongOptions(str(error)) from None
        ranker = USUAL if options.ranker is None else options.ranker
        return replace(options, ranker=ranker, model=preset.model, base_url=preset.base_url)

    @classmethod
    def asks(cls, name: str, options: SeeActOptions) -> Preset:  # noqa: ARG003 - as of all solvers
        """The model; see ``harness.episode.solver``."""
        return preset_of(options)

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        """What decides its prompts."""
        preset = preset_of(setup.options)
        return {
            "provider": preset.provider,
            "preset": preset.name,
            **cls.asked_in(preset),
            "ranker": setup.options.ranker,
            "price": preset.price.to_json() if preset.price else None,
            "tokens_counted_by": tokens_for(preset.model, preset.provider).name,
        }

    @classmethod
    def warm_up(cls, setup: Setup) -> None:
        """Load what asking the model takes; see ``harness.episode.solver``."""
        warm_up(preset_of(setup.options))

    @classmethod
    def set_up(cls, setup: Setup) -> Self:
        """The solver of one worker.

        Raises:
            WrongOptions: a limit is set that cannot be kept.
        """
        preset = preset_of(setup.options)
        try:
            service = cls.make_service(setup, preset)
        except (UserError, ValueError) as error:
            raise WrongOptions(str(error)) from None
        return cls(preset, ranker_named(setup.options.ranker, setup.seed), service, setup.seed)

    @classmethod
    def make_service(cls, setup: Setup, preset: Preset) -> ModelCaller:
        """What asks the model; another in tests.

        Raises:
            harness.models.service.NoPrice: a limit in money is set, and the price is not known.
            ValueError: a limit leaves room for nothing.
        """
        return open_service(preset, setup.options, setup.folder, seed=setup.seed, accounts=setup.accounts)

    @classmethod
    def asked_in(cls, preset: Preset) -> Mapping[str, Any]:
        """In which words it asks: their hash, and whose they are if they are not ours."""
        words = words_of(preset.prompts)
        source = {"prompts_source": words.source} if words.source else {}
        return {"prompts": mindact_prompts_hash(words), **source}

    def solve(self, page: Page, act: Actions) -> None:
        """Do what is next on each page, until nothing is or the episode ends.

        Raises:
            NoUsableReply: an element was chosen, and nothing that could be done with it.
            harness.episode.trajectory.LimitReached: a limit of the episode or of the run.
            harness.papers.mind2web.mindact.questions.StepTooLarge: a page is too large for the model, however narrow it
                is cut.
            harness.models.client.ModelError: the model gives no answer.
        """
        memory = _Memory()
        while not _is_over(act):
            website = urlsplit(page.url).hostname or ""
            snapshot = act.observation.snapshot()
            fields = {node.ref: node.field for node in snapshot.nodes if node.ref and node.field}
            asked = asked_of(page.goal or self.form_task, website, tuple(memory.words), snapshot)
            turns = _OpenTurns(self._service, act, place_of(page.url), act.observation.digest())
            with turns:
                predicted = self.predicted(asked, turns.ask, act)
                call = memory.call_of(predicted, asked, {} if isinstance(act, SiteActions) else fields)
                if call is None:
                    if predicted.problem == REJECTED:
                        turns.end()
                        return
                    raise NoUsableReply(predicted.problem)
                memory.add(predicted, turns.act_on(call), asked)

    def predicted(self, asked: AskedStep, ask: AskModel, act: Actions) -> PredictedStep:  # noqa: ARG002 - as of others
        """What is next on a page; errors as of ``solve``.

        Args:
            asked: The page, what is to be done, and what was done.
            ask: Asks the model.
            act: Where to look further.
        """
        return MindAct(self.ranker, Questions(ask, self.preset, self.seed), seed=self.seed).predict(asked)


class _Memory:
    """What was done in an episode.

    Attributes:
        words: Each successful action as demonstrations tell of it.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self._written: tuple[str, str] | None = None

    def call_of(self, predicted: PredictedStep, asked: AskedStep, fields: Mapping[int, str]) -> ActionCall | None:
        """The action that a prediction stands for; None if it is none.

        Args:
            predicted: The prediction.
            asked: The step.
            fields: Of a form, its fields by the numbers of their elements.

        In demonstrations to press Enter is a click on the field: so a click on the field that was written into last
        sends it off.
        """
        if predicted.backend_node_id is None or predicted.op is None:
            return None
        ref = int(predicted.backend_node_id)
        if predicted.op != "CLICK" and ref in fields:
            name = "modify_text" if predicted.op == "TYPE" else "modify_select"
            return ActionCall(name, {"name": fields[ref], "value": predicted.value})
        if predicted.op == "CLICK":
            if self._written and self._written[0] == _called(_element(asked, ref)):
                return ActionCall("fill_search", {"ref": ref, "text": self._written[1]})
            return ActionCall("click_element", {"ref": ref})
        return ActionCall("fill" if predicted.op == "TYPE" else "select_option", {"ref": ref, "text": predicted.value})

    def add(self, done: PredictedStep, result: ActionResult, asked: AskedStep) -> None:
        """Take down an action that was done; what could not be done is not told as done."""
        self._written = None
        if not result.ok:
            return
        assert done.backend_node_id is not None  # noqa: S101 - an action was made of it
        assert done.op is not None  # noqa: S101 - as above
        element = _element(asked, int(done.backend_node_id))
        if done.op == "TYPE":
            self._written = _called(element), done.value
        self.words.append(step_words(element, DoneOperation(op=done.op, original_op=done.op, value=done.value)))


def _is_over(act: Actions) -> bool:
    return act.finished if isinstance(act, SiteActions) else act.submitted


def _element(asked: AskedStep, ref: int) -> etree._Element:
    return MarkedPage(asked.raw_html).by_id[str(ref)]


def _called(element: etree._Element) -> str:
    """By which a field is known again once the page has been loaded anew."""
    return f"[{role_of(element)}]  {name_of(element)}"


class _OpenTurns:
    """The questions about one page; a turn each, and what is done belongs to the last one. A context."""

    def __init__(self, service: ModelCaller, act: Actions, where: str, page: str) -> None:
        """Ask and act.

        Args:
            service: Asks the model.
            act: The website.
            where: For the accounts.
            page: Digest of the page.
        """
        self._service = service
        self._act = act
        self._where = where
        self._page = page
        self._last: tuple[Request, Exchange] | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._close(None)

    def ask(self, request: Request) -> Reply:
        """Send a question; errors as of the service."""
        self._close(None)
        exchange = self._service.complete(request, self._act.trajectory, where=self._where)
        self._last = request, exchange
        return exchange.reply

    def act_on(self, call: ActionCall) -> ActionResult:
        """Do what the last question has come to.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode.
        """
        return self._close(call) or self._act.call(call)

    def end(self) -> None:
        """The answers say that nothing on the page is next, which ends the work."""
        self._close(ActionCall(FINISH.name, {}))

    def _close(self, call: ActionCall | None) -> ActionResult | None:
        """Take down the last question, with what is done."""
        if self._last is None:
            return None
        (request, exchange), self._last = self._last, None
        with turn_of(self._act.trajectory, request, exchange, page=self._page) as turn:
            if call is None:
                return None
            turn.read(call)
            return None if call.name == FINISH.name else self._act.call(call)


def preset_of(options: SeeActOptions) -> Preset:
    """The model that the options name; errors as of ``harness.models.presets.resolve``."""
    return resolve(str(options.preset), options)
