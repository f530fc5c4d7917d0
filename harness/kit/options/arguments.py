"""The options of records as arguments of a command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.kit.options.option import NamedOption, option_of, options_in


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
