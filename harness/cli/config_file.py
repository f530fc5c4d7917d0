"""``--config FILE.toml``: arguments from a file, by the same names."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.kit.errors import UserError
from harness.kit.text import did_you_mean

FLAG = "--config"


def add_config(parse: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parse.add_argument(
        FLAG,
        type=Path,
        metavar="FILE",
        help="take options from a TOML file, e.g. RUN/config.toml; options on the command line come first",
    )


def with_config(parse: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """The words of a command line with those of the file that it names in front.

    Args:
        parse: What takes them.
        words: As they were typed.

    Raises:
        UserError: the file cannot be read, or holds something that is no option.
    """
    own = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    own.add_argument(FLAG, type=Path)
    named, rest = own.parse_known_args(words)
    if named.config is None:
        return list(words)
    typed = {action.dest for action in _actions(parse).values() if _is_typed(action, rest)}
    return [*_words(parse, named.config, typed), *rest]


def named_in(words: Sequence[str], name: str) -> str:
    """The value of an argument before the rest is looked at, be it typed or in the file; empty if it is nowhere.

    Raises:
        UserError: the file cannot be read.
    """
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument(f"--{name}", dest="value")
    first.add_argument(FLAG, type=Path)
    try:
        found, _ = first.parse_known_args(words)
    except argparse.ArgumentError:  # of which the whole command line says more
        return ""
    if found.value is None and found.config:
        return str(_read(found.config).get(name, ""))
    return found.value or ""


def _is_typed(action: argparse.Action, words: Sequence[str]) -> bool:
    return any(word.partition("=")[0] in action.option_strings for word in words)


def _words(parse: argparse.ArgumentParser, file: Path, typed: set[str]) -> Iterator[str]:
    known = _actions(parse)
    for key, value in _read(file).items():
        name = key.replace("-", "_")
        if name not in known:
            raise UserError(f"{file}: there is no option {key!r}.{did_you_mean(name, known)}")
        if known[name].dest not in typed:
            yield from _of_option(known[name], value, f"{file}: {key}")


def _of_option(action: argparse.Action, value: Any, where: str) -> Iterator[str]:
    flag = action.option_strings[0]
    if isinstance(value, bool) != (action.nargs == 0):
        kind = "true or false" if action.nargs == 0 else "a text or a number"
        raise UserError(f"{where}: it is {kind}, not {value!r}")
    if isinstance(value, bool):
        if value or len(action.option_strings) > 1:
            yield flag if value else action.option_strings[-1]
        return
    values = value if isinstance(value, list) else [value]
    if isinstance(value, list) and not isinstance(action, argparse._AppendAction):
        raise UserError(f"{where}: it takes one value, not a list")
    for each in values:
        if isinstance(each, bool | Mapping | list):
            raise UserError(f"{where}: it is a text or a number, not {each!r}")
        yield f"{flag}={each}"


def _actions(parse: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Name in the file -> what takes it: an argument without dashes in front, with underscores for those within."""
    flags = {flag: action for action in parse._actions for flag in action.option_strings[:1] if flag != FLAG}
    return {flag.lstrip("-").replace("-", "_"): action for flag, action in flags.items() if flag != "-h"}


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{file}: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{file} is no TOML: {error}") from error
