"""A form of two instances for other frameworks to play, and that nothing is left of what played it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.forked_python import FORK_SERVER
from tests.run.processes import nothing_is_left, temporary, until
from tests.task_folders import csv_text, make_task

FORM = """<p>${text}</p><form><input name=a><label><input type=radio name=b value=1>one</label>
<label><input type=radio name=b value=2>two</label></form>"""
TABLE = csv_text(["text", "Answer.a", "Answer.b"], ["x", "violet", "1"], ["y", "green", "2"])


def make_plain(tasks_dir: Path, **more: object) -> None:
    """Write the folder of the task "Plain"."""
    make_task(tasks_dir, "Plain", **{"template": FORM, "table": TABLE, **more})  # type: ignore[arg-type]


@contextmanager
def leaving_nothing(folder: Path) -> Iterator[pytest.MonkeyPatch]:
    """In the end no process and no temporary file is left of what was begun meanwhile; no proxy is in its way."""
    assert FORK_SERVER.place  # begun before the mark: it is the tests' own, and stays
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_MARK", str(folder))
        patch.setenv("TMPDIR", str(temporary(folder)))
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            patch.delenv(name, raising=False)
            patch.delenv(name.upper(), raising=False)
        yield patch
        until(lambda: nothing_is_left(folder))
