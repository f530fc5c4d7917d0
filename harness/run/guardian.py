"""A process that outlives this one, to end the browsers that a killed run would leave behind."""

from __future__ import annotations

import contextlib
import subprocess
from types import TracebackType

# It reads orders from a pipe. The pipe closes with this process, however that ends; all groups watched then are killed.
_SCRIPT = """
groups=""
while read -r order group; do
  case $order in
    watch) groups="$groups $group" ;;
    forget)
      kept=""
      for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
      groups=$kept ;;
  esac
done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
"""


class Guardian:
    """A context; process groups that are still watched at its end, or when this process dies, are killed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # a Ctrl-C at the terminal is not for it
        )

    def watch(self, group: int) -> None:
        """Kill this process group if it has not been forgotten by the end."""
        self._order(f"watch {group}")

    def forget(self, group: int) -> None:
        """Leave this process group alone: it has ended, and its number may be given to others."""
        self._order(f"forget {group}")

    def _order(self, line: str) -> None:
        # Without its guardian a run goes on as well.
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()

    def __enter__(self) -> Guardian:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._process.communicate()
