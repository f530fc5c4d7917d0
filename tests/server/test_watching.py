"""People look at runs, in a real browser: one that grows, its worst episode, two of them side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from harness.records.directory import RunDirectory
from harness.records.fatal import Stop
from harness.records.folder_lock import FolderLock
from tests.person import person_browser
from tests.reports.watch.made_runs import add_turn, answered, failed_step, write_run
from tests.reports.watch.made_site import FACTS, on_shop, write_site_film
from tests.server.person import hindrances, hurry, shows, until
from tests.server.serving import serving

STOP = Stop(kind="program", words="Error: no module 'x'\n" + "at a/long/path " * 40, at="2026-01-31T12:10:00+00:00")
FAILED = {"status": "failed", "stopped": STOP, "planned_episodes": 9}


@pytest.fixture(scope="module")
def live() -> Iterator[webdriver.Chrome]:
    with person_browser() as browser:
        hurry(browser)
        yield browser


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two runs and a broken one."""
    folder = tmp_path_factory.mktemp("runs")
    for name, sent in {"first": "yes no yes", "second": "no no yes"}.items():
        episodes = [answered(index, word, task=f"Task {index}") for index, word in enumerate(sent.split())]
        run = write_run(folder / name, *episodes, planned_episodes=3)
        worst = answered(1, "no", task="Task 1", steps=(failed_step(),), outcome="limit", detail="steps", limit="steps")
        run.add(worst, {})
        add_turn(run, worst, "A page", "A reply")
    write_run(folder / "websites", on_shop(task="Kettle"), on_shop(task="No state", state=None), planned_episodes=3)
    write_run(folder / "failed", *(answered(index, outcome="agent_error") for index in range(3)), **FAILED)
    (folder / "broken").mkdir()
    (folder / "broken" / "run.json").write_text("{")
    return folder


@pytest.fixture(scope="module")
def origin(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    scratch = tmp_path_factory.mktemp("server")
    (scratch / "tasks").mkdir()
    with serving("--tasks-dir", scratch / "tasks", "--runs", runs, XDG_CACHE_HOME=str(scratch / "cache")) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.mark.slow
def test_a_run_is_watched_while_it_grows_without_loading_the_page_anew(
    live: webdriver.Chrome, origin: str, runs: Path
) -> None:
    run = write_run(runs / "growing", answered(0, "no"), planned_episodes=4, status="running")
    with FolderLock(run.folder):
        live.get(f"{origin}/runs/growing/")
        shows(live, "#episodes", "1 episode")
        live.execute_script("window.sameDocument = true")
        shows(live, "#state", "1 of 4 episodes")
        shows(live, "#figures dd", "0.0")
        for index in (1, 2):
            run.add(answered(index), {})
        shows(live, "#state", "3 of 4 episodes")
        shows(live, "#episodes", "T 2")
        shows(live, "#state ul", "T 2")
        shows(live, "#figures dd", "66.7")
        run.add(answered(3), {})
        run.write(replace(run.read(), status="complete"))
    shows(live, "#head .badge", "complete")
    shows(live, "#episodes", "4 episodes")
    shows(live, "#figures dd", "75.0")
    until(live, "!document.querySelector('[data-live-every]')")
    assert live.execute_script("return window.sameDocument") is True


@pytest.mark.slow
def test_a_run_that_stops_while_it_is_watched_says_why_without_loading_the_page_anew(
    live: webdriver.Chrome, origin: str, runs: Path
) -> None:
    run = write_run(runs / "stopping", answered(0, outcome="agent_error"), planned_episodes=9, status="running")
    with FolderLock(run.folder):
        live.get(f"{origin}/runs/stopping/")
        shows(live, "#head .badge", "running")
        live.execute_script("window.sameDocument = true")
        run.write(replace(run.read(), **FAILED))
    shows(live, "#head .badge", "failed")
    shows(live, "#state", "The agent's program fails before it does anything. Error: no module 'x'")
    shows(live, "#state", f"--resume {run.folder}")
    until(live, "!document.querySelector('[data-live-every]')")
    assert live.execute_script("return window.sameDocument") is True


@pytest.mark.slow
def test_a_run_on_websites_is_watched_while_it_grows(live: webdriver.Chrome, origin: str, runs: Path) -> None:
    run = write_run(runs / "shopping", on_shop(task="First"), planned_episodes=2, status="running")
    reached = replace(FACTS, evaluators=replace(FACTS.evaluators, main="answer"))
    with FolderLock(run.folder):
        live.get(f"{origin}/runs/shopping/")
        shows(live, "#counts", "Goal reached no1")
        run.add(on_shop(reached, task="Second"), {})
        shows(live, "#counts", "Goal reached no1yes1")
        shows(live, "#episodes", "Second 0")


def test_page_of_a_website_is_no_wider_than_a_phone_and_its_steps_are_reached_from_its_tables(
    live: webdriver.Chrome, origin: str, runs: Path
) -> None:
    filmed = on_shop(task="Filmed")
    write_site_film(write_run(runs / "filmed", filmed), filmed)
    live.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    )
    live.get(f"{origin}/runs/filmed/episode/Filmed/0/")
    until(live, "document.querySelector('.moment.current')")
    assert live.execute_script("return document.documentElement.scrollWidth") == 390
    live.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    live.find_element(By.CSS_SELECTOR, ".conditions a[data-to]").click()
    until(live, "document.querySelector('.moment.current').getAttribute('aria-label') === 'Step 1'")
    live.find_element(By.TAG_NAME, "body").send_keys("f")
    until(live, "Math.abs(document.querySelector('#judged').getBoundingClientRect().top) < 200")


@pytest.mark.slow
def test_the_worst_episode_of_a_run_is_found_with_the_keyboard(live: webdriver.Chrome, origin: str) -> None:
    live.get(f"{origin}/runs/first/")
    shows(live, "#episodes", "3 episodes")
    Select(live.find_element(By.ID, "sort")).select_by_visible_text("worst first")
    live.find_element(By.CSS_SELECTOR, ".filter button").click()
    until(live, "location.search.includes('sort=worst')")
    live.find_element(By.TAG_NAME, "body").send_keys("j")
    assert live.switch_to.active_element.text == "Task 1 1"
    live.switch_to.active_element.send_keys("jk", Keys.ENTER)
    until(live, "location.pathname.includes('/episode/')")
    assert live.current_url == f"{origin}/runs/first/episode/Task%25201/1/?list=sort%3Dworst"


@pytest.mark.slow
def test_a_search_is_followed_from_place_to_place_and_on_into_the_next_episode(
    live: webdriver.Chrome, origin: str, runs: Path
) -> None:
    run = write_run(runs / "said", *(answered(index) for index in range(3)), answered(0, task="Zebra"))
    for index in (0, 2):
        add_turn(run, answered(index), "A page about a zebra", f"zebra {index}, zebra")
    live.get(f"{origin}/runs/said/?q=zebra")
    shows(live, "#episodes", "3 of 4 episodes")
    live.find_element(By.CSS_SELECTOR, ".snippet").click()
    until(live, "document.querySelector('mark.hit.here')?.id === 'hit-1'")
    assert live.find_element(By.ID, "hit-1").is_displayed()
    body = live.find_element(By.TAG_NAME, "body")
    body.send_keys("nn")
    until(live, "document.querySelector('mark.hit.here').id === 'hit-3'")
    assert live.find_element(By.ID, "hit-3").is_displayed()
    body.send_keys("n")
    until(live, "location.pathname.endsWith('/T/2/') && document.querySelector('mark.hit.here')?.id === 'hit-1'")
    live.find_element(By.TAG_NAME, "body").send_keys("nnn")
    until(live, "location.pathname.endsWith('/Zebra/0/') && document.querySelector('#hit-place')")
    shows(live, "#hit-place", "only in a text that is cut here, or in the name of the task")
    live.find_element(By.TAG_NAME, "body").send_keys("n")
    shows(live, "#hit-place", "there is no next episode in the list")
    live.find_element(By.TAG_NAME, "body").send_keys("N")
    until(live, "location.pathname.endsWith('/T/2/') && document.querySelector('mark.hit.here')?.id === 'hit-3'")
    live.find_element(By.TAG_NAME, "body").send_keys("NNN")
    until(live, "location.pathname.endsWith('/T/0/') && document.querySelector('mark.hit.here')?.id === 'hit-3'")


@pytest.mark.slow
def test_the_run_that_is_ticked_first_is_what_the_others_are_compared_with(live: webdriver.Chrome, origin: str) -> None:
    live.get(f"{origin}/runs/?sort=name")
    until(live, "!document.querySelector('[data-live-every]')")
    for name in ("second", "failed", "first", "failed"):
        live.find_element(By.CSS_SELECTOR, f"input[value={name}]").click()
    assert [each.text for each in live.find_elements(By.CSS_SELECTOR, ".ticked") if each.text] == ["B", "A"]
    live.find_element(By.CSS_SELECTOR, "#compare button").click()
    until(live, "location.pathname.endsWith('/compare/')")
    assert live.current_url == f"{origin}/runs/compare/?run=second&run=first"


@pytest.mark.slow
def test_a_filter_is_kept_by_a_name_for_its_run_or_for_all_and_removed(live: webdriver.Chrome, origin: str) -> None:
    live.get(f"{origin}/runs/first/?low=50")
    shows(live, "#episodes", "of 3 episodes")
    live.find_element(By.ID, "filter-name").send_keys("good <b>ones", Keys.ENTER)
    live.get(f"{origin}/runs/first/?sort=worst&outcome=limit")
    live.find_element(By.ID, "filter-name").send_keys("cut off")
    live.find_element(By.ID, "filter-everywhere").click()
    live.find_element(By.CSS_SELECTOR, ".keep button").click()
    shows(live, "#saved-filters", "good <b>ones")
    live.get(f"{origin}/runs/second/")
    shows(live, "#saved-filters", "cut off")
    assert [link.text for link in live.find_elements(By.CSS_SELECTOR, "#saved-filters a")] == ["cut off"]
    live.find_element(By.CSS_SELECTOR, "#saved-filters a").click()
    until(live, "location.search === '?outcome=limit&sort=worst'")
    live.find_element(By.CSS_SELECTOR, "#saved-filters li button").click()
    until(live, "!document.querySelector('#saved-filters a')")
    live.get(f"{origin}/runs/first/")
    assert [link.text for link in live.find_elements(By.CSS_SELECTOR, "#saved-filters a")] == ["good <b>ones"]


@pytest.mark.slow
def test_two_chosen_runs_are_compared(live: webdriver.Chrome, origin: str) -> None:
    live.get(f"{origin}/runs/?sort=name")
    for name in ("first", "second"):
        live.find_element(By.CSS_SELECTOR, f"input[value={name}]").click()
    live.find_element(By.CSS_SELECTOR, "#compare button").click()
    shows(live, "main", "A is right where the other is wrong")
    shows(live, "main", "only A 1")
    shows(live, "main", "Task 0 0")


def test_no_page_of_runs_keeps_anybody_out(live: webdriver.Chrome, origin: str) -> None:
    pages = {
        "/runs/?sort=name": "document.querySelector('#run-rows')",
        "/runs/?column=errors&column=tokens&sort=-name": "document.querySelector('[aria-sort]')",
        "/runs/first/notes/": "document.querySelector('form.noting')",
        "/runs/?q=nothing+like+it": "document.body.textContent.includes('No run matches')",
        "/runs/first/": "document.querySelector('#figures dd')",
        "/runs/first/?q=unicorn": "document.body.textContent.includes('No episode matches')",
        "/runs/websites/": "document.querySelector('#figures dd')",
        "/runs/failed/": "document.querySelector('#figures dd') && document.querySelector('#stopped')",
        "/runs/broken/": "document.querySelector('.note.bad')",
        "/runs/compare/": "document.querySelector('.empty')",
        "/runs/compare/?run=first&run=second": "document.querySelector('#pair-1')",
        "/runs/none/": "document.querySelector('h1')",
    }
    found = {}
    for address, ready in pages.items():
        live.get(origin + address)
        until(live, ready)
        for details in live.find_elements(By.CSS_SELECTOR, "details:not([open]) > summary"):
            details.click()
        found[address] = hindrances(live)
    assert {address: said for address, said in found.items() if said} == {}


@pytest.mark.slow
def test_a_table_is_sorted_narrowed_and_noted_by_hand(live: webdriver.Chrome, origin: str) -> None:
    live.get(f"{origin}/runs/?q=s")
    live.find_element(By.LINK_TEXT, "Score, 95 %").click()
    until(live, "document.querySelector('[aria-sort=descending]')?.textContent === 'Score, 95 %'")
    live.find_element(By.CSS_SELECTOR, ".columns summary").click()
    live.find_element(By.CSS_SELECTOR, "input[name=column][value=crowd]").click()
    live.find_element(By.NAME, "keep").click()
    until(
        live,
        "location.search.includes('column=score') && !document.querySelector('thead').textContent.includes('Crowd')",
    )
    live.get(f"{origin}/runs/second/notes/")
    live.find_element(By.ID, "tags").send_keys("slow")
    live.find_element(By.CSS_SELECTOR, ".noting .primary").click()
    live.find_element(By.LINK_TEXT, "slow").click()
    until(live, "location.search === '?tag=slow'")
    assert [row.text for row in live.find_elements(By.CSS_SELECTOR, "#run-rows th > a")] == ["second"]
    assert "Crowd" not in live.find_element(By.TAG_NAME, "thead").text


@pytest.mark.slow
def test_a_run_directory_holds_what_it_held_before_people_looked(
    live: webdriver.Chrome, origin: str, runs: Path
) -> None:
    run = RunDirectory(runs / "second")
    before = {file: file.stat().st_mtime_ns for file in sorted(run.folder.rglob("*"))}
    live.get(f"{origin}/runs/second/")
    until(live, "document.querySelector('#figures dd')")
    assert {file: file.stat().st_mtime_ns for file in sorted(run.folder.rglob("*"))} == before


def test_no_page_of_a_website_keeps_anybody_out(live: webdriver.Chrome, origin: str) -> None:
    live.get(f"{origin}/runs/websites/episode/Kettle/0/")
    until(live, "document.querySelector('.moment.current')")
    live.find_element(By.TAG_NAME, "body").send_keys("am")
    live.execute_script("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert hindrances(live) == []
