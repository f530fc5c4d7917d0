"""Mind2Web's public files become a folder of demonstrations with an index, or nothing at all."""

import csv
import json
import tracemalloc

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from harness.datasets.tasksets import DatasetError
from harness.papers.mind2web.demonstration_set import INDEX, import_demonstrations
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations, written
from harness.papers.mind2web.demonstrations.mind2web_json import DemonstrationError, as_json
from harness.run.progress import QuietProgress
from tests.papers.mind2web.demonstrations.made import (
    a_demonstration,
    a_public_candidate,
    a_public_demonstration,
    a_public_step,
    oddities,
)


def put(path, *demonstrations):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(demonstrations, ensure_ascii=False), encoding="utf-8")
    return path


def index_of(folder):
    with (folder / INDEX).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_file_with_every_oddity_is_imported_with_nothing_lost(tmp_path, capsys):
    other = a_public_demonstration(a_public_step(pos_candidates=[json.dumps(a_public_candidate())]))
    file = put(tmp_path / "public" / "odd.json", oddities() | {"annotation_id": "odd-1"}, other)

    assert main(["import", "mind2web", str(file), str(tmp_path / "out")]) == COMPLETE

    read = list(read_demonstrations(tmp_path / "out"))
    assert read == list(read_demonstrations(file))
    assert as_json(read[0]) == oddities() | {"annotation_id": "odd-1"}
    printed = capsys.readouterr().out
    assert "2 demonstrations, 10 steps, 1 website, 1 domain" in printed
    assert "without an acceptable element: 1 step" in printed


def test_fifty_demonstrations_that_are_written_and_imported_are_equal(tmp_path):
    made = [a_demonstration(number, steps=number % 7, website=f"site {number % 5}") for number in range(50)]
    written(made, tmp_path / "traces.jsonl.gz")

    assert main(["import", "mind2web", str(tmp_path / "traces.jsonl.gz"), str(tmp_path / "out")]) == COMPLETE

    assert list(read_demonstrations(tmp_path / "out")) == made


def test_each_demonstration_has_a_file_and_a_line_of_the_index(tmp_path):
    folder = tmp_path / "data"
    put(folder / "test_task" / "test_task_0.json", a_public_demonstration(annotation_id="b", website="rail, or air"))
    put(folder / "train" / "train_10.json", a_public_demonstration(a_public_step(), annotation_id="a"))
    put(folder / "more" / "others.json", a_public_demonstration(annotation_id="c"))

    assert main(["import", "mind2web", str(folder), str(tmp_path / "out")]) == COMPLETE

    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [
        "000001.jsonl.gz",
        "000002.jsonl.gz",
        "000003.jsonl.gz",
        INDEX,
    ]
    lines = index_of(tmp_path / "out")
    assert [(each["file"], each["annotation_id"], each["split"]) for each in lines] == [
        ("000001.jsonl.gz", "c", ""),
        ("000002.jsonl.gz", "b", "cross-task"),
        ("000003.jsonl.gz", "a", "train"),
    ]
    assert [each["steps"] for each in lines] == ["0", "0", "1"]
    assert lines[1]["website"] == "rail, or air"
    assert [each.annotation_id for each in read_demonstrations(tmp_path / "out")] == ["c", "b", "a"]


def test_an_id_is_there_once(tmp_path, capsys):
    first = put(tmp_path / "in" / "a.json", a_public_demonstration(annotation_id="x"))
    put(tmp_path / "in" / "b.json", a_public_demonstration(annotation_id="x"))

    assert main(["import", "mind2web", str(tmp_path / "in"), str(tmp_path / "out")]) == WRONG_USE

    told = capsys.readouterr().err
    assert str(first) in told
    assert "b.json both hold a demonstration with the annotation_id 'x'" in told
    assert [each.name for each in tmp_path.iterdir()] == ["in"]


def test_an_id_is_there_once_in_a_file(tmp_path):
    same = a_public_demonstration(annotation_id="x")
    with pytest.raises(DatasetError, match=r"a\.json holds two demonstrations with the annotation_id 'x'"):
        import_demonstrations(put(tmp_path / "a.json", same, same), tmp_path / "out", QuietProgress())


def test_what_is_not_understood_leaves_nothing_behind(tmp_path):
    file = put(tmp_path / "a.json", a_public_demonstration(), a_public_demonstration(a_public_step(raw_html=None)))
    with pytest.raises(DemonstrationError, match=r"a\.json, demonstration 2, step 1: raw_html is None"):
        import_demonstrations(file, tmp_path / "out", QuietProgress())
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_a_folder_that_holds_something_is_not_written_into(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("x")
    with pytest.raises(DatasetError, match="not empty"):
        import_demonstrations(put(tmp_path / "a.json", a_public_demonstration()), tmp_path / "out", QuietProgress())


@pytest.mark.parametrize("there", [[], None])
def test_no_demonstration_is_an_error(tmp_path, there):
    (tmp_path / "in").mkdir()
    if there is not None:
        put(tmp_path / "in" / "a.json", *there)
    with pytest.raises(DatasetError, match="hold"):
        import_demonstrations(tmp_path / "in", tmp_path / "out", QuietProgress())


def test_a_source_that_is_not_there_is_an_error(tmp_path, capsys):
    assert main(["import", "mind2web", str(tmp_path / "no.json"), str(tmp_path / "out")]) == WRONG_USE
    assert "no.json cannot be read" in capsys.readouterr().err


def test_no_more_than_a_demonstration_is_in_memory(tmp_path):
    large = [
        a_public_demonstration(a_public_step(raw_html="x" * 1_000_000), annotation_id=str(number))
        for number in range(20)
    ]
    file = put(tmp_path / "large.json", *large)
    del large
    tracemalloc.start()
    try:
        assert import_demonstrations(file, tmp_path / "out", QuietProgress()).demonstrations == 20
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()


def test_what_cleaning_leaves_is_told_by_website(tmp_path, capsys):
    kept, lost = a_public_step(), a_public_step(pos_candidates=[a_public_candidate(backend_node_id="99")])
    unknown = a_public_step(pos_candidates=[])
    file = put(
        tmp_path / "a.json",
        a_public_demonstration(kept, lost, unknown, a_public_step(raw_html=""), website="air", annotation_id="1"),
        a_public_demonstration(kept, website="bus", annotation_id="2"),
    )

    assert main(["cleaning", str(file)]) == COMPLETE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[2:5]] == [
        ["air", "4", "2", "50.0", "50.0", "4", "4"],
        ["bus", "1", "1", "100.0", "100.0", "4", "4"],
        ["all", "5", "3", "66.7", "66.7", "4", "4"],
    ]
    assert "hold no element: 1" in lines[5]

    assert main(["cleaning", str(file), "--json"]) == COMPLETE
    told = json.loads(capsys.readouterr().out)
    assert told["air"]["targets_left"] == 1
    assert told["all"]["unreadable"] == 1
    assert told["bus"]["recall"] == 1.0


def test_recall_is_unknown_where_no_target_is(tmp_path, capsys):
    file = put(tmp_path / "a.json", a_public_demonstration(a_public_step(pos_candidates=[])))
    assert main(["cleaning", str(file), "--json"]) == COMPLETE
    assert json.loads(capsys.readouterr().out)["all"]["recall"] is None
