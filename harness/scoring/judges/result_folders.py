"""Trajectories in the layout of Online-Mind2Web: ``<task_id>/result.json`` and ``<task_id>/trajectory/*.png``.

Both versions of ``result.json`` are read: in the first, actions and thoughts are lists of texts, and pictures are
ordered by the first number in their names; in the second (``online-mind2web-v2``) each step has its action, thought and
picture, and the last step is the answer. The first is written. Folders come from strangers: a name leads nowhere, sizes
are bounded, and what is not there is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode
from harness.kit.files.inside import open_inside, read_inside
from harness.kit.files.writing import is_free, new_folder, path_name, write_bytes, write_json
from harness.kit.text import shorten
from harness.scoring.judges.judgements import JudgedTrajectory

RESULT, PICTURES = "result.json", "trajectory"
VERSION_2 = "online-mind2web-v2"
MOST_FOLDERS = 100_000
MOST_PICTURES = 2_000
LARGEST_RESULT = 32 * 2**20
"""Bytes."""
_NUMBER = re.compile(r"[0-9]{1,9}")
_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp"}
_LONGEST_NAME = 255


class MalformedResultFolder(UserError):
    """A folder holds no trajectory, or none that can be read; the message says which, and why."""


@dataclass(frozen=True, kw_only=True)
class _Step:
    action: str
    thought: str | None = None
    screenshot: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Result:
    """``result.json`` of the first version."""

    task_id: str | int
    task: str
    action_history: tuple[str, ...]
    thoughts: tuple[str | None, ...] | None = None
    final_result_response: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Result2:
    """``result.json`` of the second version."""

    schema_version: Literal["online-mind2web-v2"]
    task_id: str | int
    task: str
    action_history: tuple[_Step, ...]
    agent_final_answer: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Version:
    schema_version: str | None = None


@dataclass(frozen=True)
class ResultFolders:
    """What was found in a folder of result folders.

    Attributes:
        trajectories: Those that could be read, by the folders' names.
        problems: Why others could not, a line each.
    """

    trajectories: tuple[JudgedTrajectory, ...]
    problems: tuple[str, ...]

    @property
    def missing_pictures(self) -> int:
        """Pictures that are not there, of all that could be read."""
        return sum(len(each.missing) for each in self.trajectories)


def read_result_folders(top: Path) -> ResultFolders:
    """Read every result folder in a folder; one that cannot be read keeps no other from being read.

    Args:
        top: The folder that holds a folder a task; names that begin with a dot are passed over.

    Raises:
        MalformedResultFolder: it cannot be listed, or holds no result folder.
    """
    try:
        names = sorted(each.name for each in top.iterdir() if each.is_dir() and not each.name.startswith("."))
    except OSError as error:
        raise MalformedResultFolder(f"{top} cannot be read: {error.strerror or error}") from error
    if not names or len(names) > MOST_FOLDERS:
        raise MalformedResultFolder(
            f"{top} holds {len(names):,} folders; 1 to {MOST_FOLDERS:,} with trajectories can be"
        )
    found, problems = [], []
    for name in names:
        try:
            found.append(read_result_folder(top, name))
        except MalformedResultFolder as error:
            problems.append(str(error))
    return ResultFolders(tuple(found), tuple(problems))


def read_result_folder(top: Path, name: str) -> JudgedTrajectory:
    """Read the trajectory of one task.

    Args:
        top: The folder that holds it.
        name: Of the task's folder, which is the task's id.

    Raises:
        MalformedResultFolder: it cannot be read, is not of that form, or says another id than its name.
    """
    folder = top / name
    if not folder.resolve().is_relative_to(top.resolve()):
        raise MalformedResultFolder(f"{folder} leads out of {top}")
    try:
        data = read_inside(folder, RESULT, LARGEST_RESULT)
        trajectory = _trajectory(data, folder)
    except OSError as error:
        raise MalformedResultFolder(f"{folder / RESULT} cannot be read: {error.strerror or error}") from error
    except Malformed as error:
        raise MalformedResultFolder(f"{folder / RESULT} holds no result: {shorten(str(error), 200)}") from error
    if not trajectory.task.strip():
        raise MalformedResultFolder(f"{folder / RESULT} has no task in words")
    if name not in (trajectory.task_id, path_name(trajectory.task_id or "-")):
        said = shorten(repr(trajectory.task_id), 60)
        raise MalformedResultFolder(f"{folder / RESULT} is of the task {said}, and its folder has another name")
    return trajectory


def _trajectory(data: bytes, folder: Path) -> JudgedTrajectory:
    place = folder / PICTURES
    if decode(data, _Version).schema_version == VERSION_2:
        new = decode(data, _Result2)
        wanted = [each.screenshot for each in new.action_history if each.screenshot is not None]
        there = [name for name in wanted if _is_picture(place, name)]
        return JudgedTrajectory(
            task_id=str(new.task_id),
            task=new.task,
            # The last step is what the agent says in the end, and no action; the public evaluation leaves it out, too.
            actions=tuple(each.action for each in new.action_history[:-1]),
            thoughts=tuple(each.thought for each in new.action_history),
            answer=new.agent_final_answer,
            folder=place,
            pictures=tuple(there[:MOST_PICTURES]),
            missing=tuple(shorten(name, 100) for name in wanted if name not in there),
        )
    old = decode(data, _Result)
    pictures, missing = _listed(place)
    return JudgedTrajectory(
        task_id=str(old.task_id),
        task=old.task,
        actions=old.action_history,
        thoughts=old.thoughts or (),
        answer=old.final_result_response,
        folder=place,
        pictures=pictures,
        missing=missing,
    )


def _listed(place: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pictures of a folder by their numbers, and what is missing: what is no picture, and gaps in the numbers."""
    try:
        names = [each.name for each in place.iterdir()]
    except OSError:
        return (), (f"{PICTURES}/",)
    numbered = sorted(
        (int(found[0]), name)
        for name in names
        if Path(name).suffix.lower() in _SUFFIXES and (found := _NUMBER.search(name))
    )
    pictures = [(number, name) for number, name in numbered if _is_picture(place, name)]
    there = {name for _, name in pictures}
    missing = [name for _, name in numbered if name not in there]
    numbers = {number for number, _ in numbered}
    if numbers and max(numbers) - min(numbers) < MOST_PICTURES:
        missing += [f"number {number}" for number in range(min(numbers), max(numbers)) if number not in numbers]
    return tuple(name for _, name in pictures[:MOST_PICTURES]), tuple(shorten(name, 100) for name in missing)


def _is_picture(place: Path, name: str) -> bool:
    """Whether a name is that of a picture in a folder, by its first bytes; a path or a link out of it is none."""
    if not name or len(name) > _LONGEST_NAME or "/" in name or "\\" in name or "\0" in name:
        return False
    try:
        with open_inside(place, name) as stream:
            return picture_suffix(stream.read(12)) is not None
    except OSError:
        return False


def picture_suffix(start: bytes) -> str | None:
    """The suffix of a picture's format by its first bytes; None if they are of no picture that judges are sent."""
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if start.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    return ".webp" if start.startswith(b"RIFF") and start[8:12] == b"WEBP" else None


def write_result_folders(trajectories: Iterable[JudgedTrajectory], out: Path) -> int:
    """Write trajectories as result folders, whole or not at all.

    Args:
        trajectories: Each task once. What is missing of one is not made up.
        out: A new folder, or one that is empty.

    Returns:
        How many were written.

    Raises:
        MalformedResultFolder: ``out`` is not empty, two are of one task, or a picture cannot be read.
        OSError: a file cannot be written.
    """
    if not is_free(out):
        raise MalformedResultFolder(f"{out} is not empty; give a new folder")
    names: set[str] = set()
    with new_folder(out) as part:
        for trajectory in trajectories:
            name = path_name(trajectory.task_id)
            if name in names:
                raise MalformedResultFolder(f"there are two trajectories of the task {trajectory.task_id!r}")
            names.add(name)
            _write(trajectory, part / name)
        if not names:
            raise MalformedResultFolder("there is no trajectory to write")
    return len(names)


def _write(trajectory: JudgedTrajectory, folder: Path) -> None:
    result = {
        "task_id": trajectory.task_id,
        "task": trajectory.task,
        "final_result_response": trajectory.answer,
        "action_history": list(trajectory.actions),
        "thoughts": list(trajectory.thoughts),
    }
    write_json(folder / RESULT, result)
    (folder / PICTURES).mkdir()
    for number, data in enumerate(_pictures(trajectory)):
        suffix = picture_suffix(data)
        if suffix is None:
            raise MalformedResultFolder(f"{trajectory.folder / trajectory.pictures[number]} is no picture any more")
        write_bytes(folder / PICTURES / f"{number}_screenshot{suffix}", data)


def _pictures(trajectory: JudgedTrajectory) -> Iterator[bytes]:
    for name in trajectory.pictures:
        try:
            yield trajectory.picture(name)
        except OSError as error:
            raise MalformedResultFolder(
                f"{trajectory.folder / name} cannot be read: {error.strerror or error}"
            ) from error
