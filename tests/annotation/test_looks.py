"""No page of tasks done by hand, and none of tasks to browse, keeps anybody out: by its markup, colours or width."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.annotation.busy import COOKIE, LONG, Busy, busy_server
from tests.annotation.served import fill, press
from tests.person import person_browser
from tests.server.person import hindrances

PAGES = {
    "login": ("", "/account/login/"),
    "choose a password": ("", "{link}"),
    "link that is used up": ("", "/account/password/MQ/c-0/"),
    "change the password": ("wanda", "/account/password/"),
    "work": ("wanda", "/work/"),
    "nothing to do": ("newcomer", "/work/"),
    "done": ("willi", "/work/done/"),
    "nothing done": ("newcomer", "/work/done/"),
    "preview": ("willi", "/work/{project}/"),
    "preview of another instance": ("willi", "/work/{project}/?instance=2"),
    "assignment": ("wanda", "/work/assignment/{held}/"),
    "submitted": ("wanda", "/work/assignment/{done}/"),
    "rejected": ("willi", "/work/assignment/{bad}/"),
    "forbidden": ("wanda", "/manage/"),
    "not there": ("stan", "/task/none/"),
    "projects": ("stan", "/manage/"),
    "new project": ("stan", "/manage/new/"),
    "change a project": ("stan", "/manage/{project}/change/"),
    "project": ("stan", "/manage/{project}/"),
    "batch": ("stan", "/manage/batch/{batch}/"),
    "batch that is a draft": ("stan", "/manage/batch/{draft}/"),
    "new batch": ("stan", "/manage/{project}/new/"),
    "new batch to look at": ("stan", "/manage/{project}/new/{further}/"),
    "files of a batch": ("stan", "/manage/batch/{draft}/files/"),
    "files that cannot be changed": ("stan", "/manage/batch/{batch}/files/"),
    "changed files to look at": ("stan", "/manage/batch/{draft}/files/{further}/"),
    "change a batch": ("stan", "/manage/batch/{batch}/change/"),
    "batch whose task is gone": ("stan", "/manage/batch/{gone}/"),
    "batch nobody began": ("stan", "/manage/batch/{gone}/assignments/"),
    "assignments": ("stan", "/manage/batch/{batch}/assignments/"),
    "no such assignments": ("stan", "/manage/batch/{batch}/assignments/?state=expired"),
    "answers": ("stan", "/manage/assignment/{done}/"),
    "gold question with feedback": ("wanda", "/work/assignment/{told}/"),
    "correction": ("wanda", "/work/assignment/{done}/correct/"),
    "judged batch": ("stan", "/manage/batch/{judged}/"),
    "instances": ("stan", "/manage/batch/{judged}/instances/?order=agreement"),
    "instance that is decided": ("stan", "/manage/batch/{judged}/instance/{decided}/"),
    "instance that is open": ("stan", "/manage/batch/{judged}/instance/{open}/"),
    "gold questions": ("stan", "/manage/batch/{judged}/gold/"),
    "reserved": ("stan", "/manage/batch/{judged}/reserved/"),
    "batch with a run's answers": ("stan", "/manage/batch/{helped}/"),
    "co-pilot": ("stan", "/manage/batch/{helped}/help/"),
    "no co-pilot": ("stan", "/manage/batch/{batch}/help/"),
    "people": ("stan", "/manage/people/"),
    "new account": ("stan", "/manage/people/new/"),
    "account": ("stan", "/manage/people/{worker}/"),
    "groups": ("stan", "/manage/groups/"),
    "upload": ("stan", "/manage/upload/"),
    "upload to look at": ("stan", "/manage/upload/{upload}/"),
    "tasks": ("stan", "/"),
    "no task matches": ("stan", "/?q=unicorn"),
    "task": ("stan", "/task/one/"),
    "task that cannot be read": ("stan", "/task/broken/"),
    "instance": ("stan", "/task/one/3/"),
    "problems": ("stan", "/problems/"),
}
"""Who looks at what: a name of the page, who is logged in, and its address."""


def log_in_wrongly(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "login")
    fill(live, username="wanda", password="wrong")  # noqa: S106
    press(live, "Log in")
    assert live.find_elements(By.CSS_SELECTOR, ".bad, .errors, .warning")


def ask_for_a_bad_project(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "new project")
    live.execute_script("document.forms[document.forms.length - 1].noValidate = true")
    fill(live, title="", assignments_per_instance="0")
    press(live, "Make the project")
    assert live.find_elements(By.CSS_SELECTOR, ".errors")


def make_a_link(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "account")
    press(live, "Make a new link")
    assert live.find_elements(By.ID, "link")


def hand_over_what_is_wrong(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "upload")
    folder = busy.files
    (folder / "page.html").write_text("<p>${other} ${text}</p>")
    (folder / "rows.csv").write_text("text\na,b\nc\nd,e,f\n")
    fill(live, name="Films")
    live.find_element(By.NAME, "template").send_keys(str(folder / "page.html"))
    live.find_element(By.NAME, "table").send_keys(str(folder / "rows.csv"))
    press(live, "Look it over")
    assert live.find_elements(By.CSS_SELECTOR, "main table td")


def hand_over_a_bad_batch(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "new batch")
    (busy.files / "more.csv").write_text("text\na,b\nc\n")
    live.find_element(By.NAME, "table").send_keys(str(busy.files / "more.csv"))
    press(live, "Look it over")
    assert live.find_elements(By.CSS_SELECTOR, "main table td")


def add_a_batch(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "new batch")
    (busy.files / "good.csv").write_text(f"text,{LONG}\none,two\n")
    live.find_element(By.NAME, "table").send_keys(str(busy.files / "good.csv"))
    press(live, "Look it over")
    press(live, "Add the batch")
    assert live.find_elements(By.CSS_SELECTOR, ".messages")
    tasks = busy.files / "tasks"
    made = tasks / live.find_element(By.CSS_SELECTOR, "#asked + dl code").text
    assert (made / "template.html").read_bytes() == (tasks / "one" / "template.html").read_bytes()


def keep_changes(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "change a project")
    press(live, "Keep the changes")
    assert live.find_elements(By.CSS_SELECTOR, ".messages")


def hand_over_nothing(live: webdriver.Chrome, busy: Busy) -> None:
    visit(live, busy, "upload")
    live.execute_script("document.forms[document.forms.length - 1].noValidate = true")
    press(live, "Look it over")
    assert len(live.find_elements(By.CSS_SELECTOR, ".errors")) == 3


DEEDS: dict[str, Callable[[webdriver.Chrome, Busy], None]] = {
    "login that failed": log_in_wrongly,
    "project that cannot be": ask_for_a_bad_project,
    "changed project": keep_changes,
    "batch with errors": hand_over_a_bad_batch,
    "batch that is added": add_a_batch,
    "link": make_a_link,
    "upload of nothing": hand_over_nothing,
    "upload with errors": hand_over_what_is_wrong,
}
"""Pages that answer a form: a name, and how a person comes to them."""


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    with busy_server(tmp_path_factory.mktemp("busy")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    with person_browser() as live:
        yield live


@pytest.fixture
def live(browser: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """A browser that nobody is logged in at."""
    yield browser
    browser.delete_all_cookies()


def visit(live: webdriver.Chrome, busy: Busy, page: str) -> None:
    """Come to a page as who may see it, with all of it unfolded."""
    if page in DEEDS:
        DEEDS[page](live, busy)
    else:
        who, pattern = PAGES[page]
        log_in_as(live, busy, who)
        live.get(busy.address(pattern))
    live.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")


def log_in_as(live: webdriver.Chrome, busy: Busy, who: str) -> None:
    live.get(busy.address("/account/login/"))
    live.delete_all_cookies()
    if who:
        live.add_cookie({"name": COOKIE, "value": busy.cookies[who], "path": "/"})


@pytest.mark.slow
@pytest.mark.parametrize("page", [*PAGES, *DEEDS])
def test_the_page_keeps_nobody_out(live: webdriver.Chrome, busy: Busy, page: str) -> None:
    visit(live, busy, page)
    assert live.find_elements(By.TAG_NAME, "h1")
    assert hindrances(live) == []
