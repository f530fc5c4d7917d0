"""How far a program from outside is shut in: what there is to choose from, and what is possible on this machine."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.browser.box.program_options import MODES, AnyMode, BoxOptions, Mode
from harness.browser.box.relay import Address
from harness.kit.errors import UserError
from harness.kit.options import flags, given, view

EARLIER = ("masked", "strict")
"""What boxes were called in runs of earlier versions; who goes on with one of these has the box of today."""


class CannotIsolate(UserError):
    """The box that was asked for cannot be had, or its options cannot be meant so."""


@dataclass(frozen=True)
class Isolation:
    """What was chosen.

    Attributes:
        mode: ``none``; ``box``, namespaces with what the program needs and nothing else; ``container``.
        image: The image of the container; empty for the other modes.
        read: Files and folders that can be read in the box besides.
        write: Folders that can be written, too.
        hosts: What can be reached beside the browser.
    """

    mode: Mode = "none"
    image: str = ""
    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()
    hosts: tuple[Address, ...] = ()

    @classmethod
    def of(cls, options: BoxOptions | Mapping[str, Any]) -> Isolation:
        """The choice that stands in the options of a solver.

        Raises:
            CannotIsolate: they cannot be meant so.
        """
        chosen = view(BoxOptions, options)
        mode = chosen.isolate or "none"
        if mode in EARLIER:
            mode = "box"
        if mode not in MODES:
            raise CannotIsolate(f"--isolate {mode}: there is {', '.join(MODES)}")
        return cls(
            mode,
            chosen.isolate_image or "",
            tuple(map(Path, chosen.isolate_read or ())),
            tuple(map(Path, chosen.isolate_write or ())),
            tuple(_allowed(chosen.allow_host or ())),
        )


def settled(options: BoxOptions | Mapping[str, Any]) -> BoxOptions:
    """The options about the box with the default filled in: ``box`` where that works, else ``none``.

    Args:
        options: Of a solver; those about the box are looked at.

    Returns:
        Those about the box, as they are to be kept with the run.

    Raises:
        CannotIsolate: what was asked for cannot be had here, or cannot be meant so.
    """
    asked = BoxOptions(**{name: value for name, value in vars(view(BoxOptions, options)).items() if value})
    usual: Mode = "container" if asked.isolate_image else "none" if why_not("box") else "box"
    chosen = replace(asked, isolate=asked.isolate or usual)
    if chosen.isolate in EARLIER:
        raise CannotIsolate(
            f"--isolate {chosen.isolate}: there is one such box now, --isolate box, which shows what the program "
            "needs and nothing else; leave the option out, and name what is missing with --isolate-read"
        )
    isolation = Isolation.of(chosen)
    if (isolation.mode == "container") != bool(isolation.image):
        raise CannotIsolate("--isolate container and --isolate-image IMAGE go together")
    if isolation.mode == "none":
        if others := [name for name in given(chosen) if name != "isolate"]:
            why = "" if asked.isolate else f", and none can be made here: {why_not('box')}"
            raise CannotIsolate(f"{flags(others)}: these open a box, and there is none without --isolate{why}")
        return chosen
    if reason := why_not(isolation.mode):
        raise CannotIsolate(f"--isolate {isolation.mode} is not possible here: {reason}")
    for path in (*isolation.read, *isolation.write):
        if path == Path("/"):
            raise CannotIsolate("--isolate-read or --isolate-write /: that is no box; name what the program needs")
        if not path.exists():
            raise CannotIsolate(f"--isolate-read or --isolate-write {path}: there is no such file or folder")
    return chosen


def warning(mode: AnyMode | None) -> str:
    """What has to be said before a program is started in this mode; empty if nothing, or if there is no program."""
    if mode != "none":
        return ""
    reason = why_not("box")
    how = f"no box can be made here: {reason}" if reason else "--isolate none"
    return f"WARNING: the program runs without a box and can read all your files, the labels among them ({how})"


@functools.cache
def why_not(mode: Mode) -> str:
    """Why a mode is not possible on this machine, with the remedy; empty if it is. Asked once a process."""
    # Imported here alone: runs of solvers that are no program do without.
    from harness.browser.box import bubblewrap, container  # noqa: PLC0415

    if mode == "none":
        return ""
    return container.why_not() if mode == "container" else bubblewrap.why_not()


def _allowed(hosts: Iterable[str]) -> Iterable[Address]:
    for text in hosts:
        try:
            yield Address.read(text)
        except ValueError as error:
            raise CannotIsolate(f"--allow-host {text}: {error}") from None
