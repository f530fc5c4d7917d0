"""The page of an episode in real Chromium: keys, marks, folds, long texts, and the task's page filled in."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness.kit.cut_texts import MOST_SHOWN
from harness.models.messages import Reply
from tests.person import person_browser, waiting
from tests.reports.watch.made import BOX, LONG, SIZE, TASK, asked, exchanges, filmed_run
from tests.server.person import hindrances
from tests.server.serving import serving

PLACES = """
const box = (node) => {
  const place = node.getBoundingClientRect();
  return [place.x, place.y, place.width, place.height];
};
const image = arguments[0].querySelector("img"), mark = arguments[0].querySelector("rect:not(.halo)");
return image.decode().then(() => [image.naturalWidth, box(image), box(mark)]);
"""
EVIL = "</pre><script>window.evil = 1</script><img src=x onerror='window.evil = 2'>"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page of a filmed episode is served: three turns, the last reply of a fourth is hostile."""
    folder = tmp_path_factory.mktemp("runs")
    said = [*exchanges(3), (asked(4), Reply(EVIL * 2_000))]
    filmed_run(folder / "runs" / "run", folder / "tasks", said=said)
    options = ("--runs", folder / "runs", "--tasks-dir", folder / "tasks", "--exit-with-parent")
    with serving(*options, XDG_CACHE_HOME=str(folder / "cache")) as server:
        yield f"http://127.0.0.1:{server.port}/runs/run/episode/{TASK}/0/"


@pytest.fixture(scope="module")
def live() -> Iterator[webdriver.Chrome]:
    """A browser as a person has one."""
    with person_browser() as browser:
        yield browser


@pytest.fixture
def looking(live: webdriver.Chrome, address: str) -> Iterator[webdriver.Chrome]:
    """A person who looks at the page, with folds as they are at first."""
    live.get(address)
    live.execute_script("localStorage.clear()")
    live.get("about:blank")
    live.get(address)
    yield live
    said = [entry["message"] for entry in live.get_log("browser") if entry["level"] == "SEVERE"]
    assert said == []


def press(looking: webdriver.Chrome, *keys: str) -> None:
    ActionChains(looking).send_keys(*keys).perform()


def where(looking: webdriver.Chrome) -> str:
    shown = looking.find_element(By.ID, "where").text.partition(" ·")[0]
    moment = looking.find_element(By.CSS_SELECTOR, ".moment.current").get_attribute("aria-label")
    assert (shown, looking.execute_script("return document.querySelectorAll('.moment.current').length")) == (moment, 1)
    return shown


def seen(looking: webdriver.Chrome, selector: str) -> list[str]:
    found = looking.find_elements(By.CSS_SELECTOR, selector)
    return [each.text for each in found if each.is_displayed()]


@pytest.mark.slow
def test_keys_lead_through_the_film_and_the_address_follows(looking: webdriver.Chrome) -> None:
    assert where(looking) == "The page as it opened"
    for key, title in [
        ("j", "Step 1"),
        (Keys.ARROW_RIGHT, "Step 2"),
        ("k", "Step 1"),
        (Keys.ARROW_LEFT, "The page as it opened"),
    ]:
        press(looking, key)
        assert where(looking) == title
    press(looking, Keys.ARROW_LEFT)
    assert where(looking) == "The page as it opened"
    press(looking, Keys.END)
    assert where(looking) == "Turn 4"
    press(looking, Keys.HOME, "j", "j")
    assert looking.current_url.endswith("#step-2")
    assert len(seen(looking, ".scene")) == 1
    assert seen(looking, ".scene .reply") == ["modify_text('a', 'cat 2')"]
    assert seen(looking, ".strip a[aria-current]")[0].startswith("Step 2")


@pytest.mark.slow
def test_an_address_leads_to_its_step_and_a_turn_to_its_first(looking: webdriver.Chrome, address: str) -> None:
    for fragment, title in [
        ("step-3", "Step 3"),
        ("turn-2", "Step 2"),
        ("turn-4", "Turn 4"),
        ("nothing", "The page as it opened"),
    ]:
        looking.get("about:blank")
        looking.get(f"{address}#{fragment}")
        assert where(looking) == title


def test_the_mark_lies_over_the_element_that_was_acted_on(looking: webdriver.Chrome) -> None:
    press(looking, "j")
    figure = looking.find_element(By.CSS_SELECTOR, "figure.current")
    places = looking.execute_script(PLACES, figure)
    natural, image, mark = places
    assert natural == SIZE[0]
    scale = image[2] / SIZE[0]
    expected = [image[0] + BOX[0] * scale, image[1] + BOX[1] * scale, BOX[2] * scale, BOX[3] * scale]
    assert mark == pytest.approx(expected, abs=3)


@pytest.mark.slow
def test_folds_are_folded_everywhere_and_remembered(looking: webdriver.Chrome) -> None:
    press(looking, "j")
    assert seen(looking, "[data-fold=thoughts] pre") == ["I have thought 1 times."]
    press(looking, "t")
    assert seen(looking, "[data-fold=thoughts] pre") == []
    looking.find_element(By.CSS_SELECTOR, ".scene.current [data-fold=calls] summary").click()
    looking.refresh()
    press(looking, "j")
    assert where(looking) == "Step 2"
    assert seen(looking, "[data-fold=thoughts] pre") == seen(looking, "[data-fold=calls] ol") == []
    assert seen(looking, "[data-fold=observations] .message")
    looking.find_element(By.CSS_SELECTOR, "[data-fold-all=thoughts]").click()
    assert seen(looking, "[data-fold=thoughts] pre") == ["I have thought 2 times."]


@pytest.mark.slow
def test_a_long_text_comes_whole_when_its_turn_is_looked_at(looking: webdriver.Chrome) -> None:
    press(looking, "j", "j")
    message = looking.find_element(By.CSS_SELECTOR, ".scene.current .message .whole")
    looking.execute_script("arguments[0].scrollIntoView({ block: 'end' })", message)
    told = "return document.querySelector('.scene.current .message .whole pre')?.textContent"
    waiting(looking).until(lambda driver: driver.execute_script(told))
    assert looking.execute_script(told) == f"{LONG}Turn 2."
    assert looking.find_elements(By.CSS_SELECTOR, ".scene:not(.current) .whole pre") == []


def test_a_hostile_reply_is_text_and_runs_nothing(looking: webdriver.Chrome) -> None:
    press(looking, Keys.END)
    assert seen(looking, ".scene .reply")[0].startswith("</pre><script>")
    looking.find_element(By.LINK_TEXT, "Show the whole reply").click()
    told = "return document.querySelector('.scene.current .told .whole pre')?.textContent"
    waiting(looking).until(lambda driver: driver.execute_script(told))
    assert EVIL in looking.execute_script(told)
    assert looking.execute_script("return window.evil === undefined")


def test_a_text_of_more_than_can_be_read_is_cut_and_its_link_leads_to_the_whole(looking: webdriver.Chrome) -> None:
    press(looking, Keys.END)
    looking.find_element(By.LINK_TEXT, "Show the whole reply").click()
    link = waiting(looking).until(
        lambda driver: driver.find_element(By.PARTIAL_LINK_TEXT, "characters are shown: open the whole")
    )
    assert link.text.startswith(f"The first {MOST_SHOWN} of ")
    shown = "return document.querySelector('.scene.current .told .whole pre').textContent.length"
    assert looking.execute_script(shown) == MOST_SHOWN
    # In the page, since of a text alone the browser would ask for an icon, which there is none of.
    whole = "const done = arguments[1]; fetch(arguments[0]).then(async (answer) => done(await answer.text()))"
    assert EVIL * 2_000 in looking.execute_async_script(whole, link.get_attribute("href"))


def test_all_at_once_shows_every_scene(looking: webdriver.Chrome) -> None:
    press(looking, "a")
    assert len(seen(looking, ".scene")) == 5
    press(looking, "a")
    assert len(seen(looking, ".scene")) == 1


def test_the_page_of_the_task_is_filled_in_with_what_was_sent(looking: webdriver.Chrome) -> None:
    looking.find_element(By.CSS_SELECTOR, "#filled summary").click()
    looking.switch_to.frame(looking.find_element(By.CSS_SELECTOR, "#filled iframe"))
    answer = "return document.readyState === 'complete' && document.querySelector('[name=a]')?.value"
    waiting(looking).until(lambda driver: driver.execute_script(answer) == "the red cat")
    values = "return ['[name=unsent]', '[name=r]:checked', '[name=s]'].map((one) => document.querySelector(one).value)"
    assert looking.execute_script(values) == ["kept", "2", "20"]
    assert looking.execute_script("return self.origin") == "null"
    looking.switch_to.default_content()


def test_people_and_strangers_pages_keep_to_their_own_port(address: str, looking: webdriver.Chrome) -> None:
    frame = looking.find_element(By.CSS_SELECTOR, "#filled iframe").get_attribute("src")
    people, pages = (url.partition("/runs/")[0].partition("/filled/")[0] for url in (address, frame))
    assert people != pages
    for url in (frame.replace(pages, people), address.replace(people, pages)):
        with pytest.raises(HTTPError, match="404"):
            urlopen(url)  # noqa: S310


@pytest.mark.slow
def test_nothing_keeps_people_from_using_the_page(looking: webdriver.Chrome) -> None:
    press(looking, "a", "m")
    looking.execute_script("for (const fold of document.querySelectorAll('details:not(#filled)')) fold.open = true")
    assert hindrances(looking) == []
