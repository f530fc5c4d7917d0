"""A run directory with a filmed episode, written without a browser: real tasks, real texts, drawn pictures."""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PIL import Image as Drawing
from PIL import ImageDraw

from harness.actions.call import ActionError
from harness.actions.parser import parse
from harness.actions.result import ActionResult, ErrorCode, Step
from harness.episode.library import ACTIONS
from harness.episode.trajectory import Trajectory
from harness.models.client import Exchange
from harness.models.messages import Image, Message, Reply, Request, Text, Usage
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import Film, Frame, Target, picture_name
from harness.records.turn import turn_of
from tests.reports.played import always, make_tasks, play

SIZE = (1280, 800)
BOX = (400.0, 200.0, 320.0, 80.0)
"""Of the element that every step acts on."""
LONG = "The page begins here.\n" + "A line of the page, of which there are many.\n" * 60
"""What the model is shown: too long to stand in the request itself."""
TASK = "Animals"
PAGE = """<p>Which animal is it? ${text}</p><input name="a"> <textarea name="unsent">kept</textarea>
<label><input type="radio" name="r" value="1"> tame</label> <label><input type="radio" name="r" value="2"> wild</label>
<input type="range" name="s" min="0" max="100" value="0">"""


@functools.cache
def png(words: str, *, box: Sequence[float] = BOX) -> bytes:
    """A picture of a page: words, and a field where every step acts."""
    drawing = Drawing.new("RGB", SIZE, "white")
    pen = ImageDraw.Draw(drawing)
    left, top, width, height = box
    pen.rectangle((left, top, left + width, top + height), fill="#cde", outline="#456", width=3)
    pen.text((60, 60), words, fill="black", font_size=36)
    out = io.BytesIO()
    drawing.save(out, "PNG")
    return out.getvalue()


def asked(number: int, history: Sequence[Message] = ()) -> Request:
    seen = Message("user", (Image(png(f"seen at turn {number}")), Text(f"{LONG}Turn {number}.")))
    return Request("m", (Message("system", (Text("Act on the page."),)), *history, seen), temperature=0.0)


def exchanges(number: int) -> list[tuple[Request, Reply]]:
    """So many turns, each of which writes into the field ``a``; the conversation grows."""
    history: list[Message] = []
    made = []
    for place in range(1, number + 1):
        request = asked(place, history)
        thought = f"I have thought {place} times."
        reply = Reply(f"modify_text('a', 'cat {place}')", usage=Usage(1_000, 20), model="m-1", thought=thought)
        made.append((request, reply))
        history += [request.messages[-1], reply.message()]
    return made


def filmed_run(folder: Path, tasks: Path, turns: int = 3, said: Sequence[tuple[Request, Reply]] | None = None) -> Path:
    """A run whose first episode of ``TASK`` has so many turns and a film; gives its folder.

    Args:
        folder: Where it is written.
        tasks: Where its tasks are made.
        turns: How many turns the episode has.
        said: What was said instead.
    """
    make_tasks(tasks, TASK)
    (tasks / TASK / "template.html").write_text(PAGE, encoding="utf-8")
    run = play(folder, tasks, always(a="the red cat", r="2", s="20"))
    act = Trajectory()
    for request, reply in exchanges(turns) if said is None else said:
        with turn_of(act, request, Exchange(reply=reply, usage=reply.usage, cost=None, ms=1_250.0)) as turn:
            found = parse(reply.text, ACTIONS)
            turn.read(*found)
            for call in found:
                if not isinstance(call, ActionError):
                    code = ErrorCode.NOT_TAKEN if len(act.steps) == 1 else None
                    result = ActionResult(ok=code is None, message="'a' holds it", ms=12.0, code=code)
                    act.steps.append(Step.of(call, result))
    episode = replace(run.episode(TASK, 0), steps=tuple(act.steps), turns=tuple(act.turns))
    run.add(episode, act.images, act.texts)
    write_film(run, episode)
    return folder


def write_film(run: RunDirectory, episode: Episode) -> None:
    """A frame of the opened page and one of each step."""
    pictures = {}
    frames = []
    target = Target(css="#a", xpath="//*[@id='a']", box=BOX, text="Your answer")
    for step in (None, *range(len(episode.steps))):
        data = png("opened" if step is None else f"after step {step + 1}")
        name = picture_name(data, "png")
        pictures[name] = data
        acted = {} if step is None else {"target": target, "presses": 1, "keys": 5}
        page = {"url": "http://127.0.0.1/page/Animals/0/", "title": "Animals", "size": SIZE}
        frames.append(Frame(step=step, picture=name, **page, **acted))
    run.films.write(episode.task, episode.index, Film(frames=tuple(frames)), pictures)
