"""A process that outlives a run, to end the browsers and remove the files that a killed run would leave behind."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from harness.kit.files.installation import allowed

# It reads orders from a pipe, of which the run's processes hold the other end. When the last of them is gone, however
# it ended, all groups that are watched then are killed, and the folder goes; again while the killed still
# write, which on a busy machine they do for seconds.
_SCRIPT = """
watched=""
while read -r order owner group; do
  kept=""
  for each in $watched; do
    case $order,$each in
      forget,*:"$group") ;;
      end,"$owner":*) kill -s KILL -- "-${each#*:}" 2>/dev/null ;;
      *) kept="$kept $each" ;;
    esac
  done
  watched=$kept
  [ "$order" = watch ] && watched="$watched $owner:$group"
done
for each in $watched; do kill -s KILL -- "-${each#*:}" 2>/dev/null; done
tries=0
while [ $tries -lt 150 ]; do
  rm -rf -- "$@" 2>/dev/null
  [ -e "$1" ] || break
  tries=$((tries + 1))
  sleep 0.2
done
"""


class BrowserReaper:
    """A context; groups of processes that are watched when it and all that was forked within it have ended are killed.

    Attributes:
        folder: For temporary files; removed at that time.
    """

    def __init__(self, also: Sequence[Path] = ()) -> None:
        """Start it.

        Args:
            also: Further folders that are removed at that time.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="hr-"))
        if os.geteuid() == 0:
            self.folder.chmod(0o711)  # browsers run as another user, and have folders of their own in it
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "reaper", str(self.folder), *map(str, also)],
            env=allowed(("PATH", "TMPDIR")),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # a Ctrl-C at the terminal is not for it
        )

    def watch_me(self) -> None:
        """Watch the group that the calling process leads, on behalf of its parent.

        Called in a browser's process before the browser runs, so that there is no moment in which nobody knows of it.
        """
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # of a reaper that is gone
        self._order("watch", os.getppid(), os.getpid())
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)

    def forget(self, group: int) -> None:
        """Leave a group alone: it has ended, and its number may be given to others."""
        self._order("forget", os.getpid(), group)

    def end(self, owner: int) -> None:
        """Kill the groups that are watched on behalf of a process, which has ended."""
        self._order("end", owner, 0)

    def dismiss(self) -> None:
        """End it at once, whoever else holds the pipe; for one who has ended all that was watched."""
        self._process.kill()
        self.__exit__(None, None, None)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _order(self, order: str, owner: int, group: int) -> None:
        # Without its reaper a run goes on as well. A line this short is written whole, whoever else writes.
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin:
                os.write(self._process.stdin.fileno(), f"{order} {owner} {group}\n".encode())

    def __enter__(self) -> BrowserReaper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._process.communicate()
