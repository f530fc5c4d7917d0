"""What two runs of one configuration have in common, whatever the machine and the number of workers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.records.digests import DIGEST

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
