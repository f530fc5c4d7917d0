"""The records of a leaderboard, as files of a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.kit.files.installation import cores
from harness.kit.files.writing import write_json
from harness.records.directory import MalformedRun, NotARun, RunDirectory
from harness.reports.leaderboard.checked_run import DoesNotFit, check_run
from harness.reports.leaderboard.entry import file_name, make_entry, problems, result_of, with_replay
from harness.reports.leaderboard.leaderboard_page import RefusedFile
from harness.run.page_source import PageSource
from harness.run.reproduction import Reproduction, reproduce

MOST_BYTES = 8_000_000
"""Of a record; a true one of 160 tasks has some 50,000."""


def read_records(folder: Path) -> tuple[dict[str, dict[str, Any]], list[RefusedFile]]:
    """The records of a folder.

    Args:
        folder: Of the leaderboard.

    Returns:
        File name -> record, of those without problems; and the other files that end in ``.json``. Of two records of
        one result the later one by name is refused.
    """
    found: dict[str, dict[str, Any]] = {}
    refused: list[RefusedFile] = []
    seen: dict[str, str] = {}
    for file in sorted(folder.glob("*.json")):
        entry, wrong = _read(file)
        if not wrong and entry:
            result = result_of(entry)
            if result in seen:
                wrong = [f"it is the same result as {seen[result]}"]
            else:
                seen[result] = file.name
                found[file.name] = dict(entry)
        if wrong:
            refused.append(RefusedFile(file.name, wrong))
    return found, refused


def _read(file: Path) -> tuple[Mapping[str, Any] | None, list[str]]:
    try:
        entry = json.loads(read_inside(file.parent, file.name, MOST_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        return None, [f"it cannot be read: {error}"]
    return entry, problems(entry, file)


def entry_of(run: Path, pages: PageSource | None, *, name: str = "", note: str = "") -> dict[str, Any]:
    """The record of a run, which is checked and scored anew.

    Args:
        run: The run directory.
        pages: The tasks whose files are compared; None to compare none.
        name: What to call it.
        note: A sentence that stands beside it.

    Raises:
        DoesNotFit: it cannot be on a leaderboard.
        NotARun, PagesNotGiven, CatalogError: as their messages say.
    """
    try:
        return make_entry(check_run(run, pages), name=name, note=note)
    except MalformedRun as error:
        raise DoesNotFit(str(error)) from error


def replayed(run: Path, entry: Mapping[str, Any], pages: PageSource | None) -> tuple[dict[str, Any], Reproduction]:
    """The record of a run that was checked, with what doing the run again came to.

    Args:
        run: The run directory; it is not changed.
        entry: Its record.
        pages: The tasks whose pages are opened; None if there are none.

    Returns:
        The record, and what came of it.

    Raises:
        NotARun: the run cannot be read.
    """
    directory = RunDirectory(run)
    episodes = directory.size()
    if pages is None:
        found = Reproduction(episodes, why_not="no_task_files")
    else:
        try:
            found = reproduce(directory, pages, cores())
        except NotARun:
            raise
        except UserError as error:  # no browser, display or driver here, or tasks that are done again nowhere
            found = Reproduction(episodes, why_not="not_here", reason=str(error))
    films = sum(directory.films.file(each.task, each.index).exists() for each in directory.episodes())
    return with_replay(entry, found, films), found


def refuse_known(folder: Path, entry: Mapping[str, Any], run: Path) -> None:
    """Refuse a result that is there already, under whatever name.

    Args:
        folder: Of the leaderboard.
        entry: The record.
        run: The run directory, for messages.

    Raises:
        DoesNotFit: it is there.
    """
    records, _ = read_records(folder)
    for name, other in records.items():
        if result_of(other) == result_of(entry):
            raise DoesNotFit(f"{run} is in {folder} already: {name} ({other['name']})")


def add_record(folder: Path, entry: Mapping[str, Any], run: Path) -> Path:
    """Write the record of a run.

    Args:
        folder: Of the leaderboard.
        entry: The record.
        run: The run directory, for messages.

    Returns:
        The file.

    Raises:
        DoesNotFit: the result is there already, or the record does not hold water.
        OSError: it cannot be written.
    """
    refuse_known(folder, entry, run)
    file = folder / file_name(entry)
    if wrong := problems(json.loads(json.dumps(entry)), file):
        raise DoesNotFit(f"{run} makes no record: {'; '.join(wrong)}")
    write_json(file, entry)
    return file
