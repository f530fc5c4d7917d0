"""Episodes taken into an index: read, scored as a run scores them, and written as rows."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.analysis.failed_actions import UNREAD, error_class, folded
from harness.analysis.score_table import FIELD_MEASURES, MEASURES, PEOPLE, WORK, ScoreTable
from harness.catalog.kinds import KINDS
from harness.episode.library import ACTIONS
from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.kit.files.inside import MOST, read_inside
from harness.kit.text import shorten
from harness.records.digests import state_of
from harness.records.directory import MalformedRun, RunDirectory
from harness.records.episode import Episode
from harness.records.turn import ERROR
from harness.reports.watch.episode_words import words_of
from harness.reports.watch.folder_changes import EpisodeFile
from harness.reports.watch.run_index import RunIndex, forget
from harness.scoring.metrics import PROFILES
from harness.scoring.scored_kind import kind_of
from harness.scoring.scores import score_episode

NUMBERS = (
    *MEASURES,
    *PEOPLE,
    *WORK,
    *("labels", "accepted", "steps", "failed", "seconds", "cost", "input_tokens", "output_tokens", "turns"),
)
"""Columns of an episode that ``ScoreTable`` makes."""
FIELD_NUMBERS = (*FIELD_MEASURES, *PEOPLE, "agreement")
_FIELD_WHOLE = ("tied", "visible", "labels")
CHANGED = "its record was changed after the run had written it"
"""What is noted of a file that can be read all the same."""
_LONGEST_DETAIL = 300
_LONGEST_NAME = 200
_LAST = 2**63 - 1
"""The largest number that a database holds."""

Place = tuple[str, int]
"""Task and index."""


def take_in(index: RunIndex, files: Sequence[EpisodeFile]) -> None:
    """Read episodes of a run and put them into its index, in place of what it knew of these files.

    A file that cannot be read is kept with the reason.

    Args:
        index: The index.
        files: What to read.

    Raises:
        NotARun: the run's ``run.json`` cannot be read.
        harness.reports.watch.run_index.IndexGone: as ``RunIndex.open``.
    """
    run = RunDirectory(index.run)
    profile = PROFILES[run.read().config.metrics]
    table = ScoreTable(profile)
    read: dict[Place, tuple[EpisodeFile, Episode, str]] = {}
    changed: dict[Place, str] = {}
    broken: list[tuple[EpisodeFile, str]] = []
    for file in files:
        try:
            text = _text(run, file.folder, file.name)
            episode = _episode_in(run, file.folder, file.name, text)
            score = score_episode(episode, profile)
        except (UserError, ValueError) as error:
            broken.append((file, str(error)))
            continue
        table.see(score)
        changed[(episode.task, episode.index)] = CHANGED if state_of(text) == "changed" else ""
        read[(episode.task, episode.index)] = (file, episode, words_of(index.run, episode))
    numbers, fields = _numbers(table)
    with index.open() as database:
        database.execute("BEGIN IMMEDIATE")
        for file in files:
            forget(database, file.folder, file.name)
        for file, reason in broken:
            _note(database, file, None, reason)
        for place, (file, episode, words) in read.items():
            number = _episode(database, file, episode, numbers[place])
            _note(database, file, number, changed[place])
            _fields(database, number, fields.get(place, []))
            _errors(database, number, episode)
            database.execute("INSERT INTO text (rowid, words) VALUES (?, ?)", (number, words))


def _text(run: RunDirectory, folder: str, name: str) -> bytes:
    try:
        return read_inside(run.folder, f"episodes/{folder}/{name}", MOST)
    except OSError as error:
        raise MalformedRun(f"{name} cannot be read: {error}") from error


def _episode_in(run: RunDirectory, folder: str, name: str, text: bytes) -> Episode:
    file = run.folder / "episodes" / folder / name
    try:
        episode = codec.decode(text, Episode)
        place = run.episode_file(episode.task, episode.index)
        f"{episode.id}{episode.split}".encode()  # half of a surrogate pair is in no name
    except ValueError as error:
        raise MalformedRun(f"{name} cannot be read: {error}") from error
    if not _is_countable(episode):
        raise MalformedRun(f"{name} holds a number that is too large")
    if place != file:
        raise MalformedRun(f"{name} holds another episode: instance {episode.index} of {episode.task!r}")
    if unknown := next((field for field in episode.fields if field.kind not in KINDS), None):
        raise MalformedRun(f"{name} has a field of the unknown kind {unknown.kind!r}")
    return episode


def _is_countable(episode: Episode) -> bool:
    """Whether the numbers of an episode can stand in a table: JSON knows larger ones."""
    usage = episode.usage
    try:
        for number in (usage.input_tokens, usage.output_tokens) if usage else ():
            float(number)
        math.fsum(episode.timing.values())
    except OverflowError:
        return False
    return episode.index <= _LAST


def _numbers(table: ScoreTable) -> tuple[Mapping[Place, list[Any]], Mapping[Place, list[list[Any]]]]:
    """The rows of a table by place: of each episode, and of its fields."""
    instances, fields = table.instances(), table.fields()
    places = list(zip(instances["task"].astype(object), map(int, instances["index"]), strict=True))
    rows = [_known(row) for row in instances[list(NUMBERS)].to_numpy(dtype=float).tolist()]
    of_fields: dict[Place, list[list[Any]]] = {}
    names = (fields["name"].astype(object), fields["kind"].astype(object))
    points = fields[list(FIELD_NUMBERS)].to_numpy(dtype=float).tolist()
    whole = fields[list(_FIELD_WHOLE)].to_numpy(dtype=int).tolist()
    for instance, name, kind, numbers, counts in zip(fields["instance"], *names, points, whole, strict=True):
        of_fields.setdefault(places[instance], []).append([_clean(name), kind, *_known(numbers), *counts])
    return dict(zip(places, rows, strict=True)), of_fields


def _known(row: list[float]) -> list[float | None]:
    return [None if math.isnan(number) else number for number in row]


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _episode(database: sqlite3.Connection, file: EpisodeFile, episode: Episode, numbers: list[Any]) -> int:
    kinds = sorted({field.kind for field in episode.fields})
    row = {
        "folder": file.folder,
        "task": episode.task,
        "place": episode.index,
        "id": episode.id,
        "split": episode.split,
        "outcome": episode.outcome,
        "kinds": " ".join(kinds),
        "classes": "\n".join(dict.fromkeys(name for name, _, _ in _failures(episode))),
        "detail": _clean(episode.detail[:_LONGEST_DETAIL]),
        "ended": _clean(folded(episode.detail)),
        **{name: _clean(word) for name, word in kind_of(episode).groups(episode).items()},
        "written": file.changed / 1e9,
        **dict(zip(NUMBERS, numbers, strict=True)),
    }
    words = f"INSERT INTO episode ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608 - our own names
    number = database.execute(words, list(row.values())).lastrowid
    assert number is not None  # noqa: S101 - a row was inserted
    return number


def _note(database: sqlite3.Connection, file: EpisodeFile, number: int | None, reason: str) -> None:
    row = (file.folder, file.name, file.changed, file.size, number, _clean(reason))
    # Two names that are no UTF-8 may look alike.
    database.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)", row)


def _fields(database: sqlite3.Connection, number: int, rows: list[list[Any]]) -> None:
    values = [(number, position, *row) for position, row in enumerate(rows)]
    database.executemany("INSERT INTO field VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def _errors(database: sqlite3.Connection, number: int, episode: Episode) -> None:
    rows = [(number, *failure, count) for failure, count in _failures(episode).items()]
    database.executemany("INSERT INTO error VALUES (?, ?, ?, ?, ?)", rows)


def _failures(episode: Episode) -> Counter[tuple[str, str, str]]:
    """An episode's failed actions by class, as ``harness.analysis.failed_actions`` counts them, message and field."""
    failed = (step for step in episode.steps if not step.ok)
    found = Counter((error_class(step.code), _clean(folded(step.message)), _field_of(step.action)) for step in failed)
    unread = (call.removeprefix(ERROR) for turn in episode.turns for call in turn.calls if call.startswith(ERROR))
    found.update((UNREAD, _clean(folded(call)), "") for call in unread)
    return found


def _field_of(action: str) -> str:
    """The name of the field that an action was meant for, whether there is one or not; empty of other actions."""
    call = next(iter(parse(action, ACTIONS)), None)
    name = call.args.get("name") if isinstance(call, ActionCall) else None
    return _clean(shorten(name, _LONGEST_NAME)) if isinstance(name, str) else ""
