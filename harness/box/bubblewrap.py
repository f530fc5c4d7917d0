"""Boxes made of namespaces: the command line of bubblewrap."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.box.hidden_places import shared_roots
from harness.box.probing import failure_of

NAME = "bwrap"
NAMESPACES = (
    "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box",
)  # fmt: skip
"""What every box has of its own, and that it ends with whoever started it."""
TMP = Path("/tmp")  # noqa: S108 - of the box
_OF_THE_KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi")
"""What root can write in ``/proc`` even without a capability, settings of the whole machine among them."""
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/sys/devices/system/cpu",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/etc/fonts",
    "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/services",
    "/etc/protocols", "/etc/mime.types",
)  # fmt: skip
"""What a program of the system needs, and holds nobody's secrets."""


@dataclass
class Filesystem:
    """The files of one box, as arguments of bubblewrap, in the order in which they are mounted.

    Attributes:
        arguments: For bubblewrap.
        shown: What can be seen, but for what is hidden in it.
        gone: What cannot, although it lies in something that is shown.
    """

    arguments: list[str] = field(default_factory=list)
    shown: list[Path] = field(default_factory=list)
    gone: list[Path] = field(default_factory=list)

    def show(self, place: Path, *, writable: bool = False) -> None:
        """Put a file or folder where it is outside, if there is one.

        What is reached by a link stands in its real place only, and the link with it, so that nothing is shown twice
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
        if not self.sees(place):
            self.arguments += ["--symlink", str(real), str(place)]
            self.shown.append(place)

    def hide(self, place: Path) -> None:
        """Put nothing in a real path, if it can be seen."""
        if self.sees(place):
            self.arguments += ["--tmpfs", str(place)] if place.is_dir() else ["--ro-bind", os.devnull, str(place)]
            self.gone.append(place)

    def sees(self, place: Path) -> bool:
        """Whether it is there, as far as what was shown and put away goes: the closer folder decides."""
        return _depth(place, self.shown) > _depth(place, self.gone)


def why_not() -> str:
    """Why there can be no such box on this machine, with the remedy; empty if there can."""
    program = shutil.which(NAME)
    if program is None:
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    return failure_of([program, *NAMESPACES, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"])


def masked(tmp: Path) -> Filesystem:
    """All files, none of them writable, but for the folders that programs of all users share.

    Args:
        tmp: What is to be the box's folder for temporary files.
    """
    files = Filesystem()
    files.arguments += ["--ro-bind", "/", "/", *_of_its_own()]
    for root in shared_roots():
        if root not in (TMP, Path("/dev/shm")):  # noqa: S108 - of the box
            files.arguments += ["--tmpfs", str(root)]
        files.gone.append(root)
    files.arguments += ["--bind", str(tmp), str(TMP)]
    files.shown.append(Path("/"))
    return files


def strict(tmp: Path | None) -> Filesystem:
    """The programs and libraries of the system, and nothing else.

    Args:
        tmp: What is to be the box's folder for temporary files; None for one in memory.
    """
    files = Filesystem()
    for text in _SYSTEM:
        place = Path(text)
        if place.is_symlink() and place.parent == Path("/"):
            files.arguments += ["--symlink", str(place.readlink()), text]
            files.shown.append(place)
        elif place.exists():
            files.show(place)
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
        "--chdir",
        str(working),
        "--",
        *first,
    ]


def _of_its_own() -> list[str]:
    kernel = (f"/proc/{name}" for name in _OF_THE_KERNEL)
    read_only = [word for path in kernel if Path(path).exists() for word in ("--ro-bind", path, path)]
    return ["--dev", "/dev", "--proc", "/proc", *read_only]


def _depth(place: Path, folders: Iterable[Path]) -> int:
    """How long the path is of the innermost folder in which a place lies; 0 if in none."""
    return max((len(each.parts) for each in folders if place.is_relative_to(each)), default=0)
