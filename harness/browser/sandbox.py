"""Who the browser runs as, and whether its sandbox holds its pages."""

from __future__ import annotations

import os
import pwd
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.kit.errors import WrongSetUp
from harness.kit.files.installation import to_type, variable

OWN_ACCOUNT = "TURKBENCH_BROWSER_USER"
"""The variable that names the user as whom browsers of a harness run by root are started."""
ACCOUNTS = ("harness-browser", "nobody")
"""Whom they are started as otherwise: the first that there is."""
Sandbox = Literal["on", "off", "unknown"]
"""Whether the sandbox is seen to be on: it is on Linux alone that this can be looked at."""
LET_IT_HAVE_ONE = (
    "allow user name spaces (`sysctl -w kernel.unprivileged_userns_clone=1`, on Ubuntu also "
    "`kernel.apparmor_restrict_unprivileged_userns=0`; in a container, by its seccomp profile)"
)
"""What to do where the browser can have no sandbox."""
NO_SANDBOX = (
    "WARNING: the browser runs WITHOUT ITS SANDBOX here: a page that breaks out of it has the rights of its user. "
    f"To mend it, {LET_IT_HAVE_ONE}; `{to_type('setup doctor')}` says whether it helped, and --require-sandbox "
    "refuses to go on without"
)
"""What is said of a browser that has none."""

_REFUSALS = re.compile(
    r"No usable sandbox|SUID sandbox helper|Failed to move to new namespace|without --no-sandbox is not supported"
    r"|zygote_host_impl_linux"
)
_SETTLING_SECONDS, _LOOK_SECONDS = 3.0, 0.02
"""How long a process that has only begun may take to shut itself in, and how often it is looked at."""
_FILTERED = "2"
"""What the kernel says of a process whose system calls go through a filter (proc(5), ``Seccomp``)."""


class NoAccount(WrongSetUp):
    """There is no user as whom a browser could be started; the message says what to do."""


@dataclass(frozen=True)
class Account:
    """A user of the machine."""

    name: str
    uid: int
    gid: int


def browser_account() -> Account | None:
    """The user as whom a browser is started: one with few rights where we are root; None for our own.

    Raises:
        NoAccount: the user that ``TURKBENCH_BROWSER_USER`` names does not exist, or is root; or there is none at all.
    """
    if os.geteuid() != 0:
        return None
    named = variable(OWN_ACCOUNT)
    for name in (named,) if named else ACCOUNTS:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            if entry.pw_uid == 0:
                raise NoAccount(f"{OWN_ACCOUNT}={name} is root, as whom no browser is started: name another user")
            return Account(name, entry.pw_uid, entry.pw_gid)
    make = "`useradd --system --shell /usr/sbin/nologin harness-browser` makes one"
    if named:
        raise NoAccount(f"{OWN_ACCOUNT}={named}: there is no such user; {make}")
    raise NoAccount(f"browsers are not started as root, and there is no user {' or '.join(ACCOUNTS)}: {make}")


def is_reachable(folder: Path, account: Account) -> bool:
    """Whether a user may come as far as a folder: by the rights of all that is above it."""
    for each in folder.resolve().parents:
        state = each.stat()
        place = 6 if state.st_uid == account.uid else 3 if state.st_gid == account.gid else 0
        if not state.st_mode >> place & 1:
            return False
    return True


def is_sandbox_refusal(complaints: str) -> bool:
    """Whether a browser that did not start says that it can have no sandbox here."""
    return bool(_REFUSALS.search(complaints))


def sandbox_of(group: int) -> Sandbox:
    """Whether the pages of a browser that runs are in a sandbox, as the kernel has it.

    Args:
        group: The browser's process group.
    """
    if sys.platform != "linux":
        return "unknown"
    deadline = time.monotonic() + _SETTLING_SECONDS
    while (seen := _seen(group)) == "off" and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)  # a process that Chromium holds in reserve shuts itself in while it starts
    return seen


def of_all(seen: Iterable[Sandbox]) -> Sandbox:
    """What is said of several browsers together: the worst; unknown of none."""
    states = set(seen)
    return "off" if "off" in states else "on" if states == {"on"} else "unknown"


def _seen(group: int) -> Sandbox:
    states = []
    for folder in _renderers(group):
        with suppress(OSError):  # it has ended meanwhile
            states.append(_is_held(folder))
    if not states:
        return "unknown"
    return "on" if all(states) else "off"


def _renderers(group: int) -> Iterator[Path]:
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if os.getpgid(int(folder.name)) == group and b"--type=renderer" in (folder / "cmdline").read_bytes():
                yield folder


def _is_held(process: Path) -> bool:
    """Whether a process is in a name space of processes of its own, and its system calls are filtered."""
    fields = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return fields["Seccomp"].strip() == _FILTERED and len(fields["NSpid"].split()) > 1
