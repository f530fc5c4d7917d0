"""Things by name, imported when first asked for; and those that a user names by where they are."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from harness.kit.errors import UserError
from harness.kit.files.installation import PACKAGES, module_here
from harness.kit.text import did_you_mean


def load(place: str) -> Any:
    """What stands at a place.

    Args:
        place: ``package.module:Name`` or ``path/to/file.py:Name``.

    Raises:
        Exception: whatever its module raises while it is loaded; ``failure_text`` puts it in words.
    """
    module_name, _, attribute = place.rpartition(":")
    module = _load_file(Path(module_name)) if module_name.endswith(".py") else import_module(module_here(module_name))
    return getattr(module, attribute)


def failure_text(error: Exception) -> str:
    """Why something could not be loaded, in words."""
    return str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"


def _load_file(file: Path) -> ModuleType:
    """The module in a file that is on no import path; modules beside it can be imported by it."""
    file = file.resolve()
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    name = f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


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

    return tomllib.loads((PACKAGES / "harness" / "registered.toml").read_text(encoding="utf-8"))
