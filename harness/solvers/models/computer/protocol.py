"""The protocols' loop for computer use: the model sees pixels alone, on forms and on websites alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from harness.actions.call import ActionCall, ActionError
from harness.actions.signature import ActionSpec
from harness.browser.launch import SCREEN
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.site_actions import SITE_ACTIONS, SiteActions
from harness.kit import picture
from harness.kit.text import counted
from harness.kit.words import Words
from harness.models.messages import Image, Message, Part, Request, Text, ToolResult
from harness.records.turn import turn_of
from harness.solvers.models.asking import ModelCaller, NoUsableReply
from harness.solvers.models.computer.asked import ComputerCall, DoneTurn, Look, Outcome, Piece, ReadTurn, Tell
from harness.solvers.models.computer.dialect import Dialect, Hand
from harness.solvers.models.computer.screen import Screen
from harness.solvers.models.computer.table import DIALECTS
from harness.solvers.models.planned_request import PlannedRequest
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Counter as TokenCounter

_NAVIGATION = ("goto", "go_back", "switch_tab")
"""What the frame of a browser is for, which no screen shows."""


class Performer:
    """Does calls on one page, and shows its screen.

    Attributes:
        done: How many actions were done, successfully or not, and pictures taken.
    """

    def __init__(self, act: Actions, screen: Screen) -> None:
        """Use the actions on a page.

        Args:
            act: The actions.
            screen: How the model is shown the page.
        """
        self.done = 0
        self._act = act
        self._screen = screen

    @property
    def is_over(self) -> bool:
        """Whether nothing can be done any more: the form was sent, or the page has ended its episode."""
        return self._act.submitted

    def show(self) -> Image:
        """The screen as it is now, once it has come to rest."""
        return Image(self._screen.picture(self._act.observation.screen()))

    def perform(self, calls: Iterable[ComputerCall], *, shows_each: bool) -> list[Outcome]:
        """Do calls in order, up to the first that fails: those behind it were meant for what it should have done.

        Args:
            calls: The calls.
            shows_each: Whether each is answered with the screen after it.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode is used up.
        """
        outcomes: list[Outcome] = []
        has_failed = False
        for call in calls:
            outcome = Outcome(call, "not done, since one before it failed", None) if has_failed else self._do(call)
            if shows_each and outcome.image is None and not self.is_over:
                outcome = Outcome(call, outcome.text, outcome.ok, self.show())
            outcomes.append(outcome)
            has_failed = has_failed or not outcome.ok
        return outcomes

    def _do(self, call: ComputerCall) -> Outcome:
        text, image, looked = "done", None, False
        for piece in call.pieces:
            match piece:
                case ActionError():
                    return Outcome(call, f"error: {piece.reason}", ok=False)
                case Tell():
                    text = piece.text
                case Look():
                    self.done += 1
                    image, looked = self._look(piece), True
                case ActionCall():
                    self.done += 1
                    if (reason := self._do_action(piece)) is not None:
                        return Outcome(call, f"error: {reason}", ok=False)
                    image, looked = None, False
                    if piece.name in _NAVIGATION:
                        text = self._act.trajectory.steps[-1].message
        return Outcome(call, text, ok=True, image=image, looked=looked)

    def _do_action(self, call: ActionCall) -> str | None:
        """Do an action; why it was not done, None if it was."""
        if not hasattr(self._act, call.name):
            return f"{call.name} is not possible here: there is one page, with one form"
        result = Actions.call(self._act, call)  # in the words of the library, whatever the action set
        return None if result.ok else result.message

    def _look(self, look: Look) -> Image:
        if look.box is None:
            return self.show()
        return Image(self._screen.zoomed(self._act.observation.screen(), look.box))

    def tabs(self) -> str:
        """The tabs that are open, where there are several; empty otherwise."""
        if not isinstance(self._act, SiteActions):
            return ""
        tabs = self._act.tabs()
        return "\n".join(map(str, tabs)) if len(tabs) > 1 else ""

    def url(self, otherwise: str) -> str:
        """The address that is shown; ``otherwise`` where the page has one only."""
        if not isinstance(self._act, SiteActions):
            return otherwise
        return next((tab.url for tab in self._act.tabs() if tab.shown), otherwise)


def asked_for(calls: Iterable[ComputerCall]) -> list[ActionCall | ActionError]:
    """The actions and errors of calls, for the record."""
    pieces: list[Piece] = [piece for call in calls for piece in call.pieces]
    return [piece for piece in pieces if isinstance(piece, ActionCall | ActionError)]


Turn = tuple[Message, ...]
Note = Mapping[str, Any] | None
LEFT_OUT = Text("(an older screenshot, left out)")


def in_budget(turns: Sequence[Turn], room: int, count: Callable[[Message], int]) -> Sequence[Turn]:
    """The last turns that fit, and always the very last one.

    A turn goes as a whole: a result without its call, or a call without its thought, is refused.

    Args:
        turns: All of them.
        room: Tokens.
        count: Tokens of a message.
    """
    sizes = [sum(map(count, turn)) for turn in turns]
    first = len(turns) - 1
    left = room - sizes[first]
    while first and sizes[first - 1] <= left:
        first -= 1
        left -= sizes[first]
    return turns[first:]


def with_last_pictures(messages: Sequence[Message], most: int | None, instead: Note) -> tuple[Message, ...]:
    """A conversation with its last pictures alone.

    Args:
        messages: The conversation.
        most: How many; None for all.
        instead: As of ``in_place_of_picture`` of ``harness.solvers.models.computer.dialect.Dialect``.
    """
    if most is None:
        return tuple(messages)
    made: list[Message] = []
    left = most
    for message in reversed(messages):
        count = len(message.images)
        # All pictures of a message or none: they were taken together.
        made.append(message if count <= left else _insteads(message, instead))
        left = max(0, left - count)
    return tuple(reversed(made))


def _insteads(message: Message, instead: Note) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        match part:
            case Image():
                parts.append(LEFT_OUT)
            case ToolResult():
                parts.append(replace(part, images=()))
            case _:
                parts.append(part)
    return Message(message.role, tuple(parts), tuple(_cleared(each, instead) for each in message.native))


def _cleared(value: Any, instead: Note) -> Any:
    match value:
        case Mapping():
            return {key: _cleared(item, instead) for key, item in value.items()}
        case list() | tuple():
            kept = [instead if _is_picture(item) else _cleared(item, instead) for item in value]
            return [item for item in kept if item is not None]
    return value


def _is_picture(value: Any) -> bool:
    return isinstance(value, Mapping) and bool({"source", "inline_data"} & set(value))


WORDS = Words("harness.solvers.models.computer")
"""What a model is told, whatever its dialect."""
NAVIGATION = ("goto", "go_back", "switch_tab")
"""Actions on websites that no screen shows."""
REPEATS = 20
"""How often the same may be asked for on the same screen before the model is taken to go in circles."""
FINISH = "finish"


@dataclass(frozen=True)
class ComposedTurn:
    """A turn before it is sent.

    Attributes:
        request: The request.
        note: What had to be left out, for the record; empty if nothing.
    """

    request: Request
    note: str


class ComputerProtocol:
    """Shows the screen, does what the model asks for and shows it again, until it ends by its dialect's rule."""

    def __init__(self, recipe: Recipe, service: ModelCaller, tokens: TokenCounter) -> None:
        """Prepare.

        Args:
            recipe: How the model is asked, with its dialect.
            service: Asks it.
            tokens: Counts.
        """
        self._recipe = recipe
        self._service = service
        self._tokens = tokens

    def solve(self, page: Page, act: Actions) -> None:
        """Fill in the form, or work towards the goal of the website.

        Raises:
            NoUsableReply: too many replies in a row held nothing that could be done.
            harness.episode.trajectory.LimitReached: a limit of the episode or of the run.
            harness.models.client.ModelError: the model gives no answer.
        """
        work = ComputerWork(self._recipe, self._tokens, page, act)
        unusable = 0
        seen: Counter[tuple[str, ...]] = Counter()
        while not work.is_over:
            usable = work.turn(self._service)
            unusable = 0 if usable else unusable + 1
            if unusable > self._recipe.retries and not work.is_over:
                raise NoUsableReply.in_a_row(unusable, work.trouble)
            seen[work.state] += 1
            if seen[work.state] == REPEATS and not work.is_over:
                act.trajectory.stop_at("repeats")

    def first_requests(self, page: Page, act: Actions) -> Iterator[PlannedRequest]:
        """What would be sent first."""
        request = ComputerWork(self._recipe, self._tokens, page, act).compose().request
        kind = "site" if isinstance(act, SiteActions) else "form"
        yield PlannedRequest("", request, self._tokens.request(request), (), kind)


class ComputerWork:
    """The work on one page or website.

    Attributes:
        is_over: Whether it has ended.
        trouble: Why the last reply held nothing that could be done; empty if it did.
        state: The screen before the last turn, and what was asked for: for telling circles.
    """

    def __init__(self, recipe: Recipe, tokens: TokenCounter, page: Page, act: Actions) -> None:
        """Look at the page.

        Args:
            recipe: How the model is asked.
            tokens: Counts.
            page: What is told of the page.
            act: The actions on it.
        """
        self.is_over = False
        self.trouble = ""
        self.state: tuple[str, ...] = ()
        self._recipe = recipe
        self._tokens = tokens
        self._page = page
        self._act = act
        self._dialect = dialect_of(recipe)
        self._navigation = navigation_of(act)
        png = act.observation.screen()
        screen = self._dialect.rule.screen(picture.size(png))
        self._performer = Performer(act, screen)
        self._hand = Hand(screen)
        self._tools = self._dialect.tools(screen, self._navigation)
        self._shown = self._performer.show()
        self._opening = (
            Message("system", (Text(self._dialect.system(self._rules(), screen, self._navigation)),)),
            Message("user", (Text(self._task()), self._shown)),
        )
        self._past: list[tuple[Message, ...]] = []

    def compose(self) -> ComposedTurn:
        """The next request, within its budget."""
        messages: Sequence[Message] = self._opening
        left_out = 0
        if self._past:
            past: Sequence[tuple[Message, ...]] = self._past
            if self._dialect.drops_turns:
                room = self._recipe.max_input_tokens - self._tokens.request(self._request(self._opening))
                past = in_budget(past, room, self._tokens.message)
                left_out = len(self._past) - len(past)
            messages = [*self._opening, *(message for turn in past for message in turn)]
        messages = with_last_pictures(messages, self._dialect.images, self._dialect.in_place_of_picture)
        return ComposedTurn(self._request(messages), f"{counted(left_out, 'turn')} left out" if left_out else "")

    def turn(self, service: ModelCaller) -> bool:
        """Ask the model, do what it asks for, and take everything down; whether its reply was of any use."""
        composed = self.compose()
        exchange = service.complete(composed.request, self._act.trajectory, where=_place(self._page.url))
        read = self._dialect.read(exchange.reply, self._hand, self._navigation)
        note = "; ".join(filter(None, (composed.note, *read.notes)))
        asked = asked_for(read.calls)
        self.state = (self._shown.sha256, *map(str, asked), *(call.name for call in read.calls))
        before = self._performer.done
        with turn_of(self._act.trajectory, composed.request, exchange, note=note) as turn:
            turn.read(*asked)
            outcomes = self._performer.perform(read.calls, shows_each=self._dialect.shows_each)
            if read.is_end and not self._performer.is_over and all(outcome.ok for outcome in outcomes):
                turn.read(self._end(read))
        if self.is_over or self._performer.is_over:
            self.is_over = True
            return True
        usable = self._performer.done > before
        self.trouble = "" if usable else read.trouble or "; ".join(outcome.text for outcome in outcomes)
        self._shown = self._performer.show()
        done = DoneTurn(
            exchange.reply, read, outcomes, self._shown, self._news(read), self._performer.url(self._page.url)
        )
        self._past.append(self._dialect.told(done))
        return usable

    def _end(self, read: ReadTurn) -> ActionCall:
        """End the work; gives how that is recorded."""
        self.is_over = True
        if not isinstance(self._act, SiteActions):
            return ActionCall(FINISH, {})
        call = ActionCall(FINISH, {"answer": read.answer or None})
        self._act.call(call)
        return call

    def _news(self, read: ReadTurn) -> str:
        """What is told beside the results."""
        trouble = "" if read.calls else WORDS.say("not_done", trouble=read.trouble)
        tabs = self._performer.tabs()
        return "\n\n".join(filter(None, (trouble, WORDS.say("open_tabs", tabs=tabs) if tabs else "")))

    def _rules(self) -> str:
        parts = ["site_rules" if self._navigation else "form_rules", "screen"]
        return "\n\n".join(WORDS.say(each) for each in parts)

    def _task(self) -> str:
        return WORDS.say("goal", goal=self._page.goal) if self._navigation else WORDS.say("form_task")

    def _request(self, messages: Sequence[Message]) -> Request:
        recipe = self._recipe
        return Request(
            model=recipe.model,
            messages=tuple(messages),
            tools=self._tools,
            temperature=recipe.temperature,
            seed=recipe.seed,
            max_tokens=recipe.max_output_tokens,
            more=self._dialect.more,
        )


def dialect_of(recipe: Recipe) -> Dialect:
    """The dialect of a recipe for computer use."""
    assert recipe.dialect  # noqa: S101 - a recipe without one is for another protocol
    return DIALECTS[recipe.dialect].dialect


def navigation_of(act: Actions) -> Mapping[str, ActionSpec]:
    """The actions that no screen shows; none on a form."""
    return {name: SITE_ACTIONS[name] for name in NAVIGATION} if isinstance(act, SiteActions) else {}


def _place(url: str) -> str:
    """An address for the accounts."""
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}" if parts.netloc else parts.path


def told_of(recipe: Recipe) -> dict[str, Any]:
    """What a reader of a run should know of its computer use, for ``run.json``; nothing of another output."""
    if recipe.dialect is None:
        return {}
    screen = dialect_of(recipe).rule.screen(SCREEN)
    return {"computer": {"safety_checks": "acknowledged", "screen": list(screen.sent), "units": list(screen.units)}}
