"""AutoWebBench's files: a list of ``{"source": prompt, "target": command}``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.actions.call import ActionError
from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.papers.teacher_forced.autowebbench.commands import Command, read_command

PAPERS_SPLITS = {"cross-task": "ind", "cross-domain": "ood"}
"""The paper's names of the splits (Table 2) -> the names of their folders."""
_TASK = re.compile(r"^#Task:[ \t]*(?P<task>.*?)(?=\n\s*\nYou should output|\Z)", re.MULTILINE | re.DOTALL)
_RULES = re.compile(r"\n\s*\nYou are a helpful assistant")
_PREVIOUS = re.compile(r"(?<=^#Previous commands:).*?(?=^#Window tabs:)", re.MULTILINE | re.DOTALL)
PARTS = ("html", "previous")
"""Parts of a prompt that can be left out."""


class WrongSteps(UserError):
    """A file that holds no such steps; the message says where and why."""


@dataclass(frozen=True)
class RecordedPrompt:
    """What a solver is told of a step.

    Attributes:
        source: The prompt, whole.
    """

    source: str

    @property
    def task(self) -> str:
        """What is to be done, in words: the steps of one trace share it."""
        found = _TASK.search(self.source)
        return found["task"].strip() if found else self.source

    @property
    def html(self) -> str:
        """The page's text in the prompt."""
        return _RULES.split(self.source, maxsplit=1)[0]

    def without(self, parts: Sequence[str]) -> str:
        """The prompt without some of its parts.

        Args:
            parts: Of ``PARTS``: ``html`` leaves the page out, ``previous`` says that no command came before.

        Raises:
            WrongSteps: the prompt has no such part.
        """
        source = self.source
        for part in parts:
            if part == "html":
                source, found = source.removeprefix(self.html), int(self.html != source)
            else:
                source, found = _PREVIOUS.subn(" None\n\n", source, count=1)
            if not found:
                raise WrongSteps(f"without={part}: the prompt of the task {self.task[:80]!r} has no such part")
        return source


@dataclass(frozen=True)
class RecordedStep(RecordedPrompt):
    """A step as it was recorded.

    Attributes:
        source: As of ``RecordedPrompt``.
        labels: Commands that are right, as they are written: at least one.
        split: The split that it is of, by the names of the folders around its file: ``en/ind``.
    """

    labels: tuple[str, ...]
    split: str

    @property
    def prompt(self) -> RecordedPrompt:
        """What a solver is told: nothing of what is right."""
        return RecordedPrompt(self.source)

    @property
    def commands(self) -> tuple[Command, ...]:
        """The labels as they are read."""
        return tuple(each for each in map(read_command, self.labels) if isinstance(each, Command))


def read_steps(path: Path, split: str = "all", limit: int | None = None) -> list[RecordedStep]:
    """The steps of a file, or of all files ``*.json`` of a folder.

    Args:
        path: The file or folder.
        split: Only files of this one of ``PAPERS_SPLITS``; ``all`` for every file.
        limit: Only the first ones of all; None for all.

    Raises:
        WrongSteps: they cannot be read, a label is no command, or there is none.
        OSError: a file cannot be read.
    """
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    steps = [step for file in files if _is_of(file, split) for step in _steps_of(file)][:limit]
    if not steps:
        raise WrongSteps(f"{path} holds no step{'' if split == 'all' else f' of the split {split}'} to be asked")
    return steps


def digest_of(steps: Sequence[RecordedStep]) -> str:
    """SHA-256 over the steps, in order."""
    return hashlib.sha256(b"".join(map(codec.line, steps))).hexdigest()


def _is_of(file: Path, split: str) -> bool:
    return split == "all" or PAPERS_SPLITS.get(split) in file.parts


def _steps_of(file: Path) -> Iterator[RecordedStep]:
    try:
        records = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise WrongSteps(f"{file} is no JSON: {error}") from error
    if not isinstance(records, list):
        raise WrongSteps(f"{file} holds no list of steps")
    split = "/".join(file.resolve().parts[-3:-1])
    for number, record in enumerate(records):
        try:
            yield RecordedStep(*_read(record), split)
        except ValueError as error:
            raise WrongSteps(f"{file}, step {number}: {error}") from error


def _read(record: Any) -> tuple[str, tuple[str, ...]]:
    match record:
        case {"source": str(source), "target": str() | list() as target}:
            labels = tuple(_labels(target))
        case _:
            raise ValueError('a step is {"source": text, "target": a command, or a list of commands}')
    for label in labels:
        if isinstance(found := read_command(label), ActionError):
            raise ValueError(f"the target is no command: {found}")  # noqa: TRY004 - a value of the file
    return source, labels


def _labels(target: str | list[Any]) -> list[str]:
    """The acceptable commands: one, a list, or a list in JSON (as the public script takes them)."""
    found: Any = target
    if isinstance(target, str):
        try:
            found = json.loads(target)
        except ValueError:
            return [target]
    if not (isinstance(found, list) and found and all(isinstance(each, str) for each in found)):
        raise ValueError("the target is neither a command nor a list of commands")
    return found
