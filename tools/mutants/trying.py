"""Whether the tests notice a change: they are run in a copy of the project that has it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

from tests.checkout import CASES, PAPERS, PEERS, TURKINGBENCH

if TYPE_CHECKING:
    from tools.mutants.drawing import Drawn

SECONDS = 600.0
"""That the tests of a change may take: whatever does not end by then is noticed."""


class Copy:
    """A copy of the project, of what git knows of.

    Args:
        project: The root of the project.
        folder: For the copy; what stood there is deleted.
    """

    def __init__(self, project: Path, folder: Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        names = subprocess.run(["git", "ls-files", "-z"], cwd=project, capture_output=True, text=True, check=True)
        for name in filter(None, names.stdout.split("\0")):
            if (project / name).is_file():  # it may be deleted and not committed yet
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(project / name, folder / name)

    def kills(self, drawn: Drawn) -> bool:
        """Whether a test fails for a change."""
        tests = asked_about(self.folder, drawn.file)
        with self._changed(drawn):
            return bool(tests) and self._fails(tests)

    @contextmanager
    def _changed(self, drawn: Drawn) -> Iterator[None]:
        file = self.folder / drawn.file
        compiled = Path(cache_from_source(str(file)))  # the time of a file does not tell it from one just before
        before = file.read_text(encoding="utf-8")
        compiled.unlink(missing_ok=True)
        file.write_text(drawn.source, encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(before, encoding="utf-8")
            compiled.unlink(missing_ok=True)

    def _fails(self, tests: list[str]) -> bool:
        beside = {"TURKINGBENCH_DIR": TURKINGBENCH, "PAPERS_DIR": PAPERS, "PEERS_DIR": PEERS, "CASES_DIR": CASES}
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment |= {name: str(folder) for name, folder in beside.items()}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", *tests]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                code = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                code = 1
            # What a change has left running is in the session of the tests.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        return code not in (0, 5)


def asked_about(project: Path, file: str) -> list[str]:
    """The tests that are asked about a change of a file: those that name its module, then those of its folder.

    Args:
        project: The root of the project.
        file: From there, e.g. "harness/scoring/metrics/rouge.py".
    """
    path = Path(file)
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    parent, _, last = module.rpartition(".")
    named = re.compile(rf"\b{re.escape(module)}\b|\bfrom {re.escape(parent)} import [^#\n]*\b{re.escape(last)}\b")
    all_tests = sorted((project / "tests").rglob("test_*.py"))
    naming = [test for test in all_tests if named.search(test.read_text(encoding="utf-8"))]
    inside = path.relative_to("harness") if path.parts[0] == "harness" else path
    room = {"turkle_app": "server", "oracle": "oracle"}.get(inside.parts[0], inside.parts[0])
    own = [project / "tests" / room if len(inside.parts) > 1 else project / "tests" / f"test_{inside.name}"]
    deeper = project / "tests" / inside.parent
    if deeper.is_dir() and deeper not in (*own, project / "tests"):
        own.insert(0, deeper)
    return [str(each.relative_to(project)) for each in (*naming, *own) if each.exists()]
