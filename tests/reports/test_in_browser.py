"""The report of a run in real Chromium: nothing else is asked for, both schemes, paper, keyboard, plots to be seen."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.browser.browser import Browser
from harness.browser.input import ENTER, TAB, Input
from harness.cli.commands import evaluate, report
from harness.papers.turkingbench.paper import reference_lines
from harness.reports.html.rendering import render
from harness.reports.html.report_page import page_of
from tests.conftest import Show
from tests.reports.made import evil, reported
from tests.site import Shown, Site

DARK = [{"name": "prefers-color-scheme", "value": "dark"}]


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """The report of a run of two tasks."""
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        tasks = ["--task", "Sentiment of reviews", "--task", "Household survey", "--max-instances", "2"]
        arguments = ["--solver", "random", *tasks, "--out", str(folder / "run"), "--workers", "1"]
        assert evaluate.main([*arguments, "--progress", "quiet"]) == evaluate.COMPLETE
    assert report.main([str(folder / "run"), "--out", str(folder / "report.html")]) == 0
    return folder / "report.html"


@pytest.fixture
def shown(written: Path, show: Show, browser: Browser) -> Iterator[Shown]:
    yield show(whole=written.read_text(encoding="utf-8"))
    browser.channel.call("Emulation.setEmulatedMedia", media="", features=[])


def background(shown: Shown) -> str:
    return str(shown.page("getComputedStyle(document.body).backgroundColor"))


def test_a_report_of_a_run_loads_without_an_error_and_asks_for_nothing_else(
    written: Path, show: Show, site: Site, browser: Browser
):
    said: list[object] = []
    browser.channel.call("Log.enable")  # tells what earlier pages had to say, before it answers
    browser.channel.on("Log.entryAdded", said.append)
    browser.channel.on("Runtime.consoleAPICalled", said.append)
    before = len(site.requests)
    shown = show(whole=written.read_text(encoding="utf-8"))
    assert shown.page("document.querySelectorAll('svg.plot').length") >= 5
    assert shown.page("performance.getEntriesByType('resource').map((entry) => entry.name)") == []
    browser.channel.call("Log.disable")
    assert site.since(before) == [("GET", shown.url.removeprefix(site.origin))]
    assert browser.script_errors == []
    assert said == []


def test_every_plot_can_be_seen_and_its_words_lie_within_it(shown: Shown):
    sizes = shown.page(
        "[...document.querySelectorAll('svg.plot')].map((svg) => {"
        " const box = svg.getBoundingClientRect(); return [box.width, box.height]; })"
    )
    assert min(width for width, _ in sizes) > 300
    assert min(height for _, height in sizes) > 50
    outside = shown.page(
        "[...document.querySelectorAll('svg.plot text')].filter((text) => {"
        " const box = text.getBoundingClientRect(), all = text.ownerSVGElement.getBoundingClientRect();"
        " return box.left < all.left - 1 || box.right > all.right + 1 || box.bottom > all.bottom + 1; })"
        ".map((text) => text.textContent)"
    )
    assert outside == []


def test_the_dark_scheme_changes_page_and_plots(shown: Shown):
    look = (
        "[getComputedStyle(document.body).backgroundColor,"
        " getComputedStyle(document.querySelector('#tasks svg.plot use[style*=\"series-1\"]')).fill]"
    )
    light = shown.page(look)
    shown.browser.channel.call("Emulation.setEmulatedMedia", media="screen", features=DARK)
    dark = shown.page(look)
    assert light == ["rgb(255, 255, 255)", "rgb(11, 92, 173)"]
    assert dark == ["rgb(21, 24, 28)", "rgb(111, 177, 251)"]


def test_paper_is_white_even_in_the_dark_scheme(shown: Shown):
    shown.browser.channel.call("Emulation.setEmulatedMedia", media="print", features=DARK)
    assert background(shown) == "rgb(255, 255, 255)"
    assert shown.page("getComputedStyle(document.querySelector('.contents')).display") == "none"
    pdf = base64.b64decode(shown.browser.channel.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 3


def test_the_tab_key_goes_through_the_page_in_order_and_what_has_the_focus_can_be_seen(shown: Shown):
    keyboard = Input(shown.browser.channel)
    wanted = shown.page(
        "(window.stops = [...document.querySelectorAll('a[href], summary, [tabindex=\"0\"]')]"
        ".filter((element) => element.checkVisibility())).length"
    )
    assert wanted > 30
    found = []
    for _ in range(40):
        keyboard.press([TAB])
        found.append(
            shown.page(
                "[stops.indexOf(document.activeElement),"
                " getComputedStyle(document.activeElement).outlineStyle,"
                " parseFloat(getComputedStyle(document.activeElement).outlineWidth)]"
            )
        )
    assert [place for place, _, _ in found] == list(range(min(40, wanted)))
    assert {(style, width) for _, style, width in found} == {("solid", 3)}


def test_the_first_stop_leads_past_the_contents(shown: Shown):
    keyboard = Input(shown.browser.channel)
    keyboard.press([TAB])
    assert shown.page("document.activeElement.getBoundingClientRect().top") >= 0
    keyboard.press([ENTER])
    assert shown.page("document.activeElement.id") == "content"


def test_a_table_of_numbers_opens_with_the_keyboard(shown: Shown):
    shown.page("document.querySelector('#tasks summary').focus()")
    assert not shown.page("document.querySelector('#tasks table').checkVisibility()")
    Input(shown.browser.channel).press([ENTER])
    assert shown.page("document.querySelector('#tasks table').checkVisibility()")


def test_a_narrow_window_scrolls_wide_parts_and_not_the_page(shown: Shown):
    channel = shown.browser.channel
    screen = {"height": 800, "deviceScaleFactor": 1, "mobile": False}
    channel.call("Emulation.setDeviceMetricsOverride", width=380, **screen)
    try:
        assert shown.page("document.documentElement.scrollWidth") <= 380
    finally:
        channel.call("Emulation.setDeviceMetricsOverride", width=1280, **screen)


def test_people_who_hear_the_page_get_landmarks_and_named_plots(shown: Shown):
    nodes = shown.browser.channel.call("Accessibility.getFullAXTree")["nodes"]
    shown.browser.channel.call("Accessibility.disable")
    roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    landmarks = [role for role, _ in roles if role in ("banner", "navigation", "main", "contentinfo")]
    assert sorted(landmarks) == ["banner", "contentinfo", "main", "navigation"]
    plots = [name for role, name in roles if role in ("image", "img")]
    assert len(plots) >= 5
    assert all(plots)


def test_strangers_text_runs_nowhere(show: Show, browser: Browser):
    shown = show(whole=render(page_of([evil(), replace(reported(), name="other")], reference_lines())))
    assert shown.page("document.querySelectorAll('script').length") == 0
    assert browser.script_errors == []
    assert "<script>alert" in shown.page("document.body.innerText")
