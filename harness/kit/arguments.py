"""Arguments of command lines: their types, and the options of records as arguments."""

from __future__ import annotations

import argparse
import decimal
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.kit.options import NamedOption, option_of, options_in


def whole(text: str) -> int:
    """A whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def seconds(text: str) -> float:
    """A time above 0."""
    if not 0 < (found := _number(text)) < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return found


def points_of_difference(text: str) -> float:
    """Points of per cent, above 0."""
    if not 0 < (found := _number(text)) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of points from 0 to 100")
    return found


def share(text: str) -> float:
    """A number between 0 and 1."""
    if not 0 < (found := _number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return found


def correlation(text: str) -> float:
    """A coefficient of correlation below 1."""
    if not -1 <= (found := _number(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a correlation from -1 to below 1")
    return found


def tasks_by_instances(text: str) -> tuple[int, int]:
    """Two sizes such as 20x20."""
    found = re.fullmatch(r"([1-9]\d{0,5})x([1-9]\d{0,5})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form 20x20")
    return int(found[1]), int(found[2])


def money(text: str) -> float:
    """An amount of money."""
    try:
        amount = decimal.Decimal(text)
    except decimal.InvalidOperation:
        amount = decimal.Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars")
    return float(amount)


def shard(text: str) -> str:
    """One of several parts, by its number from 1 and how many there are, such as 3/16."""
    found = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
    if not found or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a shard and how many there are, as 3/16 is")
    return text


def one_line(most: int) -> Callable[[str], str]:
    """The type of a line of at most ``most`` characters."""

    def line(text: str) -> str:
        if len(text) > most or not text.isprintable():
            raise argparse.ArgumentTypeError(f"one line of at most {most} characters is needed")
        return text

    return line


def absolute(text: str) -> str:
    """A path, which need not be there."""
    return str(Path(text).resolve())


def existing(text: str) -> str:
    """The absolute path of a file."""
    file = Path(text)
    if not file.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return str(file.resolve())


def folder(text: str) -> str:
    """The absolute path of a folder."""
    place = Path(text)
    if not place.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return str(place.resolve())


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def add_options(
    parse: argparse.ArgumentParser, record: type[Any], *groups: str, defaults: Mapping[str, Any] | None = None
) -> None:
    """Add the arguments of a record, in the groups that it names; those that are there already are left alone.

    Args:
        parse: The command line.
        record: The record.
        *groups: Only those of these groups; without any all.
        defaults: Other defaults than the record's, by name.
    """
    for each in options_in(record):
        if groups and each.about.group not in groups:
            continue
        if each.about.argument and each.flag not in parse._option_string_actions:
            add_option(group_of(parse, each.about.group), each, (defaults or {}).get(each.name, each.default))


def add_some(group: argparse._ActionsContainer, record: type[Any], *names: str) -> None:
    """Add some of a record's options to a group of a command that has no more of them."""
    for name in names:
        each = option_of(record, name)
        add_option(group, each, each.default)


def values_of(arguments: argparse.Namespace, record: type[Any]) -> dict[str, Any]:
    """What the arguments of a record hold, by the names of its attributes; those that were not added are left out."""
    found = {each.name: each for each in options_in(record) if hasattr(arguments, each.name)}
    return {
        name: tuple(getattr(arguments, name) or ()) if each.is_set_of else getattr(arguments, name)
        for name, each in found.items()
    }


def group_of(parse: argparse.ArgumentParser, title: str) -> argparse._ActionsContainer:
    """The group of a heading, which is made if it is not there; without a heading the command line itself."""
    known = {group.title: group for group in parse._action_groups}
    return known.get(title) or parse.add_argument_group(title) if title else parse


def add_option(group: argparse._ActionsContainer, each: NamedOption, default: Any) -> None:
    """Add the argument of one option.

    Args:
        group: Where.
        each: The option.
        default: What it is when it is not given.
    """
    about: dict[str, Any] = {"dest": each.name, "help": each.about.help, "default": default}
    if each.kind is bool:
        action: Any = "store_true" if default is False else argparse.BooleanOptionalAction
        group.add_argument(each.flag, action=action, **about)
        return
    if each.is_set_of:
        about |= {"action": "append", "default": None}
    if each.about.takes or each.kind in (int, float, Path):
        about["type"] = each.about.takes or each.kind
    if each.choices:
        about["choices"] = each.choices
    group.add_argument(each.flag, metavar=each.about.metavar, **about)
