"""A server with accounts as a process of its own, and people at browsers."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.checkout import PROJECT
from tests.forked_python import printed_by
from tests.person import waiting
from tests.server.serving import Server, environment, serving

PASSWORD = "a rather long one, of 37 characters"  # noqa: S105


@dataclass
class Annotating:
    """A running server with accounts, and the environment that its commands need."""

    server: Server
    environment: dict[str, str]

    @property
    def people(self) -> str:
        """The origin of people."""
        return f"http://127.0.0.1:{self.server.port}"

    def command(self, *words: str) -> str:
        """What a command of ``manage.py`` prints."""
        return printed_by([sys.executable, str(PROJECT / "manage.py"), *words], self.environment)

    def link(self, *words: str) -> str:
        """The link that a command prints."""
        found = re.search(r"http://\S+", self.command("annotators", *words, "--origin", self.people))
        assert found is not None
        return found[0]


@contextlib.contextmanager
def annotating(tasks: Path, data: Path) -> Iterator[Annotating]:
    """Serve tasks with accounts, in a new database."""
    extra = {"XDG_DATA_HOME": str(data), "DATABASE_URL": f"sqlite:///{data}/tasks.sqlite3"}
    with serving("--tasks-dir", tasks, "--annotate", **extra) as server:
        yield Annotating(server, environment(**extra))


def press(browser: webdriver.Chrome, words: str) -> None:
    """Press the button or link that says this, and wait until another page is there."""
    found = browser.find_element(By.XPATH, f"//button[normalize-space()='{words}'] | //a[normalize-space()='{words}']")
    page = browser.find_element(By.TAG_NAME, "html")
    found.click()
    waiting(browser).until(lambda _: is_gone(page))


def is_gone(element: object) -> bool:
    from selenium.common.exceptions import StaleElementReferenceException, WebDriverException

    try:
        element.is_enabled()  # type: ignore[attr-defined]
    except (StaleElementReferenceException, WebDriverException):
        return True
    return False


def fill(browser: webdriver.Chrome, **values: str) -> None:
    """Fill fields in by their names."""
    for name, value in values.items():
        field = browser.find_element(By.NAME, name)
        if field.tag_name == "select":
            Select(field).select_by_visible_text(value)
        else:
            field.clear()
            field.send_keys(value)


def log_in(browser: webdriver.Chrome, at: Annotating, name: str, link: str) -> None:
    """Choose a password by a link, and log in with it."""
    browser.get(link)
    fill(browser, new_password1=PASSWORD, new_password2=PASSWORD)
    press(browser, "Set the password")
    fill(browser, username=name, password=PASSWORD)
    press(browser, "Log in")
    assert browser.current_url == f"{at.people}/work/"
