"""What may differ between two recordings of equal code, each thing with its reason. All else may not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

RUN: Mapping[str, str] = {
    "started": "when it was",
    "ended": "when it was",
    "resumed": "when it was",
    "provenance": "names the revision, the packages and the browser",
    "foundations.page_code": "a hash of code, which a refactoring changes",
    "config.workers": "no number depends on it",
}
"""Paths in ``run.json`` that are set to constants: in a run before commands read it, and before it is compared."""

EPISODE: Mapping[str, str] = {
    "timing": "times",
    "ended": "when it was",
    "messages": "how many DevTools messages came is a matter of timing",
    "steps.*.ms": "times",
    "turns.*.ms": "times",
}
"""The same in an episode."""

FILM: Mapping[str, str] = {
    "frames.*.picture": "the name of a picture is a hash of its pixels, and a caret blinks",
    "frames.*.ms": "times",
}
"""The same in a film."""

NEVER_COMPARED: Mapping[str, str] = {
    "schema": "a new version of the format says nothing of what was measured",
    "steps.*.image": "the name of a picture is a hash of its pixels, and a caret blinks",
    "turns.*.images.*": "the same",
    "turns.*.sent.messages.*.parts.*.sha256": "the same",
    "turns.*.sent.messages.*.parts.*.images.*.sha256": "the same, of pictures that a tool gave",
    "turns.*.sent.messages.*.parts.*.images.*.bytes": "the same",
    "*.messages.*.content.*.sha256": "the same, in exported examples",
}
"""Paths in all JSON that are set to constants only for the comparison: commands that read a run need what is there."""

STEP_KEYS = frozenset({"action", "ok", "message", "ms", "image", "rehearsed", "looked"})
"""What of a step is compared. Other keys are left out: a step may come to say more, such as the code of its error."""

FILES: Mapping[str, str] = {
    "runs/*/images/*": "pixels",
    "runs/*/films/pictures/*": "pixels",
    "runs/*/texts/*": "compared where the turns name them",
    "runs/*/replies/*": "named by a hash that covers the port of the scripted model; turns hold the replies",
    "runs/*/calls/*": "places for calls under way",
    "runs/*/ledger.jsonl": "in the order in which calls ended, with process ids and times; turns hold the costs",
    "files/tables-*/*.parquet": "binary",
    "files/check/run/*": "the run of a check: its report is compared",
}
"""Files that are not compared, as globs in which ``*`` also matches ``/``."""

PORT = re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=localhost:)\d+")

TEXT: Mapping[re.Pattern[str], str] = {
    PORT: "ports are free ones",
    re.compile(r"\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(\.\d+)?(\+00:00|Z)?"): "when it was",
    re.compile(r"(?<=/\.)[0-9a-f]{16}(?=\.part)"): "names of temporary files are drawn",
    re.compile(r"(?<=/tmp/)[\w.-]+"): "names of temporary folders are drawn",
}
"""What is masked in every text, next to the paths of the recording, the checkout and the interpreter."""

_THEN = "2000-01-01T00:00:00+00:00"


def still(value: Any, paths: Mapping[str, str]) -> Any:
    """A JSON value in which everything at some paths is constant.

    Args:
        value: Any JSON value.
        paths: Keys joined by dots; ``*`` stands for every place in a list.

    Returns:
        A copy. At the paths numbers are 1, texts a fixed time and lists empty; objects keep their keys.
    """
    return _still(value, paths, "")


def _still(value: Any, paths: Mapping[str, str], here: str) -> Any:
    if here in paths:
        return _constant(value)
    match value:
        case dict():
            return {key: _still(item, paths, f"{here}.{key}" if here else key) for key, item in value.items()}
        case list():
            return [_still(item, paths, f"{here}.*" if here else "*") for item in value]
    return value


def _constant(value: Any) -> Any:
    match value:
        case None | bool():
            return value
        case dict():
            return {key: _constant(item) for key, item in value.items()}
        case list():
            return []
        case str():
            return _THEN
    return 1
