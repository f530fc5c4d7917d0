"""In real browsers: a task is handed over, done by hand with a run's help, and scored as a run of a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import frame_to_be_available_and_switch_to_it

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.tasks.sets import main as datasets
from harness.records.directory import RunDirectory
from tests import samples
from tests.annotation.served import Annotating, annotating, fill, log_in, press
from tests.person import person_browser, waiting
from tests.task_folders import csv_text, make_task

PAGE = """<p id="text">${text}</p>
<label><input type="radio" name="mood" value="good" onchange="why.hidden = false">good</label>
<label><input type="radio" name="mood" value="bad">bad</label>
<p id="why" hidden><input name="reason"></p>
<select name="stars"><option value="1">one</option><option value="2">two</option></select>
<label><input type="checkbox" name="about" value="plot">plot</label>
<label><input type="checkbox" name="about" value="music">music</label>
<textarea name="note"></textarea>"""
TABLE = csv_text(["text"], ["A joy."], ["A bore."], ["A riddle."])
SUGGESTED = {"mood": ("good",), "reason": ("the model's",), "stars": ("2",), "about": ("plot", "music"), "note": ("n",)}


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Annotating]:
    make_task(tmp_path / "tasks", "already here")
    with annotating(tmp_path / "tasks", tmp_path) as live:
        yield live


def hand_over(browser: webdriver.Chrome, at: Annotating, template: Path, table: Path) -> None:
    browser.get(f"{at.people}/manage/upload/")
    fill(browser, name="Films")
    browser.find_element(By.NAME, "template").send_keys(str(template))
    browser.find_element(By.NAME, "table").send_keys(str(table))
    press(browser, "Look it over")


def made_run(folder: Path, tasks: Path) -> Path:
    """A run that sent the same on all instances."""
    run = RunDirectory(folder)
    run.write(samples.run_record())
    for instance in Catalog(tasks).task("Films").instances:
        fields = [samples.record(name, sent=sent) for name, sent in SUGGESTED.items()]
        run.add(samples.episode(*fields, task="Films", index=instance.index, id=instance.id), {})
    return folder


def into_sheet(browser: webdriver.Chrome) -> None:
    waiting(browser).until(frame_to_be_available_and_switch_to_it((By.CSS_SELECTOR, ".sheet iframe")))
    waiting(browser).until(lambda page: page.find_elements(By.NAME, "note"))


def held(browser: webdriver.Chrome, name: str) -> list[str]:
    """What a field of the sheet would send."""
    return browser.execute_script("return new FormData(document.forms[0]).getAll(arguments[0])", name)


def send_answers(browser: webdriver.Chrome) -> None:
    browser.find_element(By.ID, "submitButton").click()
    browser.switch_to.default_content()
    # Not any text with that word: the sheet's own <noscript> has it before the answers have arrived.
    waiting(browser).until(lambda page: page.find_elements(By.XPATH, "//h1[.='Submitted']"))


@pytest.mark.slow
def test_a_task_goes_from_an_upload_through_peoples_hands_to_a_scored_run(at: Annotating, tmp_path: Path) -> None:
    files = {"page.html": PAGE, "bad.csv": TABLE + "one,two\r\n", "good.csv": TABLE}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    with person_browser() as staff, person_browser() as ann:
        log_in(staff, at, "stan", at.link("add", "stan", "--staff"))
        log_in(ann, at, "ann", at.link("add", "ann", "--group", "team"))

        hand_over(staff, at, tmp_path / "page.html", tmp_path / "bad.csv")
        cells = [cell.text for cell in staff.find_elements(By.CSS_SELECTOR, "main table td")]
        assert cells[:4] == ["batch.csv", "5", "–", "the row has 2 cells where the header has 1"]

        hand_over(staff, at, tmp_path / "page.html", tmp_path / "good.csv")
        press(staff, "Next →")
        waiting(staff).until(frame_to_be_available_and_switch_to_it((By.CSS_SELECTOR, ".frame iframe")))
        assert waiting(staff).until(lambda page: page.find_element(By.ID, "text").text) == "A bore."
        assert staff.execute_script("return window.origin") == "null"  # of no origin: it reaches nothing of ours
        staff.switch_to.default_content()
        assert not (tmp_path / "tasks" / "Films").exists()
        press(staff, "Add the task")
        assert "3 instances" in staff.find_element(By.TAG_NAME, "main").text

        staff.get(f"{at.people}/manage/new/?task=Films")
        staff.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
        press(staff, "Make the project")
        run = made_run(tmp_path / "model-7", tmp_path / "tasks")
        at.command("copilot", "Films", "--from", str(run), "--share", "1")

        press(ann, "Work")
        press(ann, "Preview")
        press(ann, "Accept")
        into_sheet(ann)
        waiting(ann).until(lambda page: held(page, "note") == ["n"])
        found = {name: tuple(held(ann, name)) for name in SUGGESTED}
        assert found == SUGGESTED
        assert ann.find_element(By.ID, "why").is_displayed()  # the page's own script saw the answer
        ann.find_element(By.CSS_SELECTOR, "[value=music]").click()
        note = ann.find_element(By.NAME, "note")
        note.clear()
        note.send_keys("=mine")
        send_answers(ann)

    results = tmp_path / "results.csv"
    at.command("results", "Films", "--tasks-dir", str(tmp_path / "tasks"), "--out", str(results))
    collected = ["collect", str(results), "--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "new")]
    assert datasets(collected) == COMPLETE
    labels = Catalog(tmp_path / "new").task("Films").instances[0].labels
    assert labels == {
        "about": ("plot",), "mood": ("good",), "note": ("=mine",), "reason": ("the model's",), "stars": ("2",)
    }  # fmt: skip
    command = ["--solver", "human", "--answers", str(results), "--annotator", "ann", "--workers", "1"]
    assert evaluate([*command, "--tasks-dir", str(tmp_path / "new"), "--out", str(tmp_path / "human")]) == COMPLETE
    (episode,) = RunDirectory(tmp_path / "human").episodes()
    assert (episode.outcome, episode.detail) == ("scored", "")
    record = RunDirectory(tmp_path / "human").read()
    assert record.solver["helped"] == 1
    assert record.results is not None
    assert record.results.overall.score == 1.0


@pytest.mark.slow
def test_where_a_worker_answers_otherwise_the_runs_answer_is_shown_until_they_agree(
    at: Annotating, tmp_path: Path
) -> None:
    make_task(tmp_path / "tasks", "Films", template=PAGE, table=TABLE)
    with person_browser() as staff, person_browser() as ann:
        log_in(staff, at, "stan", at.link("add", "stan", "--staff"))
        log_in(ann, at, "ann", at.link("add", "ann", "--group", "team"))
        staff.get(f"{at.people}/manage/new/?task=Films")
        staff.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
        press(staff, "Make the project")
        run = made_run(tmp_path / "model-7", tmp_path / "tasks")
        at.command("copilot", "Films", "--from", str(run), "--share", "1", "--way", "mark")
        press(ann, "Work")
        press(ann, "Preview")
        press(ann, "Accept")
        into_sheet(ann)

        def marks() -> list[str]:
            return [mark.text for mark in ann.find_elements(By.CSS_SELECTOR, "[id^=turkle-help-]")]

        assert {name: held(ann, name) for name in ("mood", "note", "about")} == {"mood": [], "note": [""], "about": []}
        assert marks() == []
        ann.find_element(By.CSS_SELECTOR, "[value=bad]").click()
        assert marks() == ["The model answered: good"]
        ann.find_element(By.CSS_SELECTOR, "[value=plot]").click()
        assert marks() == ["The model answered: good", "The model answered: plot, music"]
        ann.find_element(By.CSS_SELECTOR, "[value=good]").click()
        ann.find_element(By.CSS_SELECTOR, "[value=music]").click()
        assert marks() == []
        ann.find_element(By.NAME, "note").send_keys("otherwise", Keys.TAB)
        assert marks() == ["The model answered: n"]
        send_answers(ann)
