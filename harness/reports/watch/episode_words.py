"""The words by which an episode is found: what a model was shown and said, what was done and sent, where it went."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.records.episode import Episode
from harness.records.texts import REFERENCE, read_text
from harness.records.turn import Turn
from harness.reports.watch.episode_story import story_of
from harness.scoring.scored_kind import kind_of

MOST_OF_AN_EPISODE = 400_000
"""Characters of an episode that can be found; what is behind them cannot."""
_SHOWN_BY = frozenset({"user", "tool"})
"""Who tells the model of the page; what the system says is in every request of a run."""


def words_of(run: Path, episode: Episode) -> str:
    """The text in which an episode is searched.

    Args:
        run: Its run directory, where long texts are.
        episode: The episode.
    """
    found, length = [], 0
    for text in _texts(run / "texts", episode):
        found.append(text)
        length += len(text)
        if length > MOST_OF_AN_EPISODE:
            break
    # Half of a surrogate pair, which a page can send, is in no database.
    return "\n".join(found)[:MOST_OF_AN_EPISODE].encode("utf-8", "replace").decode()


def told_in_order(run: Path, episode: Episode) -> Iterator[str]:
    """The same texts in the order in which the page of an episode shows them; arguments as for ``words_of``."""
    folder, once = run / "texts", set[str]()
    yield episode.detail
    for scene in story_of(episode, None).scenes:
        if scene.turn:
            yield from _replied(scene.turn)
        for moment in scene.moments:
            if moment.step:
                yield from (moment.step.action, moment.step.message)
        if scene.turn:
            yield from _shown(folder, scene.turn.sent, once)
    yield from _sent(episode)
    yield from (episode.task, episode.id)


def _texts(folder: Path, episode: Episode) -> Iterator[str]:
    yield from (episode.task, episode.id, episode.detail)
    for turn in episode.turns:
        yield from _replied(turn)
    for step in episode.steps:
        yield from (step.action, step.message)
    yield from _sent(episode)
    once: set[str] = set()
    for sent in dict.fromkeys(turn.sent for turn in episode.turns):
        yield from _shown(folder, sent, once)


def _replied(turn: Turn) -> Iterator[str]:
    yield from (turn.thought, turn.reply)
    for call in turn.tool_calls:
        yield from _strings(call.arguments)
    yield from turn.calls


def _sent(episode: Episode) -> Iterator[str]:
    if episode.submission:
        for values in episode.submission.values.values():
            yield from values
    yield from kind_of(episode).words(episode)


def _shown(folder: Path, sent: str, once: set[str]) -> Iterator[str]:
    """What the last message of a request says: the page as the model saw it. What cannot be read is passed over.

    Args:
        folder: Of the texts.
        sent: The request's name; empty if it was not kept.
        once: Names of the long texts that were there before, which are not read again.
    """
    if not sent:
        return
    try:
        last = read_text(folder, sent)["messages"][-1]
        parts = last["parts"] if last["role"] in _SHOWN_BY else []
        texts = [part["text"] for part in parts if "text" in part]
    except (OSError, ValueError, LookupError, TypeError):
        return
    for text in texts:
        if isinstance(text, str):
            yield text
        elif isinstance(text, dict) and (name := str(text.get(REFERENCE))) not in once:
            once.add(name)
            yield from _kept(folder, name)


def _kept(folder: Path, name: str) -> Iterator[str]:
    try:
        yield from _strings(read_text(folder, name))
    except (OSError, ValueError):
        return


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _strings(item)
        case list() | tuple():
            for item in value:
                yield from _strings(item)
