"""The JSON Schemas of the files of runs and of maintenance, and the page that lists the keys of a run's files."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from harness.actions.result import ErrorCode
from harness.kit.files.codec import json_schema
from harness.records.digests import DIGEST
from harness.records.episode import Episode
from harness.records.film import Film
from harness.records.run_record import RunRecord
from harness.records.verdict import Verdicts
from harness.scoring.judges.saved_judgements import SavedJudgement, TrajectoryJudge
from harness.sites.maintenance.records import MaintenanceReport

FILES = {
    "run": RunRecord,
    "episode": Episode,
    "verdicts": Verdicts,
    "film": Film,
    "maintenance": MaintenanceReport,
    "judge": TrajectoryJudge,
    "judgement": SavedJudgement,
}
"""Name of the schema to the record that it is of."""
LEFT_OUT = {"episode": ("site", "other")}
"""Keys that a file does without where they have nothing to say: those of forms look as before there were websites."""
_DIGEST = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "SHA-256 of the file's bytes up to the comma before this key, which is the last.",
}
BESIDE = {"episode": {DIGEST: _DIGEST}}
"""Keys of a file that are no attributes of its record."""
ELSEWHERE = {
    "RunConfig": "the [options](options.md), with underscores; but `tasks` for `--task`, `limits` with `max_steps` "
    "and `max_seconds` (`--max-time`), `solver`, its `options`, and `cube`",
    **dict.fromkeys(
        ("RunFingerprint", "MissedOutside", "ReportedTotals", "EarlierBudgets"), "[schema](schema/run.json)"
    ),
    **dict.fromkeys(
        ("AgentReport", "ToolCall", "Refusal", "SiteRecord", "OtherRecord"), "[schema](schema/episode.json)"
    ),
    "Target": "[schema](schema/film.json)",
}
"""Records whose keys stand elsewhere, and where."""
_ON_THE_PAGE = {"run": "run.json", "episode": "Episodes", "film": "Films"}
_HEAD = """\
# Keys of run.json, episodes and films

What the files of a [run directory](run-directory.md) hold. The schemas [run.json](schema/run.json),
[episode.json](schema/episode.json) and [film.json](schema/film.json) say the same with types. `make docs` writes this
page from the code.

A heading is the way to a record: `fields[]` is each entry of the list `fields`, `tasks.*` each value of the object
`tasks`. A key is null or absent in a run of an older version that did not keep it.
"""


def schema_text(name: str) -> str:
    """The schema of one of ``FILES`` as text."""
    return json.dumps(_schema(name), indent=1, ensure_ascii=False) + "\n"


def _schema(name: str) -> dict[str, Any]:
    schema = json_schema(FILES[name])
    for key in LEFT_OUT.get(name, ()):
        schema["$defs"][FILES[name].__name__]["required"].remove(key)
    schema["$defs"][FILES[name].__name__]["properties"] |= BESIDE.get(name, {})
    return schema


def document() -> str:
    """The page of the keys of ``run.json``, episodes and films, in Markdown."""
    lines, places = [_HEAD], dict[str, str]()
    for name, title in _ON_THE_PAGE.items():
        lines += [f"## {title}", "", *_Keys(_schema(name)["$defs"], places).of(FILES[name].__name__, "")]
    return "\n".join([*lines, "## Error codes", "", *_error_codes(), ""])


class _Keys:
    """The keys of a file's records as lines of Markdown.

    Args:
        records: The definitions of the file's schema.
        places: Record to the heading under which its keys stand on the page; more are added.
    """

    def __init__(self, records: dict[str, Any], places: dict[str, str]) -> None:
        self._records = records
        self._places = places
        self._told: dict[str, tuple[str, str]] = {}  # key -> its description, and where it stands

    def of(self, name: str, way: str) -> Iterator[str]:
        """The lines of a record, those of the records that it holds behind them."""
        self._places[name] = way
        keys = {key: each for key, each in self._records[name]["properties"].items() if "description" in each}
        again = [key for key, each in keys.items() if self._told.get(key, ("", ""))[0] == each["description"]]
        held = []
        if way:
            yield from (f"### {way}", "")
        for key, each in keys.items():
            if key in again:
                continue
            self._told[key] = each["description"], way
            links = []
            for record, step in _records_in(each):
                if record in ELSEWHERE:
                    links.append(ELSEWHERE[record])
                elif record in self._places:
                    links.append(f"as [{self._places[record]}](#{_anchor(self._places[record])})")
                elif "properties" in self._records[record]:
                    held.append((record, f"{way}.{key}{step}".removeprefix(".")))
            yield f"- `{key}`: {each['description']}" + (f" Keys: {', '.join(links)}." if links else "")
        if again:
            where = self._told[again[0]][1]
            names = f"`{again[0]}` to `{again[-1]}`" if again[1:] else f"`{again[0]}`"
            yield f"- {names}: as in [{where}](#{_anchor(where)})."
        yield ""
        for record, path in held:
            if record not in self._places:
                yield from self.of(record, path)


def _records_in(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each record that a value holds, with the way to it."""
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2], ""
    for each in schema.get("anyOf", ()):
        yield from _records_in(each)
    for key, step in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(key), dict):
            yield from ((name, step + way) for name, way in _records_in(schema[key]))


def _anchor(heading: str) -> str:
    return "".join(letter for letter in heading.lower() if letter.isalnum() or letter in "-_")


def _error_codes() -> Iterator[str]:
    yield "What kept an action from being done. The words of a message may change; a code keeps its meaning."
    yield ""
    body = ast.parse(inspect.getsource(ErrorCode)).body[0].body  # type: ignore[attr-defined]
    for code, words in pairwise(body):
        if isinstance(code, ast.Assign) and isinstance(words, ast.Expr):
            yield f"- `{ast.literal_eval(code.value)}`: {' '.join(ast.literal_eval(words.value).split())}"
