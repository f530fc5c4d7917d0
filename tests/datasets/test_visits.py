"""What a browser finds on the first page of a task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.browser.browser import Browser, PageFailed
from harness.catalog import Catalog
from harness.datasets.visits import visitor as visitor_module
from harness.datasets.visits.shown import Shown
from harness.datasets.visits.visitor import CannotBeShown, PageVisitor, looks, visitor_of
from harness.run.progress import QuietProgress
from tests.site_tasks import make_site_task
from tests.task_folders import csv_text, make_task

DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
TEMPLATES = {
    "Text": "<p>Words</p><input name=a>",
    "Picture": f"<img src='{DOT}' width=200 height=100><input name=a>",
    "Drawing": "<svg width=300 height=200></svg><input name=a>",
    "Backdrop": f"<div style='background:url({DOT}) no-repeat;width:90px;height:90px'></div><input name=a>",
    "Icons": f"<img src='{DOT}' width=16 height=16><svg width=40 height=40></svg>"
    f"<i style='background:url({DOT})'>x</i><input name=a>",
    "Hidden picture": f"<div hidden><img src='{DOT}'></div><input name=a>",
    "Media": "<video width=200></video><audio></audio><iframe srcdoc='<p>other'></iframe><input name=a>",
    "Later": "<div hidden><input type=radio name=a value=1></div><input name=b>",
    "Scripted": "<script>document.write('<select name=' + 'a><option>1</select>')</script>",
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Shown]]:
    """What is found on the pages of ``TEMPLATES``, each with a label for ``a``."""
    folder = tmp_path_factory.mktemp("visits")
    for name, template in TEMPLATES.items():
        make_task(folder / "tasks", name, template=template, table=csv_text(("Answer.a",), ("1",)))
    make_task(folder / "tasks", "No table", template="<input name=x hidden><input type=hidden name=y>", table=None)
    catalog = Catalog(folder / "tasks")
    with visitor_of(catalog, None) as visitor:
        yield {name: visitor.visit(catalog.task(name)).shown for name in catalog.names()}


@pytest.mark.parametrize(
    ("task", "modalities"),
    [
        ("Text", ("text",)),
        ("Picture", ("picture",)),
        ("Drawing", ("picture",)),
        ("Backdrop", ("picture",)),
        ("Icons", ("text",)),
        ("Hidden picture", ("picture",)),
        ("Media", ("video", "audio", "frame")),
        ("Later", ("interaction",)),
        ("No table", ("interaction",)),
    ],
)
def test_a_page_shows(shown: dict[str, Shown], task: str, modalities: tuple[str, ...]) -> None:
    assert shown[task].modalities == modalities


def test_fields_that_script_builds_are_found_and_those_around_every_page_are_not_counted(
    shown: dict[str, Shown],
) -> None:
    assert (shown["Scripted"].fields, shown["Scripted"].answers) == ({"select": 1}, {"select": 1})
    assert (shown["Later"].fields, shown["Later"].answers) == ({"radio": 1, "text": 1}, {"radio": 1})
    assert (shown["No table"].fields, shown["No table"].answers) == ({"text": 1, "hidden": 1}, {})


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_what_was_seen_once_needs_no_browser_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_task(tmp_path / "tasks", "T")
    catalog = Catalog(tmp_path / "tasks")
    with visitor_of(catalog, None) as visitor:
        first = visitor.visit(catalog.task("T"))

    def none(*_: object) -> Browser:
        raise AssertionError("a browser is started")

    monkeypatch.setattr(visitor_module, "Browser", none)
    with visitor_of(catalog, None) as visitor:
        assert visitor.visit(catalog.task("T")) == first
    (tmp_path / "tasks" / "T" / "template.html").write_text("${text}<input name=a><p>changed")
    with visitor_of(catalog, None) as visitor, pytest.raises(AssertionError, match="a browser is started"):
        visitor.visit(catalog.task("T"))


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_page_that_cannot_be_shown_is_told_with_its_reason_and_the_next_one_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Bad", "Good"):
        make_task(tmp_path / "tasks", name)
    catalog = Catalog(tmp_path / "tasks")
    opened = Browser.open

    def refusing(browser: Browser, url: str) -> None:
        if "Bad" in url:
            raise PageFailed("it is\nnot to be opened")
        opened(browser, url)

    monkeypatch.setattr(Browser, "open", refusing)
    with visitor_of(catalog, None) as visitor, looks(catalog, visitor, QuietProgress()) as look:
        assert look("Bad") == (None, "it is not to be opened")
        good, why = look("Good")
    assert (good is not None, why) == (True, "")
    assert "'Bad' cannot be shown: it is not to be opened" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_website_is_shown_where_its_task_begins_as_it_was_made_for_the_seed(tmp_path: Path) -> None:
    for name, seed in (("A", 0), ("B", 1), ("C", 0)):
        make_site_task(tmp_path / "tasks", name, seed=seed)
    catalog = Catalog(tmp_path / "tasks")
    with visitor_of(catalog, None) as visitor:
        first, other, again = (visitor.visit(catalog.task(name), picture=True) for name in "ABC")
    assert first.png is not None
    assert first.png == again.png != other.png
    assert "text" in first.shown.modalities
    assert not first.shown.fields


@pytest.mark.slow
@pytest.mark.parametrize(
    ("facts", "why"),
    [({"site": None}, "its website is not bundled"), ({"variant": "nonesuch"}, "variant is 'nonesuch'")],
)
@pytest.mark.usefixtures("own_cache")
def test_a_website_that_is_not_there_is_told_with_its_reason(
    tmp_path: Path, facts: dict[str, object], why: str
) -> None:
    make_site_task(tmp_path / "tasks", "T", **facts)
    catalog = Catalog(tmp_path / "tasks")
    with visitor_of(catalog, None) as visitor, pytest.raises(CannotBeShown, match=why):
        visitor.visit(catalog.task("T"))


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_browser_that_died_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("A", "B", "C"):
        make_task(tmp_path / "tasks", name)
    catalog = Catalog(tmp_path / "tasks")
    started: list[Browser] = []

    def start(*settings: object) -> Browser:
        started.append(Browser(*settings))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(visitor_module, "Browser", start)
    with visitor_of(catalog, None) as visitor:
        assert isinstance(visitor, PageVisitor)
        visitor.visit(catalog.task("A"))
        started[0].close()
        with pytest.raises(CannotBeShown):
            visitor.visit(catalog.task("B"))
        visitor.visit(catalog.task("C"))
    assert len(started) == 2
