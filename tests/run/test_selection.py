from __future__ import annotations

import itertools
import json

import pytest

from harness.catalog import Catalog, CatalogError
from harness.kit.files.codec import decode, plain
from harness.records.config import Limits, RunConfig
from harness.run.selection import Selection, choose, select_instances
from tests.task_folders import csv_text, make_task


def table(*names: str, label: str = "yes") -> str:
    return csv_text(["text", "Answer.a"], *([name, label] for name in names))


def chosen(folder, **values) -> list[str]:
    config = RunConfig(solver="oracle", tasks_dir=folder, **values)
    return [job.instance.inputs["text"] for job in select_instances(Catalog(folder), config).jobs]


TWENTY = [f"t{number}" for number in range(20)]


def test_all_labelled_instances_are_chosen_in_file_order(tmp_path):
    make_task(tmp_path, "A", table=table("z", "y", "x"))
    assert chosen(tmp_path) == ["z", "y", "x"]


def test_a_sample_holds_at_most_so_many_instances_of_each_task(tmp_path):
    make_task(tmp_path, "A", table=table(*TWENTY))
    make_task(tmp_path, "B", table=table("only"))
    assert len(chosen(tmp_path, max_instances=3, tasks=("A",))) == 3
    assert len(chosen(tmp_path, max_instances=3)) == 4


def test_a_sample_stays_when_rows_are_reordered(tmp_path):
    make_task(tmp_path / "one", "A", table=table(*TWENTY))
    make_task(tmp_path / "two", "A", table=table(*reversed(TWENTY)))
    first, second = (chosen(tmp_path / name, max_instances=5) for name in ("one", "two"))
    assert set(first) == set(second)
    assert first == list(reversed(second))


def test_another_seed_gives_another_sample(tmp_path):
    make_task(tmp_path, "A", table=table(*TWENTY))
    samples = {tuple(chosen(tmp_path, max_instances=5, seed=seed)) for seed in range(5)}
    assert len(samples) == 5


def test_the_same_seed_gives_the_same_sample(tmp_path):
    make_task(tmp_path, "A", table=table(*TWENTY))
    assert chosen(tmp_path, max_instances=5, seed=7) == chosen(tmp_path, max_instances=5, seed=7)


def test_a_sample_is_contained_in_every_larger_one(tmp_path):
    make_task(tmp_path, "A", table=table(*TWENTY))
    samples = [set(chosen(tmp_path, max_instances=number)) for number in range(1, 21)]
    assert all(small < large for small, large in itertools.pairwise(samples))


def test_a_new_instance_moves_no_other_out_of_a_sample_but_one(tmp_path):
    make_task(tmp_path / "one", "A", table=table(*TWENTY))
    make_task(tmp_path / "two", "A", table=table("new", *TWENTY))
    before, after = (set(chosen(tmp_path / name, max_instances=10)) for name in ("one", "two"))
    assert len(before - after) <= 1


def test_instances_that_nobody_labelled_are_left_out_and_counted(tmp_path):
    make_task(tmp_path, "A", table=csv_text(["text", "Answer.a"], ["x", "yes"], ["y", ""], ["z", "{}"]))
    selection = select_instances(Catalog(tmp_path), RunConfig("oracle", tmp_path))
    assert [job.instance.inputs["text"] for job in selection.jobs] == ["x"]
    assert selection.left_out == {"instances that nobody labelled": 2}


def test_a_task_without_a_table_is_left_out_and_counted(tmp_path):
    make_task(tmp_path, "A", table=None)
    selection = select_instances(Catalog(tmp_path), RunConfig("oracle", tmp_path))
    assert (selection.jobs, selection.left_out) == ([], {"tasks without a table of labels": 1})


def test_what_has_no_labels_is_chosen_where_it_is_asked_for(tmp_path):
    make_task(tmp_path, "A", table=csv_text(["text", "Answer.a"], ["x", "yes"], ["y", ""]))
    make_task(tmp_path, "B", table=None)
    selection = select_instances(Catalog(tmp_path), RunConfig("random", tmp_path, unlabelled=True))
    assert [(job.task.name, job.instance.inputs["text"]) for job in selection.jobs] == [
        ("A", "x"),
        ("A", "y"),
        ("B", ""),
    ]
    assert not selection.left_out


def test_a_pinned_split_has_no_page_of_a_task_without_a_table_unless_it_names_it(tmp_path):
    make_task(tmp_path, "A", table=None)
    make_task(tmp_path, "B")
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "few.json").write_text('{"tasks": {"A": []}}', encoding="utf-8")
    config = RunConfig("random", tmp_path, split="few", unlabelled=True)
    assert select_instances(Catalog(tmp_path), config).jobs == []


def test_a_malformed_task_is_reported_and_the_others_are_chosen(tmp_path):
    make_task(tmp_path, "A", template=None)
    make_task(tmp_path, "B")
    selection = select_instances(Catalog(tmp_path), RunConfig("oracle", tmp_path))
    assert [job.instance.task for job in selection.jobs] == ["B"]
    assert [problem.task for problem in selection.problems] == ["A"]
    assert selection.left_out == {"tasks that cannot be read": 1}


def test_an_unknown_task_is_refused_with_a_close_name(tmp_path):
    make_task(tmp_path, "Sentiment")
    with pytest.raises(CatalogError, match="Did you mean 'Sentiment'"):
        chosen(tmp_path, tasks=("Sentimnet",))


def test_a_configuration_is_plain_json(tmp_path):
    config = RunConfig("oracle", tmp_path, overlay=tmp_path / "o.json", tasks=("A",))
    config = plain(config)
    assert (config["tasks_dir"], config["overlay"]) == (str(tmp_path), str(tmp_path / "o.json"))
    assert config["limits"] == {"max_steps": 1000, "max_seconds": 300.0}


def test_a_configuration_comes_back_as_it_was(tmp_path):
    config = RunConfig(
        "oracle",
        tmp_path,
        overlay=tmp_path / "o.json",
        tasks=("A",),
        limits=Limits(3, 4.5),
        network="none",
        media=tmp_path / "media",
        skip_missing_media=True,
        exclude_content_warnings=True,
    )
    assert decode(json.dumps(plain(config)).encode(), RunConfig) == config


def test_tasks_with_a_content_warning_are_left_out_on_request_and_counted(tmp_path):
    make_task(tmp_path, "Bad", table=table("x", "y"), facts={"content_warning": "insults"})
    make_task(tmp_path, "Good", table=table("z"))
    assert chosen(tmp_path) == ["x", "y", "z"]
    selection = select_instances(Catalog(tmp_path), RunConfig("oracle", tmp_path, exclude_content_warnings=True))
    assert [job.instance.task for job in selection.jobs] == ["Good"]
    assert selection.left_out == {
        "tasks with a content warning": 1,
        "instances of tasks with a content warning": 2,
    }


PICTURES = "<p><img src='${text}'></p><input name=a>"


def test_instances_whose_media_are_missing_are_left_out_on_request_before_the_sample_is_drawn(tmp_path):
    addresses = [f"https://example.org/{number}.png" for number in range(6)]
    make_task(tmp_path / "tasks", "A", template=PICTURES, table=table(*addresses))
    (tmp_path / "media" / "example.org").mkdir(parents=True)
    for number in (2, 5):
        (tmp_path / "media" / "example.org" / f"{number}.png").write_bytes(b"png")
    values = {"media": tmp_path / "media", "max_instances": 2}
    assert len(chosen(tmp_path / "tasks", **values)) == 2
    assert chosen(tmp_path / "tasks", **values, skip_missing_media=True) == [addresses[2], addresses[5]]
    config = RunConfig("oracle", tmp_path / "tasks", media=tmp_path / "media", skip_missing_media=True)
    assert select_instances(Catalog(tmp_path / "tasks"), config).left_out == {"instances whose media are missing": 4}


def test_a_split_can_pin_instances(tmp_path):
    make_task(tmp_path, "A", table=table("x", "y", "z"))
    make_task(tmp_path, "B", table=table("v"))
    ids = {each.inputs["text"]: each.id for each in Catalog(tmp_path).task("A").instances}
    (tmp_path / "splits").mkdir()
    (tmp_path / "splits" / "lite.json").write_text(json.dumps({"tasks": {"A": [ids["x"], ids["z"]]}}), encoding="utf-8")
    selection = select_instances(Catalog(tmp_path), RunConfig("oracle", tmp_path, split="lite"))
    assert [job.instance.inputs["text"] for job in selection.jobs] == ["x", "z"]
    assert selection.left_out == {}


def test_further_instances_can_be_left_out(tmp_path):
    make_task(tmp_path, "A", table=table("x", "y", "z"))
    selection = Selection()
    found = choose(
        Catalog(tmp_path),
        RunConfig("oracle", tmp_path),
        selection,
        leave_out=lambda _, each: "instances about y" if each.inputs["text"] == "y" else "",
    )
    assert [[each.inputs["text"] for each in instances] for _, instances in found] == [["x", "z"]]
    assert selection.left_out == {"instances about y": 1}


def test_a_picture_that_the_template_itself_shows_leaves_no_instance_out(tmp_path):
    template = "<img src='https://example.org/icon.png'><p>${text}</p><img src='${text}'><input name=a>"
    make_task(tmp_path, "A", template=template, table=table("https://example.org/own.png", "none"))
    assert chosen(tmp_path, skip_missing_media=True) == ["none"]
