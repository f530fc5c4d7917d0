"""The task in the making, and its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.catalog.site_facts import KeyNode
from harness.catalog.trace import ElementMark
from harness.sites.recording.draft import CannotDo, TaskDraft
from harness.sites.recording.order import NothingToRecord, order_of
from harness.sites.recording.recorded_step import NOT_RECORDED, PersonAct
from harness.sites.recording.task_files import write_task

START = "http://shop.test/"
CART = KeyNode(target="url", match="exact", reference=f"{START}cart/")
PICTURE = b"\xff\xd8 a picture"


def draft(*, nodes: bool = True) -> TaskDraft:
    """Two steps, a press and a password."""
    made = TaskDraft(order_of(START, seed=3))
    made.maker.take(PersonAct(kind="click", url=START, element=ElementMark(css="#b", tag="button"), picture="p"))
    made.maker.take(PersonAct(kind="moved", url=f"{START}cart/"))
    secret = ElementMark(css="#p", tag="input")
    made.maker.take(
        PersonAct(kind="input", url=f"{START}cart/", element=secret, label="Word", control="text", secret=True)
    )
    made.describe({"title": "Buy it", "goal": "Buy a kettle.", "level": "easy"})
    if nodes:
        made.put_node(1, CART)
    return made


def written(made: TaskDraft, folder: Path, mine: Path | None = None) -> Path:
    return write_task(made, folder, {"p": PICTURE}.get, mine=mine)


def written_as(made: TaskDraft, said: dict[str, str], folder: Path) -> Path:
    made.describe(said)
    return written(made, folder)


def test_what_is_written_is_a_task_with_its_trace_and_pictures(tmp_path: Path) -> None:
    folder = written(draft(), tmp_path)
    assert sorted(file.name for file in folder.iterdir()) == ["step-01.jpg", "task.json", "trace.json"]
    task = Catalog(tmp_path).task("Buy it")
    instance = task.pages[0]
    facts, trace = task.site_of(instance), task.trace_of(instance)
    assert trace is not None
    assert (facts.goal, facts.seed, facts.site, facts.level) == ("Buy a kettle.", 3, "shop", "easy")
    assert facts.evaluators.key_nodes == (CART,)
    assert [(step.do, step.nodes, step.picture) for step in trace.steps] == [
        ("click", (0,), "step-01.jpg"),
        ("fill", (), ""),
    ]
    assert (folder / "step-01.jpg").read_bytes() == PICTURE


def test_password_is_a_placeholder_in_the_trace_which_says_so(tmp_path: Path) -> None:
    folder = written(draft(), tmp_path)
    step = json.loads((folder / "trace.json").read_text())["steps"][1]
    assert step["value"] == NOT_RECORDED
    assert "not recorded" in step["note"]


def test_answer_is_the_last_step_and_what_the_task_is_judged_by(tmp_path: Path) -> None:
    made = draft(nodes=False)
    made.describe({"answer": "17.50", "answer_match": "include"})
    task = Catalog(written(made, tmp_path).parent).task("Buy it")
    rule, trace = task.site_of(task.pages[0]).evaluators.answer, task.trace_of(task.pages[0])
    assert rule is not None
    assert trace is not None
    assert (rule.match, rule.reference) == ("include", "17.50")
    assert (trace.steps[-1].do, trace.steps[-1].value) == ("finish", "17.50")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"title": ""}, "no title"),
        ({"goal": " "}, "no goal"),
        ({"level": "simple"}, "no level"),
        ({"title": "x" * 121}, "at most 120"),
        ({"answer_match": "fuzzy"}, "no match"),
    ],
)
def test_task_that_is_not_complete_is_not_written(tmp_path: Path, said: dict[str, str], words: str) -> None:
    made = draft()
    with pytest.raises(CannotDo, match=words):
        written_as(made, said, tmp_path)
    assert not list(tmp_path.iterdir())


def test_task_that_nothing_judges_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(CannotDo, match="put a key node on a step"):
        written(draft(nodes=False), tmp_path)


@pytest.mark.parametrize("title", ["../away", "_hidden", ".hidden", "a/b", "tab\there"])
def test_title_that_is_no_name_of_a_folder_is_refused(tmp_path: Path, title: str) -> None:
    made = draft()
    made.describe({"title": title})
    with pytest.raises(CannotDo, match="name of a folder"):
        written(made, tmp_path / "tasks")
    assert not list(tmp_path.iterdir())


def test_task_of_somebody_else_is_not_written_over_and_ones_own_is(tmp_path: Path) -> None:
    made = draft()
    folder = written(made, tmp_path)
    with pytest.raises(CannotDo, match="already"):
        written(draft(), tmp_path)
    made.remove(2)
    assert written(made, tmp_path, mine=folder) == folder
    assert len(json.loads((folder / "trace.json").read_text())["steps"]) == 1
    made.describe({"title": "Another name"})
    assert [each.name for each in (written(made, tmp_path, mine=folder), *tmp_path.iterdir())] == ["Another name"] * 2


def test_step_is_removed_with_its_nodes() -> None:
    made = draft()
    made.remove(1)
    assert [step.number for step in made.steps] == [2]
    assert made.nodes == ()
    with pytest.raises(CannotDo, match="not there any more"):
        made.remove(1)


@pytest.mark.parametrize(
    ("step", "node", "words"),
    [
        (1, CART, "there already"),
        (1, KeyNode(target="url", match="exact", reference=" "), "something to compare"),
        (1, KeyNode(target="element_path", match="include", reference="#b"), "compared exactly"),
        (2, KeyNode(target="element_value", match="exact", reference="x"), "password"),
        (9, KeyNode(target="url", match="exact", reference="x"), "not there"),
    ],
)
def test_node_that_cannot_be_met_is_refused(step: int, node: KeyNode, words: str) -> None:
    with pytest.raises(CannotDo, match=words):
        draft().put_node(step, node)


def test_node_is_taken_off_again() -> None:
    made = draft()
    made.drop_node(1, 0)
    assert made.nodes == ()
    with pytest.raises(CannotDo, match="not there any more"):
        made.drop_node(1, 0)


def test_order_on_the_web_has_the_origins_that_are_allowed() -> None:
    order = order_of("https://www.example.org/a?b=1", live=True, allow=["cdn.example.org", "http://example.com:8080"])
    assert order.origins == ("https://www.example.org", "https://cdn.example.org", "http://example.com:8080")
    assert order.is_live


@pytest.mark.parametrize(
    ("url", "options", "words"),
    [
        ("https://www.example.org/", {}, "--network live"),
        ("ftp://shop.test/", {}, "no address"),
        ("", {}, "no address"),
        (START, {"live": True}, "leave out"),
        ("https://www.example.org/", {"live": True, "seed": 1}, "bundled sites"),
        ("https://www.example.org/", {"live": True, "allow": ["a b"]}, "names no host"),
    ],
)
def test_order_that_does_not_fit_is_refused_in_words(url: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(NothingToRecord, match=words):
        order_of(url, **options)  # type: ignore[arg-type]


def test_bundled_site_is_known_by_its_host_and_keeps_the_path() -> None:
    order = order_of("shop.test/cart/", variant="moved", seed=2)
    assert (order.start, order.origins) == ("http://shop.test/cart/", ("http://shop.test",))
    assert (order.setting.site, order.setting.variant, order.setting.seed) == ("shop", "moved", 2)
