from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client, override_settings

from harness.catalog import Catalog
from tests.server.pages import HARD_NAMES, soup, text
from tests.task_folders import csv_text, make_task


def listed(client: Client, query: str = "") -> list[str]:
    return [link.get_text() for link in soup(client, f"/{query}").select(".tasks h2 a")]


def badges(client: Client) -> list[str]:
    return [badge.get_text() for badge in soup(client, "/").select(".tasks .badge")]


def test_a_task_shows_title_description_and_split_of_its_facts(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a", facts={"title": "Mood", "description": "Say how it sounds.", "split": "test"})
    card = text(soup(browse, "/").select_one(".tasks > li"))
    assert card == "No picture was made yet Mood a Say how it sounds. test"


def test_title_and_description_fall_back_on_the_first_row_of_the_table(browse: Client, tasks_dir: Path) -> None:
    rows = (["Title", "Description", "text", "Answer.a"], ["Mood", "Say it.", "one", "x"], ["Other", "", "two", "x"])
    make_task(tasks_dir, "a", table="\ufeff" + csv_text(*rows))
    assert text(soup(browse, "/").select_one(".tasks > li")) == "No picture was made yet Mood a Say it. train"


def test_the_list_reads_no_task(browse: Client, tasks_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a whole task was read")

    make_task(tasks_dir, "a")
    monkeypatch.setattr(Catalog, "task", refuse)
    monkeypatch.setattr(Catalog, "check", refuse)
    assert listed(browse) == ["a"]


def test_an_edit_of_a_task_shows_at_the_next_visit(browse: Client, tasks_dir: Path) -> None:
    folder = make_task(tasks_dir, "a", facts={"title": "Old"})
    assert listed(browse) == ["Old"]
    (folder / "task.json").write_text('{"title": "Brand new"}')
    assert listed(browse) == ["Brand new"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=MOOD", ["The mood"]),
        ("?q=folder", ["The mood"]),
        ("?q=sounds+mood", ["The mood"]),
        ("?q=mood+pictures", []),
        ("?q=pictures", ["Count"]),
        ("?split=test", ["Count"]),
        ("?split=test&q=mood", []),
        ("?split=", ["The mood", "Count"]),
        ("?split=nowhere", []),
    ],
)
def test_search_and_split_narrow_the_list(browse: Client, tasks_dir: Path, query: str, found: list[str]) -> None:
    make_task(tasks_dir, "a folder", facts={"title": "The mood", "description": "How it sounds."})
    make_task(tasks_dir, "b", facts={"title": "Count", "description": "Look at pictures.", "split": "test"})
    assert listed(browse, query) == found


def test_the_search_form_keeps_what_was_asked(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a", facts={"split": "test"})
    page = soup(browse, "/?q=%22%3Cb%3E&split=test")
    assert page.select_one("#q")["value"] == '"<b>'
    assert page.select_one("#split option[selected]")["value"] == "test"


def test_warnings_missing_tables_and_problems_are_marked(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a", facts={"content_warning": "Rude words."})
    make_task(tasks_dir, "b", table=None)
    make_task(tasks_dir, "c", facts={"titel": "x"})
    assert badges(browse) == ["train", "content warning", "train", "browse only", "train", "1 problem"]


def test_a_folder_without_a_template_is_not_called_browse_only(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a", template=None, table=None)
    assert badges(browse) == ["train"]


def test_a_table_that_cannot_be_read_does_not_stop_the_list(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a", table=b"\xff\xfe")
    make_task(tasks_dir, "b", table="")
    make_task(tasks_dir, "c", table="Title\n")
    assert listed(browse) == ["a", "b", "c"]


def test_names_and_facts_are_text_not_markup(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "<b>a", facts={"title": "<script>x</script>", "description": "<i>y", "content_warning": '">'})
    html = browse.get("/").content.decode()
    assert "&lt;script&gt;x&lt;/script&gt;" in html
    assert "<script>x" not in html
    assert "<b>a" not in html
    assert "<i>y" not in html


def test_every_link_of_the_list_leads_to_its_task(browse: Client, tasks_dir: Path) -> None:
    for name in HARD_NAMES:
        make_task(tasks_dir, name)
    links = soup(browse, "/").select(".tasks h2 a")
    assert {link.get_text() for link in links} == set(HARD_NAMES)
    for link in links:
        assert soup(browse, link["href"]).h1.get_text() == link.get_text()


def test_an_empty_folder_says_what_a_task_is(browse: Client) -> None:
    assert "A task is a folder with a template.html" in text(soup(browse, "/"))


def test_the_overlay_adds_facts(browse: Client, tasks_dir: Path, tmp_path: Path) -> None:
    make_task(tasks_dir, "a")
    overlay = tmp_path / "overlay.json"
    overlay.write_text('{"tasks": {"a": {"title": "From elsewhere"}}}')
    with override_settings(TURKLE_OVERLAY=overlay):
        assert listed(browse) == ["From elsewhere"]


def test_check_all_tasks_lists_every_problem_with_its_task(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a", table="text,Answer.a\n1,2,3\n")
    make_task(tasks_dir, "b")
    page = soup(browse, soup(browse, "/").find("a", string="Check all tasks")["href"])
    cells = [cell.get_text() for cell in page.select("tbody td")]
    assert cells[:4] == ["a", "batch.csv", "2", "–"]
    assert "3 cells" in cells[4]


def test_check_all_tasks_says_when_nothing_is_wrong(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "a")
    assert "Nothing is wrong" in text(soup(browse, "/problems/"))


def test_the_header_names_the_product_and_the_task_set(browse: Client, tasks_dir: Path) -> None:
    header = text(soup(browse, "/").header)
    assert header.startswith(f"turkbench {tasks_dir.parent.name} Tasks")
