"""The scenes of an episode as its page shows them: pictures with their marks, numbers in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from harness.kit.text import UNKNOWN, counted, shorten
from harness.models.messages import STOP, TOOL_CALLS, ToolCall, Usage
from harness.records.film import Frame
from harness.records.turn import ERROR, Turn
from harness.reports.watch.episode_addresses import EpisodeAddresses
from harness.reports.watch.episode_story import OPENING, Scene, StoryMoment
from harness.reports.watch.request_view import RequestMessage, RequestPart, RequestReader, RequestView, arguments_of
from harness.reports.watch.shown_text import markdown_html
from harness.reports.watch.site_marks import StepMarks
from harness.reports.wording import count, dollars

CAPTION = 60
"""Characters of what stands below a small picture; the whole stands in the scene."""
_SECOND = 1000
SELECTOR, XPATH = "selector", "XPath"
"""What is known of an element and can be copied."""

Facts = tuple[tuple[str, str], ...]


class PictureSize(NamedTuple):
    """How large a picture is, in CSS pixels. By names, which templates find faster than places in a tuple."""

    width: int
    height: int


class PictureBox(NamedTuple):
    """What is marked on a picture, in its CSS pixels."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class PictureView:
    """A picture, and what is marked on it.

    Attributes:
        name: Its name in the run directory.
        address: Where it is; empty if the page holds it elsewhere.
        size: Of what it shows; None if not known.
        box: The element that was acted on; None if there is none.
    """

    name: str
    address: str
    size: PictureSize | None = None
    box: PictureBox | None = None


@dataclass(frozen=True)
class MomentView:
    """A moment as a page shows it.

    Attributes:
        ident: Its name in addresses.
        title: What it is called.
        caption: What stands below its small picture.
        action: What was done; empty if nothing was.
        ok: Whether it was done as asked.
        message: What came of it.
        facts: What else is known.
        picture: What the page showed; None without a film.
        fresh: Whether the picture was taken at this moment.
        html: The address of what the page held; empty if that is not known.
        console: What the page's scripts wrote to its console.
        looked: The picture that the step itself gave its solver; None if it gave none.
        marks: On a website: what came of it there; None if that is not known, and of a form.
    """

    ident: str
    title: str
    caption: str
    action: str
    ok: bool
    message: str
    facts: Facts
    picture: PictureView | None
    fresh: bool
    html: str
    console: tuple[str, ...]
    looked: PictureView | None
    marks: StepMarks | None = None


@dataclass(frozen=True)
class PartView:
    """A part of a message, with where the rest of it is.

    Attributes:
        part: The part.
        address: Of a long text or of a picture; empty if there is none.
        size: How long the text is, in words.
    """

    part: RequestPart
    address: str
    size: str


@dataclass(frozen=True)
class CallView:
    """What a reply was read as.

    Attributes:
        text: The action, or what is wrong.
        error: Whether it is no action.
    """

    text: str
    error: bool


@dataclass(frozen=True)
class TurnView:
    """A turn as a page shows it.

    Attributes:
        request: What was sent; None if it was not kept.
        request_address: Where all of it is.
        messages: What was sent that the turn before had not: role and parts.
        pictures: Pictures that were sent, where the request was not kept.
        reply: What came back.
        thought: What the model thought before.
        reply_html: The reply as its Markdown means it, and so ``thought_html``; empty where they are shown as text.
        whole: Where the whole reply is, if it is not shown here; else empty.
        tools: Tools that were called.
        calls: What the reply was read as.
        note: What else is to be known.
        facts: Tokens, cost, time.
        brief: The same on one line.
        number: Of the turn among those of the episode, from 1; None of a lost attempt.
    """

    request: RequestView | None
    request_address: str
    messages: tuple[tuple[str, tuple[PartView, ...]], ...]
    pictures: tuple[PictureView, ...]
    reply: str
    thought: str
    reply_html: str
    thought_html: str
    whole: str
    tools: tuple[RequestPart, ...]
    calls: tuple[CallView, ...]
    note: str
    facts: Facts
    brief: str
    number: int | None


@dataclass(frozen=True)
class SceneView:
    """A scene as a page shows it.

    Attributes:
        anchor: Its name in addresses; empty if it is that of its only moment.
        title: What it is called.
        moments: At least one.
        turn: The turn; None without one.
    """

    anchor: str
    title: str
    moments: tuple[MomentView, ...]
    turn: TurnView | None

    @property
    def pictured(self) -> bool:
        """Whether there is a picture of any of its moments."""
        return any(moment.picture for moment in self.moments)


class SceneWriter:
    """Writes the scenes of one episode, in their order."""

    def __init__(
        self,
        addresses: EpisodeAddresses,
        requests: RequestReader,
        marks: Mapping[int | None, StepMarks],
        *,
        markdown: bool = False,
    ) -> None:
        """Begin.

        Args:
            addresses: Of pictures and texts.
            requests: Reads what was sent.
            marks: On a website: what came of each step, by its place.
            markdown: Whether thoughts and replies are shown as their Markdown means them.
        """
        self._markdown = markdown
        self._addresses = addresses
        self._requests = requests
        self._marks = marks

    def scene(self, scene: Scene) -> SceneView:
        """The next scene."""
        alone = scene.ident in {moment.ident for moment in scene.moments}
        return SceneView(
            anchor="" if alone else scene.ident,
            title=_scene_title(scene),
            moments=tuple(self._moment(moment, scene) for moment in scene.moments),
            turn=self.turn(scene.turn, None if scene.lost else scene.number) if scene.turn else None,
        )

    def _moment(self, moment: StoryMoment, scene: Scene) -> MomentView:
        step, frame = moment.step, moment.frame
        deed = frame.deed if frame and moment.fresh else ""
        action = step.action if step else deed
        title = f"Step {moment.number}" if step else _scene_title(scene) if scene.turn else _frame_title(moment)
        looked = PictureView(step.image, self._addresses.step_picture(step.image)) if step and step.image else None
        return MomentView(
            ident=moment.ident,
            title=title,
            caption=shorten(" ".join(action.split()) or title, CAPTION),
            action=action,
            ok=step.ok if step else True,
            message=step.message if step else "",
            facts=tuple(_moment_facts(moment)),
            picture=self._frame_picture(frame, moment.fresh) if frame else None,
            fresh=moment.fresh,
            html=self._addresses.film_page(frame.html) if frame and frame.html and moment.fresh else "",
            console=frame.console if frame and moment.fresh else (),
            looked=looked,
            marks=self._marks_of(moment),
        )

    def _marks_of(self, moment: StoryMoment) -> StepMarks | None:
        if moment.number is not None:
            return self._marks.get(moment.number - 1)
        return self._marks.get(None) if moment.ident == OPENING else None

    def _frame_picture(self, frame: Frame, fresh: bool) -> PictureView | None:
        if not frame.picture:
            return None
        box = frame.target.box if frame.target and fresh else None
        return PictureView(
            frame.picture,
            self._addresses.film_picture(frame.picture),
            PictureSize(*frame.size),
            PictureBox(*box) if box else None,
        )

    def turn(self, turn: Turn, number: int | None = None) -> TurnView:
        """The next turn by itself.

        Args:
            turn: The turn.
            number: Its number in the episode, from 1; None where it has none.
        """
        request = self._requests.read(turn.sent) if turn.sent else None
        names = turn.images if request is None or request.trouble else ()
        return TurnView(
            request=request,
            request_address=self._addresses.text(turn.sent) if turn.sent else "",
            messages=tuple(map(self._message, request.messages)) if request else (),
            pictures=tuple(PictureView(name, self._addresses.step_picture(name)) for name in names),
            reply=turn.reply,
            thought=turn.thought,
            reply_html=markdown_html(turn.reply) if self._markdown else "",
            thought_html=markdown_html(turn.thought) if self._markdown else "",
            whole=self._addresses.text(turn.whole) if turn.whole else "",
            tools=tuple(map(_called, turn.tool_calls)),
            calls=tuple(CallView(call.removeprefix(ERROR), call.startswith(ERROR)) for call in turn.calls),
            note=turn.note,
            facts=tuple(_turn_facts(turn)),
            number=number,
            brief=" · ".join([tokens(turn.usage), cost(turn.cost), duration(turn.ms)]),
        )

    def _message(self, message: RequestMessage) -> tuple[str, tuple[PartView, ...]]:
        return message.role, tuple(map(self._part, message.parts))

    def _part(self, part: RequestPart) -> PartView:
        if part.kind == "picture":
            return PartView(part, self._addresses.step_picture(part.name), "")
        if not part.name:
            return PartView(part, "", "")
        address = self._addresses.text(part.name)
        if not address:
            return PartView(RequestPart("other", f"No text can be called {part.name}"), "", "")
        size = counted(part.characters, "character") if part.characters is not None else ""
        return PartView(part, address, size)


def tokens(usage: Usage | None) -> str:
    """Tokens in words; unknown ones are said to be."""
    if usage is None:
        return f"tokens {UNKNOWN}"
    return f"{count(usage.input_tokens)} tokens in, {count(usage.output_tokens)} out"


def cost(amount: float | None) -> str:
    """A cost in words; an unknown one is said to be."""
    return f"cost {UNKNOWN}" if amount is None else dollars(amount)


def duration(ms: float) -> str:
    """Milliseconds in words."""
    return f"{ms:,.0f} ms" if ms < _SECOND else f"{ms / _SECOND:,.1f} s"


def _scene_title(scene: Scene) -> str:
    if scene.turn:
        return f"Turn {scene.number}" + (" of a lost attempt" if scene.lost else "")
    moment = scene.moments[0]
    return f"Step {moment.number}" if moment.step else _frame_title(moment)


def _frame_title(moment: StoryMoment) -> str:
    return "The page as it opened" if moment.ident == OPENING else "Done over DevTools"


def _moment_facts(moment: StoryMoment) -> Iterator[tuple[str, str]]:
    if step := moment.step:
        yield "took", duration(step.ms)
        if step.code:
            yield "error", str(step.code)
        if step.looked:
            yield "before", "the page was looked at"
        if step.rehearsed:
            yield "before", "the page's own checks of the form were run"
    frame = moment.frame if moment.fresh else None
    if frame is None:
        return
    if frame.target:
        if frame.target.text:
            yield "element", frame.target.text
        yield SELECTOR, frame.target.css
        yield XPATH, frame.target.xpath
    for name, number in (("presses", frame.presses), ("keys", frame.keys)):
        if number is not None:
            yield name, count(number)
    if any(frame.scroll):
        yield "scrolled", f"{frame.scroll[0]:g} to the right, {frame.scroll[1]:g} down"
    if frame.title or frame.url:
        yield "page", " · ".join(filter(None, (frame.title, frame.url)))


def _turn_facts(turn: Turn) -> Iterator[tuple[str, str]]:
    yield "model", turn.model or UNKNOWN
    yield "tokens", tokens(turn.usage) + (f" (counted by {turn.counted_by})" if turn.counted_by else "")
    if turn.usage and turn.usage.cached_input_tokens:
        yield "of them cached by the provider", count(turn.usage.cached_input_tokens)
    yield "cost", dollars(turn.cost) if turn.cost is not None else UNKNOWN
    yield "took", duration(turn.ms)
    if turn.cached:
        yield "reply", "out of the cache on disk, paid for before"
    if turn.attempts > 1:
        yield "sent", f"{turn.attempts} times"
    if turn.finish not in {"", STOP, TOOL_CALLS}:
        yield "ended by", turn.finish


def _called(call: ToolCall) -> RequestPart:
    text = call.malformed or json.dumps(call.arguments, ensure_ascii=False)
    return RequestPart("call", text, label=call.name, arguments=() if call.malformed else arguments_of(call.arguments))
