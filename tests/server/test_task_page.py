from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.server.pages import soup, text
from tests.task_folders import csv_text, make_task

FACTS = {
    "title": "Mood",
    "description": "Say how it sounds.",
    "split": "challenge",
    "licence": "CC0-1.0",
    "content_warning": "Rude words.",
    "not_answers": {"started": "a timestamp"},
    "renames": {"a": "a-1"},
    "kinds": {"box": "hidden"},
    "known_issues": ["The last page is cut."],
}


def test_a_task_shows_everything_that_is_said_of_it(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "my task", facts=FACTS)
    shown = text(soup(browse, "/task/my%20task/"))
    for words in (
        "Mood challenge content warning Say how it sounds.",
        "Before you open it Rude words.",
        "Known issues The last page is cut.",
        "Folder my task",
        "Licence CC0-1.0",
        "Inputs text",
        "started : a timestamp",
        "column a is the field a-1",
        "box : hidden",
    ):
        assert words in shown


def test_the_table_shows_index_id_number_of_labels_and_inputs(browse: Client, tasks_dir: Path) -> None:
    rows = (["text", "Answer.a"], ["one", "x"], ["two", "y"], ["one", "z"])
    make_task(tasks_dir, "t", table=csv_text(*rows))
    shown = [text(row).split() for row in soup(browse, "/task/t/").select("tbody tr")]
    assert [(index, labels, *inputs) for index, _, labels, *inputs in shown] == [
        ("0", "2", "text", "one"),
        ("1", "1", "text", "two"),
    ]
    assert all(len(row[1]) == 12 for row in shown)


def test_inputs_are_shortened_and_the_rest_counted(browse: Client, tasks_dir: Path) -> None:
    names = ["a", "b", "c", "d", "e"]
    template = " ".join(f"${{{name}}}" for name in names)
    row = ["x\n  y", "z" * 9000, "", "w", "w", "label"]
    make_task(tasks_dir, "t", template=template, table=csv_text([*names, "Answer.a"], row))
    cell = text(soup(browse, "/task/t/").select_one("tbody td:last-child"))
    assert cell == f"a x y b {'z' * 140}… c and 2 more"


def test_long_tables_come_in_pages(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "t", table=csv_text(["text", "Answer.a"], *([str(number), "x"] for number in range(120))))

    def first_and_links(query: str) -> tuple[str, list[str]]:
        page = soup(browse, f"/task/t/{query}")
        links = [" ".join(link.get_text().split()) for link in page.select(".pages a")]
        return page.select_one("tbody th").get_text(), links

    assert first_and_links("") == ("0", ["Page 1", "Page 2", "Page 3", "Next →"])
    assert first_and_links("?page=3") == ("100", ["← Previous", "Page 1", "Page 2", "Page 3"])
    assert first_and_links("?page=99")[0] == "100"
    assert first_and_links("?page=x")[0] == "0"


def test_a_task_without_a_table_offers_its_template(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "t", table=None)
    page = soup(browse, "/task/t/")
    assert "There is no batch.csv" in text(page)
    assert page.find("a", string="Open the template")["href"] == "/task/t/0/"


def test_a_malformed_task_shows_file_row_column_and_remedy(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "ragged", table="text,Answer.a\none,x\ntwo\n")
    make_task(tasks_dir, "lacking", template="${word}", table="text,Answer.a\none,x\n")
    row = [cell.get_text() for cell in soup(browse, "/task/ragged/").select("tbody td")]
    assert row[:3] == ["batch.csv", "3", "–"]
    assert row[4].startswith("Add or remove cells")
    column = [cell.get_text() for cell in soup(browse, "/task/lacking/").select("tbody td")]
    assert column[:3] == ["batch.csv", "–", "word"]


def test_a_malformed_task_leaves_the_others_alone(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "bad", template="")
    make_task(tasks_dir, "good")
    assert "cannot be used" in text(soup(browse, "/task/bad/"))
    assert "cannot be used" in text(soup(browse, "/task/bad/0/"))
    assert soup(browse, "/task/good/").h1.get_text() == "good"


def test_a_problem_that_leaves_the_task_usable_is_shown_on_it(browse: Client, tasks_dir: Path) -> None:
    make_task(tasks_dir, "t", facts={"titel": "x"})
    assert "unknown key, not used" in text(soup(browse, "/task/t/"))
