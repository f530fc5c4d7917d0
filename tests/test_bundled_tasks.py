"""The bundled tasks: their files, what they cover together, what their pages need, their generator."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness.catalog import Catalog, Instance, Task
from harness.catalog.labels import is_blank, winners
from tasks._generator.__main__ import main
from tasks._generator.crowd import Crowd
from tasks._generator.model import batches, joined, script_json, to_csv

TASKS = Path(__file__).resolve().parents[1] / "tasks"
CATALOG = Catalog(TASKS)
NAMES = CATALOG.names()

each_task = pytest.mark.parametrize("name", NAMES)


def task(name: str) -> Task:
    return CATALOG.task(name)


def instances() -> Iterator[tuple[Task, Instance]]:
    return ((task(name), instance) for name in NAMES for instance in task(name).instances)


def labelled(instance: Instance, column: str) -> list[str]:
    return [cell for cell in instance.labels[column] if not is_blank(cell)]


class Page(HTMLParser):
    """What a template holds: kinds of control, names of fields, words that a reader sees."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.kinds: Counter[str] = Counter()
        self.boxes: Counter[str] = Counter()
        self.names: set[str] = set()
        self.words = 0
        self._silent = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in {"script", "style"}:
            self._silent = True
        if tag in {"input", "select", "textarea"}:
            kind = attributes.get("type", "text") if tag == "input" else tag
            name = attributes.get("name", "")
            self.kinds[kind] += 1
            self.names.add(name)
            if kind == "checkbox":
                self.boxes[name] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self._silent = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words += len(data.split())


@cache
def page(name: str) -> Page:
    return Page(task(name).template)


def pages() -> list[Page]:
    return [page(name) for name in NAMES]


# --- files -----------------------------------------------------------------------------------------------


def test_the_catalog_finds_nothing_wrong():
    assert [str(problem) for problem in CATALOG.check()] == []


def test_there_are_at_least_sixteen_tasks():
    assert len(NAMES) >= 16


def test_the_generator_makes_the_batch_of_every_task():
    assert sorted(batch.name for batch in batches()) == sorted(NAMES)


def test_every_batch_on_disk_is_what_the_generator_makes():
    stale = [batch.name for batch in batches() if batch.path(TASKS).read_bytes() != batch.text.encode()]
    assert stale == []


@each_task
def test_a_task_has_at_least_twenty_instances_with_one_to_seven_workers(name: str):
    workers = [len(instance.rows) for instance in task(name).instances]
    assert len(workers) >= 20
    assert set(workers) <= set(range(1, 8))


# An answer that script composes from other fields fits those of one worker only: these tasks have one label each.
COMPOSED = {"Bounding box", "Word alignment"}


@each_task
def test_the_number_of_workers_varies_unless_script_composes_an_answer(name: str):
    workers = {len(instance.rows) for instance in task(name).instances}
    assert workers == {1} if name in COMPOSED else len(workers) > 1


@each_task
def test_every_column_that_is_no_answer_is_a_variable_of_the_template(name: str):
    with (TASKS / name / "batch.csv").open(encoding="utf-8", newline="") as file:
        columns = next(csv.reader(file))
    inputs = [column for column in columns if not column.startswith("Answer.")]
    assert sorted(inputs) == sorted(task(name).variables)


@each_task
def test_every_answer_column_holds_labels(name: str):
    empty = [
        column
        for column in task(name).columns
        if not any(labelled(instance, column) for instance in task(name).instances)
    ]
    assert empty == []


@each_task
def test_a_task_says_that_its_labels_are_constructed_and_has_a_licence(name: str):
    assert "constructed" in task(name).facts.description
    assert task(name).facts.licence


@each_task
def test_no_page_refers_to_anything_outside(name: str):
    outside = re.compile(
        r"""(?:\b(?:src|srcset|href|action|poster|data)\s*=\s*["']?|url\(\s*["']?|@import\s+["']?)\s*"""
        r"""(?:[a-z]+:)?//|\bfetch\(|XMLHttpRequest|WebSocket""",
        re.IGNORECASE,
    )
    texts = [
        task(name).template,
        *(value for instance in task(name).instances for value in instance.inputs.values()),
    ]
    assert [text[:80] for text in texts if outside.search(text)] == []


def test_every_task_is_listed_once_and_in_the_split_that_its_facts_name():
    listed = {
        line: path.stem
        for path in (TASKS / "splits").glob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert listed == {name: task(name).facts.split for name in NAMES}
    assert set(listed.values()) == {"train", "test", "challenge"}


@pytest.mark.parametrize("path", sorted((TASKS / "splits").glob("*.txt")), ids=lambda path: path.name)
def test_a_split_file_ends_its_last_line_and_repeats_no_name(path: Path):
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    assert len(text.splitlines()) == len(set(text.splitlines()))


# --- what they cover together ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text", "number", "textarea", "radio", "checkbox", "select", "range", "hidden"])
def test_every_kind_of_field_occurs(kind: str):
    assert any(page.kinds[kind] for page in pages())


def test_checkbox_groups_and_lone_boxes_occur():
    counts = {count for page in pages() for count in page.boxes.values()}
    assert 1 in counts
    assert max(counts) > 1


def test_pages_with_and_without_a_form_of_their_own_and_whole_and_part_documents_occur():
    shapes = {("<form" in task(name).template, "<html" in task(name).template) for name in NAMES}
    assert shapes == {(True, True), (True, False), (False, True), (False, False)}


def test_some_fields_are_built_by_script_in_a_number_that_varies():
    entities = task("Named entities")
    assert not any(name.startswith("entity-") for name in page("Named entities").names)
    used = {
        sum(bool(labelled(instance, column)) for column in entities.columns if column.startswith("entity-"))
        for instance in entities.instances
    }
    assert len(used) > 2


def test_some_inputs_hold_html_and_some_hold_json():
    values = [value for _, instance in instances() for value in instance.inputs.values()]
    assert any("<table>" in value for value in values)
    assert any("<svg " in value for value in values)
    assert any(value.startswith("{") and json.loads(value) for value in values)


def test_some_name_of_a_field_holds_a_quote():
    assert any(quote in column for name in NAMES for column in task(name).columns for quote in "'\"")


def test_some_text_is_not_english():
    values = "".join(value for _, instance in instances() for value in instance.inputs.values())
    assert re.search(r"[\u0370-\u03ff\u0400-\u04ff\u0590-\u06ff\u0900-\u0dff\u3040-\u30ff\u4e00-\u9fff]", values)


def test_one_guide_has_at_least_ten_thousand_words():
    assert max(page.words for page in pages()) >= 10_000


def test_choices_tie_in_several_tasks():
    choices = {
        ("Sentiment of reviews", "sentiment"),
        ("Textual entailment", "label"),
        ("Paraphrase rating", "relation"),
    }
    tied = {
        (task.name, column)
        for task, instance in instances()
        for column in task.columns
        if len(winners(labelled(instance, column))) > 1
    }
    assert choices <= tied


@pytest.mark.parametrize(
    ("name", "field"), [("Paraphrase rating", "similarity"), ("Scoring essays by a long guide", "overall")]
)
def test_ratings_on_a_range_disagree(name: str, field: str):
    disagreeing = [i for i in task(name).instances if len(set(labelled(i, field))) > 1]
    assert len(disagreeing) >= 10


def test_some_numbers_were_made_fractions_by_a_spreadsheet_and_some_cells_left_blank():
    tone = [cell for instance in task("Dialogue quality").instances for cell in instance.labels["tone"]]
    assert "4.0" in tone
    assert "" in tone


# --- what the pages need of the labels -------------------------------------------------------------------


def test_what_went_wrong_is_labelled_just_where_the_majority_reveals_it():
    for instance in task("Dialogue quality").instances:
        reveals = {int(rating) <= 2 for rating in winners(instance.labels["overall"])}
        assert reveals == {any(labelled(instance, "what_went_wrong"))}


def test_the_majority_ranking_gives_every_answer_one_place():
    for instance in task("Ranking answers").instances:
        places = [winners(instance.labels[f"rank_{place}"]) for place in (1, 2, 3, 4)]
        assert sorted(places) == [("A",), ("B",), ("C",), ("D",)]


def test_the_phrases_of_a_sentence_follow_each_other_in_it():
    for instance in task("Named entities").instances:
        passage = json.loads(instance.inputs["passage"])
        rest = passage["text"]
        for phrase in passage["phrases"]:
            before, found, rest = rest.partition(phrase)
            assert found, (phrase, before)


@pytest.mark.parametrize(
    ("name", "field"), [("How long does it take", "amount"), ("Questions about a picture", "count")]
)
def test_what_goes_into_a_number_input_is_a_number(name: str, field: str):
    cells = [cell for instance in task(name).instances for cell in instance.labels[field]]
    assert all(re.fullmatch(r"\d+(\.\d+)?", cell) for cell in cells)


@each_task
def test_text_for_a_line_holds_no_line_break(name: str):
    lines = re.findall(r'<input[^>]*type="text"[^>]*name="([^"]+)"', task(name).template)
    cells = [cell for i in task(name).instances for line in lines for cell in i.labels.get(line, ())]
    assert not any("\n" in cell for cell in cells)


# --- the generator ---------------------------------------------------------------------------------------


@pytest.fixture
def crowd() -> Crowd:
    return Crowd(random.Random(7))  # noqa: S311 - the same imagined workers each time


def test_checking_passes_on_the_files_as_they_are():
    assert main(["--check"]) == 0


def test_checking_names_a_file_that_differs(monkeypatch, tmp_path: Path, capsys):
    (tmp_path / "Textual entailment").mkdir()
    (tmp_path / "Textual entailment" / "batch.csv").write_text("premise\n", encoding="utf-8")
    monkeypatch.setattr("tasks._generator.__main__.TASKS", tmp_path)
    assert main(["--check", "--only", "Textual entailment"]) == 1
    assert "Textual entailment/batch.csv" in capsys.readouterr().err


def test_writing_one_task_leaves_the_others_alone(monkeypatch, tmp_path: Path):
    monkeypatch.setattr("tasks._generator.__main__.TASKS", tmp_path)
    assert main(["--only", "Ranking answers"]) == 0
    assert [path.parent.name for path in tmp_path.glob("*/batch.csv")] == ["Ranking answers"]


def test_an_unknown_task_is_wrong_use(capsys):
    assert main(["--only", "No such task"]) == 2
    assert "No such task" in capsys.readouterr().err


def test_workers_number_one_to_seven(crowd: Crowd):
    assert {crowd.workers() for _ in range(500)} == set(range(1, 8))


def test_a_hard_choice_is_wrong_more_often_than_an_easy_one(crowd: Crowd):
    wrong = {
        difficulty: sum(crowd.choose("a", "abc", difficulty) != "a" for _ in range(1000)) / 1000
        for difficulty in (0.05, 0.5)
    }
    assert wrong[0.05] == pytest.approx(0.05, abs=0.03)
    assert wrong[0.5] == pytest.approx(0.5, abs=0.06)


def test_a_wrong_step_on_a_scale_is_a_neighbour(crowd: Crowd):
    assert {crowd.choose_near("4", "12345", 0.9) for _ in range(200)} == {"3", "4", "5"}
    assert {crowd.choose_near("1", "12345", 0.9) for _ in range(200)} == {"1", "2"}


def test_settled_votes_have_one_winner(crowd: Crowd):
    for workers in range(1, 8):
        assert winners(crowd.settle("b", "abc", workers, 0.6)) == ("b",)


def test_tied_votes_have_two_winners(crowd: Crowd):
    assert set(winners(crowd.tie("a", "b", 6))) == {"a", "b"}
    with pytest.raises(ValueError, match="halves"):
        crowd.tie("a", "b", 3)


def test_ticking_without_difficulty_is_right(crowd: Crowd):
    assert crowd.tick({"b"}, "abc", 0) == {"b"}


def test_ratings_stay_on_the_scale_and_near_the_truth(crowd: Crowd):
    ratings = {crowd.rate(95, 0, 100, 20) for _ in range(500)}
    assert min(ratings) >= 75
    assert max(ratings) == 100


def test_a_slip_changes_the_spelling_and_never_a_figure(crowd: Crowd):
    texts = {crowd.write(["Platform 12, at 10 o'clock."], 1) for _ in range(300)}
    assert len(texts) > 10
    assert {re.sub(r"\D", "", text) for text in texts} == {"1210"}


def test_ticked_boxes_are_joined_in_the_order_of_the_page():
    assert joined({"c", "a"}, "abc") == "a|c"
    assert joined(set(), "abc") == ""


def test_json_for_a_script_cannot_end_it():
    text = script_json({"text": "</script><!-- “ü”"})
    assert "<" not in text
    assert json.loads(text) == {"text": "</script><!-- “ü”"}


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([], "needs rows"),
        ([{"Answer.a": "1", "in": "x"}], "inputs come before answers"),
        ([{"in": "x", "Answer.a": "1"}, {"in": "x", "Answer.b": "1"}], "row 2 has the columns"),
        ([{"in": value, "Answer.a": "1"} for value in "xyx"], "row 3 repeats"),
    ],
)
def test_rows_that_make_no_batch_are_refused(rows: list[dict[str, str]], fault: str):
    with pytest.raises(ValueError, match=fault):
        to_csv(rows)
