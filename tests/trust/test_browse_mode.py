"""In browse mode no page of a stranger reads a label: not in its frame, not alone, not by a click or another window."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.person import person_browser, waiting
from tests.server.serving import command, environment
from tests.task_folders import csv_text, make_task

SECONDS = 60
LABEL = "a-worker-said-this"
HOSTILE = """<p>${text}</p><textarea name="a"></textarea>
<button type="button" id="click" style="position: fixed; left: 0; top: 0; width: 300px; height: 200px">Press</button>
<script>
  const people = "PEOPLE", labels = people + "/task/hostile/0/", found = [];
  const tell = (way, words) => found.push([way, String(words)]);
  const read = (way, promise) => promise.then((words) => tell(way, words), (error) => tell(way, "refused: " + error));
  const attack = () => {
    const url = new URL(location.href);
    for (const address of [labels, "/task/hostile/0/", url.origin + "/task/hostile/0/"]) {
      read("fetch " + address, fetch(address).then((answer) => answer.text()));
      read("no-cors " + address, fetch(address, { mode: "no-cors" }).then((answer) => answer.text()));
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.onload = () => { try { tell("frame " + address, frame.contentDocument.body.innerText); }
        catch (error) { tell("frame " + address, "refused: " + error); } };
      frame.src = address;
      const script = document.body.appendChild(document.createElement("script"));
      script.onload = () => tell("script " + address, Object.keys(window).join());
      script.src = address;
      const sheet = document.head.appendChild(document.createElement("link"));
      sheet.rel = "stylesheet";
      sheet.onload = () => { try { tell("style " + address, sheet.sheet.cssRules.length + " rules"); }
        catch (error) { tell("style " + address, "refused: " + error); } };
      sheet.href = address;
      const request = new XMLHttpRequest();
      request.onloadend = () => tell("request " + address, request.responseText);
      request.open("GET", address);
      request.send();
      let opened = null;
      try { opened = window.open(address) || window.open(location.href); } catch { /* refused */ }
      tell("window " + address, opened ? "opened" : "none");
    }
    for (const [way, look] of [["parent", () => parent.document], ["top", () => top.document],
      ["opener", () => opener.document], ["storage", () => localStorage], ["cookie", () => document.cookie]]) {
      try { tell(way, look()); } catch (error) { tell(way, "refused: " + error); }
    }
    const link = document.body.appendChild(document.createElement("a"));
    link.href = location.href;
    link.target = "_blank";
    link.click();
    if (top === self) return;  // there it would leave, which is another test's matter
    link.target = "_top";
    link.click();
    try { top.location.href = labels; } catch (error) { tell("top location", "refused: " + error); }
  };
  document.getElementById("click").onclick = attack;
  attack();
</script>"""


@dataclass(frozen=True)
class Served:
    """A server in browse mode: its address for people, and for pages."""

    people: str
    pages: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over one hostile and one honest task, as a process of its own."""
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a"], ["words", LABEL])
    with subprocess.Popen(
        command("--port", "0", "--tasks-dir", folder, "--exit-with-parent"),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        found = re.search(r"(http://[\d.]+):(\d+)/ \(browse mode, pages from port (\d+)\)", process.stdout.readline())
        assert found is not None
        served = Served(f"{found[1]}:{found[2]}", f"{found[1]}:{found[3]}")
        make_task(folder, "hostile", template=HOSTILE.replace("PEOPLE", served.people), table=table)
        make_task(folder, "honest", template="<p>${text}</p><input name=a>", table=table)
        yield served
        process.kill()


@pytest.fixture(scope="module")
def person() -> Iterator[webdriver.Chrome]:
    """A browser as a person has one, not shut in."""
    with person_browser() as live:
        yield live


def get(url: str, **headers: str) -> tuple[int, str, dict[str, str]]:
    """Status, body and headers of an answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, headers=named)  # noqa: S310
    with contextlib.ExitStack() as stack:
        try:
            answer = stack.enter_context(urllib.request.urlopen(request, timeout=SECONDS))  # noqa: S310
        except urllib.error.HTTPError as error:
            answer = stack.enter_context(error)
        return answer.status, answer.read().decode(), dict(answer.headers)


def attacked(person: webdriver.Chrome) -> list[list[str]]:
    """What the hostile page that the driver looks at has found, by itself and by one click, when all has come back."""
    person.find_element(By.ID, "click").click()
    # Of two attacks: three addresses with two fetches and a request that always end, and five looks.
    done = "return found.filter(([way]) => /^(fetch|no-cors|request|cookie)/.test(way)).length"
    waiting(person).until(lambda driver: driver.execute_script(done) == 2 * (3 * 3 + 1))
    return json.loads(person.execute_script("return JSON.stringify(found)"))


@pytest.mark.slow
@pytest.mark.claim("browse-frame")
@pytest.mark.parametrize("where", ["in the frame", "alone"])
def test_a_hostile_page_reads_no_label_and_opens_no_window(
    server: Served, person: webdriver.Chrome, where: str
) -> None:
    person.get(f"{server.people}/task/hostile/0/")
    if where == "alone":
        person.get(person.find_element(By.PARTIAL_LINK_TEXT, "Open alone").get_attribute("href"))
    else:
        person.switch_to.frame(person.find_element(By.TAG_NAME, "iframe"))
    address, windows = person.execute_script("return location.href"), len(person.window_handles)
    found = attacked(person)
    assert LABEL not in json.dumps(found)
    assert {words for way, words in found if way.startswith("window")} == {"none"}
    assert all(words.startswith("refused") for way, words in found if way in ("storage", "cookie"))
    assert len(person.window_handles) == windows
    assert person.execute_script("return location.href") == address
    assert person.execute_script("return self.origin") == "null"


@pytest.mark.claim("browse-frame")
def test_a_page_that_goes_to_the_labels_by_itself_is_shown_none(server: Served, person: webdriver.Chrome) -> None:
    def source_in_frame(driver: webdriver.Chrome) -> str:
        """What the frame holds; a driver is back at the top when what a frame wants to show is refused."""
        driver.switch_to.default_content()
        driver.switch_to.frame(driver.find_element(By.TAG_NAME, "iframe"))
        assert driver.execute_script("return self !== top")
        return driver.page_source

    def source_alone(driver: webdriver.Chrome) -> str:
        return driver.page_source

    for address, source in (
        (f"{server.pages}/page/honest/0/", source_alone),
        (f"{server.people}/task/honest/0/", source_in_frame),
    ):
        person.get(address)
        assert 'name="a"' in source(person)
        person.execute_script(f"location.href = '{server.people}/task/honest/0/'")
        waiting(person).until(lambda driver, source=source: 'name="a"' not in source(driver))
        assert LABEL not in source(person)


@pytest.mark.claim("browse-origins")
def test_labels_are_not_served_where_pages_are_nor_pages_where_labels_are(server: Served) -> None:
    assert LABEL in get(f"{server.people}/task/honest/0/")[1]
    for path in ("/", "/task/honest/", "/task/honest/0/", "/problems/", "/agent-mode/"):
        assert get(server.pages + path)[0] == 404
        assert get(server.people + path)[0] == 200
    assert get(f"{server.pages}/page/honest/0/")[0] == 200
    assert get(f"{server.people}/page/honest/0/")[0] == 404


@pytest.mark.claim("browse-origins")
@pytest.mark.parametrize("path", ["/", "/task/honest/", "/task/honest/0/", "/problems/", "/agent-mode/"])
def test_pages_for_people_answer_no_other_page(server: Served, path: str) -> None:
    for site in ("same-site", "cross-site"):
        for mode in ("navigate", "cors", "no-cors"):
            status, body, _ = get(server.people + path, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode)
            assert (status, LABEL in body) == (403, False)
    for site in ("none", "same-origin"):
        status, _, headers = get(server.people + path, Sec_Fetch_Site=site)
        assert status == 200
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert (policy["default-src"], policy["frame-ancestors"]) == ("'none'", "'none'")
        assert policy["script-src"] == "'self'"
        assert policy["frame-src"] == server.pages
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in headers


def test_a_form_can_be_tried_in_the_frame_and_alone(server: Served, person: webdriver.Chrome) -> None:
    for alone in (False, True):
        person.get(f"{server.people}/task/honest/0/")
        if alone:
            person.get(person.find_element(By.PARTIAL_LINK_TEXT, "Open alone").get_attribute("href"))
        else:
            person.switch_to.frame(person.find_element(By.TAG_NAME, "iframe"))
        person.find_element(By.NAME, "a").send_keys("tried")
        person.find_element(By.CSS_SELECTOR, "[type=submit]").click()
        waiting(person).until(lambda driver: "What the form sent" in driver.page_source)
        assert "tried" in person.page_source


def test_both_ports_end_together(tmp_path: Path) -> None:
    with subprocess.Popen(
        command("--port", "0", "--tasks-dir", tmp_path, "--exit-with-parent"),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        line = process.stdout.readline()
        ports = re.findall(r":(\d+)/|port (\d+)", line)
        process.stdin.close()
        assert process.wait(SECONDS) == 0
    for port in (first or second for first, second in ports):
        with pytest.raises(urllib.error.URLError, match="refused"):
            get(f"http://127.0.0.1:{port}/page/x/0/")
