"""The bundled tasks: their files, what they cover together, what their pages need, their generator."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from harness.catalog import Catalog, Instance, Task
from harness.catalog.labels import is_blank, winners
from harness.catalog.task import media_files
from harness.catalog.template import render
from harness.datasets.controls import declared_fields
from tasks._generator import __main__ as generator
from tasks._generator import checks
from tasks._generator.__main__ import check, main, write
from tasks._generator.agreement import PUBLISHED, agreements, out_of_range
from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Close, Made
from tasks._generator.model import Batch, batches, joined, script_json, to_csv
from tasks._generator.raster.film import Look, taken
from tasks._generator.raster.jpeg import jpeg
from tasks._generator.raster.vector import drawn

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


def test_there_are_at_least_thirty_two_tasks():
    assert len(NAMES) >= 32


@cache
def made() -> list[Batch]:
    """All batches; their pictures are not drawn."""
    return batches()


def test_the_generator_makes_the_batch_of_every_task():
    assert sorted(batch.name for batch in made()) == sorted(NAMES)


def test_every_batch_on_disk_is_what_the_generator_makes():
    stale = [batch.name for batch in made() if (TASKS / batch.name / "batch.csv").read_bytes() != batch.text.encode()]
    assert stale == []


@pytest.mark.slow
def test_every_picture_and_sound_on_disk_is_what_the_generator_makes_and_no_label_is_wrong():
    assert main(["--check"]) == 0


@each_task
def test_a_task_has_at_least_twenty_instances_with_three_to_seven_workers_in_a_number_that_varies(name: str):
    workers = [len(instance.rows) for instance in task(name).instances]
    assert len(workers) >= 20
    assert set(workers) <= set(range(3, 8))
    assert len(set(workers)) > 1


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


CROWD_ELEMENTS = "https://assets.crowd.aws/crowd-html-elements.js"
"""The one address outside that a page has: the mirror always answers it with a stand-in of its own."""


@each_task
def test_no_page_refers_to_anything_outside(name: str):
    outside = re.compile(
        r"""(?:\b(?:src|srcset|href|action|poster|data)\s*=\s*["']?|url\(\s*["']?|@import\s+["']?)\s*"""
        r"""(?:[a-z]+:)?//|\bfetch\(|XMLHttpRequest|WebSocket""",
        re.IGNORECASE,
    )
    texts = [
        task(name).template.replace(CROWD_ELEMENTS, ""),
        *(value for instance in task(name).instances for value in instance.inputs.values()),
    ]
    assert [text[:80] for text in texts if outside.search(text)] == []


@each_task
def test_every_picture_and_sound_of_a_task_is_shown_and_every_one_that_is_shown_is_there(name: str):
    shown = {
        found
        for instance in task(name).instances
        for found in re.findall(r"""(?<=["'(])media/[\w.-]+""", render(task(name).template, instance.inputs))
    }
    there = {f"media/{file.name}" for file in media_files(TASKS / name)}
    assert shown == there


def test_pictures_and_sounds_take_little_room():
    assert sum(file.stat().st_size for name in NAMES for file in media_files(TASKS / name)) < 7 * 2**20


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


def test_tasks_are_as_long_as_published_ones_and_have_most_often_boxes():
    assert sum(len(task(name).columns) for name in NAMES) / len(NAMES) > 12
    kinds = Counter(
        field.kind
        for name in NAMES
        for field in declared_fields(task(name).template)
        if field.name in task(name).columns
    )
    assert kinds.most_common(1)[0][0] == "checkbox"


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


# --- eyes and ears ---------------------------------------------------------------------------------------

EYES_AND_EARS = (
    "A short film",
    "Attendance sheet",
    "Bounding box",
    "Captions of pictures",
    "Questions about a picture",
    "Reading a chart",
    "Receipt transcription",
    "Spoken messages",
    "What is in the photograph",
)


@pytest.mark.parametrize("name", EYES_AND_EARS)
def test_no_text_that_is_to_be_read_or_heard_stands_in_the_source(name: str):
    asked = {"Receipt transcription": ("shop", "item-1-name"), "Spoken messages": ("transcript",)}
    for number, instance in enumerate(task(name).instances, 1):
        source = render(task(name).template, instance.inputs).casefold()
        files = [file.read_bytes().lower() for file in media_files(TASKS / name) if file.stem.endswith(f"{number:02d}")]
        for column in asked.get(name, ()):
            for label in labelled(instance, column):
                assert label.casefold() not in source
                assert not any(len(label) > 4 and label.lower().encode() in file for file in files)


def guessed(name: str, instance: Instance) -> dict[str, str]:
    """What somebody answers who has but the source: the option named most often, else the first number there.

    Of options that are letters, the one whose text shares most words with the other inputs. Of lone boxes, those whose
    names have a word that is said.
    """
    said = " ".join(instance.inputs.values()).casefold()
    shared = Counter(re.findall(r"\w+", said))
    numbers = re.findall(r"\d+", said)
    answers = {}
    for field in declared_fields(task(name).template):
        options = [option.value for option in field.options if option.value]
        if options and field.kind in {"radio", "select"}:
            texts = [
                next((text for name, text in instance.inputs.items() if name.endswith(f"_{option.lower()}")), "")
                for option in options
            ]
            if all(texts):
                weights = [sum(shared[word] for word in re.findall(r"\w+", text.casefold())) for text in texts]
                answers[field.name] = options[weights.index(max(weights))]
                continue
            answers[field.name] = max(options, key=lambda option: said.count(option.casefold()))
        elif field.kind == "checkbox" and len(options) == 1:
            said_of_it = any(shared[word] for word in re.findall(r"[a-z]{3,}", field.name))
            answers[field.name] = options[0] if said_of_it else ""
        elif field.kind == "text":
            answers[field.name] = str(int(numbers[0])) if numbers else ""
    return answers


@pytest.mark.parametrize("name", EYES_AND_EARS)
def test_who_greps_the_source_is_no_better_than_who_always_says_the_same(name: str):
    right = {"source": 0, "same": 0}
    usual = {
        column: Counter(label for each in task(name).instances for label in each.labels[column]).most_common(1)[0][0]
        for column in task(name).columns
    }
    asked = 0
    for instance in task(name).instances:
        for column, answer in guessed(name, instance).items():
            if column in task(name).columns and (true := winners(instance.labels[column])):
                asked += 1
                right["source"] += answer in true
                right["same"] += usual[column] in true
    assert asked >= 20
    assert right["source"] <= right["same"] + 0.1 * asked


# --- labels ----------------------------------------------------------------------------------------------


@each_task
def test_the_majority_is_the_generators_own_answer_and_nobody_copies(name: str):
    assert [fault for batch in made() if batch.name == name for fault in checks.faults(batch)] == []


def test_workers_agree_as_far_as_those_of_published_data_do():
    found = agreements(made(), TASKS)
    assert {*PUBLISHED} <= {*found}
    for kind, (low, high) in PUBLISHED.items():
        alpha = found[kind].alpha
        assert alpha is not None
        assert low <= alpha <= high, kind


def test_few_fields_are_declared_hard():
    fields = [name in each.hard for batch in made() for each in batch.made for name in each.truth]
    assert sum(fields) < 0.02 * len(fields)


# --- the generator ---------------------------------------------------------------------------------------


@pytest.fixture
def crowd() -> Crowd:
    return Crowd(random.Random(7))  # noqa: S311 - the same imagined workers each time


def worker(crowd: Crowd, care: float) -> Worker:
    return replace(crowd._worker(), care=care, leaning=0.0)


def test_checking_passes_on_a_task_as_it_is():
    assert main(["--check", "--only", "Textual entailment"]) == 0


def test_checking_names_a_file_that_differs(monkeypatch, tmp_path: Path, capsys):
    (tmp_path / "Textual entailment").mkdir()
    (tmp_path / "Textual entailment" / "batch.csv").write_text("premise\n", encoding="utf-8")
    monkeypatch.setattr(generator, "TASKS", tmp_path)
    assert main(["--check", "--only", "Textual entailment"]) == 1
    assert "Textual entailment/batch.csv" in capsys.readouterr().err


def test_checking_names_a_photograph_that_is_another_and_writing_keeps_the_photographs(
    monkeypatch, tmp_path: Path, capsys
):
    name = "What is in the photograph"
    shutil.copytree(TASKS / name, tmp_path / name)
    monkeypatch.setattr("tasks._generator.__main__.TASKS", tmp_path)
    (tmp_path / name / "media" / "03.jpg").write_bytes(b"another")
    assert main(["--check", "--only", name]) == 1
    assert capsys.readouterr().err.startswith(f"{name}/media/03.jpg is not the file that belongs there")
    assert main(["--only", name]) == 0
    assert len(media_files(tmp_path / name)) == 20


def test_checking_names_a_wrong_label_though_every_file_is_as_it_is_made(tmp_path: Path, capsys):
    answers = [{"label": each} for each in "aab"]
    batch = Batch("A task", [Made({"in": "x"}, answers, {"label": "b"})], frozenset(), frozenset(), dict)
    write([batch], tmp_path)
    assert check([batch], tmp_path) == 1
    assert capsys.readouterr().err == "A task, instance 0: the majority of ['a', 'a', 'b'] in label is not 'b'\n"


def test_agreement_that_is_none_of_published_data_is_named(monkeypatch):
    monkeypatch.setattr("tasks._generator.agreement.PUBLISHED", {"radio": (0.0, 0.1), "select": (0.0, 1.0)})
    (fault,) = out_of_range(made(), TASKS)
    assert re.fullmatch(r"alpha of radio is 0\.\d\d; in published data it is 0\.0 to 0\.1", fault)


def test_writing_one_task_leaves_the_others_alone(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(generator, "TASKS", tmp_path)
    assert main(["--only", "Ranking answers"]) == 0
    assert [path.parent.name for path in tmp_path.glob("*/batch.csv")] == ["Ranking answers"]


def test_writing_removes_a_picture_that_is_not_made_any_more(monkeypatch, tmp_path: Path):
    stray = tmp_path / "Ranking answers" / "media" / "old.jpg"
    stray.parent.mkdir(parents=True)
    stray.touch()
    monkeypatch.setattr(generator, "TASKS", tmp_path)
    assert main(["--only", "Ranking answers"]) == 0
    assert not stray.exists()


def test_an_unknown_task_is_wrong_use(capsys):
    assert main(["--only", "No such task"]) == 2
    assert "No such task" in capsys.readouterr().err


def test_a_wrong_majority_a_copied_text_and_too_few_workers_are_named():
    answers = [{"label": "a", "why": "Because."}, {"label": "b", "why": "because"}]
    batch = Batch("A task", [Made({"in": "x"}, answers, {"label": "a"})], frozenset({"why"}), frozenset(), dict)
    assert checks.faults(batch) == [
        "A task, instance 0: 2 workers",
        "A task, instance 0: the majority of ['a', 'b'] in label is not 'a'",
        "A task: 2 workers write 'because' in why",
    ]


def test_what_a_hard_item_declares_is_no_fault():
    answers = [{"label": each} for each in "abab"]
    batch = Batch("A task", [Made({}, answers, {"label": "a"}, frozenset({"label"}))], frozenset(), frozenset(), dict)
    assert checks.faults(batch) == []


def test_a_rating_is_right_if_its_mean_is_near():
    rated = [{"rating": "40"}, {"rating": "80"}, {"rating": "60"}]
    near, far = (Made({}, rated, {"rating": Close(value, 10)}) for value in (65, 80))
    batches_of = [Batch("A task", [each], frozenset(), frozenset(), dict) for each in (near, far)]
    assert [len(checks.faults(batch)) for batch in batches_of] == [0, 1]


def test_three_to_seven_workers_answer_and_most_of_them_rightly(crowd: Crowd):
    for number in range(60):
        each = crowd.made({"in": str(number)}, lambda worker: {"a": worker.choose("b", "abc", 0.6)}, {"a": "b"})
        votes = [answer["a"] for answer in each.answers]
        assert 3 <= len(votes) <= 7
        assert winners(votes) == ("b",)


def test_workers_of_a_hard_item_are_split_into_halves(crowd: Crowd):
    each = crowd.made({}, lambda worker: {"a": "xy"[worker.side]}, {"a": "x"}, hard=["a"])
    assert set(winners([answer["a"] for answer in each.answers])) == {"x", "y"}


def test_a_truth_without_a_majority_is_an_error(crowd: Crowd):
    with pytest.raises(ValueError, match="no majority for"):
        crowd.made({}, lambda _: {"a": "x"}, {"a": "y"})


def test_a_careful_worker_errs_less_than_a_hasty_one(crowd: Crowd):
    wrong = {care: sum(worker(crowd, care).choose("a", "abc", 0.3) != "a" for _ in range(800)) for care in (0.2, 0.9)}
    assert wrong[0.9] < wrong[0.2] / 2


def test_who_errs_falls_for_the_lure(crowd: Crowd):
    careful = worker(crowd, 0.9)
    assert {careful.choose("a", "abcd", 0.9, "c") for _ in range(200)} == {"a", "c"}


def test_a_wrong_step_on_a_scale_is_a_neighbour(crowd: Crowd):
    each = worker(crowd, 0.5)
    assert {each.choose_near("4", "12345", 0.9) for _ in range(200)} == {"3", "4", "5"}
    assert {each.choose_near("1", "12345", 0.9) for _ in range(200)} == {"1", "2"}


def test_boxes_are_forgotten_more_often_than_wrongly_ticked(crowd: Crowd):
    each = worker(crowd, 0.5)
    ticked = Counter(box for _ in range(500) for box in each.tick({"a"}, "ab", 0.3))
    assert 500 - ticked["a"] > 1.5 * ticked["b"]
    assert each.tick({"b"}, "abc", 0) == {"b"}


def test_ratings_stay_on_the_scale(crowd: Crowd):
    each = worker(crowd, 0.5)
    ratings = {each.rate(95, 0, 100, 20) for _ in range(500)}
    assert min(ratings) >= 75
    assert max(ratings) == 100


def test_no_two_workers_write_the_same(crowd: Crowd):
    cores = ["It is cold.", "The cold decides it.", "There was snow."]
    each = [crowd.made({"in": str(at)}, lambda worker: {"why": worker.say(cores)}, {}) for at in range(6)]
    texts = [re.sub(r"\W", "", answer["why"].casefold()) for made in each for answer in made.answers]
    assert len(texts) == len(set(texts))


def test_a_slip_changes_the_spelling_and_never_a_figure(crowd: Crowd):
    hasty = worker(crowd, 0.2)
    texts = {hasty.copy("Platform 12, at 10 o'clock.", 1) for _ in range(300)}
    assert len(texts) > 10
    assert {re.sub(r"\D", "", text) for text in texts} == {"1210"}


def test_a_picture_is_a_jpeg_that_others_read_as_it_was_drawn():
    drawing = taken(drawn('<rect width="40" height="30" fill="#c03020"/>', 70, 45), Look(1, grain=0, clouds=0, dark=0))
    read = np.asarray(Image.open(BytesIO(jpeg(drawing, 95))).convert("RGB")).astype(int)
    assert read.shape == (45, 70, 3)
    assert abs(read[10, 10] - drawing[10, 10]).max() < 8
    assert abs(read[40, 60] - drawing[40, 60]).max() < 8


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
