"""Looking at a run by command: the server is started on it, or an episode becomes one file that opens anywhere."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from harness.browser.browser import Browser
from harness.browser.input import Input
from harness.cli.commands import view
from tests.checkout import PROJECT
from tests.conftest import Show
from tests.reports.watch.made import LONG, TASK, filmed_run
from tests.server.serving import environment
from tests.site import Site
from turkle_app.viewer.slugs import slug_of

SECONDS = 60


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    return filmed_run(folder / "run", folder / "tasks")


@pytest.fixture(scope="module")
def written(run: Path) -> str:
    """The file of the filmed episode."""
    assert view.main([str(run), TASK, "0", "--html", str(run.parent / "episode.html")]) == 0
    return (run.parent / "episode.html").read_text(encoding="utf-8")


def test_the_file_of_an_episode_and_its_place_mean_the_same(run: Path, written: str, tmp_path: Path) -> None:
    file = tmp_path / "same.html"
    assert view.main([str(run / "episodes" / TASK / "0.json"), "--html", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == written


def test_the_file_holds_each_picture_once_and_asks_for_nothing(written: str) -> None:
    pictures = re.findall(r'src="(data:image/[^"]+)"', written)
    assert len(pictures) == len(set(pictures)) == 4 + 3
    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', written) == []


def test_the_file_is_stepped_through_without_a_server(written: str, show: Show, site: Site, browser: Browser) -> None:
    said: list[object] = []
    browser.channel.call("Log.enable")
    browser.channel.on("Log.entryAdded", said.append)
    before = len(site.requests)
    shown = show(whole=written)
    Input(browser.channel).type("jj")
    assert shown.page("document.querySelector('.moment.current').dataset.ident") == "step-2"
    figure = "document.querySelector('figure.current img')"
    assert shown.page(f"{figure}.decode().then(() => {figure}.naturalWidth)") == 1280
    thumbnail = "document.querySelectorAll('.strip img')[2]"
    assert shown.page(f"{thumbnail}.src === {figure}.src")
    shown.page("document.querySelector('.scene.current .whole a').click()")
    assert shown.page("document.querySelector('.scene.current .whole pre').textContent") == f"{LONG}Turn 2."
    assert len(site.since(before)) == 1
    assert said == []
    browser.channel.call("Log.disable")


def test_scores_are_those_of_the_profile_that_is_asked_for(run: Path, tmp_path: Path) -> None:
    arguments = [str(run), TASK, "0", "--metrics", "turkingbench-2024", "--html", str(tmp_path / "a.html")]
    assert view.main(arguments) == 0
    assert "Score under turkingbench-2024" in (tmp_path / "a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["RUN", "--html", "x.html"], "name its file, or its task and index"),
        (["RUN", "Animal", "0"], "Did you mean 'Animals'?"),
        (["RUN", "Animals"], "which instance"),
        (["RUN", "Animals", "7", "--html", "x.html"], "no episode of instance 7 of 'Animals'; it has 0"),
        (["RUN", "Animals", "7"], "no episode of instance 7"),
        (["RUN/run.json"], "is no episode of a run"),
        (["RUN/nothing"], "it has no run.json"),
        (["RUN/episodes/Animals/0.json", "Animals", "0"], "is an episode already"),
        (["RUN", "Animals", "0", "--html", "RUN/run.json/x.html"], "run.json"),
    ],
)
def test_wrong_use_is_told_in_one_line(run: Path, capsys: pytest.CaptureFixture[str], arguments, words) -> None:
    assert view.main([each.replace("RUN", str(run)) for each in arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert words in told
    assert told.count("\n") == 1


@pytest.mark.slow
def test_the_server_is_started_on_the_run_and_ends_with_the_command(run: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "view", str(run), TASK, "0", "--no-browser"]
    command += ["--tasks-dir", str(run.parent / "tasks")]
    with subprocess.Popen(
        command, cwd=PROJECT, env=environment(XDG_CACHE_HOME=str(tmp_path)), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with urllib.request.urlopen(address, timeout=SECONDS) as answer:  # noqa: S310
                assert "Step 2: the page afterwards" in answer.read().decode()
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 0
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address, timeout=SECONDS)  # noqa: S310


def test_the_server_calls_the_run_as_the_command_does() -> None:
    assert slug_of(()) == view.SERVED_RUN
