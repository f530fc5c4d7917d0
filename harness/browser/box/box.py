"""A box, in which a program from outside is started: the command that starts it there, and its way out."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from harness.browser.box import bubblewrap, container, inside
from harness.browser.box.hidden_places import HiddenPlaces, found_in, installed_labels, is_to_come
from harness.browser.box.isolation import CannotIsolate, Isolation
from harness.browser.box.named_files import environment_of, environments_of, named_files
from harness.browser.box.program_options import Mode
from harness.browser.box.relay import Address, Relay

OWN = Path("/run/box")
"""Where a box has what it needs itself."""
_SOCKET, _INSIDE, _HOSTS = "socket", "inside.py", "hosts"
_OF_THE_HOME = {
    "HOME": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}
"""Variables that name a user's folders -> where these are in the home."""
_PREFIXES = (Path("/usr"), Path("/usr/local"))
"""Where packages of the system's own Python are."""
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


@dataclass(frozen=True)
class Box:
    """How programs of a run are shut in.

    Attributes:
        isolation: What was chosen.
        hidden: Gives what must not be seen, as far as it is known where that lies.
    """

    isolation: Isolation = field(default_factory=Isolation)
    hidden: Callable[[], HiddenPlaces] = HiddenPlaces

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
        named = [*map(_real, self.isolation.read), *map(_real, self.isolation.write)]
        if self.mode == "none" or not named:
            return
        found = found_in(named)
        places = self.hidden().with_more(found.hidden, found.growing)
        for place in named:
            flag = f"--isolate-read or --isolate-write {place}"
            if inner := places.around(place):
                raise CannotIsolate(f"{flag}: what lies in {inner} is hidden")
            # Nothing is mounted over in a container, whose engine may be another machine's.
            if self.mode == "container" and (held := _held_by(place, (*places.hidden, *places.growing))):
                raise CannotIsolate(f"{flag}: {held} is hidden; name what the program needs of it instead")
        for place in set(map(_real, self.isolation.write)) & set(places.growing):
            raise CannotIsolate(f"--isolate-write {place}: runs are, or may be, written there; name a folder in it")

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
        home = scratch / "tmp" / bubblewrap.HOME.name
        home.mkdir()
        (scratch / "box" / _HOSTS).write_text(_LOCALHOST, encoding="utf-8")
        python = os.path.realpath(sys.executable)
        places = {
            OWN: scratch / "box",
            Path("/etc/hosts"): scratch / "box" / _HOSTS,
            **({needs.folder: needs.folder} if needs.folder else {}),
        }
        files = self._files(command, environment, scratch / "tmp", python)
        first = [python, "-I", "-S", *self._first(relay), *command]
        own = {name: str(bubblewrap.HOME / inner) for name, inner in _OF_THE_HOME.items()}
        own["TMPDIR"] = str(bubblewrap.TMP)
        return Boxed(bubblewrap.command_line(files, places, Path.cwd(), first), {**environment, **own}, relay)

    def _files(
        self, command: Sequence[str], environment: Mapping[str, str], tmp: Path, python: str
    ) -> bubblewrap.Filesystem:
        """What can be seen in a box of namespaces."""
        files = bubblewrap.system(tmp)
        environments = [*environment_of(python), *environments_of(command, environment)]
        own = [*named_files(command, environment), *self.isolation.read]
        write = set(map(_real, self.isolation.write))
        prefixes = {*_PREFIXES, *(each for part in environments for each in (part, part.parent))}
        found = found_in({*map(_real, own), *write})
        places = self.hidden().with_more([*found.hidden, *installed_labels(prefixes)], found.growing)
        for place in (*environments, *own):
            if not places.around(place):
                files.show(place)
        # The outer before the inner, which would be covered.
        for place in sorted({*places.growing, *write}, key=lambda each: len(each.parts)):
            if place in write:
                files.show(place, writable=True)
            else:
                files.show_as_it_is_now(place, lambda each: bool(places.around(each)) or is_to_come(each))
        for place in places.hidden:
            files.hide(place)
        return files

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


def _held_by(folder: Path, places: Iterable[Path]) -> Path | None:
    return next((each for each in places if each.is_relative_to(folder)), None)


def _give_away(own: Path, folder: Path | None) -> None:
    """Let a container's user reach what it needs; without being root we are that user."""
    if os.getuid():
        return
    for place in filter(None, (own, folder)):
        for each in (place, *place.rglob("*")):
            os.chown(each, *container.owner())


NO_BOX = Box()
"""Programs are started as they are."""
