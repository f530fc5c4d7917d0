"""Digests of episodes' records: whether what stands in a run directory is what was written there.

An episode's file ends with a digest of all that stands before it, so that both are there or neither, whoever writes
how many episodes at a time. ``run.json`` has one over the files of all episodes, made when the run ends. They find what
was changed by accident; whoever changes a run on purpose makes them anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.kit.files.writing import json_text, write_bytes

DIGEST = "digest"
"""The last key of an episode's file."""
_END = b"\n}\n"
_DIGEST = re.compile(rb',\n "digest": "([0-9a-f]{64})"\n}\n')
_DIGEST_LENGTH = 64 + len(b',\n "digest": ""\n}\n')
_MOST_NAMED = 10
_PART = 1_000
"""Files that a process checks at a time."""

RecordState = Literal["as_written", "changed", "unknown"]


def write_with_digest(file: Path, record: object) -> None:
    """Write a record as ``harness.kit.files.writing.write_json`` does, with its digest as the last key.

    Args:
        file: The file.
        record: A JSON object that is not empty.

    Raises:
        OSError: it cannot be written.
    """
    content = json_text(record).removesuffix(_END)
    digest = f',\n "{DIGEST}": "{hashlib.sha256(content).hexdigest()}"'
    write_bytes(file, content + digest.encode() + _END)


def state_of(text: bytes) -> RecordState:
    """Whether a record stands as it was written; ``unknown`` of one without a digest, as older versions wrote them."""
    return _state_and_digest(text)[0]


def _state_and_digest(text: bytes) -> tuple[RecordState, str]:
    """The state of a record, and the digest of its whole file."""
    content, end = text[:-_DIGEST_LENGTH], text[-_DIGEST_LENGTH:]
    every = hashlib.sha256(content)
    state: RecordState
    if found := _DIGEST.fullmatch(end):
        state = "as_written" if every.hexdigest() == found[1].decode() else "changed"
    else:
        # Who lays out the file anew moves the digest.
        state = "changed" if _has_digest(text) else "unknown"
    every.update(end)
    return state, every.hexdigest()


def _has_digest(text: bytes) -> bool:
    try:
        return DIGEST in codec.decode(text, dict[str, Any])
    except codec.Malformed:
        return True


@dataclass(frozen=True)
class CheckedRecords:
    """What the digests of a run say of its episodes' records.

    Attributes:
        digest: Over the files of all episodes, as they are now.
        changed: The files whose content is not what was written, by their paths in the run directory.
        unknown: How many files have no digest.
        are_others: Whether the files are not those with which the run ended, though none of them is known to have
            changed: one was replaced, added or removed.
    """

    digest: str
    changed: tuple[str, ...] = ()
    unknown: int = 0
    are_others: bool = False

    def in_words(self) -> str:
        """One line of what was changed; empty if nothing is known to be."""
        if self.changed:
            more = len(self.changed) - _MOST_NAMED
            named = ", ".join(map(json.dumps, self.changed[:_MOST_NAMED])) + (f" and {more} more" if more > 0 else "")
            if len(self.changed) == 1:
                return f"the record of 1 episode was changed after the run had written it: {named}"
            return f"the records of {len(self.changed)} episodes were changed after the run had written them: {named}"
        if self.are_others:
            return "the episodes are not those with which the run ended: one was replaced, added or removed since"
        return ""


def check_records(folder: Path, files: Sequence[Path], digest: str, pool: Executor | None = None) -> CheckedRecords:
    """Compare the records of a run with their digests.

    Args:
        folder: The run directory; nothing is changed.
        files: The files of its episodes, in order.
        digest: Over all of them, as ``run.json`` has it; empty if it has none.
        pool: What reads them; None for this process.

    Raises:
        OSError: a file cannot be read.
    """
    every, changed, unknown = hashlib.sha256(), [], 0
    parts = [files[first : first + _PART] for first in range(0, len(files), _PART)]
    for path, state, own in chain.from_iterable((pool.map if pool else map)(partial(_checked, folder), parts)):
        every.update(f"{path}\0{own}\n".encode("utf-8", "surrogateescape"))
        match state:
            case "changed":
                changed.append(path)
            case "unknown":
                unknown += 1
    found = every.hexdigest()
    return CheckedRecords(found, tuple(changed), unknown, bool(digest) and digest != found and not changed)


def _checked(folder: Path, files: Sequence[Path]) -> list[tuple[str, RecordState, str]]:
    """Of each file its path in the run directory, its state, and its own digest."""
    return [
        (file.relative_to(folder).as_posix(), *_state_and_digest(read_inside(file.parent, file.name, MOST)))
        for file in files
    ]


_WHERE_AND_WHEN = frozenset({"started", "ended", "resumed", "stopped", "provenance", "sandbox", "foundations"})
_ACCOUNTS = frozenset({"spent", "judge_spent", "reported", "budgets_before", "time"})
_ELSEWHERE = frozenset({"browser_url", "grid", "serve_at"})
_HOW = _ELSEWHERE | {
    "workers",
    "pages_per_browser",
    "engine",
    "headed",
    "server",
    "tasks_dir",
    "overlay",
    "media",
    "require_sandbox",
}
_FILMED = frozenset({"film", "film_pictures"})
_TIMES = frozenset({"timing", "messages", "ended"})
_DIGESTS = frozenset({"episodes_digest", DIGEST})
"""Over times, too."""
_TIMES_AND_PIXELS = frozenset({"ms", "image"})
_TIMES_AND_COSTS = frozenset({"ms", "images", "usage", "cost", "cached", "attempts"})
"""Of a turn: a reply out of the cache costs nothing, and what a provider caches itself, and counts, is up to it."""


def canonical_run(run: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a ``run.json``, without times, places, versions and what was paid."""
    record = {key: value for key, value in run.items() if key not in _WHERE_AND_WHEN | _ACCOUNTS | _DIGESTS}
    record["config"] = {key: value for key, value in record["config"].items() if key not in _HOW | _FILMED}
    return record


def canonical_episode(episode: Mapping[str, Any]) -> dict[str, Any]:
    """The content of an episode's file, without times, counts of messages, pictures and what was paid."""
    plain = {key: value for key, value in episode.items() if key not in _TIMES | _DIGESTS}
    plain["steps"] = [
        {key: value for key, value in step.items() if key not in _TIMES_AND_PIXELS} for step in episode["steps"]
    ]
    plain["turns"] = [_without_costs(turn) for turn in episode["turns"]]
    plain["lost_turns"] = [_without_costs(turn) for turn in episode.get("lost_turns") or ()]
    if site := episode.get("site"):
        moments = [
            {key: value for key, value in each.items() if key not in _TIMES_AND_PIXELS} for each in site["moments"]
        ]
        plain["site"] = {**site, "moments": moments}
    return plain


def _without_costs(turn: Mapping[str, Any]) -> dict[str, Any]:
    """A turn without what differs from run to run; a request that holds pictures differs with their pixels."""
    plain = {key: value for key, value in turn.items() if key not in _TIMES_AND_COSTS}
    return {**plain, "sent": ""} if turn["images"] else plain
