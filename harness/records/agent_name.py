"""What is to be credited for a run: the model that answered, or the program that worked, not only the solver's name."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from harness.browser.box.program_options import Command, Programs
from harness.kit.options import view
from harness.kit.text import shorten
from harness.models.call_options import PresetModel
from harness.records.run_record import RunRecord

_LONGEST = 60
_VERSION = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3,4}|latest)$")
"""What providers add to the name of a model for one of its versions."""
_PRECISION = re.compile(r"[.-](?:i?q\d\w*|b?f16|f32)$")
"""What llama.cpp adds to the name of a model for the precision of its numbers, such as ``.Q4_1``."""
_STARTERS = frozenset({"python", "python3", "node", "deno", "bun", "run", "uv", "npx", "bash", "sh", "env"})
"""Words of a command that start the program that counts."""


def agent_name(record: RunRecord, *details: str) -> str:
    """The name of what a run evaluated, for titles and tables.

    Args:
        record: The content of its ``run.json``.
        details: What else is to stand in the brackets.

    Returns:
        The models that answered, else the one that was asked for, else the program, with the solver's name in
        brackets; the solver's name in front where there is neither.
    """
    solver, options = record.config.solver, record.config.options
    agent = " + ".join(sorted(record.served)) or _file_name(asked_model(options))
    if not agent and (command := view(Command, options).command):
        agent = program_name(command)
    behind = [*([solver] if agent and agent != solver else []), *details]
    name = shorten(agent, _LONGEST) or solver
    return f"{name} ({', '.join(behind)})" if behind else name


def asked_model(options: Mapping[str, Any]) -> str:
    """The provider's name of the model that a run asks, or the path of its file; empty for none.

    Args:
        options: Of the run's solver.
    """
    asked = view(PresetModel, options)
    return asked.model_id or asked.model or ""


def other_models(asked: str, served: Iterable[str]) -> list[str]:
    """The models that answered and are not the one that was asked for.

    A dated version is the model that it is a version of, and so is one with its vendor before a slash, or with a tag
    behind a colon; names of files count without their folder. Who names no precision asks for any.

    Args:
        asked: The provider's name of a model, or the path of a local model's file; empty for none.
        served: What the replies name.
    """
    if not asked:
        return []
    plain = _plain(asked)
    return sorted(name for name in served if plain not in (_plain(name), _PRECISION.sub("", _plain(name))))


def told_of_other_models(record: RunRecord) -> str:
    """What a reader has to know if another model answered than was asked for; empty if none did."""
    asked = asked_model(record.config.options)
    others = other_models(asked, record.served)
    if not others:
        return ""
    return f"the run asked for {asked}, and {' and '.join(others)} answered; the scores are those of the latter"


def program_name(command: str) -> str:
    """The name of the program that a command starts, without folders, interpreters and arguments."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    names = [_file_name(word) for word in words if not word.startswith("-")]
    return next((name for name in names if name not in _STARTERS), names[0] if names else "")


def _plain(model: str) -> str:
    name = _file_name(model).casefold().removesuffix(".gguf").partition(":")[0]
    return _VERSION.sub("", name)


def _file_name(path: str) -> str:
    return PurePosixPath(PureWindowsPath(path).name).name


WORDS: Mapping[str | None, str] = {
    "none": "no box: it could read all files of its user, the labels among them",
    "box": "a box in which nothing of its user exists but what the program needs",
    "container": "a container",
    "masked": "a box of an earlier version, which showed its user's files but for task sets, runs and caches (masked)",
    "strict": "a box of an earlier version, in which nothing existed but what was named (strict)",
    None: "a box or in none, which is not known: it may have read the labels",
}


def shut_in(options: Mapping[str, Any], isolation: str | None) -> str:
    """How the program of a run was shut in.

    Args:
        options: Of the run's solver.
        isolation: What its record says.

    Returns:
        In words; empty if the solver has no program.
    """
    if not view(Programs, options).any:
        return ""
    return WORDS.get(isolation, WORDS[None])


def is_open(options: Mapping[str, Any], isolation: str | None) -> bool:
    """Whether a run has a program that could, for all that is known, read the labels."""
    return bool(shut_in(options, isolation)) and (isolation not in WORDS or isolation in ("none", None))
