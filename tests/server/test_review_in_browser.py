"""A review from end to end in a person's browser: ten fields judged blind by keys, by two people, with a break."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness.catalog import Catalog
from harness.records.verdict import read_verdicts
from tests.analysis.made import write
from tests.person import person_browser
from tests.samples import episode, record, submission
from tests.server.person import barriers, needs_axe, until
from tests.server.serving import serving
from tests.task_folders import csv_text, make_task

FIELDS = 10
LABEL = "a-worker-said-this"
EVIL = "<img src=x onerror='document.title=1'><script>document.title = 2</script>"
FRAMED = "[...document.documentElement.children].some((each) => each.style.borderColor.includes('196'))"
TEMPLATE = """<p>${text}</p><script>document.write('<p>' + "a page's own script" + '</p>')</script>
<label><input type="radio" name="r" value="1"> One</label><label><input type="radio" name="r" value="2"> Two</label>
<textarea name="t"></textarea><input name="hidden-one" style="display: none">"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A task and a run of five of its instances, whose texts would do harm if they were more than text."""
    folder = tmp_path
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
    with serving("--tasks-dir", folder / "tasks", "--runs", folder / "runs") as server:
        yield f"http://127.0.0.1:{server.port}"


def seen(live: webdriver.Chrome, ident: str) -> bool:
    return live.find_element(By.ID, ident).is_displayed()


def wait(live: webdriver.Chrome, told: str) -> None:
    until(
        live,
        f"document.getElementById('where').textContent.startsWith({told!r}) && !document.querySelector('[aria-busy]')",
    )


def draw(live: webdriver.Chrome, address: str) -> None:
    live.get(f"{address}/runs/run/review/")
    fields = live.find_element(By.ID, "fields")
    fields.clear()
    fields.send_keys(str(FIELDS), Keys.ENTER)
    until(live, "document.getElementById('name')")


def begin(live: webdriver.Chrome, address: str, name: str) -> None:
    live.get(f"{address}/runs/run/review/1/")
    live.find_element(By.ID, "name").send_keys(name, Keys.ENTER)
    until(live, "document.getElementById('work')?.checkVisibility()")


def judge(live: webdriver.Chrome, number: int, answer: str, labels: str = "1") -> None:
    """Judge the answer that is shown, by keys alone; before the first verdict no label is anywhere in the page."""
    wait(live, f"{number}. ")
    assert LABEL not in live.page_source
    assert not seen(live, "check")
    live.switch_to.active_element.send_keys(answer, Keys.ENTER)
    until(live, "document.getElementById('check').checkVisibility()")
    live.switch_to.active_element.send_keys(labels, Keys.ENTER)
    if number < FIELDS:
        wait(live, f"{number + 1}. ")
    else:
        until(live, "document.getElementById('end').checkVisibility()")


@pytest.mark.slow
def test_ten_fields_are_judged_blind_by_two_people_with_a_break_and_the_agreement_shows(folder: Path) -> None:
    with person_browser() as live, served(folder) as address:
        draw(live, address)
        begin(live, address, "Ada Lovelace")
        for number in range(1, 5):
            judge(live, number, "2")
        # The fifth is settled, and nothing said of its labels: then the browser is closed, and the server ends.
        live.switch_to.active_element.send_keys("2", Keys.ENTER)
        until(live, "document.getElementById('check').checkVisibility()")
    with served(folder) as address:
        with person_browser() as live:
            begin(live, address, "Ada Lovelace")
            wait(live, "5. ")
            assert live.find_element(By.ID, "count").text == f"4 of {FIELDS} judged"
            assert seen(live, "check")
            live.switch_to.active_element.send_keys("1", Keys.ENTER)
            for number in range(6, FIELDS + 1):
                judge(live, number, "2")
        with person_browser() as live:
            begin(live, address, "Grace Hopper")
            for number in range(1, FIELDS + 1):
                judge(live, number, "1" if number % 2 else "2", "2" if number == 1 else "1")
            live.find_element(By.PARTIAL_LINK_TEXT, "What it comes to").click()
            rows = [row.text for row in live.find_elements(By.CSS_SELECTOR, ".numbers tbody tr")]
            # All ten are wrong to Ada, and to the metric those are, too.
            assert rows[0].startswith("Ada Lovelace 10 0 10 0 0 0 0 100.0")
            assert rows[1].startswith("Grace Hopper 10 4 5 1 0 0 0")
            assert live.title.startswith("What reviews come to")
    for name in ("Ada%20Lovelace", "Grace%20Hopper"):
        kept = read_verdicts(folder / "runs" / "run_review" / "verdicts" / f"{name}.json")
        assert len(kept.verdicts) == FIELDS
        assert all(each.labels and each.seconds is not None for each in kept.verdicts)


@pytest.mark.slow
def test_the_field_is_framed_on_its_page_with_what_was_sent_and_hostile_answers_stay_text(folder: Path) -> None:
    with served(folder) as address, person_browser() as live:
        draw(live, address)
        begin(live, address, EVIL)
        title = live.title
        shown = set()
        for place in range(1, 3):
            wait(live, f"{place}. ")
            kind = "t" if "the field t" in live.find_element(By.ID, "where").text else "r"
            shown.add(kind)
            sent = live.find_element(By.ID, "sent")
            assert sent.text == (EVIL if kind == "t" else "Two\u00a0(value 2)".replace("\u00a0", " "))
            assert sent.find_elements(By.TAG_NAME, "img") == []
            frame = live.find_element(By.CSS_SELECTOR, "#sheet iframe")
            live.switch_to.frame(frame)
            control = f"[name={kind}]" + (":checked" if kind == "r" else "")
            until(live, FRAMED)
            until(live, f"document.querySelector({control!r})")
            assert LABEL not in live.page_source
            live.switch_to.default_content()
            live.find_element(By.ID, "forward").click()
        assert shown == {"r", "t"}
        assert live.title == title
        assert live.find_element(By.ID, "caption").text == ""


@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_a_review_keeps_anybody_out_or_scrolls_sideways(folder: Path, scheme: str) -> None:
    found = {}
    with served(folder) as address, person_browser() as live:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        live.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        live.get(f"{address}/runs/run/review/")
        found["empty"] = barriers(live)
        draw(live, address)
        found["begin"] = barriers(live)
        begin(live, address, "Ada Lovelace")
        wait(live, "1. ")
        found["first question"] = barriers(live)
        judge(live, 1, "1")
        live.find_element(By.ID, "back").click()
        wait(live, "1. ")
        found["second question"] = barriers(live)
        live.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        )
        for page in ("review/", "review/1/", "review/report/", "review/open/T/0/", "review/open/T/0/?field=t"):
            live.get(f"{address}/runs/run/{page}")
            until(live, "!document.querySelector('#where') || document.querySelector('#where').textContent")
            for details in live.find_elements(By.CSS_SELECTOR, "details:not([open]) > summary"):
                details.click()
            found[page] = barriers(live)
            assert live.execute_script("return document.documentElement.scrollWidth") <= 390, page
    assert {page: said for page, said in found.items() if said} == {}


@pytest.mark.slow
def test_from_an_episode_people_say_what_is_wrong_with_a_field(folder: Path) -> None:
    with served(folder) as address, person_browser() as live:
        live.get(f"{address}/runs/run/episode/T/0/")
        live.find_element(By.CSS_SELECTOR, "a[href$='?field=t']").click()
        live.find_element(By.ID, "name").send_keys("Ada", Keys.ENTER)
        until(live, "document.querySelector('.say')")
        live.find_element(By.NAME, "label_wrong").click()
        live.find_element(By.NAME, "note").send_keys(EVIL)
        live.find_element(By.CSS_SELECTOR, ".say button").click()
        until(live, "document.querySelector('[role=status]')?.textContent === 'kept'")
        assert live.find_element(By.NAME, "note").get_attribute("value") == EVIL
        title = live.title
    (kept,) = read_verdicts(folder / "runs" / "run_review" / "open" / "Ada.json").verdicts
    assert (kept.field, kept.labels, kept.answer, kept.note, kept.blind) == ("t", "wrong", None, EVIL, False)
    assert title.startswith("Say something")
