"""Boxes made of namespaces: the command line of bubblewrap."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.browser.box.probing import failure_of

NAME = "bwrap"
NAMESPACES = (
    "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box",
)  # fmt: skip
"""What every box has of its own, and that it ends with whoever started it."""
TMP = Path("/tmp")  # noqa: S108 - of the box
HOME = TMP / "home"
"""The home of a program in a box."""
_OF_THE_KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi")
"""What root can write in ``/proc`` even without a capability, settings of the whole machine among them."""
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/sys/devices/system/cpu",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/etc/fonts",
    "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/services",
    "/etc/protocols", "/etc/mime.types", "/etc/os-release",
)  # fmt: skip
"""What a program of the system needs, and holds nobody's secrets."""
_NOT_OF_THE_SYSTEM = ("/usr/src", "/usr/local/src")
"""Where somebody's own project may lie in ``_SYSTEM``."""


@dataclass
class Filesystem:
    """The files of one box, as arguments of bubblewrap, in the order in which they are mounted.

    Attributes:
        arguments: For bubblewrap.
        shown: What can be seen, but for what is hidden in it.
        gone: What cannot, although it lies in something that is shown.
        sealed: Folders of the box's own that nothing is to be written in.
    """

    arguments: list[str] = field(default_factory=list)
    shown: list[Path] = field(default_factory=list)
    gone: list[Path] = field(default_factory=list)
    sealed: list[Path] = field(default_factory=list)

    def show(self, place: Path, *, writable: bool = False) -> None:
        """Put a file or folder where it is outside, if there is one.

        What is reached by links stands in its real place only, and the links with it, so that nothing is shown twice
        and hidden once.

        Args:
            place: Its path.
            writable: Whether it can be written.
        """
        place, real = Path(os.path.normpath(place.absolute())), Path(os.path.realpath(place))
        if not real.exists():
            return
        if writable or not self.sees(real):
            self.arguments += ["--bind" if writable else "--ro-bind", str(real), str(real)]
            self.shown.append(real)
        for link in _links_to(place):
            if not self.sees(link):
                self.arguments += ["--symlink", os.path.realpath(link), str(link)]
                self.shown.append(link)

    def show_as_it_is_now(self, folder: Path, left_out: Callable[[Path], bool]) -> None:
        """Put in the place of a folder that can be seen what is in it now, so that nothing comes in later.

        Args:
            folder: Its real path.
            left_out: Tells of what is in it whether it is not shown.
        """
        if not self.sees(folder):
            return
        entries = sorted(folder.iterdir()) if os.access(folder, os.R_OK) else []
        self._cover(folder)
        for place in entries:
            if place.is_symlink():
                self.arguments += ["--symlink", str(place.readlink()), str(place)]
            elif not left_out(place):
                self.arguments += ["--ro-bind-try", str(place), str(place)]
            else:
                continue
            self.shown.append(place)

    def hide(self, place: Path) -> None:
        """Put nothing in a real path, if it can be seen."""
        if not self.sees(place):
            return
        if place.is_dir():
            self._cover(place)
        else:
            self.arguments += ["--ro-bind", os.devnull, str(place)]
            self.gone.append(place)

    def sees(self, place: Path) -> bool:
        """Whether it is there, as far as what was shown and put away goes: the closer folder decides."""
        return _depth(place, self.shown) > _depth(place, self.gone)

    def _cover(self, folder: Path) -> None:
        self.arguments += ["--tmpfs", str(folder)]
        self.gone.append(folder)
        self.sealed.append(folder)


def why_not() -> str:
    """Why there can be no such box on this machine, with the remedy; empty if there can."""
    program = shutil.which(NAME)
    if program is None:
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    return failure_of([program, *NAMESPACES, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"])


def system(tmp: Path | None) -> Filesystem:
    """The programs and libraries of the system, and nothing else.

    Args:
        tmp: What is to be the box's folder for temporary files; None for one in memory.
    """
    files = Filesystem()
    for text in _SYSTEM:
        files.show(Path(text))
    for text in _NOT_OF_THE_SYSTEM:
        if Path(text).is_dir():
            files.hide(Path(text))
    files.arguments += [*_of_its_own(), *(["--bind", str(tmp), str(TMP)] if tmp else ["--tmpfs", str(TMP)])]
    return files


def command_line(files: Filesystem, places: Mapping[Path, Path], working: Path, first: Sequence[str]) -> list[str]:
    """What starts a program in a box.

    Args:
        files: What it sees.
        places: Path in the box to the path outside of what the box itself needs; it can be read.
        working: The folder in which the program starts.
        first: The first program and its arguments.
    """
    needed = [word for inside, outside in places.items() for word in ("--ro-bind", str(outside), str(inside))]
    return [
        shutil.which(NAME) or NAME,
        *NAMESPACES,
        *files.arguments,
        *needed,
        *([] if files.sees(working) else ["--dir", str(working)]),
        *(word for folder in (*files.sealed, Path("/")) for word in ("--remount-ro", str(folder))),
        "--chdir",
        str(working),
        "--",
        *first,
    ]


def _of_its_own() -> list[str]:
    kernel = (f"/proc/{name}" for name in _OF_THE_KERNEL)
    read_only = [word for path in kernel if Path(path).exists() for word in ("--ro-bind", path, path)]
    return ["--dev", "/dev", "--proc", "/proc", *read_only]


def _links_to(place: Path) -> Iterator[Path]:
    """The links on the way to a place, each in a folder that is none, the outermost first."""
    folder = Path(place.anchor)
    for part in place.parts[1:]:
        step = folder / part
        if step.is_symlink():
            yield step
        folder = Path(os.path.realpath(step))


def _depth(place: Path, folders: Iterable[Path]) -> int:
    """How long the path is of the innermost folder in which a place lies; 0 if in none."""
    return max((len(each.parts) for each in folders if place.is_relative_to(each)), default=0)
