"""The options of records as arguments of a command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from harness.options.option import NamedOption, options_of


def add_options(parse: argparse.ArgumentParser, record: type[Any], defaults: Mapping[str, Any] | None = None) -> None:
    """Add the arguments of a record, in the groups that it names; those that are there already are left alone.

    Args:
        parse: The command line.
        record: The record.
        defaults: Other defaults than the record's, by name.
    """
    for each in options_of(record):
        if each.about.argument and each.flag not in parse._option_string_actions:
            _add(_group(parse, each.about.group), each, (defaults or {}).get(each.name, each.default))


def _group(parse: argparse.ArgumentParser, title: str) -> argparse._ActionsContainer:
    known = {group.title: group for group in parse._action_groups}
    return known.get(title) or parse.add_argument_group(title) if title else parse


def _add(group: argparse._ActionsContainer, each: NamedOption, default: Any) -> None:
    about: dict[str, Any] = {"dest": each.name, "help": each.about.help, "default": default}
    if each.kind is bool:
        action: Any = "store_true" if default is False else argparse.BooleanOptionalAction
        group.add_argument(each.flag, action=action, **about)
        return
    if each.is_set_of:
        about["action"] = "append"
    if each.about.takes or each.kind in (int, float):
        about["type"] = each.about.takes or each.kind
    if each.choices:
        about["choices"] = each.choices
    group.add_argument(each.flag, metavar=each.about.metavar, **about)
