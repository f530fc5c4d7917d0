"""In a real browser: what a page sends reaches this server whatever the page says of where, or the worker is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.annotation.served import Annotating, annotating, fill, log_in, press
from tests.person import person_browser, waiting
from tests.task_folders import csv_text, make_task

DOCUMENT = "<!DOCTYPE html><html><head>{}</head><body><p>${{text}}</p><input name=a></body></html>"
BY_ITSELF = """<form id=f><p>${text}</p><input name=a><input type=submit id=submitButton></form>
<script>document.getElementById("f").onsubmit = function () {
  var request = new XMLHttpRequest();
  request.open("POST", "http://127.0.0.1:9/save");
  request.onloadend = function () { document.getElementById("f").innerHTML = "Thank you!"; };
  request.send(new FormData(this));
  return false;
};</script>"""
AWAY = """<form id=f><p>${text}</p><input name=a><input type=submit id=submitButton></form>
<script>document.getElementById("f").onsubmit = function () {
  location.href = "http://127.0.0.1:9/done?a=" + this.a.value;
  return false;
};</script>"""
TASKS = {
    "base": DOCUMENT.format('<base href="https://study.example.edu/" target=_blank>'),
    "policy": DOCUMENT.format(
        '<meta http-equiv="Content-Security-Policy" content="script-src \'nonce-a\'; form-action https://a.example">'
    ),
    "leave": DOCUMENT.format("<script>onbeforeunload = function () { return 'Leave?'; };</script>"),
    "by itself": BY_ITSELF,
    "away": AWAY,
    "buttons": "<form><p>${text}</p><button name=a value=cat>A cat</button><button name=a value=dog>A dog</button>"
    "<button name=a value=neither>Neither</button></form>",
}


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Annotating]:
    for name, template in TASKS.items():
        make_task(tmp_path / "tasks", name, template=template, table=csv_text(["text", "Answer.a"], ["one", "label"]))
    with annotating(tmp_path / "tasks", tmp_path) as live:
        yield live


@pytest.mark.slow
def test_what_a_worker_submits_is_kept_or_the_worker_is_told_why_not(at: Annotating) -> None:
    with person_browser() as person:
        log_in(person, at, "stan", at.link("add", "stan", "--staff", "--group", "team"))
        for name in ("base", "policy", "leave"):
            answer(person, at, name)
            waiting(person).until(submitted)
        answer(person, at, "by itself")
        person.switch_to.frame(person.find_element(By.CSS_SELECTOR, ".sheet iframe"))
        note = waiting(person).until(lambda page: page.find_element(By.ID, "turkle-note"))
        assert "has sent something to 127.0.0.1:9 itself, and not its form to here" in note.text
        assert "Thank you!" in person.find_element(By.ID, "f").text
        note.find_element(By.TAG_NAME, "button").click()
        person.switch_to.default_content()
        waiting(person).until(submitted)
        person.get(f"{at.people}/manage/assignment/4/")
        assert "typed" in person.page_source
        answer(person, at, "away")
        waiting(person).until(lambda page: page.find_element(By.ID, "left").is_displayed())
        assert "has not sent its form to here: nothing is submitted" in person.find_element(By.ID, "left").text
        begin(person, at, "buttons")
        person.find_element(By.XPATH, "//button[.='A dog']").click()
        person.switch_to.default_content()
        waiting(person).until(submitted)
        person.get(f"{at.people}/manage/assignment/6/")
        assert "dog" in person.page_source
        assert "neither" not in person.page_source


def answer(person: webdriver.Chrome, at: Annotating, task: str) -> None:
    """Make a project of a task, accept its instance, fill it in and press Submit."""
    begin(person, at, task)
    person.find_element(By.NAME, "a").send_keys("typed")
    person.find_element(By.ID, "submitButton").click()
    person.switch_to.default_content()


def begin(person: webdriver.Chrome, at: Annotating, task: str) -> None:
    """Make a project of a task, and accept its instance, whose page is looked at then."""
    person.get(f"{at.people}/manage/new/")
    fill(person, task=task)
    person.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
    press(person, "Make the project")
    person.get(f"{at.people}/work/{list(TASKS).index(task) + 1}/")
    press(person, "Accept")
    person.switch_to.frame(person.find_element(By.CSS_SELECTOR, ".sheet iframe"))


def submitted(person: webdriver.Chrome) -> bool:
    """Whether the page around the sheet says that it has arrived."""
    return bool(person.find_elements(By.XPATH, "//h1[.='Submitted']"))
