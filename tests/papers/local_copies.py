"""Small local copies of what the commands of the papers read: public files and runs, by the names in the commands."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from harness.cli.boundary import COMPLETE
from harness.cli.commands.tasks.sets import main as tasks
from harness.papers.mind2web.demonstrations.mind2web_file import written as write_demonstrations
from tests.analysis.made import write
from tests.checkout import PROJECT
from tests.datasets.webarena_files import configured, write_file
from tests.models.scripted_model import SITE
from tests.papers.mind2web.mindact.pages import demonstrations
from tests.papers.online_mind2web.test_task_set import TASK, written
from tests.papers.turkingbench.test_figures import asked
from tests.papers.webcanvas.test_mind2web_live import given
from tests.papers.webcanvas.test_webcanvas_results import played
from tests.scoring.judges import made as judged
from tests.scoring.judges.test_judge_results import written as write_results

LABELS = ("a", "b", "c")
"""Tasks that people labelled."""


def make_local_copies(folder: Path) -> None:
    """Write them into a folder."""
    make_public_files(folder)
    make_files_of_judges(folder)
    make_runs(folder)
    for name in ("mind2web-live", "online-mind2web"):
        shutil.copytree(PROJECT / "tasks" / "_sites" / SITE, folder / name / SITE)


def make_public_files(folder: Path) -> None:
    """Tasks and demonstrations, as their authors publish them."""
    written(folder, *({**TASK, "task_id": name} for name in LABELS))
    given(folder).rename(folder / "mind2web-live_test_20241024.json")
    write_file(folder, configured(0, ["string_match"], reference_answers={"exact_match": "six"})).rename(
        folder / "test.raw.json"
    )
    cookie = {"name": "session", "value": "x", "domain": "arena.example", "path": "/", "expires": -1}
    (folder / "shopping_state.json").write_text(json.dumps({"cookies": [cookie], "origins": []}), encoding="utf-8")
    splits = {"train": ("shop", "hotel"), "test_task": ("travel",), "test_website": ("board",), "test_domain": ("inn",)}
    for split, sites in splits.items():
        file = folder / "data" / split / f"{split}_0.json"
        file.parent.mkdir(parents=True)
        write_demonstrations(demonstrations(sites, each=2 if split == "train" else 1), file)
    assert tasks(["import", "mind2web", str(folder / "data"), str(folder / "traces")]) == COMPLETE


def make_files_of_judges(folder: Path) -> None:
    """Labels of people, and verdicts of judges."""
    agents = ("Browser_Use", "Operator")
    labels = [
        {"task_id": task, "confirmed_task": "Go", **{f"{agent}_human_label": str(number % 2) for agent in agents}}
        for number, task in enumerate(LABELS)
    ]
    (folder / "human_label.json").write_text(json.dumps(labels), encoding="utf-8")
    said = [
        {"task_id": task, "predicted_label": 1, "evaluation_details": {"response": "Status: success"}}
        for task in LABELS
    ]
    for name in ("webjudge.jsonl", "operator_results.json"):
        (folder / name).write_text("".join(json.dumps(each) + "\n" for each in said), encoding="utf-8")
    write_results(folder, {"y_human": [1, 1, 0], "y_judge": [1, -1, 0]})
    judged.made(folder / "trajectories")
    wrong, kinds = dict.fromkeys(LABELS, "wrong"), dict.fromkeys(LABELS, "navigation")
    for name, judge, kind in (
        ("operator_judges/webjudge-gpt-4o/1/verdicts.json", "WebJudge", "model"),
        ("operator_review/open/ann.json", "Ann", "person"),
    ):
        (folder / name).parent.mkdir(parents=True)
        judged.written(folder, name, judge, wrong, kind=kind, failures=kinds)


def make_runs(folder: Path) -> None:
    """Runs of agents of the papers."""
    asked(folder / "runs" / "text")
    asked(folder / "runs" / "vision", options={"screenshot": "viewport"})
    for demos in (0, 3):
        asked(folder / "RUNS" / str(demos), options={"demos": demos})
    judged.made_run(folder / "runs" / "operator", {"a": (3, True), "b": (4, False)})
    write(folder / "runs" / "gpt-4", [played()])
