import gzip
import itertools
import json
import tracemalloc

import pytest

from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations, written
from harness.papers.mind2web.demonstrations.mind2web_json import DemonstrationError, as_json
from tests.papers.mind2web.demonstrations.made import (
    a_demonstration,
    a_public_candidate,
    a_public_demonstration,
    a_public_step,
    oddities,
)


def put(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_file_with_every_oddity_is_read_and_written_as_the_same_json(tmp_path):
    public = put(tmp_path / "train_0.json", [oddities(), a_public_demonstration()])
    assert public.stat().st_size > 2 * 2**20
    count = written(read_demonstrations(public), tmp_path / "again.json")
    assert count == 2
    assert json.loads((tmp_path / "again.json").read_bytes()) == json.loads(public.read_bytes())


def test_what_a_step_says_is_in_its_record(tmp_path):
    [read] = read_demonstrations(put(tmp_path / "train_0.json", [oddities()]))
    assert read.confirmed_task == "Fliege nach 東京"
    assert read.more == {"extra": {"kept": [1, None]}}
    assert [step.operation.original_op for step in read.steps[2:5]] == ["HOVER", "ENTER", "TYPE"]
    assert [step.operation.op for step in read.steps[2:5]] == ["CLICK", "CLICK", "TYPE"]
    assert read.steps[4].operation.value == "Zürich – 東京 🛫"
    assert read.steps[1].positives == ()
    assert [each.is_original_target for each in read.steps[5].positives] == [True, False]
    assert read.steps[0].positives[0].attributes["bounding_box_rect"] == "110,607.5,264,78"
    assert read.steps[0].negatives[0].is_original_target is None
    assert read.steps[7].positives[0].backend_node_id == "3"
    assert read.steps[7].positives[0].more == {"backend_node_id": 3, "score": 0.5, "rank": None}


def test_candidates_may_be_texts_or_missing(tmp_path):
    step = a_public_step(pos_candidates=[json.dumps(a_public_candidate())])
    del step["neg_candidates"]
    [read] = read_demonstrations(put(tmp_path / "a.json", [a_public_demonstration(step)]))
    assert as_json(read) == a_public_demonstration(a_public_step(neg_candidates=[]))


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.json.gz", "a.jsonl.gz"])
def test_what_is_written_and_read_again_is_equal(tmp_path, name):
    made = [a_demonstration(1), a_demonstration(2, steps=0), a_demonstration(3, website="Ü\ud83d")]
    written(made, tmp_path / name)
    assert list(read_demonstrations(tmp_path / name)) == made


def test_the_same_demonstrations_make_the_same_packed_bytes(tmp_path):
    for name in ("a.json.gz", "b.json.gz"):
        written([a_demonstration()], tmp_path / name)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def test_a_folder_is_read_in_the_order_of_names(tmp_path):
    written([a_demonstration(2)], tmp_path / "b.jsonl.gz")
    written([a_demonstration(1)], tmp_path / "a.json")
    (tmp_path / "index.csv").write_text("not one of them")
    (tmp_path / ".c.json").write_text("neither this")
    assert [each.annotation_id for each in read_demonstrations(tmp_path)] == ["task-1", "task-2"]


def test_a_file_that_breaks_off_in_writing_is_not_there(tmp_path):
    def breaking():
        yield a_demonstration()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        written(breaking(), tmp_path / "a.json.gz")
    assert list(tmp_path.iterdir()) == []


def test_no_more_than_a_demonstration_is_in_memory(tmp_path):
    large = a_public_demonstration(a_public_step(raw_html="x" * 1_000_000))
    path = tmp_path / "large.json"
    path.write_text(f"[{','.join(itertools.repeat(json.dumps(large), 40))}]")
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_demonstrations(path)) == 40
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"raw_html": 3}, "demonstration 1, step 1: raw_html is 3, no text"),
        ({"operation": {"op": "DANCE", "original_op": "CLICK", "value": ""}}, "step 1, operation: op is 'DANCE'"),
        ({"operation": {"op": "CLICK", "original_op": "DRAG", "value": ""}}, "operation: original_op is 'DRAG'"),
        ({"operation": None}, "step 1, operation: None is no object"),
        ({"pos_candidates": {}}, "step 1: pos_candidates is {}, no list"),
        ({"pos_candidates": ["{"]}, "pos_candidates, element 1: '{' holds no JSON"),
        ({"pos_candidates": [a_public_candidate(backend_node_id=True)]}, "element 1: backend_node_id is True"),
        ({"pos_candidates": [a_public_candidate(tag=None)]}, "element 1: tag is None, no text"),
        ({"pos_candidates": [a_public_candidate(attributes="[]")]}, "element 1, attributes: [] is no object"),
        ({"pos_candidates": [a_public_candidate(is_original_target="yes")]}, "is_original_target is 'yes'"),
    ],
)
def test_an_error_names_file_demonstration_step_and_key(tmp_path, step, words):
    path = put(tmp_path / "odd.json", [a_public_demonstration(a_public_step(**step))])
    with pytest.raises(DemonstrationError) as caught:
        list(read_demonstrations(path))
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "demonstration 1: it does not begin with ["),
        ("[{}, ", "demonstration 1: no action_reprs"),
        ("[", "demonstration 1: Expecting value"),
        ('[{"a": 1', "demonstration 1: Expecting"),
        ("[3]", "demonstration 1: 3 is no object"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_list_of_demonstrations_is_said(tmp_path, text, words):
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(DemonstrationError, match=words.replace("[", r"\[")):
        list(read_demonstrations(path))


@pytest.mark.parametrize("rest", ["", " x", ", ", "] ]"])
def test_a_list_that_does_not_end_well_is_said_after_its_elements(tmp_path, rest):
    path = tmp_path / "odd.json"
    path.write_text(f"[{json.dumps(a_public_demonstration())}{rest}")
    read = read_demonstrations(path)
    assert next(read).annotation_id == "0f5c"
    with pytest.raises(DemonstrationError, match="demonstration 2"):
        next(read)


def test_as_many_words_as_steps(tmp_path):
    path = put(tmp_path / "odd.json", [a_public_demonstration(a_public_step(), action_reprs=[])])
    with pytest.raises(DemonstrationError, match="action_reprs has 0 entries, and actions 1"):
        list(read_demonstrations(path))


def test_a_packed_file_that_is_cut_short_is_said(tmp_path):
    path = tmp_path / "cut.json.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * 100_000)[:50])
    with pytest.raises(DemonstrationError, match="cannot be read"):
        list(read_demonstrations(path))


@pytest.mark.parametrize("name", ["nothing.json", "."])
def test_no_file_of_demonstrations_is_said(tmp_path, name):
    with pytest.raises(DemonstrationError, match=r"nothing\.json cannot be read|holds no file of demonstrations"):
        list(read_demonstrations(tmp_path / name))


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(DemonstrationError, match=r"ends with \.json"):
        written([], tmp_path / "a.txt")
