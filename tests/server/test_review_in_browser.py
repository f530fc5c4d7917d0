"""A review from end to end in a person's browser: ten fields judged blind by keys, by two people, with a break."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from harness.browser.launch import find_browser
from harness.catalog import Catalog
from harness.runlog.verdict import read_verdicts
from tests.analysis.made import write
from tests.samples import episode, record, submission
from tests.server.test_serve import command, environment
from tests.task_folders import csv_text, make_task

SECONDS = 60
FIELDS = 10
LABEL = "a-worker-said-this"
EVIL = "<img src=x onerror='document.title=1'><script>document.title = 2</script>"
FRAMED = "return [...document.documentElement.children].some((each) => each.style.borderColor.includes('196'))"
TEMPLATE = """<p>${text}</p><script>document.write('<p>' + "a page's own script" + '</p>')</script>
<label><input type="radio" name="r" value="1"> One</label><label><input type="radio" name="r" value="2"> Two</label>
<textarea name="t"></textarea><input name="hidden-one" style="display: none">"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task and a run of five of its instances, whose texts would do harm if they were more than text."""
    folder = tmp_path_factory.mktemp("review")
    rows = [[f"words {number}", "1", LABEL] for number in range(5)]
    make_task(folder / "tasks", "T", template=TEMPLATE, table=csv_text(["text", "Answer.r", "Answer.t"], *rows))
    instances = Catalog(folder / "tasks").task("T").instances
    played = [
        episode(
            record("r", "radio", options=("1", "2"), labels=("1",), sent=("2",)),
            record("t", "textarea", labels=(LABEL,), sent=(EVIL,)),
            task="T",
            index=instance.index,
            id=instance.id,
            submission=submission(r=("2",), t=(EVIL,)),
        )
        for instance in instances
    ]
    write(folder / "runs" / "run", played, {"solver": EVIL})
    return folder


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of the run."""
    options = ("--port", "0", "--tasks-dir", folder / "tasks", "--runs", folder / "runs", "--exit-with-parent")
    with subprocess.Popen(
        command(*options), env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        assert found is not None
        yield found[0]
        process.kill()


@contextlib.contextmanager
def browsing() -> Iterator[webdriver.Chrome]:
    """A browser as a person has one, new and empty."""
    options = webdriver.ChromeOptions()
    options.binary_location = find_browser() or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
        options.add_argument(flag)
    live = webdriver.Chrome(options=options, service=Service(executable_path=shutil.which("chromedriver")))
    try:
        yield live
    finally:
        live.quit()


def seen(person: webdriver.Chrome, ident: str) -> bool:
    return person.find_element(By.ID, ident).is_displayed()


def wait(person: webdriver.Chrome, told: str) -> None:
    WebDriverWait(person, SECONDS).until(lambda driver: told in driver.find_element(By.ID, "where").text)


def begin(person: webdriver.Chrome, address: str, name: str) -> None:
    person.get(f"{address}/runs/run/review/1/")
    person.find_element(By.ID, "name").send_keys(name, Keys.ENTER)
    WebDriverWait(person, SECONDS).until(lambda driver: driver.find_elements(By.ID, "work") and seen(driver, "work"))


def judge(person: webdriver.Chrome, number: int, answer: str, labels: str = "1") -> None:
    """Judge the answer that is shown, by keys alone; before the first verdict no label is anywhere in the page."""
    wait(person, f"{number}. ")
    assert LABEL not in person.page_source
    assert not seen(person, "check")
    person.switch_to.active_element.send_keys(answer, Keys.ENTER)
    WebDriverWait(person, SECONDS).until(lambda driver: seen(driver, "check"))
    person.switch_to.active_element.send_keys(labels, Keys.ENTER)
    if number < FIELDS:
        wait(person, f"{number + 1}. ")
    else:
        WebDriverWait(person, SECONDS).until(lambda driver: seen(driver, "end"))


def test_ten_fields_are_judged_blind_by_two_people_with_a_break_and_the_agreement_shows(folder: Path) -> None:
    with browsing() as person, served(folder) as address:
        person.get(f"{address}/runs/run/review/")
        fields = person.find_element(By.ID, "fields")
        fields.clear()
        fields.send_keys(str(FIELDS), Keys.ENTER)
        WebDriverWait(person, SECONDS).until(lambda driver: driver.find_elements(By.ID, "name"))
        begin(person, address, "Ada Lovelace")
        for number in range(1, 5):
            judge(person, number, "2")
        # The fifth is settled, and nothing said of its labels: then the browser is closed, and the server ends.
        person.switch_to.active_element.send_keys("2", Keys.ENTER)
        WebDriverWait(person, SECONDS).until(lambda driver: seen(driver, "check"))
    with served(folder) as address:
        with browsing() as person:
            begin(person, address, "Ada Lovelace")
            wait(person, "5. ")
            assert person.find_element(By.ID, "count").text == f"4 of {FIELDS} judged"
            assert seen(person, "check")
            person.switch_to.active_element.send_keys("1", Keys.ENTER)
            for number in range(6, FIELDS + 1):
                judge(person, number, "2")
        with browsing() as person:
            begin(person, address, "Grace Hopper")
            for number in range(1, FIELDS + 1):
                judge(person, number, "1" if number % 2 else "2", "2" if number == 1 else "1")
            person.find_element(By.PARTIAL_LINK_TEXT, "What it comes to").click()
            rows = {
                row.text.split("  ")[0]: row.text for row in person.find_elements(By.CSS_SELECTOR, ".numbers tbody tr")
            }
            ada = next(text for name, text in rows.items() if name.startswith("Ada Lovelace"))
            # All ten are wrong to her, and to the metric those, too.
            assert ada.startswith("Ada Lovelace 10 0 10 0 0 0 0 100.0")
            assert any(name.startswith("Grace Hopper 10 4 5 1") for name in rows)
            assert person.title.startswith("What reviews come to")
    for name in ("Ada%20Lovelace", "Grace%20Hopper"):
        kept = read_verdicts(folder / "runs" / "run_review" / "verdicts" / f"{name}.json")
        assert len(kept.verdicts) == FIELDS
        assert all(each.labels and each.seconds is not None for each in kept.verdicts)


def test_the_field_is_framed_on_its_page_with_what_was_sent_and_hostile_answers_stay_text(folder: Path) -> None:
    with served(folder) as address, browsing() as person:
        person.get(f"{address}/runs/run/review/")
        person.find_element(By.CSS_SELECTOR, "form button.primary").click()
        WebDriverWait(person, SECONDS).until(lambda driver: driver.find_elements(By.ID, "name"))
        number = re.search(r"/review/(\d+)/", person.current_url)
        assert number is not None
        person.find_element(By.ID, "name").send_keys(EVIL, Keys.ENTER)
        WebDriverWait(person, SECONDS).until(
            lambda driver: driver.find_elements(By.ID, "work") and seen(driver, "work")
        )
        title = person.title
        shown = set()
        for place in range(1, 3):
            wait(person, f"{place}. ")
            kind = "t" if "the field t" in person.find_element(By.ID, "where").text else "r"
            shown.add(kind)
            sent = person.find_element(By.ID, "sent")
            assert sent.text == (EVIL if kind == "t" else "Two\u00a0(value 2)".replace("\u00a0", " "))
            assert sent.find_elements(By.TAG_NAME, "img") == []
            frame = person.find_element(By.CSS_SELECTOR, "#sheet iframe")
            person.switch_to.frame(frame)
            control = f"[name={kind}]" + (":checked" if kind == "r" else "")
            WebDriverWait(person, SECONDS).until(lambda driver: driver.execute_script(FRAMED))
            WebDriverWait(person, SECONDS).until(lambda driver, at=control: driver.find_elements(By.CSS_SELECTOR, at))
            assert LABEL not in person.page_source
            person.switch_to.default_content()
            person.find_element(By.ID, "forward").click()
        assert shown == {"r", "t"}
        assert person.title == title
        assert person.find_element(By.ID, "caption").text == ""
