"""The page of a leaderboard: one HTML file that needs nothing else, a table for each comparability id."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from django.template import Context, Engine

from harness.browser.box.program_options import BoxOptions
from harness.kit.options import view
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, UNKNOWN, counted
from harness.records.agent_name import shut_in
from harness.records.results import Work
from harness.reports.leaderboard.entry import ROLES
from harness.reports.leaderboard.rules import SCORED_BY, WEBSITES
from harness.reports.wording import count, dollars, interval, percent, told_of_errors, told_of_work

_SOURCE = files(__package__) / "page.html"
_STYLES = (files("harness.reports.html") / "templates" / "report.css", files(__package__) / "page.css")
_FLOOR_WORDS = {
    "ceiling": "the best that the labels allow",
    "constant": "the most frequent answer of each task",
    "copy": "the longest input in every text",
    "do_nothing": "the untouched form",
}
_FLOOR_OF_SITES = {"do_nothing": "doing nothing"}
_SCALE = 150
"""Length of the scale from 0 to 1 in the picture of an interval, in its own units."""


@dataclass(frozen=True)
class RefusedFile:
    """A file of the folder that is no record.

    Attributes:
        name: Its name.
        problems: What is wrong with it.
    """

    name: str
    problems: Sequence[str]


_WHY_NOT: Mapping[str, str] = {
    "no_task_files": "the files of its tasks were not at hand",
    "no_actions": "its program worked past the action library, so that no actions are recorded",
    "no_pages": "nobody worked on its pages",
    "not_here": "it could not be replayed where it was added",
}
_OLDER = "it was added before runs were replayed"


def words_of_replay(entry: Mapping[str, Any]) -> str:
    """What replaying the run of a record came to, in words.

    Args:
        entry: The record; older ones do not tell.
    """
    if not (replay := entry.get("replay")):
        return _OLDER
    if replay["why_not"]:
        said = _WHY_NOT[replay["why_not"]]
    else:
        said = f"{replay['same']} of {counted(replay['episodes'], 'episode')} came out the same on fresh pages"
        if left := replay["episodes"] - replay["replayed"]:
            said += f", and {left} could not be replayed"
    if replay["mark"] != "replayed" and replay["films"]:
        said += f"; films of {counted(replay['films'], 'episode')} in its run directory show what was done"
    return said


def render(entries: Mapping[str, Mapping[str, Any]], refused: Sequence[RefusedFile] = ()) -> str:
    """The page.

    Args:
        entries: File name -> a record that has no problems.
        refused: What is not shown, and why.
    """
    shown = {
        "groups": list(_groups(entries)),
        "records": len(entries),
        "refused": refused,
        "style": "\n".join(file.read_text(encoding="utf-8") for file in _STYLES),
        "entries": [_about(name, entry) for name, entry in _by_name(entries)],
        "scale": _SCALE,
        "width": _SCALE + 10,
    }
    # Names and notes are strangers' text: the engine escapes everything that it puts in, the style sheets aside.
    return Engine().from_string(_SOURCE.read_text(encoding="utf-8")).render(Context(shown, use_l10n=False))


def _by_name(entries: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    return sorted(entries.items(), key=lambda item: (item[1]["name"].casefold(), item[0]))


def _groups(entries: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """What may be compared, most records first; forms before websites, and the default profile before the other."""
    found: dict[tuple[int, str], list[tuple[str, Mapping[str, Any]]]] = {}
    for name, entry in _by_name(entries):
        for scored_by, scores in entry["profiles"].items():
            place = SCORED_BY.index(scored_by)
            found.setdefault((place, scores["comparability_id"]), []).append((name, entry))
    for (place, ident), members in sorted(found.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1])):
        yield _group(SCORED_BY[place], ident, members)


def _group(profile: str, ident: str, members: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    scores = [entry["profiles"][profile] for _, entry in members]
    order = sorted(range(len(members)), key=lambda place: -(scores[place]["score"]["value"] or 0.0))
    ranked = [(members[place][0], members[place][1], scores[place]) for place in order]
    first = next((each for _, entry, each in ranked if entry["role"] != "people"), ranked[0][2])
    config, compared = members[0][1]["configuration"], members[0][1]["compared"]
    splits = sorted(first["splits"])
    return {
        "profile": profile,
        "on_sites": profile == WEBSITES,
        "id": ident,
        "tasks": first["score"]["clusters"],
        "instances": first["score"]["items"],
        "records": len(members),
        "splits": [(split, first["splits"][split]["tasks"]) for split in splits] if len(splits) > 1 else [],
        "split": splits[0] if len(splits) == 1 else "",
        "sample": f"at most {counted(config['max_instances'], 'instance')} of a task"
        if config["max_instances"]
        else "",
        "missing": compared["outside"]["instances_without_their_media"],
        "rows": [*_rows(ranked, splits if len(splits) > 1 else [])],
        "floors": [
            (words, percent(first[key]))
            for key, words in (_FLOOR_OF_SITES if profile == WEBSITES else _FLOOR_WORDS).items()
        ],
        "by_task": _by_task(ranked),
        "names": [entry["name"] for _, entry, _ in ranked],
        "hashes": [(key, value[:16]) for key, value in compared.items() if isinstance(value, str)],
    }


def _rows(ranked: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]], splits: Sequence[str]) -> Iterator[Any]:
    before: tuple[int, float | None] = (0, None)
    entries = 0
    for name, entry, scores in ranked:
        score, place = scores["score"], ""
        if entry["role"] == "entry":
            entries += 1
            # Equal scores share a place.
            before = (before[0] if score["value"] == before[1] else entries, score["value"])
            place = str(before[0])
        effort = entry["effort"]
        yield {
            "place": place,
            "file": name,
            "name": entry["name"],
            "mark": ROLES[entry["role"]],
            "note": entry["note"],
            "work": _work(entry),
            "errors": told_of_errors(entry["outcomes"]),
            "own_code": ":" in entry["configuration"]["solver"],
            "box": _box(entry["configuration"]["options"]),
            "evidence": _mark(entry),
            "replay": words_of_replay(entry),
            "unchecked": not entry["task_files_checked"],
            "score": percent(score["value"]),
            "interval": interval(Estimate.from_json(score)),
            "picture": _picture(score),
            "of_ceiling": percent(scores["of_ceiling"]["value"]),
            "splits": [percent(scores["splits"][each]["score"]["value"]) for each in splits],
            "tokens": _tokens(effort),
            "cost": _cost(effort),
        }


def _mark(entry: Mapping[str, Any]) -> str:
    mark: str = entry["replay"]["mark"] if "replay" in entry else "self-reported"
    return mark


def _work(entry: Mapping[str, Any]) -> str:
    """What has to be known of the score of a competitor that never did anything; older records do not tell."""
    return told_of_work(Work(**entry["work"])) if entry["role"] == "entry" and "work" in entry else ""


def _box(options: Mapping[str, Any]) -> str:
    """How a program was shut in; the record is a stranger's, which may hold anything there."""
    return shut_in(options, view(BoxOptions, options).isolate)


def _tokens(effort: Mapping[str, Any]) -> str:
    read, wrote = effort["input_tokens"], effort["output_tokens"]
    if read is None or wrote is None:
        return UNKNOWN
    return count(read + wrote) if read + wrote else NOTHING


def _cost(effort: Mapping[str, Any]) -> str:
    """What its model cost; a solver without one is not cheap, but has nothing to pay."""
    if effort["input_tokens"] == effort["output_tokens"] == 0:
        return NOTHING
    return UNKNOWN if effort["cost"] is None else dollars(effort["cost"])


def _picture(score: Mapping[str, Any]) -> dict[str, str] | None:
    """Where its parts stand; text, since a number in a template may be written as people write it."""
    if score["value"] is None:
        return None
    low, high = (score["value"] if score[key] is None else score[key] for key in ("low", "high"))
    return {key: f"{each * _SCALE:.1f}" for key, each in (("dot", score["value"]), ("low", low), ("long", high - low))}


def _by_task(ranked: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> list[dict[str, Any]]:
    tasks = sorted({task for _, _, scores in ranked for task in scores["tasks"]}, key=str.casefold)
    rows = []
    for task in tasks:
        found = [scores["tasks"].get(task) for _, _, scores in ranked]
        known = next(each for each in found if each)
        rows.append(
            {
                "task": task,
                "split": known["split"],
                "instances": known["instances"],
                "ceiling": percent(known["ceiling"]),
                "scores": [percent(each["score"]) if each else NOTHING for each in found],
            }
        )
    return rows


def _about(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    harness = entry["harness"]
    changed = f", {counted(harness['changed_files'], 'file')} changed" if harness["changed_files"] else ""
    settings = {**entry["configuration"], **entry["configuration"]["options"], **entry["configuration"]["limits"]}
    return {
        "file": name,
        "name": entry["name"],
        "settings": [
            (key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for key, value in settings.items()
            if key not in {"options", "limits"} and value not in (None, [], False)
        ],
        "told": json.dumps(entry["solver"], ensure_ascii=False) if entry["solver"] else "",
        "revision": f"{(harness['revision'] or 'unknown')[:12]}{changed}",
        "browser": entry["browser"],
        "sandbox": entry.get("sandbox", UNKNOWN),
        "place": entry.get("browser_place", "here"),
        "when": f"{entry['started'][:16].replace('T', ' ')}, UTC",
        "outcomes": ", ".join(f"{words} {number}" for words, number in entry["outcomes"].items()),
        "checked": entry["task_files_checked"],
        "evidence": f"{_mark(entry)}: {words_of_replay(entry)}",
        "digests": entry.get("digests", "unknown"),
        "id": entry["id"],
    }
