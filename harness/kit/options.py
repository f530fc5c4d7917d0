"""An option: an attribute of a record, with all that is to be known of it in one place.

A record of options is a frozen dataclass of keywords. Each of its attributes is made by ``option``, which says what it
is, what it changes, and what becomes of it when a run is gone on with. Arguments, help, checks, the file of a run and
whatever else names options are made of that. An option that is None has not been given. Records are put together by
inheritance::

    @dataclass(frozen=True, kw_only=True)
    class Colours:
        GROUP: ClassVar[str] = "colours"
        colour: str | None = option(metavar="NAME", help="of the page")

    @dataclass(frozen=True, kw_only=True)
    class MyOptions(Colours):
        steps: int | None = option(takes=positive, metavar="N", help="at most")
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, typed
from harness.kit.text import did_you_mean

Changes = Literal["asked", "spent", "called", "nothing"]
"""What another value changes: what is asked or done; what may be spent on it; how it is called, and no number; nothing
that another option does not say."""
OnResume = Literal["as begun", "agree", "raise", "free"]
"""What may be given when a run is gone on with: nothing; the same again, which agrees to it; more; anything, which is
an argument of ``harness.run.runner.Run.resume``, too."""

REQUIRED = dataclasses.MISSING
"""In place of a default: the option has none."""
_KEY = "option"


@dataclass(frozen=True, kw_only=True)
class Option:
    """What is known of an option beside its name, its type and its default.

    Attributes:
        help: What it is for, for the user; of a choice with what is usual.
        metavar: What stands for its value in the help.
        choices: What can be given; empty for anything. Of a ``Literal`` they are its values.
        takes: Makes a value of a text, and says in an ``ArgumentTypeError`` what it should have been.
        flag: Its argument, without dashes, where that is not its name.
        group: Under which heading it stands in the help; empty for its record's ``GROUP``.
        changes: What another value changes.
        on_resume: What may be given of it when a run is gone on with.
        consent: What it lets a run do that its user should agree to, in words before the value; empty for nothing.
        acts: Whether a value does that; unless said otherwise, every one that is not empty.
        private: Whether it is its user's own affair, and published nowhere.
        argument: Whether the user can give it; if not, it is worked out and kept with the run.
        first: Whether it is among the few that a first run needs.
    """

    help: str = ""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    takes: Callable[[str], Any] | None = None
    flag: str = ""
    group: str = ""
    changes: Changes = "asked"
    on_resume: OnResume = "as begun"
    consent: str = ""
    acts: Callable[[Any], bool] = bool
    private: bool = False
    argument: bool = True
    first: bool = False


@dataclass(frozen=True)
class NamedOption:
    """An option in its record.

    Attributes:
        name: Of the attribute, in JSON and in files.
        kind: The type of its value when it is given.
        default: What it is when it is not given.
        is_set_of: Whether several can be given.
        about: The rest.
    """

    name: str
    kind: Any
    default: Any
    is_set_of: bool
    about: Option

    @property
    def flag(self) -> str:
        """Its argument."""
        return f"--{self.about.flag}" if self.about.flag else flag(self.name)

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be given; empty for anything."""
        return self.about.choices or (get_args(self.kind) if get_origin(self.kind) is Literal else ())


def is_closed(each: NamedOption) -> bool:
    """Whether its value is a number, a truth or one of some words, which say nothing private."""
    return each.kind in (int, float, bool) or bool(each.choices)


def option(default: Any = None, **about: Any) -> Any:
    """An attribute of a record of options.

    Args:
        default: What it is when it is not given.
        **about: The attributes of ``Option``.
    """
    metadata = {_KEY: Option(**about)}
    return dataclasses.field(default=default, metadata=metadata)


def kept() -> Any:
    """An attribute that no user gives: it is worked out when a run begins, and kept with it."""
    return option(argument=False)


def options_in(record: type[Any]) -> tuple[NamedOption, ...]:
    """The options of a record, in its order; attributes that are none are passed over."""
    return _options_in(cast("Hashable", record))


def option_of(record: type[Any], name: str) -> NamedOption:
    """One of them."""
    return next(each for each in options_in(record) if each.name == name)


@cache
def _options_in(record: Any) -> tuple[NamedOption, ...]:
    hints = get_type_hints(record)
    return tuple(_named(record, each, hints[each.name]) for each in dataclasses.fields(record) if _KEY in each.metadata)


def _named(record: type[Any], each: dataclasses.Field[Any], hint: Any) -> NamedOption:
    about: Option = each.metadata[_KEY]
    if not about.group:
        about = dataclasses.replace(about, group=_group(record, each.name))
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kind = next(kind for kind in kinds if kind is not NoneType)
    several = get_origin(kind) is tuple
    default = None if each.default is dataclasses.MISSING else each.default
    return NamedOption(each.name, get_args(kind)[0] if several else kind, default, several, about)


def _group(record: type[Any], name: str) -> str:
    """The heading of the class in which the attribute stands, or of one above it."""
    owner = next(kind for kind in record.__mro__ if name in inspect.get_annotations(kind))
    return str(getattr(owner, "GROUP", ""))


def names_of(record: type[Any], **about: Any) -> tuple[str, ...]:
    """The names of a record's options.

    Args:
        record: The record.
        **about: Only those of which ``Option`` has these attributes.
    """
    return tuple(
        each.name
        for each in options_in(record)
        if all(getattr(each.about, name) == value for name, value in about.items())
    )


def flag(name: str) -> str:
    """The argument of an option that is called as its attribute."""
    return f"--{name.replace('_', '-')}"


def flags(names: Any) -> str:
    """The arguments of several, for messages."""
    return ", ".join(map(flag, names))


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
