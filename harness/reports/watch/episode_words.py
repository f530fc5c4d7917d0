"""The words by which an episode is found: what a model was shown and said, what was done and sent, where it went."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.records.episode import Episode
from harness.records.texts import REFERENCE, read_text
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


def _texts(folder: Path, episode: Episode) -> Iterator[str]:
    yield from (episode.task, episode.id, episode.detail)
    for turn in episode.turns:
        yield from (turn.reply, turn.thought, *turn.calls)
        for call in turn.tool_calls:
            yield from _strings(call.arguments)
    for step in episode.steps:
        yield from (step.action, step.message)
    if episode.submission:
        for values in episode.submission.values.values():
            yield from values
    yield from kind_of(episode).words(episode)
    yield from _shown(folder, episode)


def _shown(folder: Path, episode: Episode) -> Iterator[str]:
    """What the last message of each request says: the page as the model saw it. What cannot be read is passed over."""
    once: set[str] = set()
    for sent in dict.fromkeys(turn.sent for turn in episode.turns if turn.sent):
        try:
            last = read_text(folder, sent)["messages"][-1]
            parts = last["parts"] if last["role"] in _SHOWN_BY else []
            texts = [part["text"] for part in parts if "text" in part]
        except (OSError, ValueError, LookupError, TypeError):
            continue
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
