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
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

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
