"""Things of one kind by name, each imported when it is first asked for.

Those of this package stand in ``harness/registered.toml``, commands in ``harness/cli/command_table.py``.

An installed package adds things of its own by entry points, for example an encoding::

    [project.entry-points."turkbench.encodings"]
    headings = "my_package.headings:HEADINGS"

``examples/plugin/`` is such a package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from harness.kit.errors.user import UserError
from harness.kit.files.places import IMPORT_ROOT
from harness.kit.text.closest import did_you_mean

T = TypeVar("T")


class UnknownName(UserError):
    """Nothing of this kind has that name; the message lists what there is."""


class Registry(MutableMapping[str, T], Generic[T]):
    """Things of one kind by name: those of this package first, then those of others, sorted.

    Other packages are looked through only when a name is not one of this package's, or all names are asked for. What is
    set by ``registry[name] = thing`` is there for this process, and for those that are forked from it.
    """

    def __init__(self, kind: str, own: Mapping[str, str]) -> None:
        """Of a kind.

        Args:
            kind: What the things are, in the plural: entry points are in the group ``turkbench.KIND``.
            own: Name -> where it is, as ``module:attribute``, of those of this package.
        """
        self.kind = kind
        self._own = own
        self._found: dict[str, T] = {}

    def find(self, name: str) -> T:
        """What has that name, which a user typed.

        Raises:
            UnknownName: nothing has.
            UserError: its package is broken.
        """
        if name not in self:
            known = ", ".join(self)
            raise UnknownName(f"none of the {self.kind} is called {name!r}.{did_you_mean(name, self)} Known: {known}")
        return self[name]

    def place(self, name: str) -> str:
        """Where it is, as ``module:attribute``.

        Raises:
            KeyError: nothing has that name.
        """
        return self._own[name] if name in self._own else self._others[name].value

    def places(self) -> Mapping[str, str]:
        """All names, each with where it is."""
        return {name: self.place(name) for name in self}

    def __getitem__(self, name: str) -> T:
        if name not in self._found:
            module, _, attribute = self.place(name).partition(":")
            try:
                self._found[name] = getattr(import_module(module), attribute)
            except Exception as error:
                if name in self._own:
                    raise
                raise UserError(f"{self._told(self._others[name])} cannot be loaded: {error!r}") from error
        return self._found[name]

    def __setitem__(self, name: str, thing: T) -> None:
        self._found[name] = thing

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._found or name in self._own or name in self._others

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._own, *self._others, *self._found)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @cached_property
    def _others(self) -> Mapping[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for each in sorted(entry_points(group=f"turkbench.{self.kind}")):
            if each.name in self._own or found.get(each.name, each).value != each.value:
                raise UserError(f"{self._told(each)}: there is one of that name already; one of them has to go")
            found[each.name] = each
        return found

    def _told(self, point: EntryPoint) -> str:
        package = f" of the package {point.dist.name}" if point.dist else ""
        return f"{point.name!r} among the {self.kind}{package}"


@cache
def registry(kind: str) -> Registry[Any]:
    """The things of one kind, of this package (``harness/registered.toml``) and of others.

    Args:
        kind: What they are, in the plural.
    """
    return Registry(kind, _registered()[kind])


@cache
def _registered() -> Mapping[str, Mapping[str, str]]:
    import tomllib  # noqa: PLC0415 - a Python that is too old has none, and is to be told so by a command

    return tomllib.loads((IMPORT_ROOT / "harness" / "registered.toml").read_text(encoding="utf-8"))
