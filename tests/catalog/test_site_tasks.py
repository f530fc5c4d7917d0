"""Tasks on websites, read from their folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.catalog import Catalog, CatalogError, MalformedTask
from harness.run.run_tasks import kind_among
from tests.site_tasks import ACCOUNT, FACTS, START, TO_THE_ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task


def judged(**evaluators: object) -> dict[str, object]:
    return {"evaluators": {**FACTS["evaluators"], **evaluators}}


def test_a_folder_whose_task_json_says_so_is_a_task_on_a_website(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T", title="Account", split="test")
    catalog = Catalog(tmp_path)
    task = catalog.task("T")
    assert (task.kind, task.split, task.facts.title, catalog.check()) == ("site", "test", "Account", [])
    assert [instance.inputs for instance in task.instances] == [{}]
    facts, trace = task.site_of(task.instances[0]), task.trace_of(task.instances[0])
    assert (facts.goal, facts.start, facts.origins) == ("Open your account.", START, ("http://travel.test",))
    assert facts.evaluators.given == ("key_nodes", "final_state")
    assert trace is not None
    assert [step.do for step in trace.steps] == ["goto", "finish"]


def test_a_form_is_none(tmp_path: Path) -> None:
    make_task(tmp_path, "F", facts={"kind": "form"})
    catalog = Catalog(tmp_path)
    task = catalog.task("F")
    assert (task.kind, task.site, task.trace, catalog.kind_of("F"), catalog.check()) == ("form", None, None, "form", [])
    with pytest.raises(ValueError, match="'F' is a form"):
        task.site_of(task.instances[0])


def test_each_row_of_the_table_fills_in_goal_start_references_and_trace(tmp_path: Path) -> None:
    node = {**TO_THE_ACCOUNT, "reference": "${place}"}
    step = {"do": "goto", "value": "http://travel.test/${place}"}
    make_site_task(
        tmp_path,
        "T",
        goal="Go to ${place}, ${name}.",
        start="http://travel.test/?of=${name}",
        table=csv_text(["place", "name", "unused"], ["a/", "Ann", "1"], ["b/", "Ben", "2"], ["b/", "Ben", "3"]),
        trace={"goal": "", "start": "", "steps": [step]},
        **judged(key_nodes=[node], final_state=[{"at": "/${place}", "value": ["${name}", 3]}]),
    )
    task = Catalog(tmp_path).task("T")
    assert [instance.rows for instance in task.instances] == [(2,), (3, 4)]
    facts, trace = task.site_of(task.instances[1]), task.trace_of(task.instances[1])
    assert (facts.goal, facts.start) == ("Go to b/, Ben.", "http://travel.test/?of=Ben")
    assert facts.evaluators.key_nodes[0].reference == "b/"
    assert (facts.evaluators.final_state[0].at, facts.evaluators.final_state[0].value) == ("/b/", ["Ben", 3])
    assert trace is not None
    assert trace.steps[0].value == "http://travel.test/b/"


def with_number(value: object, cells: list[str], **facts: Any) -> dict[str, Any]:
    """A task with a condition of one value, and the table of its variable ``n``."""
    table = csv_text(["n"], *([cell] for cell in cells))
    return {"table": table, **judged(final_state=[{"at": "/x", "value": value}]), **facts}


@pytest.mark.parametrize(
    ("value", "cell", "found"),
    [
        ("${n}", "3", 3),
        ("${n}", "true", True),
        ("${n}", '"3"', "3"),
        ({"quantity": "${n}"}, "3", {"quantity": 3}),
        (["a", "${n}"], "2.5", ["a", 2.5]),
        ("p${n}", "3", "p3"),
    ],
)
def test_a_json_variable_that_stands_alone_in_a_condition_is_the_value_of_its_cell(
    tmp_path: Path, value: object, cell: str, found: object
) -> None:
    make_site_task(tmp_path, "T", **with_number(value, [cell], json_variables=["n"], goal="Take ${n}."))
    task = Catalog(tmp_path).task("T")
    facts = task.site_of(task.pages[0])
    assert facts.evaluators.final_state[0].value == found
    assert type(facts.evaluators.final_state[0].value) is type(found)
    assert facts.goal == f"Take {cell}."


def test_other_variables_are_texts_whatever_they_look_like(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T", **with_number("${n}", ["3"]))
    task = Catalog(tmp_path).task("T")
    assert task.site_of(task.pages[0]).evaluators.final_state[0].value == "3"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (with_number("${n}", ["3", "three"], json_variables=["n"]), "row 3, column n: 'three' is no JSON"),
        (with_number("${n}", ["NaN"], json_variables=["n"]), "row 2, column n: 'NaN' is no JSON"),
        (with_number("${n}", ["3"], json_variables=["m"]), "'m' is no variable of task.json or trace.json"),
        (judged(final_state=[{"at": "/x", "how": "count", "value": "3"}]), "'3' is a text, and nothing is so many"),
    ],
)
def test_a_number_that_is_none_is_named(tmp_path: Path, facts: dict[str, Any], said: str) -> None:
    make_site_task(tmp_path, "T", **facts)
    catalog = Catalog(tmp_path)
    with pytest.raises(MalformedTask):
        catalog.task("T")
    (problem,) = catalog.problems
    assert said in str(problem)


def test_on_several_seeds_each_row_is_an_instance_a_seed_and_the_first_are_as_without(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T", goal="${n}", seed=7, table=csv_text(["n"], ["a"], ["b"]))
    alone, task = Catalog(tmp_path).task("T"), Catalog(tmp_path, seeds=3).task("T")
    assert task.pages[:2] == alone.pages
    told = [(each.index, task.site_of(each).goal, task.site_of(each).seed) for each in task.pages]
    assert told == [(0, "a", 7), (1, "b", 7), (2, "a", 8), (3, "b", 8), (4, "a", 9), (5, "b", 9)]
    assert len({each.id for each in task.pages}) == 6


def test_a_form_and_a_site_on_the_web_have_no_seeds(tmp_path: Path) -> None:
    make_task(tmp_path, "F")
    make_site_task(tmp_path, "W", site=None)
    catalog = Catalog(tmp_path, seeds=3)
    assert [len(catalog.task(name).pages) for name in ("F", "W")] == [1, 1]


def test_the_length_of_the_reference_is_that_of_the_trace_unless_it_is_said(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T")
    make_site_task(tmp_path, "Said", reference_length=7)
    tasks = [Catalog(tmp_path).task(name) for name in ("T", "Said")]
    assert [task.site_of(task.instances[0]).reference_length for task in tasks] == [2, 7]


_WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"kind": "sight"}, "kind", "'sight' is no kind of task. Perhaps 'site' is meant"),
    ({"goal": None}, "goal", "a task on a website needs it, and it is not there"),
    ({"goal": " "}, "goal", "the goal is empty"),
    ({"goal": 3}, "goal", "Expected str, got int"),
    ({"origins": []}, "origins", "there is none"),
    ({"origins": ["http://travel.test/x"]}, "origins[0]", "'http://travel.test/x' is no origin"),
    ({"origins": ["ftp://travel.test"]}, "origins[0]", "'ftp://travel.test' is no origin"),
    ({"origins": ["http://${x}"]}, "origins[0]", "holds a variable"),
    ({"start": "http://shop.test/"}, "start", "'http://shop.test/' is outside the origins http://travel.test"),
    ({"start": "http://travel.test:81/"}, "start", "is outside the origins"),
    ({"level": "brutal"}, "level", "'brutal' is no level. Write one of easy, medium, hard"),
    ({"max_steps": 0}, "max_steps", "0 is no number of steps"),
    *(
        ({"origins": [origin]}, "origins[0]", f"{origin!r} is no origin")
        for origin in (
            *("http://a, map * 127.0.0.1:1", "http://a;*", "http://a\\b", "http://a b", "http://*", "http://é"),
            *("http://.com", "http://a..b"),
        )
    ),
    *(({"seed": seed}, "seed", f"{seed} is no seed") for seed in (-1, 2**63)),
    *((judged(key_nodes=[{"target": "url", "match": match, "reference": ""}]),
       "evaluators.key_nodes[0].reference", "the reference is empty") for match in ("include", "semantic")),
    (judged(answer={"match": "include", "reference": " "}), "evaluators.answer.reference", "the reference is empty"),
    ({"evaluators": {}}, "evaluators", "there is none"),
    (judged(main="fields"), "evaluators.main", "'fields' is to be the main evaluator and is not given"),
    (judged(main="key_node"), "evaluators.main", "'key_node' is no evaluator. Perhaps 'key_nodes' is meant"),
    (judged(keynodes=[]), "evaluators.keynodes", "unknown key. Perhaps 'key_nodes' is meant"),
    (judged(key_nodes=[{**TO_THE_ACCOUNT, "mach": "x"}]), "evaluators.key_nodes[0].mach", "unknown key"),
    (judged(key_nodes=[{**TO_THE_ACCOUNT, "match": "like"}]), "evaluators.key_nodes[0].match", "Invalid enum value"),
    (judged(key_nodes=[{**TO_THE_ACCOUNT, "target": "element_path", "match": "include"}]),
     "evaluators.key_nodes[0].match", "paths are compared exactly, not by 'include'"),
    (judged(final_state=[{"at": "cart"}]), "evaluators.final_state[0].at", "'cart' is no JSON pointer"),
    *((judged(checks=[{"of": "answer", "any_of": [{"match": "exact", "reference": "a"}], **check}]),
       f"evaluators.checks[0].{at}", what) for check, at, what in (
        ({"any_of": []}, "any_of", "nothing that it is compared with"),
        ({"any_of": [{"match": "word", "reference": " "}]}, "any_of[0].reference", "the reference is empty"),
        ({"of": "address", "any_of": [{"match": "word", "reference": "a"}]}, "any_of[0].match", "by 'word'"),
        ({"of": "page"}, "look", "a page is looked at somewhere"),
        ({"look": {}}, "look", "a page is looked at somewhere"),
        ({"of": "page", "look": {"number": -1}}, "look.number", "-1 is no place"),
        ({"of": "page", "look": {"url": "http://a.test/"}}, "look.url", "is outside the origins"))),
]  # fmt: skip


@pytest.mark.claim("site-origin-words")
@pytest.mark.parametrize(("facts", "key", "what"), _WRONG, ids=[f"{key}: {what}"[:60] for _, key, what in _WRONG])
def test_what_is_wrong_is_said_with_the_file_the_key_and_what_to_do(
    tmp_path: Path, facts: dict[str, Any], key: str, what: str
) -> None:
    folder = make_site_task(tmp_path, "T", **facts)
    with pytest.raises(MalformedTask) as found:
        Catalog(tmp_path).task("T")
    (problem,) = [each for each in found.value.problems if each.file.name == "task.json"]
    assert (problem.task, problem.file, problem.column) == ("T", folder / "task.json", key)
    assert what in str(problem)
    assert problem.remedy


def test_a_key_that_is_not_known_is_a_problem_and_the_task_is_used_all_the_same(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T", gaol="x")
    catalog = Catalog(tmp_path)
    assert [(problem.column, problem.what) for problem in catalog.check()] == [("gaol", "unknown key, not used")]
    assert catalog.task("T").kind == "site"


def test_the_keys_of_websites_are_unknown_to_forms(tmp_path: Path) -> None:
    make_task(tmp_path, "F", facts={"goal": "x"})
    assert [problem.what for problem in Catalog(tmp_path).check()] == ["unknown key, not used"]


def test_a_variable_without_a_column_is_named(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T", goal="Find ${Query}.", table=csv_text(["query"], ["x"]))
    make_site_task(tmp_path, "Without a table", goal="Find ${query}.")
    catalog = Catalog(tmp_path)
    found = {problem.task: str(problem) for problem in catalog.check()}
    assert "the variable ${Query} of task.json or trace.json has no column; there is 'query'" in found["T"]
    assert "batch.csv, column query: the variable ${query}" in found["Without a table"]


def test_a_row_whose_start_is_outside_the_origins_is_named(tmp_path: Path) -> None:
    table = csv_text(["start"], [START], ["http://elsewhere.test/"])
    make_site_task(tmp_path, "T", start="${start}", table=table)
    with pytest.raises(MalformedTask, match=r"row 3: the start .* is outside the origins"):
        Catalog(tmp_path).task("T")


@pytest.mark.parametrize(
    ("trace", "what"),
    [
        ("{", "it is no trace"),
        ({"goal": "", "start": "", "steps": [{"do": "jump"}]}, "$.steps[0].do: Invalid enum value 'jump'"),
        (
            {"goal": "", "start": "", "steps": [{"do": "finish", "nodes": [1]}]},
            "there is no key node 1: the task has 1",
        ),
        *(
            ({"goal": "", "start": "", "steps": [{"do": do, "value": value}]}, "is the number of no tab")
            for do, value in (("switch_tab", "9" * 5_000), ("close_tab", "-1"), ("switch_tab", "\u0663"))
        ),
    ],
)
def test_a_trace_that_cannot_be_used_keeps_the_task_from_being_used(tmp_path: Path, trace: object, what: str) -> None:
    folder = make_site_task(tmp_path, "T", trace=trace)
    with pytest.raises(MalformedTask) as found:
        Catalog(tmp_path).task("T")
    (problem,) = found.value.problems
    assert problem.file == folder / "trace.json"
    assert what in problem.what


def test_a_trace_counts_for_the_hash_of_a_task_and_is_read_again_when_it_changes(tmp_path: Path) -> None:
    folder = make_site_task(tmp_path, "T")
    catalog = Catalog(tmp_path)
    before, task = catalog.fingerprint("T"), catalog.task("T")
    (folder / "trace.json").write_text('{"goal": "", "start": "", "steps": []}', encoding="utf-8")
    now = catalog.task("T")
    assert catalog.fingerprint("T") != before
    assert (task.trace and len(task.trace.steps), now.trace and len(now.trace.steps)) == (2, 0)


def test_a_private_folder_among_tasks_has_no_splits_of_theirs(tmp_path: Path) -> None:
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "test.txt").write_text("F\n", encoding="utf-8")
    make_site_task(tmp_path / "_sites", "T")
    catalog = Catalog(tmp_path / "_sites")
    assert (catalog.splits(), catalog.check()) == ({"train": ["T"]}, [])


def test_a_run_is_of_one_kind_of_task(tmp_path: Path) -> None:
    make_site_task(tmp_path, "S", goal=f"See {ACCOUNT}")
    make_task(tmp_path, "F")
    catalog = Catalog(tmp_path)
    assert kind_among(catalog, ["S"], None) == "site"
    assert kind_among(catalog, ["F"], None) == "form"
    assert kind_among(catalog, ["F", "S"], "site") == "site"
    with pytest.raises(
        CatalogError, match="the kinds form and site, and a run is of one: give --kind form or --kind site"
    ):
        kind_among(catalog, ["F", "S"], None)
    with pytest.raises(CatalogError, match="there is no task of the kind 'site'"):
        kind_among(catalog, ["F"], "site")


def test_a_task_may_leave_its_judging_to_a_judge(tmp_path: Path) -> None:
    make_site_task(tmp_path, "T", evaluators={"judged": True})
    catalog = Catalog(tmp_path)
    task = catalog.task("T")
    assert catalog.check() == []
    assert task.site_of(task.instances[0]).evaluators.given == ()


@pytest.mark.parametrize(
    ("node", "key"),
    [
        ({"target": "element_path", "match": "exact", "reference": "#buy >"}, "reference"),
        ({"target": "element_path", "match": "exact", "reference": "//a[", "method": "xpath"}, "reference"),
        ({"target": "element_value", "match": "exact", "reference": "5", "path": "input[name="}, "path"),
    ],
)
def test_path_that_cannot_be_read_is_told_when_the_task_is_loaded(
    tmp_path: Path, node: dict[str, Any], key: str
) -> None:
    make_site_task(tmp_path, "T", **judged(key_nodes=[node]))
    catalog = Catalog(tmp_path)
    with pytest.raises(MalformedTask):
        catalog.task("T")
    (problem,) = catalog.problems
    assert problem.column == f"evaluators.key_nodes[0].{key}"
    assert repr(node[key]) in problem.what


def test_path_with_a_variable_is_not_read_before_it_is_filled_in(tmp_path: Path) -> None:
    node = {"target": "element_path", "match": "exact", "reference": "#${of}"}
    make_site_task(tmp_path, "T", table=csv_text(["of"], ["buy"]), **judged(key_nodes=[node]))
    assert Catalog(tmp_path).task("T").site


def test_selector_of_a_trace_that_cannot_be_read_is_told_when_the_task_is_loaded(tmp_path: Path) -> None:
    trace = {"goal": "", "start": "", "steps": [{"do": "click", "element": {"css": "a[href"}}]}
    make_site_task(tmp_path, "T", trace=trace)
    catalog = Catalog(tmp_path)
    with pytest.raises(MalformedTask):
        catalog.task("T")
    (problem,) = catalog.problems
    assert problem.column == "steps[0].element.css"
