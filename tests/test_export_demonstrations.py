"""Demonstrations in Mind2Web's form, made in a browser of reference traces and of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog.site_facts import KeyNode
from harness.catalog.trace import ElementMark
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.export.runs import main
from harness.kit.files.installation import BUNDLED_TASKS
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE as ID
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations, written
from harness.papers.mind2web.demonstrations.page_tree import page_tree
from harness.sites.recording.draft import TaskDraft
from harness.sites.recording.order import order_of
from harness.sites.recording.recorded_step import PersonAct
from harness.sites.recording.task_files import write_task
from tests.site_tasks import make_site_task

SITES = BUNDLED_TASKS / "_sites"
KETTLE, DARK, HELP = "Shop - Put a kettle into the cart", "Board - A dark theme", "Travel - Weight of a cabin bag"
NAMES = (KETTLE, DARK, HELP)
KEPT = ("--mhtml", "--pictures", "--har")
TASKS = [word for name in NAMES for word in ("--task", name)]


def export(*arguments: object) -> int:
    return main([*map(str, arguments), "--format", "mind2web", "--progress", "quiet"])


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an export of three reference traces, with all that can be kept of pages."""
    folder = tmp_path_factory.mktemp("traces")
    assert export(*TASKS, "--out", folder / "traces.json.gz", *KEPT, "--workers", 2) == COMPLETE
    return folder


@pytest.fixture(scope="module")
def made(traces: Path) -> dict[str, Demonstration]:
    """The demonstrations, by the names of their tasks."""
    return {str(each.more["task"]): each for each in read_demonstrations(traces / "traces.json.gz")}


@pytest.mark.slow
def test_each_trace_becomes_a_demonstration_in_the_order_of_tasks(made: dict[str, Demonstration]) -> None:
    assert list(made) == sorted(NAMES)
    assert {each.website: (each.domain, each.subdomain) for each in made.values()} == {
        "shop": ("Shopping", "General"),
        "board": ("Service", "Social media"),
        "travel": ("Travel", "Other"),
    }
    assert len({each.annotation_id for each in made.values()}) == len(NAMES)


@pytest.mark.slow
def test_each_step_is_told_as_the_paper_tells_it(made: dict[str, Demonstration]) -> None:
    assert made[DARK].action_reprs == (
        "[link]  Settings -> CLICK",
        "[tab]  Appearance -> CLICK",
        "[radio]  Dark -> CLICK",
        "[button]  Save changes -> CLICK",
    )
    assert made[DARK].confirmed_task == "Switch the board to the dark theme."


@pytest.mark.slow
def test_a_search_is_to_type_and_to_press_enter(made: dict[str, Demonstration]) -> None:
    typed, entered = made[KETTLE].steps[:2]
    assert made[KETTLE].action_reprs[:2] == (
        "[searchbox]  Search the shop -> TYPE: electric kettle",
        "[searchbox]  Search the shop -> CLICK",
    )
    assert (typed.operation.op, typed.operation.original_op) == ("TYPE", "TYPE")
    assert (entered.operation.op, entered.operation.original_op) == ("CLICK", "ENTER")
    assert typed.positives[0].backend_node_id == entered.positives[0].backend_node_id
    assert typed.positives[0].attributes["input_value"] == ""
    assert entered.positives[0].attributes["input_value"] == "electric kettle"


@pytest.mark.slow
def test_a_step_has_the_page_before_it_with_its_element(made: dict[str, Demonstration]) -> None:
    for demonstration in made.values():
        for step in demonstration.steps:
            raw = {each.get(ID) for each in page_tree(step.raw_html).iter("*")}
            clean = {each.get(ID) for each in page_tree(step.cleaned_html).iter("*")}
            candidates = {each.backend_node_id for each in (*step.positives, *step.negatives)}
            assert candidates < clean < raw
            assert [each.is_original_target for each in step.positives].count(True) == 1
            assert [each.is_top_level_target for each in step.positives].count(True) == 1


@pytest.mark.slow
def test_what_is_exported_and_read_again_is_equal(traces: Path, made: dict[str, Demonstration], tmp_path: Path) -> None:
    assert written(made.values(), tmp_path / "again.json.gz") == len(NAMES)
    assert list(read_demonstrations(tmp_path / "again.json.gz")) == list(made.values())
    assert (tmp_path / "again.json.gz").read_bytes() == (traces / "traces.json.gz").read_bytes()


@pytest.mark.slow
def test_pages_are_kept_beside_it(traces: Path, made: dict[str, Demonstration]) -> None:
    for demonstration in made.values():
        for step in demonstration.steps:
            name = traces / "traces-pages" / demonstration.annotation_id / step.action_uid
            assert name.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
            assert b"multipart/related" in name.with_suffix(".mhtml").read_bytes()
        archive = json.loads((traces / "traces-pages" / demonstration.annotation_id / "network.har").read_text())
        documents = [each["response"]["content"].get("text", "") for each in archive["log"]["entries"]]
        assert any("<title>" in each for each in documents)


@pytest.mark.slow
def test_what_has_no_element_is_no_step_and_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export("--task", HELP, "--out", tmp_path / "a.jsonl") == COMPLETE
    said = capsys.readouterr().err
    assert "1 demonstration\nleft out: 1 x finish, which is done to no element" in said
    assert "3 steps in them" in said


@pytest.mark.slow
def test_a_trace_that_does_not_reach_its_goal_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    way = [{"do": "click", "element": {"css": "a[href='/help/']"}}, {"do": "finish"}]
    make_site_task(tmp_path / "tasks", "T", trace={"goal": "g", "start": "http://travel.test/", "steps": way})
    assert export("--tasks-dir", tmp_path / "tasks", "--out", tmp_path / "a.json") == INCOMPLETE
    assert "0 demonstrations\nleft out: 1 x 'T', instance 0: " in capsys.readouterr().err
    assert not (tmp_path / "a.json").exists()


@pytest.mark.slow
def test_what_a_person_has_recorded_becomes_a_demonstration(tmp_path: Path) -> None:
    board = "http://board.test/"
    draft = TaskDraft(order_of(board, seed=3))
    link = ElementMark(css="nav.mine a[href='/settings/']", tag="a")
    draft.maker.take(PersonAct(kind="click", url=board, element=link, picture="p"))
    draft.maker.take(PersonAct(kind="moved", url=f"{board}settings/"))
    draft.describe({"title": "Go there", "goal": "Open the settings.", "level": "easy"})
    draft.put_node(1, KeyNode(target="url", match="exact", reference=f"{board}settings/"))
    write_task(draft, tmp_path / "recorded", {"p": b"\xff\xd8 a picture"}.get)
    assert export("--tasks-dir", tmp_path / "recorded", "--out", tmp_path / "a.json") == COMPLETE
    [one] = read_demonstrations(tmp_path / "a.json")
    assert (one.confirmed_task, one.website, one.more["seed"]) == ("Open the settings.", "board", 3)
    assert one.action_reprs == ("[link]  Settings -> CLICK",)


@pytest.mark.slow
def test_a_run_becomes_what_its_traces_become(
    made: dict[str, Demonstration], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of_run = ["--tasks-dir", str(SITES), "--task", KETTLE, "--task", HELP]
    played = [*of_run, "--solver", "oracle", "--out", str(tmp_path / "run"), "--workers", "1", "--progress", "quiet"]
    assert evaluate(played) == COMPLETE
    assert export(tmp_path / "run", "--tasks-dir", SITES, "--out", tmp_path / "run.json") == COMPLETE
    assert "2 demonstrations" in capsys.readouterr().err
    of_traces = [made[KETTLE], made[HELP]]
    for of_run_one, of_trace in zip(read_demonstrations(tmp_path / "run.json"), of_traces, strict=True):
        assert of_run_one.more["made_from"] == "run"
        assert of_run_one.action_reprs == of_trace.action_reprs
        assert [step.operation for step in of_run_one.steps] == [step.operation for step in of_trace.steps]
        assert of_run_one.annotation_id != of_trace.annotation_id


@pytest.mark.slow
def test_failures_of_a_run_are_not_demonstrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "idle"
    played = ["--tasks-dir", str(SITES), "--task", HELP, "--solver", "do-nothing", "--out", str(run)]
    assert evaluate([*played, "--workers", "1", "--progress", "quiet"]) == COMPLETE
    assert export(run, "--tasks-dir", SITES, "--out", tmp_path / "idle.json") == INCOMPLETE
    assert "0 demonstrations" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--format mind2web writes a file"),
        (["--out", "a.txt"], "ending with .json"),
        (["--out", "there.json"], "there.json exists"),
        (["run", "--seeds", "2", "--out", "a.json"], "give no run"),
    ],
)
def test_wrong_use_is_said(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.json").write_text(json.dumps([]))
    assert export(*arguments) == WRONG_USE
    assert words in capsys.readouterr().err


def test_other_formats_need_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--format", "sft"]) == WRONG_USE
    assert "name a run directory" in capsys.readouterr().err
