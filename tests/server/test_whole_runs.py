"""People look at runs of the command line in a real browser: one that really goes, and the film of one that is over."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from harness.cli.boundary import COMPLETE
from harness.kit.files.writing import path_name
from harness.records.directory import RunDirectory
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.person import SECONDS, person_browser
from tests.run.processes import evaluating
from tests.server.person import hurry, shows, until
from tests.server.serving import serving
from tests.task_folders import csv_text, make_task

BUNDLED = ("Paraphrase rating", "Translation check")
ROWS = [[f"text {number}", "filled" if number else "empty"] for number in range(3)]
BOX = """
const figure = document.querySelector("figure.current"), mark = figure?.querySelector("rect:not(.halo)");
const image = figure?.querySelector("img");
if (!mark || !image.complete || !image.naturalWidth) return null;
const [inner, outer] = [mark.getBoundingClientRect(), image.getBoundingClientRect()];
return inner.width > 0 && inner.height > 0 && inner.right > outer.left && inner.left < outer.right
  && inner.bottom > outer.top && inner.top < outer.bottom;
"""


@pytest.fixture(scope="module")
def live() -> Iterator[webdriver.Chrome]:
    with person_browser() as browser:
        hurry(browser)
        yield browser


class Turns:
    """The pipes by which ``tests.run_solvers:WaitsForItsTurn`` asks for its turns and gets them."""

    def __init__(self, folder: Path) -> None:
        self.places = {"TURN_ASKED": str(folder / "asked"), "TURN_GIVEN": str(folder / "given")}
        for place in self.places.values():
            os.mkfifo(place)
        # For both ways, so that nobody waits for the other end to be opened.
        self._asked, self._given = (os.open(place, os.O_RDWR) for place in self.places.values())

    def asked(self) -> None:
        """Wait until a solver has a page and does nothing to it."""
        assert select.select([self._asked], [], [], SECONDS)[0], "no solver has asked for its turn"
        os.read(self._asked, 1)

    def give(self) -> None:
        """Let it go on."""
        os.write(self._given, b"!")

    def close(self) -> None:
        os.close(self._asked)
        os.close(self._given)


@pytest.fixture
def turns(tmp_path: Path) -> Iterator[Turns]:
    made = Turns(tmp_path)
    yield made
    made.close()


@pytest.mark.slow
def test_a_run_that_really_goes_is_watched_from_before_its_first_episode_to_its_end(
    live: webdriver.Chrome, turns: Turns, tmp_path: Path
) -> None:
    tasks, runs = tmp_path / "tasks", tmp_path / "runs"
    runs.mkdir()
    table = csv_text(["text", "Answer.a"], *ROWS)
    make_task(tasks, "Slow", template="<p>${text}</p><input name=a>", table=table)
    solver = ["--solver", "tests.run_solvers:WaitsForItsTurn", "--workers", "1", "--max-time", str(4 * SECONDS)]
    command = [*solver, "--tasks-dir", str(tasks), "--out", str(runs / "going")]
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache of the server")}
    with (
        serving("--tasks-dir", tasks, "--runs", runs, **cache) as server,
        evaluating(command, tmp_path, **turns.places) as process,
    ):
        turns.asked()
        live.get(f"http://127.0.0.1:{server.port}/runs/going/")
        shows(live, "#head .badge", "running")
        shows(live, "#state", "0 of 3 episodes")
        shows(live, "#episodes", "No episode is finished yet")
        live.execute_script("window.sameDocument = true")
        for done in (1, 2, 3):
            turns.give()
            if done < 3:
                turns.asked()
                shows(live, "#state", f"{done} of 3 episodes")
                shows(live, "#head .badge", "running")
            shows(live, "#episodes", f"Slow {done - 1}")
        shows(live, "#head .badge", "complete")
        shows(live, "#episodes", "3 episodes")
        shows(live, "#figures dd", "66.7")
        until(live, "!document.querySelector('[data-live-every]')")
        assert live.execute_script("return window.sameDocument") is True
        process.communicate(timeout=SECONDS)
        assert process.returncode == COMPLETE


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    """A run of the oracle on two bundled tasks, with its film."""
    folder = tmp_path_factory.mktemp("filmed")
    run = folder / "runs" / "filmed"
    tasks = [word for name in BUNDLED for word in ("--task", name)]
    command = ["--solver", "oracle", "--film", "steps", *tasks, "--max-instances", "2", "--out", str(run)]
    with evaluating(command, folder) as process:
        out, error = process.communicate(timeout=SECONDS)
    assert process.returncode == COMPLETE, (out, error)
    return RunDirectory(run)


def press(live: webdriver.Chrome, *keys: str) -> None:
    ActionChains(live).send_keys(*keys).perform()


@pytest.mark.slow
def test_the_worst_episode_of_a_filmed_run_is_found_and_its_film_gone_through_by_keys(
    live: webdriver.Chrome, filmed: RunDirectory, tmp_path: Path
) -> None:
    scores = {
        (path_name(each.task), each.index): score_episode(each, PROFILES["standard"]).score
        for each in filmed.episodes()
    }
    assert min(scores.values()) < max(scores.values())
    with serving("--runs", filmed.folder.parent, XDG_CACHE_HOME=str(tmp_path)) as server:
        live.get(f"http://127.0.0.1:{server.port}/runs/filmed/")
        shows(live, "#episodes", f"{len(scores)} episodes")
        Select(live.find_element(By.ID, "sort")).select_by_visible_text("worst first")
        live.find_element(By.CSS_SELECTOR, ".filter button").click()
        until(live, "location.search.includes('sort=worst')")
        rows = live.find_elements(By.CSS_SELECTOR, "#episodes tr[data-row] a")
        first, second = (row.get_attribute("href").partition("?")[0] for row in rows[:2])
        press(live, "j", Keys.ENTER)
        until(live, "location.pathname.includes('/episode/') && document.querySelector('.moment.current')")
        assert live.current_url.partition("?")[0] == first
        worst = next(each for each in filmed.episodes() if address(each.task, each.index) in first)
        assert scores[path_name(worst.task), worst.index] == min(scores.values())
        assert "1 of 4 in the list" in live.find_element(By.CSS_SELECTOR, ".walk").text
        film = filmed.film(worst.task, worst.index)
        assert film is not None
        marked = 0
        for number in range(1, len(worst.steps) + 1):
            press(live, "j")
            until(live, f"document.getElementById('where').textContent.startsWith('Step {number} ')")
            frame = next(each for each in film.frames if each.step == number - 1)
            if frame.picture and frame.target and frame.target.box:
                until(live, f"(() => {{{BOX}}})()")
                marked += 1
        assert marked > 0
        press(live, "]")
        until(live, f"location.href.startsWith({second!r}) && document.querySelector('.moment.current')")
        assert "2 of 4 in the list" in live.find_element(By.CSS_SELECTOR, ".walk").text


def address(task: str, index: int) -> str:
    """The end of an episode's address, in which ``%`` of its name is encoded once more."""
    return f"/episode/{path_name(task).replace('%', '%25')}/{index}/"
