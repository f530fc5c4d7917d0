"""Processor time and memory of processes, from ``/proc``."""

from __future__ import annotations

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_BROWSER = ("chrom", "chrome")
_TYPE = re.compile(rb"--type=([\w-]+)")


def machine_seconds() -> float:
    """Seconds that all processors of the machine together were busy since it started."""
    user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + soft) / _TICKS


def processor_seconds(process: int) -> float:
    """Seconds of processor time that a process took itself."""
    return sum(map(int, _stat(process)[11:13])) / _TICKS


def children(process: int) -> list[int]:
    """The processes that descend from one, itself first."""
    below: dict[int, list[int]] = defaultdict(list)
    for each in _all():
        if fields := _stat(each):
            below[int(fields[1])].append(each)
    found = [process]
    for each in found:
        found += below[each]
    return found


def harness_memory(process: int) -> float:
    """Megabytes that a process and its descendants without browsers and drivers hold.

    Memory that several of them share, as forked workers do, counts once (proportional set size).
    """
    return sum(filter(None, map(_proportional, harness_processes(process))))


def harness_processes(process: int) -> list[int]:
    """A process and its descendants without browsers and drivers."""
    return [each for each in children(process) if not _name(each).startswith(_BROWSER)]


def memory(processes: Iterable[int]) -> float | None:
    """Megabytes that processes hold, counted as ``harness_memory`` does.

    Returns:
        None if some may not be looked at, as a browser's pages in their sandbox may be by root alone.
    """
    held = list(map(_proportional, processes))
    return None if None in held else sum(filter(None, held))


def open_files(processes: Iterable[int]) -> int:
    """Files, pipes and sockets that processes have open; those of others' processes are not seen."""
    found = 0
    for process in processes:
        with contextlib.suppress(OSError):
            found += sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    return found


KINDS = ("harness", "browser", "pages", "graphics", "network")
"""Of the processes of a run: Python's, a browser's own, those of its pages, its compositor, and all else of it."""
_TYPES = {"renderer": "pages", "zygote": "pages", "gpu-process": "graphics", "utility": "network"}


def kind_seconds(process: int) -> dict[str, float]:
    """Seconds of processor time of a process and its descendants, those that have ended included, by ``KINDS``."""
    found = dict.fromkeys(KINDS, 0.0)
    for each in children(process):
        found[_kind(each)] += sum(map(int, _stat(each)[11:15])) / _TICKS
    return found


def family_seconds(process: int) -> float:
    """Seconds of processor time of a process and its descendants, those that have ended included."""
    return sum(kind_seconds(process).values())


def _kind(process: int) -> str:
    if not _name(process).startswith(_BROWSER):
        return "harness"
    try:
        # A page's process writes its command as one text.
        named = _TYPE.search(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return "network"
    return _TYPES.get(named[1].decode(), "network") if named else "browser"


def _all() -> Iterator[int]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            yield int(folder.name)


def _stat(process: int) -> list[str]:
    """The fields of a process's ``stat`` after its name; none if it has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _name(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def _proportional(process: int) -> float | None:
    """Megabytes of a process, 0 if it has ended; None if it may not be looked at."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except PermissionError:
        return None
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)
