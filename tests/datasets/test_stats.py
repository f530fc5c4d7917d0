"""What a task set consists of, as far as its files say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE
from harness.cli.commands.tasks.sets import main
from harness.datasets.stats.set_stats import NO_LABEL, NO_TABLE, NOT_SHOWN, SetStats, set_stats
from harness.datasets.stats.task_stats import CHARACTERS, SAMPLE, Length, rulers
from harness.datasets.visits.visitor import not_looking
from harness.models.tokens.vocabulary import FETCH, VOCABULARIES
from tests.checkout import TURKINGBENCH
from tests.needs import needs, real_data
from tests.task_folders import csv_text, make_task

RADIO = "<p>${x}</p><input type=radio name=a value=1><input type=radio name=a value=2>"
BOX = "<p>${x}</p><input type=checkbox name=b value=1><textarea name=c></textarea>"
DATA = TURKINGBENCH


@pytest.fixture(autouse=True)
def _no_vocabularies(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del own_cache
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Three tasks: one with two instances, one with three of which one has no label, one without a table."""
    folder = tmp_path / "tasks"
    one = csv_text(
        ("x", "Title", "Keywords", "Answer.a"),
        ("p", "One", "Text,  common  sense;text", "1"),
        ("p", "One", "", "2"),
        ("qq", "One", "", "1"),
    )
    make_task(folder, "One", template=RADIO, table=one)
    two = csv_text(
        ("x", "Keywords", "Answer.b", "Answer.c"), ("p", "text", "1", "w"), ("q", "", "", ""), ("r", "", "", "v")
    )
    make_task(folder, "Two", template=BOX, table=two, facts={"split": "test"})
    make_task(folder, "Three", template="${y}<input name=d>", table=None)
    return folder


def look(folder: Path) -> SetStats:
    return set_stats(Catalog(folder), {CHARACTERS: len}, not_looking)


def test_tasks_instances_rows_and_labels_are_counted_by_split_and_in_all(tasks: Path) -> None:
    stats = look(tasks)
    numbers = {
        each.name: (each.tasks, each.with_table, each.instances, each.unlabelled, each.rows) for each in stats.groups
    }
    assert numbers == {"all": (3, 2, 5, 1, 6), "test": (1, 1, 3, 1, 3), "train": (2, 1, 2, 0, 3)}
    assert stats.whole.workers == {1: 4, 2: 1}


def test_fields_are_counted_once_a_task_and_as_often_as_it_has_instances(tasks: Path) -> None:
    whole = look(tasks).whole
    assert whole.fields == {"checkbox": 1, "radio": 1, "text": 1, "textarea": 1}
    assert whole.answers == {"checkbox": 1, "radio": 1, "textarea": 1}
    assert whole.answers_by_instance == {"checkbox": 3, "textarea": 3, "radio": 2}
    assert whole.answered_tasks == 2


def test_a_task_set_without_labels_has_fields_and_no_answers(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template=RADIO, table=None)
    whole = look(tmp_path).whole
    assert (whole.fields, whole.answers, whole.instances) == ({"radio": 1}, {}, 0)


def test_keywords_are_those_of_the_first_row_in_small_letters_each_once_a_task(tasks: Path) -> None:
    whole = look(tasks).whole
    assert list(whole.keywords.items()) == [("text", 2), ("common sense", 1)]
    assert whole.with_keywords == 2


def test_pages_are_measured_with_their_values_and_templates_without(tasks: Path) -> None:
    (one,) = (each.files for each in look(tasks).tasks if each.files.task == "One")
    bare = len(RADIO) - len("${x}")
    assert one.lengths == {CHARACTERS: Length(len(RADIO), bare + 1.5)}


def test_the_mean_length_over_instances_weighs_a_task_by_their_number(tasks: Path) -> None:
    stats = look(tasks)
    length = {each.files.task: each.files.lengths[CHARACTERS] for each in stats.tasks}
    one, two = length["One"], length["Two"]
    assert one is not None
    assert two is not None
    known = stats.whole.lengths[CHARACTERS]
    assert known is not None
    assert known.instances == pytest.approx((2 * one.page + 3 * two.page) / 5)


def test_the_first_and_the_last_of_many_pages_are_among_those_that_are_measured(tmp_path: Path) -> None:
    rows = [("x" * place, "1") for place in range(1, 100)]
    make_task(tmp_path, "T", template=RADIO, table=csv_text(("x", "Answer.a"), *rows))
    seen: list[int] = []

    def measure(text: str) -> int:
        seen.append(text.count("x"))
        return 0

    set_stats(Catalog(tmp_path), {CHARACTERS: measure}, not_looking)
    _, *pages = seen
    assert (len(pages), min(pages), max(pages)) == (SAMPLE, 1, 99)


def test_what_is_left_out_and_what_nobody_looked_at_is_counted(tasks: Path) -> None:
    make_task(tasks, "Broken", template=None)
    stats = look(tasks)
    assert list(stats.unreadable) == ["Broken"]
    assert {reason: stats.left_out[reason] for reason in (NO_TABLE, NO_LABEL, NOT_SHOWN)} == {
        NO_TABLE: 1,
        NO_LABEL: 1,
        NOT_SHOWN: 3,
    }
    assert stats.whole.modalities is None


def test_every_vocabulary_is_named_and_one_that_is_not_there_measures_nothing() -> None:
    units = rulers()
    assert list(units) == [CHARACTERS, *sorted(each.name for each in VOCABULARIES)]
    assert all(units[each.name] is None for each in VOCABULARIES)


def test_the_command_prints_unknown_for_a_vocabulary_that_is_not_there_and_how_to_get_it(
    tasks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--tasks-dir", str(tasks), "--no-browser"]) == COMPLETE
    said = capsys.readouterr().out
    assert [line.split()[-3:] for line in said.splitlines() if line.startswith("o200k_base tokens: template")] == [
        ["unknown", "unknown", "unknown"]
    ]
    assert f"Run: {FETCH}" in said
    assert "3 × pages that no browser showed" in said


def test_as_json_what_is_unknown_is_null(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--tasks-dir", str(tasks), "--no-browser", "--json"]) == COMPLETE
    record = json.loads(capsys.readouterr().out)
    assert record["groups"][0]["lengths"]["o200k_base"] is None
    assert record["groups"][0]["modalities"] is None
    assert record["groups"][0]["workers"] == {"1": 4, "2": 1}
    assert [each["files"]["task"] for each in record["tasks"]] == ["One", "Three", "Two"]


def test_the_page_has_the_numbers_and_plots_and_no_markup_of_strangers(tasks: Path, tmp_path: Path) -> None:
    name = "<script>alert(1)</script>"
    make_task(
        tasks, name.replace("/", "∕"), template=RADIO, table=csv_text(("x", "Keywords", "Answer.a"), ("p", name, "1"))
    )
    file = tmp_path / "out" / "stats.html"
    assert main(["stats", "--tasks-dir", str(tasks), "--no-browser", "--html", str(file)]) == COMPLETE
    soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    assert not soup.find_all("script")
    assert len(soup.find_all("svg", class_="plot")) >= 4
    cells = [cell.get_text() for cell in soup.select("#tasks tbody th")]
    assert cells == sorted(["One", "Two", "Three", name.replace("/", "∕")])
    assert name in soup.select_one("#topics").get_text()  # type: ignore[union-attr]


def test_a_set_without_any_table_has_a_page_too(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "T", template="words", table=None)
    file = tmp_path / "stats.html"
    assert main(["stats", "--tasks-dir", str(tmp_path / "tasks"), "--no-browser", "--html", str(file)]) == COMPLETE
    assert "nothing is labelled" in file.read_text(encoding="utf-8")


@pytest.mark.slow
@needs(real_data("tasks"))
def test_the_counts_of_the_real_tasks_are_those_that_the_docs_report() -> None:
    whole = set_stats(Catalog(DATA / "tasks"), {}, not_looking).whole
    assert (whole.tasks, whole.with_table, whole.instances, whole.rows) == (131, 125, 28_892, 68_115)
