"""The page of an episode in real Chromium: keys, marks, folds, long texts, and the task's page filled in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from harness.browser.launch import find_browser
from harness.models.messages import Reply
from tests.server.test_serve import serving
from tests.watch.made import BOX, LONG, SIZE, TASK, asked, exchanges, filmed_run

SECONDS = 60
PLACES = """
const box = (node) => {
  const place = node.getBoundingClientRect(); return [place.x, place.y, place.width, place.height]; };
const image = arguments[0].querySelector("img"), mark = arguments[0].querySelector("rect:not(.halo)");
return image.decode().then(() => [image.naturalWidth, box(image), box(mark)]);
"""
EVIL = "</pre><script>window.evil = 1</script><img src=x onerror='window.evil = 2'>"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page of a filmed episode is served: three turns, the last reply of a fourth is hostile."""
    folder = tmp_path_factory.mktemp("runs")
    said = [*exchanges(3), (asked(4), Reply(EVIL * 500))]
    filmed_run(folder / "runs" / "run", folder / "tasks", said=said)
    options = ("--runs", folder / "runs", "--tasks-dir", folder / "tasks", "--exit-with-parent")
    with serving(*options, XDG_CACHE_HOME=str(folder / "cache")) as server:
        yield f"http://127.0.0.1:{server.port}/runs/run/episode/{TASK}/0/"


@pytest.fixture(scope="module")
def live() -> Iterator[webdriver.Chrome]:
    """A browser as a person has one."""
    options = webdriver.ChromeOptions()
    options.binary_location = find_browser() or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(executable_path=shutil.which("chromedriver")))
    yield browser
    browser.quit()


@pytest.fixture
def person(live: webdriver.Chrome, address: str) -> Iterator[webdriver.Chrome]:
    """A person who looks at the page, with folds as they are at first."""
    live.get(address)
    live.execute_script("localStorage.clear()")
    live.get("about:blank")
    live.get(address)
    yield live
    said = [entry["message"] for entry in live.get_log("browser") if entry["level"] == "SEVERE"]
    assert said == []


def press(person: webdriver.Chrome, *keys: str) -> None:
    ActionChains(person).send_keys(*keys).perform()


def where(person: webdriver.Chrome) -> str:
    shown = person.find_element(By.ID, "where").text.partition(" ·")[0]
    moment = person.find_element(By.CSS_SELECTOR, ".moment.current").get_attribute("aria-label")
    assert (shown, person.execute_script("return document.querySelectorAll('.moment.current').length")) == (moment, 1)
    return shown


def seen(person: webdriver.Chrome, selector: str) -> list[str]:
    found = person.find_elements(By.CSS_SELECTOR, selector)
    return [each.text for each in found if each.is_displayed()]


def test_keys_lead_through_the_film_and_the_address_follows(person: webdriver.Chrome) -> None:
    assert where(person) == "The page as it opened"
    for key, title in [
        ("j", "Step 1"),
        (Keys.ARROW_RIGHT, "Step 2"),
        ("k", "Step 1"),
        (Keys.ARROW_LEFT, "The page as it opened"),
    ]:
        press(person, key)
        assert where(person) == title
    press(person, Keys.ARROW_LEFT)
    assert where(person) == "The page as it opened"
    press(person, Keys.END)
    assert where(person) == "Turn 4"
    press(person, Keys.HOME, "j", "j")
    assert person.current_url.endswith("#step-2")
    assert len(seen(person, ".scene")) == 1
    assert seen(person, ".scene .reply") == ["modify_text('a', 'cat 2')"]
    assert seen(person, ".strip a[aria-current]")[0].startswith("Step 2")


def test_an_address_leads_to_its_step_and_a_turn_to_its_first(person: webdriver.Chrome, address: str) -> None:
    for fragment, title in [
        ("step-3", "Step 3"),
        ("turn-2", "Step 2"),
        ("turn-4", "Turn 4"),
        ("nothing", "The page as it opened"),
    ]:
        person.get("about:blank")
        person.get(f"{address}#{fragment}")
        assert where(person) == title


def test_the_mark_lies_over_the_element_that_was_acted_on(person: webdriver.Chrome) -> None:
    press(person, "j")
    figure = person.find_element(By.CSS_SELECTOR, "figure.current")
    places = person.execute_script(PLACES, figure)
    natural, image, mark = places
    assert natural == SIZE[0]
    scale = image[2] / SIZE[0]
    expected = [image[0] + BOX[0] * scale, image[1] + BOX[1] * scale, BOX[2] * scale, BOX[3] * scale]
    assert mark == pytest.approx(expected, abs=3)


def test_folds_are_folded_everywhere_and_remembered(person: webdriver.Chrome) -> None:
    press(person, "j")
    assert seen(person, "[data-fold=thoughts] pre") == ["I have thought 1 times."]
    press(person, "t")
    assert seen(person, "[data-fold=thoughts] pre") == []
    person.find_element(By.CSS_SELECTOR, ".scene.current [data-fold=calls] summary").click()
    person.refresh()
    press(person, "j")
    assert where(person) == "Step 2"
    assert seen(person, "[data-fold=thoughts] pre") == seen(person, "[data-fold=calls] ol") == []
    assert seen(person, "[data-fold=observations] .message")
    person.find_element(By.CSS_SELECTOR, "[data-fold-all=thoughts]").click()
    assert seen(person, "[data-fold=thoughts] pre") == ["I have thought 2 times."]


def test_a_long_text_comes_whole_when_its_turn_is_looked_at(person: webdriver.Chrome) -> None:
    press(person, "j", "j")
    message = person.find_element(By.CSS_SELECTOR, ".scene.current .message .whole")
    person.execute_script("arguments[0].scrollIntoView({ block: 'end' })", message)
    told = "return document.querySelector('.scene.current .message .whole pre')?.textContent"
    WebDriverWait(person, SECONDS).until(lambda driver: driver.execute_script(told))
    assert person.execute_script(told) == f"{LONG}Turn 2."
    assert person.find_elements(By.CSS_SELECTOR, ".scene:not(.current) .whole pre") == []


def test_a_hostile_reply_is_text_and_runs_nothing(person: webdriver.Chrome) -> None:
    press(person, Keys.END)
    assert seen(person, ".scene .reply")[0].startswith("</pre><script>")
    person.find_element(By.LINK_TEXT, "Show the whole reply").click()
    told = "return document.querySelector('.scene.current .told .whole pre')?.textContent"
    WebDriverWait(person, SECONDS).until(lambda driver: driver.execute_script(told))
    assert EVIL in person.execute_script(told)
    assert person.execute_script("return window.evil === undefined")


def test_all_at_once_shows_every_scene(person: webdriver.Chrome) -> None:
    press(person, "a")
    assert len(seen(person, ".scene")) == 5
    press(person, "a")
    assert len(seen(person, ".scene")) == 1


def test_the_page_of_the_task_is_filled_in_with_what_was_sent(person: webdriver.Chrome) -> None:
    person.find_element(By.CSS_SELECTOR, "#filled summary").click()
    person.switch_to.frame(person.find_element(By.CSS_SELECTOR, "#filled iframe"))
    answer = "return document.readyState === 'complete' && document.querySelector('[name=a]')?.value"
    WebDriverWait(person, SECONDS).until(lambda driver: driver.execute_script(answer) == "the red cat")
    values = "return ['[name=unsent]', '[name=r]:checked', '[name=s]'].map((one) => document.querySelector(one).value)"
    assert person.execute_script(values) == ["kept", "2", "20"]
    assert person.execute_script("return self.origin") == "null"
    person.switch_to.default_content()
