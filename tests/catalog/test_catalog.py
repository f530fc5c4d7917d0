from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from harness.catalog import Catalog, CatalogError, MalformedTask, Problem
from tests.task_folders import csv_text, make_task


def problems_of(tasks_dir: Path, name: str) -> tuple[Problem, ...]:
    with pytest.raises(MalformedTask) as error:
        Catalog(tasks_dir).task(name)
    return error.value.problems


def write_split(tasks_dir: Path, stem: str, *names: str) -> None:
    folder = tasks_dir / "splits"
    folder.mkdir(exist_ok=True)
    (folder / f"{stem}.txt").write_text("\n".join(names), encoding="utf-8")


def write_overlay(folder: Path, tasks: dict[str, Any]) -> Path:
    file = folder / "overlay.json"
    file.write_text(json.dumps({"tasks": tasks}), encoding="utf-8")
    return file


# Names


def test_folders_are_tasks_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b", "A [1]", "-x", "日本", "a+'b' \"c\""):
        make_task(tmp_path, name)
    for other in (".git", "_generator", "splits"):
        (tmp_path / other).mkdir()
    (tmp_path / "README.md").write_text("x", encoding="utf-8")
    assert Catalog(tmp_path).names() == ["-x", "A [1]", "a+'b' \"c\"", "b", "日本"]


def test_names_and_splits_read_no_table(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template=b"\xff", table=b"\xff")
    catalog = Catalog(tmp_path)
    assert catalog.names() == ["T"]
    assert catalog.splits() == {"train": ["T"]}
    assert catalog.problems == []


@pytest.mark.parametrize("name", ["", ".", "..", "T/../T", "t", "splits", "_x", "README.md", "T\0"])
def test_a_name_that_is_no_task_is_a_key_error(tmp_path: Path, name: str) -> None:
    make_task(tmp_path, "T")
    make_task(tmp_path, "_x")
    (tmp_path / "README.md").write_text("x", encoding="utf-8")
    catalog = Catalog(tmp_path)
    for ask in (catalog.task, catalog.split_of, catalog.facts, catalog.fingerprint):
        with pytest.raises(KeyError):
            ask(name)


def test_a_folder_whose_name_is_not_text_is_reported(tmp_path: Path) -> None:
    try:
        os.mkdir(os.fsencode(tmp_path) + b"/\xff")  # noqa: PTH102 - a name that pathlib cannot spell
    except OSError:
        pytest.skip("the file system stores UTF-8 names only")
    catalog = Catalog(tmp_path)
    assert catalog.names() == []
    assert [problem.what for problem in catalog.check()] == ["the folder name '\\udcff' is not UTF-8"]


def test_a_task_set_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="is not a folder"):
        Catalog(tmp_path / "nothing")


# Instances


def test_rows_with_equal_inputs_are_one_instance_in_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [["two", "b"], ["one", "a"], ["two", "b"], ["two", ""], ["one", "{}"]]
    make_task(tmp_path, "T", table=csv_text(["text", "Answer.a"], *rows))
    first, second = Catalog(tmp_path).task("T").instances
    assert (first.task, first.index, first.inputs) == ("T", 0, {"text": "two"})
    assert (first.rows, first.labels) == ((2, 4, 5), {"a": ("b", "b", "")})
    assert (second.task, second.index, second.inputs) == ("T", 1, {"text": "one"})
    assert (second.rows, second.labels) == ((3, 6), {"a": ("a", "{}")})


def test_columns_that_the_template_does_not_use_do_not_split_instances(tmp_path: Path) -> None:
    rows = [["m1", "one", "a"], ["m2", "two", "b"], ["m2", "one", "c"], ["m1", "one", "d"]]
    make_task(tmp_path, "T", table=csv_text(["model", "text", "Answer.a"], *rows))
    task = Catalog(tmp_path).task("T")
    assert task.variables == ("text",)
    assert [instance.rows for instance in task.instances] == [(2, 4, 5), (3,)]


def test_aliases_are_the_original_row_numbers(tmp_path: Path) -> None:
    rows = [
        ["m1", "one", "a"],
        ["m2", "two", "b"],
        ["m2", "one", "c"],
        ["m1", "one", "d"],
        ["m2", "two", "e"],
    ]
    make_task(tmp_path, "T", table=csv_text(["model", "text", "Answer.a"], *rows))
    assert [instance.aliases for instance in Catalog(tmp_path).task("T").instances] == [(0, 2), (1,)]


def test_a_template_without_variables_has_one_instance(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="<input name=a>", table="text,Answer.a\none,1\ntwo,2\n")
    (instance,) = Catalog(tmp_path).task("T").instances
    assert (instance.inputs, instance.labels, instance.aliases) == ({}, {"a": ("1", "2")}, (0, 1))


def test_an_instance_keeps_its_id_when_rows_move(tmp_path: Path) -> None:
    make_task(tmp_path, "A", table="text,Answer.a\none,1\ntwo,2\n")
    make_task(tmp_path, "B", table="Answer.a,more,text\n9,x,zero\n2,x,two\n1,x,one\n")
    catalog = Catalog(tmp_path)
    one, two = (instance.id for instance in catalog.task("A").instances)
    assert [instance.id for instance in catalog.task("B").instances[1:]] == [two, one]


def test_an_instance_id_is_a_hash_of_the_inputs(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="${b}${a}", table='a,b\n"é ""x""",1\n')
    (instance,) = Catalog(tmp_path).task("T").instances
    assert instance.id == hashlib.sha256('{"a":"é \\"x\\"","b":"1"}'.encode()).hexdigest()[:12]


def test_only_the_first_answer_prefix_is_taken_from_a_column(tmp_path: Path) -> None:
    header = ["text", "Answer.a-b c", "Answer.Answer.x", "Answer.sclid1.1", "answer.y", "Answered"]
    make_task(tmp_path, "T", table=csv_text(header, ["one", "1", "2", "3", "4", "5"]))
    task = Catalog(tmp_path).task("T")
    assert task.columns == ("a-b c", "Answer.x", "sclid1.1")
    assert task.instances[0].labels == {"a-b c": ("1",), "Answer.x": ("2",), "sclid1.1": ("3",)}


def test_a_column_that_the_template_shows_is_an_input_and_no_label(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="${Answer.old}", table="Answer.old,Answer.new\na,b\n")
    task = Catalog(tmp_path).task("T")
    assert (task.variables, task.columns) == (("Answer.old",), ("new",))


def test_labels_and_inputs_keep_every_character(tmp_path: Path) -> None:
    text, label = "<b>\"x\"</b>\r\n'${text}'", " 3.0|{} \n"
    make_task(tmp_path, "T", table="\ufeff" + csv_text(["text", "Answer.a"], [text, label]))
    (instance,) = Catalog(tmp_path).task("T").instances
    assert (instance.inputs, instance.labels) == ({"text": text}, {"a": (label,)})


def test_a_byte_order_mark_is_no_part_of_the_template(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template=b"\xef\xbb\xbf<p>${text}")
    assert Catalog(tmp_path).task("T").template == "<p>${text}"


def test_title_and_description_fall_back_on_the_columns_of_that_name(tmp_path: Path) -> None:
    table = "Title,Description,text,Answer.a\nFrom table,What to do,one,1\n"
    make_task(tmp_path, "A", table=table)
    make_task(tmp_path, "B", table=table, facts={"title": "Own"})
    catalog = Catalog(tmp_path)
    assert (catalog.task("A").facts.title, catalog.task("A").facts.description) == (
        "From table",
        "What to do",
    )
    assert (catalog.task("B").facts.title, catalog.task("B").facts.description) == ("Own", "What to do")


# Tasks that cannot be evaluated or used


def test_a_task_without_table_can_be_looked_at_but_not_evaluated(tmp_path: Path) -> None:
    make_task(tmp_path, "T", table=None)
    catalog = Catalog(tmp_path)
    task = catalog.task("T")
    assert (task.evaluable, task.instances, task.columns, task.variables) == (False, (), (), ("text",))
    (page,) = task.pages
    assert (page.task, page.index, page.inputs, page.labels, page.rows) == ("T", 0, {"text": ""}, {}, ())
    (problem,) = catalog.check()
    assert str(problem) == (
        f"{tmp_path / 'T' / 'batch.csv'}: there is no batch.csv: you can look at the task, not evaluate it. "
        "Add one row for each worker's answer (docs/reference/task-folder.md), or leave the task out."
    )


def test_several_tasks_without_a_table_are_one_problem(tmp_path: Path) -> None:
    for name in "ABCD":
        make_task(tmp_path, name, table=None)
    catalog = Catalog(tmp_path)
    assert catalog.problems == []
    (problem,) = catalog.check()
    assert problem.what == "4 tasks have no batch.csv and can be looked at, not evaluated ('A', 'B', 'C' and more)"


def test_a_table_without_columns_of_labels_is_one_problem_that_names_its_other_columns(tmp_path: Path) -> None:
    make_task(tmp_path, "T", table="Title,text,a,b\nAll,one,1,2\nAll,two,3,4\n")
    catalog = Catalog(tmp_path)
    assert catalog.task("T").columns == ()
    (problem,) = catalog.problems
    assert problem.what == "no column holds labels: no name begins with 'Answer.'"
    assert problem.remedy == (
        "Write Answer. before the name of each column that does, e.g. Answer.b "
        "(columns that the page does not show: 'a', 'b')"
    )


def test_a_table_of_inputs_alone_is_told_what_to_add(tmp_path: Path) -> None:
    make_task(tmp_path, "T", table="text\none\n")
    (problem,) = Catalog(tmp_path).check()
    assert problem.remedy == "Add a column Answer.<field> for each field of the page"


@pytest.mark.parametrize(
    ("files", "file", "what"),
    [
        ({"template": None}, "template.html", "there is no template"),
        ({"template": ""}, "template.html", "the file is empty"),
        ({"template": " \n"}, "template.html", "the file is empty"),
        ({"table": ""}, "batch.csv", "the file is empty"),
        ({"table": "text,Answer.a\n"}, "batch.csv", "there is a header but no row"),
        ({"facts": ""}, "task.json", "not JSON: Expecting value at line 1, column 1"),
    ],
)
def test_an_empty_or_missing_file_is_reported(tmp_path: Path, files: dict[str, Any], file: str, what: str) -> None:
    folder = make_task(tmp_path, "T", **files)
    (problem,) = problems_of(tmp_path, "T")
    assert (problem.task, problem.file, problem.what) == ("T", folder / file, what)
    assert problem.remedy


def test_a_template_that_is_not_utf8_is_reported_with_its_line(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template=b"\xef\xbb\xbf<p>\n${text}\n\xe9")
    (problem,) = problems_of(tmp_path, "T")
    assert (problem.row, problem.what) == (3, "byte 0xE9 is not UTF-8")


def test_a_ragged_row_is_reported_with_file_and_row(tmp_path: Path) -> None:
    folder = make_task(tmp_path, "T", table="text,Answer.a\none,1\ntwo\n")
    (problem,) = problems_of(tmp_path, "T")
    assert str(problem) == (
        f"{folder / 'batch.csv'}, row 3: the row has 1 cell where the header has 2. "
        "Add or remove cells, and quote cells that hold commas or line ends."
    )


def test_a_variable_without_a_column_is_reported_with_its_line(tmp_path: Path) -> None:
    folder = make_task(tmp_path, "T", template="<p>\n${text} ${Text} ${other}")
    like, other = problems_of(tmp_path, "T")
    assert (like.column, other.column) == ("Text", "other")
    assert "there is 'text'" in like.what
    assert str(other) == (
        f"{folder / 'batch.csv'}, column other: the variable ${{other}} (line 2 of template.html) has no "
        "column. Add a column other, correct the variable, or write &#36;{other} if it is text."
    )


@pytest.mark.parametrize(
    "text", ['"${SENTENCES" + id + "}"', "<script>x = `${i}`</script>", "<!-- ${old} -->", "${a + b}"]
)
def test_text_that_only_looks_like_a_variable_needs_no_column(tmp_path: Path, text: str) -> None:
    make_task(tmp_path, "T", template=f"${{text}} {text}")
    assert Catalog(tmp_path).task("T").variables == ("text",)


def test_a_column_makes_a_variable_wherever_its_name_stands(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="<script>x = `${text}`</script>")
    assert Catalog(tmp_path).task("T").variables == ("text",)


def test_all_problems_of_a_task_are_reported_together(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="", table="", facts={"x": 1})
    assert [problem.file.name for problem in problems_of(tmp_path, "T")] == [
        "task.json",
        "template.html",
        "batch.csv",
    ]


def test_a_malformed_task_says_its_problems_one_a_line(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template="", table="")
    with pytest.raises(MalformedTask) as error:
        Catalog(tmp_path).task("T")
    assert [line.partition(": ")[2] for line in str(error.value).splitlines()] == [
        "the file is empty. Write the page of the task into it.",
        "the file is empty. Write a header and one row for each worker's answer.",
    ]


def test_a_malformed_task_does_not_stop_the_others(tmp_path: Path) -> None:
    make_task(tmp_path, "A", template="")
    make_task(tmp_path, "B")
    catalog = Catalog(tmp_path)
    assert [problem.task for problem in catalog.check()] == ["A"]
    assert len(catalog.task("B").instances) == 1


def test_a_rename_of_no_column_is_reported_and_the_task_used(tmp_path: Path) -> None:
    make_task(tmp_path, "T", facts={"renames": {"a": "field", "b": "other"}})
    catalog = Catalog(tmp_path)
    assert [(problem.column, problem.row) for problem in catalog.check()] == [("b", None)]
    assert catalog.task("T").facts.renames == {"a": "field", "b": "other"}


def test_a_problem_is_one_line_whatever_the_names_hold(tmp_path: Path) -> None:
    problem = Problem("T", tmp_path / "batch.csv", 7, "x\ny", "bad", "Fix it")
    assert str(problem) == f"{tmp_path / 'batch.csv'}, row 7, column x y: bad. Fix it."


# Facts, overlay, splits


def test_the_overlay_wins_over_task_json_and_reaches_the_task(tmp_path: Path) -> None:
    make_task(
        tmp_path / "tasks",
        "T",
        facts={"title": "own", "licence": "MIT", "kinds": {"a": "text", "b": "radio"}},
    )
    overlay = write_overlay(tmp_path, {"T": {"title": "over", "kinds": {"b": "select"}}})
    catalog = Catalog(tmp_path / "tasks", overlay)
    facts = catalog.task("T").facts
    assert (facts.title, facts.licence, facts.kinds) == ("over", "MIT", {"a": "text", "b": "select"})
    assert catalog.facts("T") == facts


def test_the_overlay_decides_the_split_then_the_lists_then_task_json_then_train(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    for name in ("A", "B", "C"):
        make_task(tasks, name, facts={"split": "own"})
    make_task(tasks, "D")
    write_split(tasks, "evaluation_tasks_easy", "A", "B")
    catalog = Catalog(tasks, write_overlay(tmp_path, {"A": {"split": "over"}}))
    assert catalog.splits() == {"over": ["A"], "own": ["C"], "test": ["B"], "train": ["D"]}
    assert [catalog.split_of(name) for name in catalog.names()] == ["over", "test", "own", "train"]
    assert [catalog.task(name).split for name in catalog.names()] == ["over", "test", "own", "train"]


def test_lists_beside_the_task_folder_are_used(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "A")
    write_split(tmp_path, "evaluation_tasks_hard", "A")
    assert Catalog(tmp_path / "tasks").split_of("A") == "challenge"


def test_a_listed_name_without_a_folder_and_an_overlay_entry_without_a_task_are_reported_once(
    tmp_path: Path,
) -> None:
    tasks = tmp_path / "tasks"
    make_task(tasks, "A")
    write_split(tasks, "test", "A", "gone")
    catalog = Catalog(tasks, write_overlay(tmp_path, {"missing": {}, "A": {}}))
    catalog.splits()
    catalog.split_of("A")
    assert [problem.task for problem in catalog.problems] == ["missing", "gone"]
    assert catalog.check() == catalog.problems


def test_a_split_whose_tasks_are_all_gone_is_known_and_empty(tmp_path: Path) -> None:
    make_task(tmp_path, "A")
    write_split(tmp_path, "test", "gone")
    catalog = Catalog(tmp_path)
    assert catalog.splits() == {"test": [], "train": ["A"]}
    assert catalog.select("test", []) == []


# Selecting


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    for name in ("Story 1", "Story [1]", "Story 2", "Goal feasibility", "*"):
        make_task(tmp_path, name)
    write_split(tmp_path, "test", "Story 1", "Story 2")
    return Catalog(tmp_path)


def test_without_a_pattern_all_tasks_of_the_split_are_selected(catalog: Catalog) -> None:
    assert catalog.select(None, []) == catalog.names()
    assert catalog.select("test", []) == ["Story 1", "Story 2"]


def test_an_exact_name_comes_before_a_glob(catalog: Catalog) -> None:
    assert catalog.select(None, ["Story [1]"]) == ["Story [1]"]
    assert catalog.select(None, ["Story [12]"]) == ["Story 1", "Story 2"]
    assert catalog.select(None, ["*"]) == ["*"]


def test_patterns_add_up_and_a_task_is_selected_once(catalog: Catalog) -> None:
    assert catalog.select(None, ["Story ?", "Goal*", "Story 2"]) == ["Goal feasibility", "Story 1", "Story 2"]


def test_patterns_select_within_the_split(catalog: Catalog) -> None:
    assert catalog.select("test", ["Story*"]) == ["Story 1", "Story 2"]


def test_a_pattern_without_a_task_is_refused_with_the_names_that_are_close(catalog: Catalog) -> None:
    with pytest.raises(CatalogError, match=r"no task matches .*\. Did you mean 'Goal feasibility'\?"):
        catalog.select(None, ["Story 1", "goal feasability"])


def test_a_pattern_like_nothing_is_refused_with_the_number_of_tasks(catalog: Catalog) -> None:
    with pytest.raises(CatalogError, match="There are 5 tasks"):
        catalog.select(None, ["zzz"])


def test_an_unknown_split_is_refused_with_those_that_are_known(catalog: Catalog) -> None:
    with pytest.raises(ValueError, match=r"unknown split 'dev'\. Known splits: test, train"):
        catalog.select("dev", [])


def test_a_task_of_another_split_is_refused_with_its_split(catalog: Catalog) -> None:
    with pytest.raises(CatalogError, match="'Goal feasibility' is in train"):
        catalog.select("test", ["Goal*"])


# Changes, fingerprints, duplicates


def touch(file: Path, text: str) -> None:
    """Write a file anew with a later time of modification, also where the file system's clock is coarse."""
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(before + 10**9, before + 10**9))


def test_a_task_is_read_once_while_its_files_stay(tmp_path: Path) -> None:
    make_task(tmp_path, "T")
    catalog = Catalog(tmp_path)
    assert catalog.task("T") is catalog.task("T")


@pytest.mark.parametrize(
    ("file", "text", "seen"),
    [
        ("batch.csv", "text,Answer.a\nnew,yes\n", lambda task: task.instances[0].inputs == {"text": "new"}),
        ("template.html", "<b>${text}</b>", lambda task: task.template == "<b>${text}</b>"),
        ("task.json", '{"title": "New"}', lambda task: task.facts.title == "New"),
    ],
)
def test_an_edit_is_seen_at_the_next_access(tmp_path: Path, file: str, text: str, seen: Any) -> None:
    folder = make_task(tmp_path, "T")
    catalog = Catalog(tmp_path)
    assert not seen(catalog.task("T"))
    touch(folder / file, text)
    assert seen(catalog.task("T"))


def test_a_task_that_is_mended_is_a_problem_no_more(tmp_path: Path) -> None:
    folder = make_task(tmp_path, "T", template="")
    catalog = Catalog(tmp_path)
    assert len(catalog.check()) == 1
    touch(folder / "template.html", "${text}")
    assert catalog.check() == []
    assert catalog.task("T").evaluable


def test_an_edit_of_the_lists_is_seen(tmp_path: Path) -> None:
    make_task(tmp_path, "T")
    catalog = Catalog(tmp_path)
    assert catalog.task("T").split == "train"
    write_split(tmp_path, "test", "T")
    assert catalog.task("T").split == "test"


def test_a_fingerprint_is_of_the_bytes_of_the_three_files(tmp_path: Path) -> None:
    for name in ("A", "B"):
        make_task(tmp_path, name, facts={"title": "x"})
    catalog = Catalog(tmp_path)
    before = catalog.fingerprint("A")
    assert len(before) == 64
    assert before == catalog.fingerprint("B") == Catalog(tmp_path).fingerprint("A")
    seen = {before}
    for file, text in (("template.html", "<b>${text}"), ("batch.csv", "text\n1\n"), ("task.json", "{}")):
        touch(tmp_path / "A" / file, text)
        seen.add(catalog.fingerprint("A"))
    (tmp_path / "A" / "task.json").unlink()
    seen.add(catalog.fingerprint("A"))
    assert len(seen) == 5


def test_a_fingerprint_is_also_of_what_the_overlay_says_of_its_task_and_scores_depend_on(
    tmp_path: Path,
) -> None:
    make_task(tmp_path / "tasks", "T")
    plain = Catalog(tmp_path / "tasks").fingerprint("T")
    overlay = write_overlay(tmp_path, {"other": {"split": "x"}})
    assert Catalog(tmp_path / "tasks", overlay).fingerprint("T") == plain
    overlay = write_overlay(tmp_path, {"T": {"title": "x", "unreachable": {"a": "too long"}}})
    assert Catalog(tmp_path / "tasks", overlay).fingerprint("T") == plain
    overlay = write_overlay(tmp_path, {"T": {"not_answers": {"a": "\ud800"}}})
    assert Catalog(tmp_path / "tasks", overlay).fingerprint("T") != plain


def test_a_malformed_task_has_a_fingerprint(tmp_path: Path) -> None:
    make_task(tmp_path, "T", template=None, table=None)
    assert len(Catalog(tmp_path).fingerprint("T")) == 64


def test_the_fingerprint_of_a_set_tells_names_splits_and_contents_and_not_the_order(tmp_path: Path) -> None:
    for name in ("A", "B"):
        make_task(tmp_path, name)
    catalog = Catalog(tmp_path)
    both = catalog.set_fingerprint(["A", "B"])
    assert both == catalog.set_fingerprint(["B", "A"])
    assert len({both, catalog.set_fingerprint(["A"]), catalog.set_fingerprint(["B"])}) == 3
    write_split(tmp_path, "test", "A")
    assert catalog.set_fingerprint(["A", "B"]) != both


def test_tasks_with_equal_bytes_are_duplicates(tmp_path: Path) -> None:
    for name in ("b", "a", "x"):
        make_task(tmp_path, name)
    make_task(tmp_path, "c", table="text,Answer.a\r\none,no!\r\n")
    make_task(tmp_path, "d", table="text,Answer.a\r\none,yes\r\n", template="<p>${text}</p><input name=b>")
    for name in ("e", "f"):
        make_task(tmp_path, name, table=None)
    for name in ("g", "h"):
        (tmp_path / name).mkdir()
    assert Catalog(tmp_path).duplicates() == [["a", "b", "x"], ["e", "f"]]


def test_many_threads_may_ask_at_once(tmp_path: Path) -> None:
    for number in range(4):
        make_task(tmp_path, f"T{number}")
    catalog = Catalog(tmp_path)
    found: list[list[object]] = []

    def ask() -> None:
        found.append([*map(catalog.task, catalog.names()), catalog.splits(), catalog.problems])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(result == found[0] for result in found)
    assert all(first is other for result in found for first, other in zip(result[:4], found[0], strict=False))
