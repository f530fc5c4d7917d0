from __future__ import annotations

import pytest

from harness.episode.library import fill
from oracle.floors import Constant, DoNothing
from oracle.oracle import Oracle
from oracle.random_choice import RandomChoice
from tests.runs import Stage, sent, stage
from tests.samples import field
from tests.task_folders import csv_text, make_task

PAGE = """${t}
<input name="text" value="as it was">
<label><input type="radio" name="radio" value="1">1</label><label><input type="radio" name="radio" value="2">2</label>
<label><input type="checkbox" name="boxes" value="x">x</label>
<label><input type="checkbox" name="boxes" value="y" checked>y</label>
<select name="list"><option value="a">a</option><option value="b">b</option></select>
<input type="range" name="slider" min="10" max="30" step="5">
<input name="hidden" type="hidden" value="h"><div hidden><input name="unseen"></div>"""
COLUMNS = ["t", *(f"Answer.{name}" for name in ("text", "radio", "boxes", "list", "slider", "hidden", "unseen"))]


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    rows = [[str(number), "cat", "1", "x|y", "b", "20", f"h{number % 3}", "u"] for number in range(6)]
    rows.append(["last", "dog", "2", "", "a", "30", "other", "v"])
    make_task(folder, "T", template=PAGE, table=csv_text(COLUMNS, *rows))
    make_task(folder, "Single", template=PAGE, table=csv_text(COLUMNS, rows[0]))
    with stage(folder) as made:
        yield made


def test_do_nothing_sends_the_page_as_it_is(at: Stage):
    made = at.play("T", DoNothing())
    assert made.steps == ()
    assert {name: values for name, values in sent(made).items() if name in ("text", "radio", "boxes", "list")} == {
        "text": ("as it was",),
        "radio": (),
        "boxes": ("y",),
        "list": ("a",),
    }


@pytest.mark.slow
def test_random_chooses_among_what_each_field_offers_and_leaves_texts(at: Stage):
    seen: dict[str, set[tuple[str, ...]]] = {}
    for seed in range(12):
        for name, values in sent(at.play("T", RandomChoice(), seed=seed)).items():
            seen.setdefault(name, set()).add(values)
    assert seen["radio"] == {("1",), ("2",)}
    assert seen["list"] == {("a",), ("b",)}
    assert seen["boxes"] <= {(), ("x",), ("y",), ("x", "y")}
    assert len(seen["boxes"]) > 1
    assert seen["slider"] <= {(value,) for value in ("10", "15", "20", "25", "30")}
    assert len(seen["slider"]) > 1
    assert (seen["text"], seen["unseen"]) == ({("as it was",)}, {("",)})


def test_random_does_the_same_for_the_same_seed(at: Stage):
    first, second = (at.play("T", RandomChoice(), seed=5) for _ in range(2))
    assert sent(first) == sent(second)


def test_constant_gives_what_the_other_instances_have_most_often(at: Stage):
    assert sent(at.play("T", Constant(), 6)) == {
        "text": ("cat",),
        "radio": ("1",),
        "boxes": ("x", "y"),
        "list": ("b",),
        "slider": ("20",),
        "hidden": ("h",),
        "unseen": ("",),
    }


def test_constant_knows_nothing_of_a_task_with_one_instance(at: Stage):
    made = at.play("Single", Constant())
    assert made.steps == ()
    assert sent(made) == sent(at.play("Single", DoNothing()))


def test_constant_follows_from_task_to_task(at: Stage):
    solver = Constant()
    at.play("T", solver, 6)
    assert sent(at.play("Single", solver))["text"] == ("as it was",)
    assert sent(at.play("T", solver, 6))["text"] == ("cat",)


def test_the_oracle_is_no_worse_than_any_baseline(at: Stage):
    best = at.score("T", Oracle()).score or 0
    assert all(best >= (at.score("T", solver()).score or 0) for solver in (DoNothing, RandomChoice, Constant))


def test_a_hidden_field_cannot_be_filled():
    with pytest.raises(ValueError, match="is a hidden field"):
        fill(None, field("h", "hidden"), ("x",))  # type: ignore[arg-type]
