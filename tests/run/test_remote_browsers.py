"""Runs whose browsers are elsewhere: what comes of them is what comes of the same run here."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.catalog.problems import CatalogError
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.reports.html.sections.about import PLACE_WORDS
from harness.reports.leaderboard.checked_run import check_run
from harness.reports.leaderboard.entry import make_entry
from harness.run.browsers import check_browsers, warning
from harness.run.consent import NotAllowed, refuse_what_acts
from harness.run.page_source import PageSource
from harness.run.server import own_server
from tests.browser.remote.far_browsers import grid, somebodys_browser
from tests.namespaces import Network
from tests.needs import CHROMEDRIVER, NETWORKS, needs
from tests.task_folders import csv_text, make_task

needs_driver = needs(CHROMEDRIVER)
LABEL = "the-label-that-nobody-is-told"
FIELDS = """<p>${text}</p><input name=a><textarea name=b></textarea>
<input type=radio name=c value=1><input type=radio name=c value=2><input type=checkbox name=d value=on>
<select name=e><option></option><option>one</option><option>two</option></select>"""


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    rows = [[f"text {n}", LABEL, f"line {n}", str(n % 2 + 1), "on", "two"] for n in range(3)]
    header = ["text", *(f"Answer.{name}" for name in "abcde")]
    make_task(folder / "tasks", "Form", template=FIELDS, table=csv_text(header, *rows))
    return folder / "tasks"


def play(tasks: Path, out: Path, *more: str) -> dict[str, Any]:
    """A run of the oracle; gives what it has in common with others of the same configuration."""
    arguments = ["--tasks-dir", str(tasks), "--out", str(out), "--solver", "oracle", "--progress", "plain"]
    assert main([*arguments, "--workers", "1", *more]) == COMPLETE
    return RunDirectory(out).canonical()


@pytest.fixture(scope="module")
def here(tasks: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return play(tasks, tmp_path_factory.mktemp("here") / "run")


@pytest.mark.slow
@pytest.mark.claim("attached-told")
def test_the_oracle_has_its_scores_in_a_browser_that_somebody_runs_and_the_run_says_whose_that_was(
    tasks: Path, here: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    with somebodys_browser() as theirs:
        assert play(tasks, out, "--browser-url", theirs.url) == here
        assert theirs.pages() == ["data:,theirs"]
        record = RunDirectory(out).read()
        assert capsys.readouterr().err.count(warning(record.config)) == 1
    assert (record.config.browser_url, record.sandbox) == (theirs.url, "unknown")
    assert record.results is not None
    assert record.results.overall.score == 1.0
    entry = make_entry(check_run(out, PageSource(tasks)), draws=10)
    assert (entry["browser_place"], entry["sandbox"]) == ("attached", "unknown")
    assert theirs.url not in str(entry)
    with pytest.raises(NotAllowed, match="show pages in the browser at"):
        refuse_what_acts(record.config)
    assert "NOT SHUT IN" in PLACE_WORDS[record.config.browser_place]


@pytest.mark.slow
@needs_driver
def test_a_grid_works_pages_by_its_own_driver(tasks: Path, here: dict[str, Any], tmp_path: Path) -> None:
    with grid() as lending:
        found = play(tasks, tmp_path / "run", "--grid", lending.url, "--input", "webdriver")
        commands = lending.commands()
    assert found["run"]["results"] == here["run"]["results"]
    assert {path: sent(each) for path, each in found["episodes"].items()} == {
        path: sent(each) for path, each in here["episodes"].items()
    }
    assert "POST actions" in commands
    assert commands.count("POST") == commands.count("DELETE") == 1


def sent(episode: dict[str, Any]) -> dict[str, Any]:
    return {field["name"]: field["sent"] for field in episode["fields"]}


@pytest.mark.slow
@pytest.mark.claim("serve-at-pages")
@needs_driver
@needs(NETWORKS)
def test_a_grid_on_another_machine_plays_as_here_and_that_machine_finds_pages_and_no_labels(
    tasks: Path, here: dict[str, Any], tmp_path: Path
) -> None:
    with Network() as network:
        space, address = network.add()
        us, inside = f"{network.subnet}.1", ["ip", "netns", "exec", space]
        with grid(address, inside=inside) as lending:
            assert play(tasks, tmp_path / "run", "--grid", lending.url, "--serve-at", us) == here
        with own_server(tasks, None, address=us) as origin:
            assert fetched(inside, f"{origin}/page/Form/0/") == (200, False)
            assert fetched(inside, f"{origin}/") == (404, False)


def fetched(inside: Sequence[str], url: str) -> tuple[int, bool]:
    """What another machine gets: the status, and whether a label is in it."""
    script = """
import sys, urllib.error, urllib.request
try:
    with urllib.request.urlopen(sys.argv[1]) as answer:
        print(answer.status, answer.read().decode())
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
"""
    command = [*inside, sys.executable, "-c", script, url]
    status, _, text = subprocess.run(command, capture_output=True, text=True, check=True).stdout.partition(" ")
    return int(status), LABEL in text


@pytest.mark.claim("serve-at-address")
def test_a_server_for_others_listens_at_one_address_and_answers_to_no_other_name(tasks: Path) -> None:
    with own_server(tasks, None, address="127.0.0.2") as origin:
        assert origin.startswith("http://127.0.0.2:")
        assert fetched([], f"{origin}/page/Form/0/") == (200, False)
        with pytest.raises(urllib.error.URLError, match="refused"):
            urllib.request.urlopen(origin.replace("127.0.0.2", "127.0.0.1"))  # noqa: S310 - our own server
        strange = urllib.request.Request(f"{origin}/page/Form/0/", headers={"Host": "strange.example"})  # noqa: S310
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(strange)  # noqa: S310 - our own server


FAR = "http://192.0.2.7:9222"


@pytest.mark.claim("serve-at-checks")
@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"browser_url": FAR}, "--browser-url: a browser on another machine .* --serve-at ADDRESS"),
        ({"grid": FAR}, "--grid: a browser on another machine .* --serve-at ADDRESS"),
        ({"browser_url": FAR, "grid": FAR}, "give one of them"),
        ({"browser_url": "ftp://there"}, "no address such as"),
        ({"grid": "ws://127.0.0.1:1"}, "no address such as"),
        ({"browser_url": "ws://127.0.0.1:1/?token=secret"}, "would stand in run.json"),
        ({"grid": "http://me:secret@127.0.0.1:1"}, "would stand in run.json"),
        ({"serve_at": "192.0.2.1"}, "--serve-at: browsers of this machine need none"),
        ({"grid": FAR, "serve_at": "here"}, "give the IPv4 address"),
        ({"grid": FAR, "serve_at": "224.0.0.1"}, "no browser reaches a server by that address"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "server": FAR}, "--serve-at: the server of --server"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "kind": "site"}, "--grid: it plays forms"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "engine": "ray"}, "browsers of its own"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "input": "desktop"}, "--input desktop"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "headed": True}, "--headed"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "require_sandbox": True}, "--require-sandbox"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "network": "live"}, "--network live"),
        ({"grid": FAR, "serve_at": "192.0.2.1", "solver": "command"}, "--solver command"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_line(asked: dict[str, Any], why: str) -> None:
    config = RunConfig(**{"solver": "oracle", "tasks_dir": Path("tasks"), **asked})
    with pytest.raises(CatalogError, match=why) as refused:
        check_browsers(config)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"browser_url": "http://127.0.0.1:9222"},
        {"browser_url": "ws://localhost:9222/devtools/browser/x"},
        {"grid": FAR, "serve_at": "192.0.2.1", "input": "webdriver"},
        {"browser_url": FAR, "server": "http://192.0.2.1:8000"},
    ],
)
def test_what_goes_together_is_not_refused(asked: dict[str, Any]) -> None:
    check_browsers(RunConfig(**{"solver": "oracle", "tasks_dir": Path("tasks"), **asked}))


def test_a_run_without_its_browser_ends_with_one_line(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    arguments = ["--tasks-dir", str(tasks), "--out", out, "--solver", "oracle", "--progress", "quiet"]
    assert main([*arguments, "--browser-url", "http://127.0.0.1:1"]) == WRONG_USE
    assert "no browser tells of itself at http://127.0.0.1:1" in capsys.readouterr().err
