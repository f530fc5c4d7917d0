"""What websites are told of their visitor, read by a page in a real browser."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from harness.browser.browser_choice import NavigationPolicy, visitor_of, visitor_part
from harness.browser.input_back_end import devtools_session
from harness.browser.launch import NoBrowser
from harness.cli.boundary import WRONG_USE
from harness.cli.commands.evaluate import main
from harness.records.config import RunConfig
from harness.run.browsers import browser_settings
from tests.site import Site

TOLD = """<title></title><script>
document.title = [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, (1234.5).toLocaleString(),
                  navigator.userAgent].join("; ");
</script>"""


def told(site: Site, *visitor: str) -> str:
    """What a page says of a visitor of a run."""
    site.put(TOLD, "/")
    policy = NavigationPolicy(("http://shop.test",), {"shop.test": urlsplit(site.origin).netloc})
    settings = browser_settings(RunConfig("oracle", Path(), visitor=visitor), site.origin)
    with devtools_session(replace(settings, policy=policy)).site as browser:
        browser.clear()
        browser.open("http://shop.test/")
        return browser.tab.title


def test_a_page_is_told_language_time_zone_and_name_of_the_browser(site):
    asked = ("locale=de-DE", "time_zone=Europe/Berlin", "user_agent=Mozilla/5.0 (Windows NT 10.0)")
    assert told(site, *asked) == "de-DE; Europe/Berlin; 1.234,5; Mozilla/5.0 (Windows NT 10.0)"


def test_language_alone_leaves_the_browser_its_name_and_the_usual_time_zone(site):
    language, zone, number, agent = told(site, "locale=en-GB").split("; ", 3)
    assert (language, zone, number) == ("en-GB", "UTC", "1,234.5")
    assert "Chrome/" in agent


def test_a_channel_that_is_not_installed_is_named_with_its_programs(site, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(NoBrowser, match="channel chrome-beta is not installed: none of google-chrome-beta"):
        told(site, "channel=chrome-beta")


def test_a_channel_is_the_program_in_the_path(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/opt/{name}" if name == "google-chrome-stable" else None)
    assert visitor_of(["channel=chrome"]).program == "/opt/google-chrome-stable"
    assert visitor_of([]).program is None


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("locale", "is not KEY=VALUE with locale or time_zone or user_agent or channel"),
        ("local=de", "Did you mean 'locale'?"),
        ("locale=German", "is no locale as en-GB"),
        ("time_zone=Europe/Berln", "Did you mean 'Europe/Berlin'?"),
        ("user_agent=a\nb", "no line of 1 to 500 characters"),
        ("channel=firefox", "there are chromium, chrome, chrome-beta, chrome-dev"),
    ],
)
def test_what_tells_nothing_of_a_visitor_is_refused(part, said):
    with pytest.raises(ArgumentTypeError, match=re.escape(said)):
        visitor_part(part)


def test_a_channel_is_refused_for_a_browser_that_runs_already(capsys):
    assert main(["--solver", "random", "--visitor", "channel=chrome", "--grid", "http://127.0.0.1:4444"]) == WRONG_USE
    assert "--visitor channel starts a browser here" in capsys.readouterr().err


def test_a_wrong_visitor_is_told_on_the_command_line(capsys):
    with pytest.raises(SystemExit):
        main(["--solver", "random", "--visitor", "time_zone=Mars/Base"])
    assert "there is no time zone 'Mars/Base'" in capsys.readouterr().err
