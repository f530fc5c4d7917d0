"""What stands in our environment, keys among it, stands in that of none of a run's other processes."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.evaluate import main as evaluate
from harness.episode.assignment import Page
from harness.episode.library import Actions
from tests.needs import DISPLAY, NO_DISPLAY, PROC, WEBDRIVER, needs
from tests.task_folders import make_task

SEEN, SECRET = "ENVIRONMENTS_SEEN", "ENVIRONMENTS_SECRET"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "whatever_of_mine", SECRET)
pytestmark = [needs(PROC), pytest.mark.usefixtures("real_servers")]

PARTS: dict[str, Callable[[str], bool]] = {
    "browser": lambda words: "--remote-debugging-pipe" in words and "--type=" not in words,
    "page": lambda words: "--type=renderer" in words,
    "server": lambda words: "manage.py serve" in words or "turkle_app" in words,
    "reaper": lambda words: words.startswith("/bin/sh -c") and " reaper " in words,
}
OF_A_DRIVER: dict[str, Callable[[str], bool]] = {
    "box": lambda words: "bwrap --unshare-user" in words,
    "driver": lambda words: "chromedriver" in words and "--port=" in words and "bwrap" not in words,
}
OF_A_DESKTOP: dict[str, Callable[[str], bool]] = {
    "Xvfb": lambda words: words.startswith("Xvfb "),
    "xclip": lambda words: words.startswith("xclip "),
}


class LooksAtProcesses:
    """Writes what types through the clipboard, if there is one; then looks at all processes that it may look at."""

    def solve(self, page: Page, act: Actions) -> None:  # noqa: ARG002 - the arguments of a solver
        act.click(100, 100)
        act.type("Grüße, 世界")
        Path(os.environ[SEEN]).write_text(json.dumps(look(os.environ[SECRET])))


def look(secret: str) -> list[tuple[str, bool]]:
    """Of every process of the machine whose environment can be read: its words, and whether it holds a secret.

    A process that was forked has the words and the environment of the one that it was forked from, as it was started.
    """
    found = []
    for each in Path("/proc").iterdir():
        try:
            environment = (each / "environ").read_bytes()
            words = (each / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # no process, one that has ended, or somebody else's
        found.append((words, secret.encode() in environment))
    return found


@pytest.mark.slow
@pytest.mark.claim("environments")
@pytest.mark.parametrize(
    ("back_end", "parts"),
    [
        ("devtools", PARTS),
        pytest.param("webdriver", PARTS | OF_A_DRIVER, marks=needs(*WEBDRIVER)),
        pytest.param(
            "desktop",
            PARTS | OF_A_DESKTOP,
            marks=needs(*DISPLAY, NO_DISPLAY),
        ),
    ],
)
@pytest.mark.usefixtures("own_cache")
def test_keys_of_the_environment_are_in_no_process_of_a_run(
    back_end: str, parts: dict[str, Callable[[str], bool]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_task(
        tmp_path / "tasks", "T", template="<textarea name=a style='width: 300px; height: 300px'></textarea>${text}"
    )
    secret = secrets.token_hex(16)
    for name in KEYS:
        monkeypatch.setenv(name, f"{secret}-{name}")
    monkeypatch.setenv(SECRET, secret)
    monkeypatch.setenv(SEEN, str(tmp_path / "seen"))
    solver = f"{__name__}:LooksAtProcesses"
    arguments = ["--solver", solver, "--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run")]
    # This one is given all that we have, and so has to be found.
    with subprocess.Popen([sys.executable, "-c", "input()  # given all"], stdin=subprocess.PIPE) as control:
        assert evaluate([*arguments, "--workers", "1", "--input", back_end]) == COMPLETE
        control.communicate(b"\n")
    seen = json.loads((tmp_path / "seen").read_text())
    assert [words for words, holds in seen if holds] == [f"{sys.executable} -c input()  # given all "]
    hidden = set() if os.geteuid() == 0 else {"page"}  # the kernel shows what is in a sandbox to root alone
    missing = {part for part, is_it in parts.items() if not any(is_it(words) for words, _ in seen)}
    assert missing <= hidden
