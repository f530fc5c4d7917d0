"""A box, in which a program from outside is started: the command that starts it there, and its way out."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from harness.box import bubblewrap, container, inside
from harness.box.addresses import Address
from harness.box.hidden_places import shared_roots
from harness.box.isolation import CannotIsolate, Isolation, Mode
from harness.box.named_files import environment_of, named_files
from harness.box.relay import Relay

OWN = Path("/run/box")
"""Where a box has what it needs itself."""
_SOCKET, _INSIDE, _HOSTS = "socket", "inside.py", "hosts"
_LOCALHOST = "127.0.0.1 localhost\n::1 localhost\n"


@dataclass(frozen=True)
class Needs:
    """What one program in a box needs of this machine.

    Attributes:
        reach: What it has to reach, on this machine.
        folder: A folder that it can read, in the same place; None for none.
    """

    reach: tuple[Address, ...] = ()
    folder: Path | None = None


@dataclass(frozen=True)
class Boxed:
    """A program as it is to be started.

    Attributes:
        command: What starts it.
        environment: Its variables.
        relay: Its way out; None if it is in no box.
    """

    command: list[str]
    environment: Mapping[str, str]
    relay: Relay | None = None

    @property
    def has_begun(self) -> bool:
        """Whether it came to be started; known only when what was started has ended."""
        return self.relay is None or self.relay.has_begun

    @property
    def refused(self) -> Counter[str]:
        """What it wanted to reach and was not let to, with how often."""
        return self.relay.refused if self.relay else Counter()


def _nothing() -> list[Path]:
    return []


@dataclass(frozen=True)
class Box:
    """How programs of a run are shut in.

    Attributes:
        isolation: What was chosen.
        hidden: Gives the real paths of what must not be seen.
    """

    isolation: Isolation = field(default_factory=Isolation)
    hidden: Callable[[], Sequence[Path]] = _nothing

    @property
    def mode(self) -> Mode:
        """How far programs are shut in."""
        return self.isolation.mode

    @property
    def python(self) -> str:
        """A Python in the box, which need not have any package."""
        return container.PYTHON if self.mode == "container" else sys.executable

    def check(self) -> None:
        """Make sure that what is to be shown is not what is hidden.

        Raises:
            CannotIsolate: it is.
        """
        if self.mode in ("none", "container") and not (self.isolation.read or self.isolation.write):
            return
        for place in map(_real, (*self.isolation.read, *self.isolation.write)):
            if inner := _lies_in(place, self.hidden()):
                raise CannotIsolate(f"--isolate-read or --isolate-write {place}: what lies in {inner} is hidden")

    @contextmanager
    def opened(
        self, command: Sequence[str], environment: Mapping[str, str], scratch: Path, needs: Needs
    ) -> Iterator[Boxed]:
        """Make a box for one start of a program; when the context ends, nothing is reached from it any more.

        Args:
            command: The program and its arguments.
            environment: Its variables.
            scratch: An empty folder that is removed afterwards by the caller.
            needs: What it needs of this machine.
        """
        if self.mode == "none":
            yield Boxed(list(command), {**environment, "TMPDIR": str(scratch)})
            return
        own, tmp = scratch / "box", scratch / "tmp"
        own.mkdir()
        tmp.mkdir()
        shutil.copy(inside.__file__, own / _INSIDE)
        with Relay(own / _SOCKET, needs.reach, self.isolation.hosts) as relay:
            if self.mode == "container":
                with self._in_container(command, environment, own, relay, needs) as boxed:
                    yield boxed
            else:
                yield self._in_namespaces(command, environment, scratch, relay, needs)

    def _in_namespaces(
        self, command: Sequence[str], environment: Mapping[str, str], scratch: Path, relay: Relay, needs: Needs
    ) -> Boxed:
        is_strict = self.mode == "strict"
        files = (bubblewrap.strict if is_strict else bubblewrap.masked)(scratch / "tmp")
        working, python = Path.cwd(), os.path.realpath(sys.executable)
        hidden = self.hidden()
        named = [*environment_of(python), *named_files(command), *self.isolation.read]
        # A working folder that all programs share would show what is hidden for that reason.
        if not is_strict and working not in shared_roots():
            named.append(working)
        for place in named:
            if not _lies_in(place, hidden):
                files.show(place)
        for place in self.isolation.write:
            files.show(_real(place), writable=True)
        for place in hidden:
            files.hide(place)
        places = {OWN: scratch / "box", **({needs.folder: needs.folder} if needs.folder else {})}
        if is_strict:
            (scratch / "box" / _HOSTS).write_text(_LOCALHOST, encoding="utf-8")
            places[Path("/etc/hosts")] = scratch / "box" / _HOSTS
        first = [python, "-I", "-S", *self._first(relay), *command]
        own = {"TMPDIR": str(bubblewrap.TMP), **({"HOME": str(bubblewrap.TMP)} if is_strict else {})}
        return Boxed(bubblewrap.command_line(files, places, working, first), {**environment, **own}, relay)

    @contextmanager
    def _in_container(
        self, command: Sequence[str], environment: Mapping[str, str], own: Path, relay: Relay, needs: Needs
    ) -> Iterator[Boxed]:
        _give_away(own, needs.folder)
        name = container.new_name()
        passed = {key: value for key, value in environment.items() if key not in container.OF_THIS_MACHINE}
        passed |= dict.fromkeys(("HOME", "TMPDIR"), str(container.TMP))
        mounts = [
            (own, OWN, False),
            *([(needs.folder, needs.folder, False)] if needs.folder else []),
            *((_real(place), _real(place), False) for place in self.isolation.read),
            *((_real(place), _real(place), True) for place in self.isolation.write),
        ]
        first = [*self._first(relay, "--guard"), *command]
        line = container.command_line(name, self.isolation.image, mounts, passed, first)
        try:
            yield Boxed(line, {**os.environ, **passed}, relay)
        finally:
            container.remove(name)

    @staticmethod
    def _first(relay: Relay, *flags: str) -> list[str]:
        return [str(OWN / _INSIDE), *flags, str(OWN / _SOCKET), relay.ports]


def _real(place: Path) -> Path:
    return Path(os.path.realpath(place))


def _lies_in(place: Path, folders: Sequence[Path]) -> Path | None:
    return next((each for each in folders if _real(place).is_relative_to(each)), None)


def _give_away(own: Path, folder: Path | None) -> None:
    """Let a container's user reach what it needs; without being root we are that user."""
    if os.getuid():
        return
    for place in filter(None, (own, folder)):
        for each in (place, *place.rglob("*")):
            os.chown(each, *container.owner())


NO_BOX = Box()
"""Programs are started as they are."""
