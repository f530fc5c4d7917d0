"""In a real browser: what a hostile page can do from its sheet is to submit that one assignment, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.annotation.served import Annotating, annotating, fill, log_in, press
from tests.person import person_browser, waiting
from tests.task_folders import csv_text, make_task

SECRET = "what-a-worker-said"  # noqa: S105
HOSTILE = """<p>${text}</p><input name="a">
<script>
  const found = [];
  const read = async (way, promise) => {
    try { found.push([way, String(await promise)]); } catch (error) { found.push([way, "refused: " + error]); }
  };
  const here = location.href, people = "PEOPLE";
  const token = here.split("/")[4], next = (Number(token.split(".")[0]) + 1) + "." + token.split(".")[1];
  const mine = here.replace(token, next);
  const form = new URLSearchParams({ how: "return", a: "stolen", title: "stolen" });
  async function attack() {
    for (const path of ["/", "/work/", "/work/assignment/1/", "/work/assignment/1/state/", "/manage/", "/manage/1/",
      "/manage/batch/1/", "/manage/assignment/1/", "/task/hostile/0/", "/manage/people/"]) {
      for (const origin of [people, location.origin]) {
        await read("read " + path, fetch(origin + path, { credentials: "include" }).then((answer) => answer.text()));
        const blind = { mode: "no-cors", credentials: "include", method: "POST", body: form };
        await read("post " + path, fetch(origin + path, blind).then((answer) => answer.text()));
      }
    }
    await read("give back", fetch(people + "/work/assignment/1/give-back/",
      { mode: "no-cors", credentials: "include", method: "POST", body: form }).then((answer) => answer.text()));
    await read("another's sheet", fetch(mine).then((answer) => answer.text()));
    await read("another's answers", fetch(mine, { mode: "no-cors", method: "POST", body: form }).then(() => "sent"));
    for (const [way, look] of [["parent", () => parent.document.body.innerText], ["cookie", () => document.cookie],
      ["top", () => { top.location.href = people + "/manage/"; return "gone"; }], ["storage", () => localStorage],
      ["window", () => window.open(people + "/manage/") ? "opened" : "refused: none"]]) {
      try { found.push([way, String(look())]); } catch (error) { found.push([way, "refused: " + error]); }
    }
    document.body.dataset.found = JSON.stringify(found);
  }
  attack();
</script>"""


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Annotating]:
    tasks = tmp_path / "tasks"
    table = csv_text(["text", "Answer.a"], ["one", SECRET], ["two", SECRET])
    tasks.mkdir()
    with annotating(tasks, tmp_path) as live:
        make_task(tasks, "hostile", template=HOSTILE.replace("PEOPLE", live.people), table=table)
        yield live


@pytest.mark.slow
def test_a_hostile_sheet_reads_nothing_and_changes_no_other_assignment(at: Annotating) -> None:
    # Its worker is staff: nobody has more to lose.
    with person_browser() as person:
        log_in(person, at, "stan", at.link("add", "stan", "--staff", "--group", "team"))
        person.get(f"{at.people}/manage/new/")
        fill(person, task="hostile")
        person.find_element(By.XPATH, "//label[contains(., 'team')]/input").click()
        press(person, "Make the project")
        person.get(f"{at.people}/work/")
        press(person, "Accept the next")
        address = person.current_url
        frame = person.find_element(By.CSS_SELECTOR, ".sheet iframe")
        origin = f"http://127.0.0.1:{at.server.pages}"
        assert frame.get_attribute("src").startswith(f"{origin}/sheet/")
        person.switch_to.frame(frame)
        found = json.loads(waiting(person).until(attacked))
        person.switch_to.default_content()
        assert len(found) == 10 * 4 + 3 + 5
        assert SECRET not in json.dumps(found)
        for way, words in found:
            if way != "another's answers" and not way.startswith("post") and way != "give back":
                assert words.startswith("refused"), (way, words)
            else:
                # Sent without credentials, and what comes back cannot be read: it must have had no effect.
                assert words in {"", "sent"} or words.startswith("refused"), (way, words)
        assert person.current_url == address
        assert len(person.window_handles) == 1
        assert person.find_element(By.ID, "time-left")  # it is still claimed: no forged form had an effect
        submit(person)
        person.get(f"{at.people}/manage/assignment/1/")
        assert "honest" in person.page_source
        person.get(f"{at.people}/manage/batch/1/assignments/")
        assert "1 assignment" in person.find_element(By.CSS_SELECTOR, ".filters").text


def attacked(person: webdriver.Chrome) -> str | None:
    return person.find_element(By.TAG_NAME, "body").get_attribute("data-found")


def submit(person: webdriver.Chrome) -> None:
    """Fill the sheet in, and wait until the page around it has gone on."""
    person.switch_to.frame(person.find_element(By.CSS_SELECTOR, ".sheet iframe"))
    person.find_element(By.NAME, "a").send_keys("honest")
    person.find_element(By.ID, "submitButton").click()
    person.switch_to.default_content()
    waiting(person).until(lambda page: page.find_elements(By.XPATH, "//h1[.='Submitted']"))
