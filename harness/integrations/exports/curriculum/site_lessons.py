"""Lessons out of a task on a website that is done once more: its pages, its steps, and the whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urldefrag, urljoin

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.input_back_end import BrowserSession
from harness.browser.site_browser import SiteBrowser
from harness.episode.assignment import Page
from harness.episode.observation import element_number
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.integrations.exports.curriculum.intents import ReasonedStep
from harness.integrations.exports.curriculum.lesson import Lesson, LessonSource, Stage, prompt_of
from harness.integrations.exports.curriculum.wording import instruction, reason, said
from harness.integrations.exports.example_pages import COUNTED_AS
from harness.integrations.exports.site_again import Does, NotDone, ShownTask, Taker, done_again, website_of
from harness.models.messages import Message, Text
from harness.models.tokens.counting import tokens_for
from harness.records.config import ActionSetName
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.site_asking import DoneAction
from harness.solvers.models.site_prompter import element_words
from harness.solvers.models.site_protocol import SiteWork
from harness.solvers.models.site_step import SiteNews
from harness.solvers.models.view import Observer, PageState

ASKED_ABOUT = 3
"""Elements of a page that are asked about beside the one that is acted on."""
NOT_SHOWN = "a step whose element is not in the page as it is shown (--max-input-tokens)"
NO_TEXT = "a prompt with pictures"


@dataclass(frozen=True)
class Taught:
    """What came of a task.

    Attributes:
        lessons: In order.
        why: Why there are none; empty if there are.
        left_out: Reason -> how many lessons are missing for it.
        goal: Of the task.
        steps: All its steps, with the reasons in these lessons.
    """

    lessons: tuple[Lesson, ...] = ()
    why: str = ""
    left_out: Counter[str] = field(default_factory=Counter)
    goal: str = ""
    steps: tuple[ReasonedStep, ...] = ()


@dataclass(frozen=True)
class SiteTeacher:
    """Makes lessons out of tasks on websites.

    Attributes:
        recipe: How a model is asked, of protocol ``site``.
        actions: The set of actions that it is offered.
        licences: Task -> the licence of its content.
    """

    recipe: Recipe
    actions: ActionSetName
    licences: Mapping[str, str]

    def __call__(self, session: BrowserSession, shown: ShownTask, does: Does, control_key: str) -> Taught:
        """Do a task once more; see ``harness.integrations.exports.site_walks.Walk``."""
        where = self._where(shown)

        def made(_: SiteBrowser, act: SiteActions, assignment: SiteAssignment) -> LessonTaker:
            return LessonTaker(self.recipe, assignment.page, act, where)

        def to_the_end(taker: Taker, act: SiteActions, probe: Probe) -> None:
            does(taker, act, probe)
            if not act.finished:  # who does a task once more knows that it is over; a model has to say so
                taker.take(ActionCall("finish", {}))

        done = done_again(session, shown, to_the_end, control_key, made, actions=self.actions)
        if done.taker is None or done.why:
            return Taught(why=done.why)
        return done.taker.taught

    def _where(self, shown: ShownTask) -> LessonSource:
        assignment, instance = shown.assignment, shown.assignment.instance
        return LessonSource(
            source=shown.made_from,
            kind="site",
            site=website_of(assignment.facts),
            task=instance.task,
            index=instance.index,
            id=instance.id,
            split=assignment.split,
            licence=self.licences.get(instance.task, ""),
        )


@dataclass(frozen=True)
class _OneStep:
    call: ActionCall | None
    ref: int
    sight: PageState


class LessonTaker:
    """Does the actions of one task, and takes down what a model would have been asked before each.

    Attributes:
        lessons: In order.
        left_out: Reason -> how many lessons are missing for it.
        steps: That were done.
    """

    def __init__(self, recipe: Recipe, page: Page, act: SiteActions, where: LessonSource, *, acts: bool = True) -> None:
        """Begin, with the first page open.

        Args:
            recipe: How a model is asked.
            page: The task, with its goal.
            act: The actions.
            where: Where the lessons come from.
            acts: Whether actions are done; else what follows each is another recorded page, and where elements lead is
                not known.
        """
        self._acts = acts
        self.lessons: list[Lesson] = []
        self.left_out: Counter[str] = Counter()
        self.steps: list[ReasonedStep] = []
        self._recipe = recipe
        self._page = page
        self._act = act
        self._where = where
        self._tokens = tokens_for(COUNTED_AS)
        self._work = SiteWork(recipe, self._tokens, page, act)
        self._observer = Observer(self._work.prompter, self._tokens)
        self._news = SiteNews()

    def take(self, call: ActionCall) -> None:
        """As of ``harness.integrations.exports.site_again.Taker``."""
        sight = self._work.look()
        number = element_number(call.args.get("ref", "")) or 0
        element = element_words(sight.snapshot, number)
        url = self._url
        whole = self._work.compose(self._news, sight).request.messages
        wanted = instruction(call, element)
        single = self._alone(wanted, sight) if wanted else None
        result = self._act.call(call) if self._acts else ActionResult(ok=True, message="done")
        if not result.ok:
            raise NotDone(f"{call}: {result.message}")
        after = url if self._act.finished else self._url
        led_to = {number: after} if call.name == "click_element" and self._acts else {}
        for ref in self._asked_about(sight, number):
            self._recognise(sight, ref, url, led_to)
        step = _OneStep(call, number, sight)
        if single:
            self._add("simple", single, self._reply(wanted, call), step)
        why = reason(call, element, len(self._work.memory.steps))
        self.steps.append(ReasonedStep(str(call), element, why))
        self._add("complex", whole, self._reply(why, call), step)
        self._work.remember(DoneAction(call, result), sight, why if self._work.prompter.thinks else "")
        self._news = SiteNews(result=result.text)

    @property
    def taught(self) -> Taught:
        """What came of it so far."""
        return Taught(tuple(self.lessons), "", self.left_out, self._page.goal, tuple(self.steps))

    @property
    def _url(self) -> str:
        return next(tab.url for tab in self._act.tabs() if tab.shown)

    def _alone(self, wanted: str, sight: PageState) -> tuple[Message, ...]:
        """What a model is sent that is asked for one step."""
        work = SiteWork(self._recipe, self._tokens, replace(self._page, goal=wanted), self._act)
        return work.compose(SiteNews(), sight).request.messages

    def _reply(self, thought: str, call: ActionCall) -> str:
        return f"Thought: {thought}\nAction: {call}" if self._work.prompter.thinks else str(call)

    def _add(self, stage: Stage, asked: tuple[Message, ...], answer: str, step: _OneStep) -> None:
        prompt = prompt_of(asked)
        if prompt is None:
            self.left_out[NO_TEXT] += 1
        elif step.ref and not re.search(rf"\[{step.ref}\]", prompt[-1][1]):
            self.left_out[NOT_SHOWN] += 1
        else:
            action = "" if step.call is None else str(step.call)
            self.lessons.append(Lesson(stage, prompt, answer, action, step.sight.digest, self._where))

    # ---- recognition ----------------------------------------------------------------------------------------------

    def _asked_about(self, sight: PageState, target: int) -> Iterator[int]:
        """The element that is acted on, and a few others, spread over the page."""
        named = [node.ref for node in sight.snapshot.nodes if node.ref and node.shown and node.ref != target]
        step = max(1, len(named) // ASKED_ABOUT)
        yield from ([target] if target else [])
        yield from named[step // 2 :: step][:ASKED_ABOUT]

    def _recognise(self, sight: PageState, ref: int, url: str, led_to: Mapping[int, str]) -> None:
        words = element_words(sight.snapshot, ref)
        if not words:
            return
        self._question(sight, ref, said("ask_what", number=ref), words)
        href = next((node.get("href") for node in sight.snapshot.nodes if node.ref == ref), None)
        leads = led_to.get(ref) or (urljoin(url, href) if href and self._acts else "")
        if leads.startswith("http"):
            stays = urldefrag(leads).url == urldefrag(url).url
            answer = said("stays") if stays else said("leads_to", url=leads)
            self._question(sight, ref, said("ask_where", number=ref), answer)

    def _question(self, sight: PageState, ref: int, question: str, answer: str) -> None:
        rules = Message("system", (Text(said("recognition_rules")),))
        bare = Message("user", (Text(question),))
        view = self._observer.show(sight, None, self._observer.room([rules, bare], ()))
        asked = (rules, Message("user", (*view.page, Text(question))))
        self._add("recognition", asked, answer, _OneStep(None, ref, sight))
