"""Episodes in the Agent Data Protocol (ADP), schema 1.5.0 (https://github.com/neulab/agent-data-protocol, ``schema/``).

A trajectory is one list of actions and observations. What a model was shown before a turn is an observation of the
environment; each action is an ``api_action``, and what it gave the observation that follows, under the same
``tool_call_id``. A reply without an action is a message. What the format has no place for stands under ``details``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harness.actions.result import Step
from harness.integrations.exports.atif_document import asked_of, called
from harness.integrations.exports.chat import PictureFile, chat_of_json, sent
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.records.turn import Turn

VERSION = "1.5.0"


def adp_document(each: ExportedEpisode, picture: PictureFile) -> dict[str, Any]:
    """An episode as a trajectory of ADP, as JSON holds it.

    Args:
        each: The episode. Its labels are left out.
        picture: Gives the paths of its pictures.

    Raises:
        harness.records.directory.NotARun: what was sent to its model is missing or damaged.
    """
    episode = each.episode
    return {
        "schema_version": VERSION,
        "id": f"{each.source.name}/{episode.task}/{episode.index}",
        "content": [_text(asked_of(each), "user"), *_content(each, picture)],
        "details": {**each.place(), "outcome": episode.outcome, "score": each.score.score},
    }


def _content(each: ExportedEpisode, picture: PictureFile) -> Iterator[dict[str, Any]]:
    """Turns with their actions, and actions that no turn has led to, in order."""
    steps, done = each.episode.steps, 0
    for turn in each.episode.turns:
        first, after = turn.steps
        yield from _acted(range(done, first), steps, picture)
        yield from _seen(each, turn, picture)
        yield from _replied(turn, first, after, steps, picture)
        done = max(done, after)
    yield from _acted(range(done, len(steps)), steps, picture)


def _seen(each: ExportedEpisode, turn: Turn, picture: PictureFile) -> Iterator[dict[str, Any]]:
    """What stood in the last message to the model: the page, and what was asked of it."""
    message = chat_of_json(sent(each.source, turn)["messages"], picture)[-1]
    content = message["content"]
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        yield _text(part["text"], "environment") if part["type"] == "text" else _picture(part["image"])


def _replied(
    turn: Turn, first: int, after: int, steps: Sequence[Step], picture: PictureFile
) -> Iterator[dict[str, Any]]:
    said = {"reasoning_content": turn.thought} if turn.thought else {}
    if first == after:
        yield {"class_": "message_action", "content": turn.reply, **said}
        return
    action, *rest = _acted(range(first, after), steps, picture)
    yield {**action, **said, "description": turn.reply}
    yield from rest


def _acted(places: range, steps: Sequence[Step], picture: PictureFile) -> Iterator[dict[str, Any]]:
    for place in places:
        step, link = steps[place], {"tool_call_id": f"call_{place}"}
        name, arguments = called(step)
        yield {"class_": "api_action", "function": name, "kwargs": arguments, **link}
        yield {**_text(step.message, "environment"), **link}
        if step.image:
            yield _picture(picture(step.image))


def _text(content: str, source: str) -> dict[str, Any]:
    return {"class_": "text_observation", "content": content, "source": source}


def _picture(path: str) -> dict[str, Any]:
    return {"class_": "image_observation", "content": path, "source": "environment"}
