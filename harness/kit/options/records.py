"""Records of options made from mappings, as JSON, TOML and callers hold them, and mappings made from records."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from harness.kit.errors.user import UserError
from harness.kit.files.codec import Malformed, typed
from harness.kit.options.option import NamedOption, flag, flags, options_in
from harness.kit.text.closest import did_you_mean

R = TypeVar("R")


class WrongOption(UserError):
    """An option that is not known, or cannot have that value; the message says what would do."""


class UnknownOption(WrongOption):
    """Options that a record does not have; the message names them."""


def read_options(record: type[R], values: Mapping[str, Any], *, others: Mapping[str, Any] | None = None) -> R:
    """A record of what a user has chosen.

    Args:
        record: Its class.
        values: By name; None is as good as left out.
        others: What the record has beside options, by name.

    Raises:
        UnknownOption: there is no option of a name.
        WrongOption: a value is of another type, or not among the choices.
    """
    known = {each.name: each for each in options_in(record)}
    given = {name: value for name, value in values.items() if value is not None}
    if unknown := [name for name in given if name not in known]:
        near = did_you_mean(unknown[0], known)
        raise UnknownOption(f"{flags(unknown)}: there is no such option{near and f'.{near}'}")
    for name, value in given.items():
        _check(known[name], value)
    return _made(record, {**given, **(others or {})})


def part(record: type[R], values: object) -> R:
    """The part of what a user has chosen that a record has.

    Args:
        record: Its class.
        values: Another record, or a mapping by name; what the record does not have is passed over.

    Raises:
        WrongOption: a value is of another type.
    """
    return _made(record, _those_of(record, values))


def view(record: type[R], values: object) -> R:
    """The part of some options that a record has, whoever wrote them.

    Args:
        record: Its class.
        values: As of ``part``, such as the options of a run that is read. What is of another type counts as not given:
            whose run it is, is not known, and a run that is played has had its options checked by ``read_options``.
    """
    chosen = _those_of(record, values)
    try:
        return _made(record, chosen)
    except WrongOption:
        return _made(record, {name: value for name, value in chosen.items() if _fits(record, name, value)})


def given(record: object) -> dict[str, Any]:
    """What is given in a record: name -> value, as JSON holds it."""
    return {name: _plain(value) for name, value in _attributes(record).items() if value is not None}


def filled(record: R, decided: Mapping[str, Any]) -> R:
    """A record with what was decided about its options.

    Args:
        record: The record.
        decided: By name; what the record does not have is passed over.
    """
    names = {each.name for each in options_in(type(record))}
    own = {name: value for name, value in decided.items() if name in names}
    return dataclasses.replace(record, **own)  # type: ignore[type-var]


def known_names(records: Iterable[type[Any]]) -> tuple[str, ...]:
    """The names of the options of several records, each once."""
    return tuple(dict.fromkeys(each.name for record in records for each in options_in(record)))


def _attributes(record: object) -> dict[str, Any]:
    return {each.name: getattr(record, each.name) for each in options_in(type(record))}


def _check(named: NamedOption, value: Any) -> None:
    if named.choices and value not in named.choices:
        raise WrongOption(f"{named.flag} {value}: there are {', '.join(named.choices)}")


def _those_of(record: type[Any], values: object) -> dict[str, Any]:
    found = values if isinstance(values, Mapping) else _attributes(values)
    return {each.name: found[each.name] for each in options_in(record) if each.name in found}


def _fits(record: type[Any], name: str, value: object) -> bool:
    try:
        _made(record, {name: value})
    except WrongOption:
        return False
    return True


def _made(record: type[R], values: Mapping[str, Any]) -> R:
    try:
        # What is made of JSON lacks the attributes that it leaves open, and would be written without them.
        return dataclasses.replace(typed(values, record))  # type: ignore[type-var]
    except Malformed as error:
        place, _, words = str(error).partition(": ")
        name = next((name for name in values if re.match(rf"\$\.{name}\b", place)), None)
        if name is None:
            raise WrongOption(str(error)) from None
        words = words.replace(" | null", "")
        raise WrongOption(f"{flag(name)} {values[name]!r}: {words[:1].lower()}{words[1:]}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return list(map(_plain, value)) if isinstance(value, tuple) else value
