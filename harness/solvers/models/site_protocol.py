"""Protocol ``site``: towards a goal on a website, one request and one action a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.actions.call import ActionError
from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.kit.text import counted, shorten
from harness.models.messages import Image, Message, Request, Text
from harness.solvers.models.asking import LONGEST_RESULT, ModelCaller, NoUsableReply
from harness.solvers.models.history import SHARE_OF_PAGE
from harness.solvers.models.planned_request import PlannedRequest
from harness.solvers.models.progress import JudgedProgress, ProgressJudge
from harness.solvers.models.prompting import reminded, say_of_site
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.reward_model import RewardModel
from harness.solvers.models.site_asking import DoneAction, SiteAsker, SiteTurn
from harness.solvers.models.site_prompter import site_prompter_for
from harness.solvers.models.site_step import PastStep, SiteMemory, SiteNews
from harness.solvers.models.view import Counter, Observer, PageState

Steps = Sequence[tuple[int, PastStep]]
"""Steps with their numbers."""


@dataclass(frozen=True)
class ComposedTurn:
    """A turn before it is sent.

    Attributes:
        request: The request.
        note: What had to be left out, for the record; empty if nothing.
        shrunk: What was left out of the page, in words.
    """

    request: Request
    note: str
    shrunk: tuple[str, ...]


TOOLS_OF_PAGE = "Tools that this page offers, which call_tool calls:"
"""Heads what the page itself offers, where the action set is ``page-tools``."""


class SiteProtocol:
    """Shows the website, does the one action that the model asks for, tells it what came of that, and shows it anew."""

    def __init__(
        self, recipe: Recipe, service: ModelCaller, tokens: Counter, reward_model: RewardModel | None = None
    ) -> None:
        """Prepare.

        Args:
            recipe: How the model is asked.
            service: Asks it.
            tokens: Counts.
            reward_model: Who judges its progress, if its recipe has that judged; None for the same model.
        """
        self._reward_model = reward_model or RewardModel(recipe, service, tokens)
        self._recipe = recipe
        self._service = service
        self._tokens = tokens

    def solve(self, page: Page, act: SiteActions) -> None:
        """Work towards the goal.

        Raises:
            NoUsableReply: too many replies in a row held no action.
        """
        work = SiteWork(self._recipe, self._tokens, page, act)
        asker = SiteAsker(work.prompter, self._service)
        judge = self._judge(act)
        news, unusable = SiteNews(), 0
        while not act.finished:
            if judge and work.memory.steps and not unusable:
                progress = judge.judge(page, act, work.memory)
                if progress and progress.status == "finished":
                    return
                news = _judged(progress, work.memory, news)
            sight = work.look()
            composed = work.compose(news, sight)
            turn = asker.ask(act, composed.request, where=page.url, page=sight.digest, note=composed.note)
            if turn.done is None:
                unusable += 1
                errors = work.prompter.complaints(turn.reply, turn.said.items)
                if unusable > self._recipe.retries:
                    raise NoUsableReply.in_a_row(unusable, errors)
                news = replace(news, trouble=say_of_site("not_read", reply=reminded(turn.reply.text), errors=errors))
                continue
            unusable, news = 0, _news(turn, turn.done)
            work.remember(turn.done, sight, turn.said.thought)

    def first_requests(self, page: Page, act: SiteActions) -> Iterator[PlannedRequest]:
        """What would be sent first."""
        work = SiteWork(self._recipe, self._tokens, page, act)
        composed = work.compose(SiteNews(), work.look())
        yield PlannedRequest("", composed.request, self._tokens.request(composed.request), composed.shrunk, "site")

    def _judge(self, act: SiteActions) -> ProgressJudge | None:
        if self._recipe.site is None or self._recipe.site.reward == "none":
            return None
        return ProgressJudge(self._reward_model, act.specs)


class SiteWork:
    """The work on one instance: what was done, and what is shown next.

    Attributes:
        prompter: Writes the messages, for the action set of the run.
        memory: The steps so far.
    """

    def __init__(self, recipe: Recipe, tokens: Counter, page: Page, act: SiteActions) -> None:
        """Begin.

        Args:
            recipe: How the model is asked.
            tokens: Counts.
            page: The task.
            act: The website.
        """
        self.prompter = site_prompter_for(recipe, act.specs)
        self.memory = SiteMemory(recipe.site.memory if recipe.site else None)
        self._observer = Observer(self.prompter, tokens)
        self._page = page
        self._act = act

    def look(self) -> PageState:
        """The tab that is shown, as it is now."""
        return self._observer.look(self._act.observation, None)

    def compose(self, news: SiteNews, sight: PageState) -> ComposedTurn:
        """The next request, within its budget.

        What does not fit goes in this order: remembered steps, the oldest first, as long as they take more than their
        share from the page; then the page shrinks.

        Args:
            news: What is told in this turn alone.
            sight: The page.
        """
        recipe, tools = self.prompter.recipe, self.prompter.tools
        news = replace(news, position=sight.snapshot.scrolled)
        tabs, steps = self._act.tabs(), self.memory.last()
        pictures = (Image(news.picture),) if news.picture else ()
        offered = "\n".join(map(str, self._act.page_tools()))
        tools_of_page = (Text(f"{TOOLS_OF_PAGE}\n\n{offered}"),) if offered else ()

        def messages(told_again: Steps, page: Sequence[Text | Image]) -> tuple[Message, ...]:
            return self.prompter.messages(self._page.goal, tabs, told_again, news, (*pictures, *page, *tools_of_page))

        def room(told_again: Steps) -> int:
            return self._observer.room(messages(told_again, ()), tools)

        least, gone = SHARE_OF_PAGE * room(()), 0
        while gone < len(steps) and room(steps[gone:]) < least:
            gone += 1
        view = self._observer.show(sight, None, max(0, room(steps[gone:])))
        request = Request(
            model=recipe.model,
            messages=messages(steps[gone:], view.page),
            tools=tools,
            temperature=recipe.temperature,
            likelihoods=recipe.likelihoods,
            seed=recipe.seed,
            max_tokens=recipe.max_output_tokens,
            grammar=self.prompter.grammar([node.ref for node in sight.snapshot.nodes if node.ref]),
        )
        left_out = [f"{counted(gone, 'remembered step')} left out"] if gone else []
        return ComposedTurn(request, "; ".join(filter(None, [*left_out, view.note])), view.shrunk)

    def remember(self, done: DoneAction, sight: PageState, thought: str) -> None:
        """Take down a step that is over.

        Args:
            done: What was done.
            sight: The page that it was done on.
            thought: What the model thought before it.
        """
        element = self.prompter.element_told(done.call, sight.snapshot)
        self.memory.add(
            str(done.call), element, f"{'ok' if done.result.ok else 'error'}: {done.result.message}", thought
        )


def _judged(progress: JudgedProgress | None, memory: SiteMemory, news: SiteNews) -> SiteNews:
    """The news with what the model thinks of its progress, which goes into what it remembers, too."""
    if progress is None:
        return news
    memory.judge(f"{progress.status}. {progress.description}")
    return replace(news, progress=say_of_site("progress", status=progress.status, description=progress.description))


def _news(turn: SiteTurn, done: DoneAction) -> SiteNews:
    """What is told next of a turn in which an action was done."""
    trouble = [] if done.result.ok else [say_of_site("failed", reason=f"{done.call}: {done.result.message}")]
    trouble += [str(item.what) for item in turn.said.items if isinstance(item.what, ActionError)]
    trouble += [say_of_site("one_action")] if turn.asked_for_more else []
    return SiteNews("\n".join(trouble), shorten(done.result.text, LONGEST_RESULT), picture=done.result.image)
