"""Programs in place of Chromium, where every user can run them; environments and databases that programs look into."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from harness.browser import launch

NO_USABLE_SANDBOX = (
    "[4242:4242:0101/000000.000000:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! "
    "If you are running on Ubuntu 23.10+ or another Linux distro that has disabled unprivileged user namespaces with "
    "AppArmor, see https://chromium.googlesource.com/chromium/src/+/main/docs/security/"
    "apparmor-userns-restrictions.md. Otherwise see https://chromium.googlesource.com/chromium/src/+/main/docs/linux/"
    "suid_sandbox_development.md for more information on developing with the (older) SUID sandbox. If you want to live "
    "dangerously and need an immediate workaround, you can try using --no-sandbox."
)
"""What Chromium itself says on a machine that lets it have none."""


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that all users of the machine can read and write; those of pytest are its user's alone."""
    folder = Path(tempfile.mkdtemp(prefix="t"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def script(folder: Path, text: str) -> Path:
    """A program of the shell; ``$CHROMIUM`` in it is the browser of this machine."""
    file = folder / "browser"
    file.write_text(f"#!/bin/sh\nCHROMIUM='{launch.find_browser()}'\n{text}\n")
    file.chmod(0o755)
    return file


def refusing_without(folder: Path) -> Path:
    """A browser that can have no sandbox: it starts with ``--no-sandbox`` alone."""
    return script(
        folder,
        f'case " $* " in *" --no-sandbox "*) exec "$CHROMIUM" "$@" ;; esac\necho "{NO_USABLE_SANDBOX}" >&2\nexit 1',
    )


def environment_at(folder: Path) -> Path:
    """An environment of the Python that runs the tests, without packages; gives the folder of its packages."""
    packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    packages.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(sys.executable)
    (folder / "pyvenv.cfg").write_text(f"home = {sys.base_prefix}/bin\n", encoding="utf-8")
    return packages


def database_at(file: Path, answer: str) -> None:
    """A database of people's answers, as the server keeps them."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE annotation_assignment (answers TEXT)")
        database.execute("INSERT INTO annotation_assignment VALUES (?)", (answer,))
        database.commit()
