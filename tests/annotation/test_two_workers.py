"""From the first account to the last answer, in browsers: staff make a project, and two workers do it at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import frame_to_be_available_and_switch_to_it

from tests.annotation.served import Annotating, annotating, fill, log_in, press
from tests.person import SECONDS, person_browser, waiting
from tests.task_folders import csv_text, make_task

TEMPLATE = """<form action="https://www.mturk.com/mturk/externalSubmit" method="get"
  enctype="multipart/form-data" target="_blank">
<p id="text">${text}</p><input name="a">
<input type="checkbox" name="b" value="1"><input type="checkbox" name="b" value="2">
<input type="submit" id="submitButton" value="Submit"></form>
<script>
  document.forms[0].addEventListener("submit", (event) => { event.target.action = "https://example.org/"; });
</script>"""


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Annotating]:
    tasks = tmp_path / "tasks"
    rows = [[f"text {number}", "secret", ""] for number in range(5)]
    make_task(tasks, "five", template=TEMPLATE, table=csv_text(["text", "Answer.a", "Answer.b"], *rows))
    with annotating(tasks, tmp_path) as live:
        yield live


def do_five(browser: webdriver.Chrome, name: str) -> list[str]:
    """Do five assignments without pause; gives what their pages showed."""
    seen = []
    press(browser, "Preview")
    press(browser, "Next without pause")
    press(browser, "Accept")
    for _ in range(5):
        assignment = browser.current_url
        waiting(browser).until(frame_to_be_available_and_switch_to_it((By.CSS_SELECTOR, ".sheet iframe")))
        seen.append(waiting(browser).until(lambda page: page.find_element(By.ID, "text").text))
        browser.find_element(By.NAME, "a").send_keys(f"{name} on {seen[-1]}")
        for box in browser.find_elements(By.NAME, "b"):
            box.click()
        browser.find_element(By.ID, "submitButton").click()
        browser.switch_to.default_content()
        waiting(browser).until(lambda page, before=assignment: page.current_url != before)
    return seen


def answer(browser: webdriver.Chrome, text: str, box: int) -> str:
    """Write a text, press one of the boxes, and submit; gives what the page held before."""
    before = browser.current_url
    waiting(browser).until(frame_to_be_available_and_switch_to_it((By.CSS_SELECTOR, ".sheet iframe")))
    waiting(browser).until(lambda page: page.execute_script("return document.readyState") == "complete")
    field, boxes = browser.find_element(By.NAME, "a"), browser.find_elements(By.NAME, "b")
    held = f"{field.get_property('value')} {[each.is_selected() for each in boxes]}"
    field.clear()
    field.send_keys(text)
    boxes[box].click()
    browser.find_element(By.ID, "submitButton").click()
    browser.switch_to.default_content()
    waiting(browser).until(lambda page: page.current_url != before or page.find_elements(By.LINK_TEXT, "Stop"))
    return held


@pytest.mark.slow
def test_a_worker_finds_their_answers_filled_in_and_corrects_them(at: Annotating) -> None:
    with person_browser() as browser:
        log_in(browser, at, "stan", at.link("add", "stan", "--staff", "--group", "team"))
        browser.get(f"{at.people}/manage/new/")
        fill(browser, task="five", title="Five things")
        browser.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
        press(browser, "Make the project")
        browser.get(f"{at.people}/work/")
        press(browser, "Accept the next")
        assert answer(browser, "a first try", 0) == " [False, False]"
        browser.get(f"{at.people}/work/done/")
        press(browser, "Change")
        assert answer(browser, "better", 1) == "a first try [True, False]"
        assert "You have changed your answers since" in browser.page_source
        press(browser, "Change your answers")
        assert answer(browser, "best", 0) == "better [True, True]"
        browser.get(f"{at.people}/manage/assignment/1/")
        for part in browser.find_elements(By.TAG_NAME, "summary"):
            part.click()
        rows = [row.text for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr")]
        rows = [row for row in rows if row.startswith(("a\n", "b\n"))]  # not the names of AMT
        assert rows == ["a\nbest", "b\n2", "a\nbetter", "b\n1\n2", "a\na first try", "b\n1"]


@pytest.mark.slow
def test_two_workers_do_five_assignments_at_once(at: Annotating) -> None:
    names = ["wanda", "willi"]
    with ExitStack() as stack:
        staff, *workers = [stack.enter_context(person_browser()) for _ in range(3)]
        log_in(staff, at, "stan", at.link("add", "stan", "--staff"))
        staff.get(f"{at.people}/manage/groups/")
        fill(staff, name="team")
        press(staff, "Make the group")
        links = []
        for name in names:
            staff.get(f"{at.people}/manage/people/new/")
            fill(staff, username=name)
            staff.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
            press(staff, "Open the account")
            links.append(staff.find_element(By.ID, "link").text)
        staff.get(f"{at.people}/manage/new/")
        fill(staff, task="five", title="Five things", assignments_per_instance="2")
        staff.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
        press(staff, "Make the project")
        project = staff.current_url
        for browser, name, link in zip(workers, names, links, strict=True):
            log_in(browser, at, name, link)
        with ThreadPoolExecutor(2) as threads:
            seen = list(threads.map(do_five, workers, names, timeout=SECONDS))
        assert seen == [[f"text {number}" for number in range(5)]] * 2
        assert all("Nothing is left for you" in browser.page_source for browser in workers)
        staff.get(project)
        assert "10 of 10" in staff.find_element(By.CSS_SELECTOR, ".figures").text
        answers = []
        for number in range(1, 11):
            staff.get(f"{at.people}/manage/assignment/{number}/")
            cells = staff.find_elements(By.CSS_SELECTOR, "section tbody tr")
            row = {
                cell.find_element(By.TAG_NAME, "th").text: cell.find_element(By.TAG_NAME, "td").text for cell in cells
            }
            answers.append((row["a"], row["b"]))
        expected = {(f"{name} on text {number}", "1\n2") for name in names for number in range(5)}
        assert set(answers) == expected
