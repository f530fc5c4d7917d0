"""Results as a report takes them, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.files.codec import plain, typed
from harness.reports.reported import Original, Reported, Scores
from harness.runlog.provenance import WorkingCopy
from harness.runlog.run_record import RunRecord
from tests.samples import missed_outside

EVIL = "<script>alert('x')</script> & \"$\\frac{1}{2}$\" 漢字 \x00"
"""A name that is markup, a formula, letters that a font lacks, and a character that XML forbids."""


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "clusters": 3, "items": 30, "method": "studentised bootstrap"}


def around(value: float | None, half: float = 0.06) -> dict[str, Any]:
    if value is None:
        return estimate(None)
    return estimate(value, max(0.0, value - half), min(1.0, value + half))


def group(score: float | None, crowd: float | None = 0.7, **more: Any) -> dict[str, Any]:
    """Numbers of a task, a split, a kind, or all."""
    own = None if score is None or crowd is None else score - 0.02
    gap = None if own is None or crowd is None else own - crowd
    return {
        "score": around(score),
        "of_ceiling": around(score),
        "ceiling": 0.98,
        "do_nothing": 0.05,
        "constant": 0.45,
        "copy": 0.1,
        "untied": score,
        "skill_over_do_nothing": 0.5,
        "skill_over_constant": 0.4,
        "skill_over_copy": 0.45,
        "crowd": around(crowd),
        "own_left_out": around(own),
        "gap": estimate(gap) if gap is None else estimate(gap, gap - 0.05, gap + 0.05),
        "tasks": 3,
        "instances": 30,
        "fields": 90,
        **more,
    }


def numbers(tasks: Mapping[str, float], **more: Any) -> dict[str, Any]:
    """See ``harness.analysis.numbers``."""
    hardest = sorted(tasks, key=lambda name: tasks[name])
    mean = sum(tasks.values()) / len(tasks)
    amount = {"total": 120.0, "per_instance": 4.0, "per_point": 0.08, "known": 30}
    unknown = {"total": None, "per_instance": None, "per_point": None, "known": 0}
    effort = dict.fromkeys(("steps", "failed", "seconds"), amount)
    effort |= dict.fromkeys(("turns", "input_tokens", "output_tokens", "cost"), unknown)
    return {
        "overall": group(mean, tasks=len(tasks)),
        "instances_mean": group(mean),
        "fields_mean": group(mean),
        "splits": {"test": group(0.5), "train": group(0.6, None)},
        "tasks": {
            name: group(score, 0.35 + place * 0.5 / len(tasks), split="test")
            for place, (name, score) in enumerate(tasks.items())
        },
        "kinds": {"radio": group(0.6), "text": group(0.3), "checkbox": group(0.8)},
        "rank": [{"place": place, "task": name, "score": tasks[name]} for place, name in enumerate(hardest, start=1)],
        "outcomes": {"scored": 28, "limit": 1, "agent_error": 1, "unscored": 0, "harness_error": 0},
        "rates": {"accepted_submissions": 0.9, "filled_where_every_worker_left_blank": None},
        "unscored_fields": {"no label": 3, "repeats the input 'id'": 2, "repeats the input 'x'": 2},
        "effort": effort,
        "trivial": [],
        "errors": errors(("no such field", 4)),
        "agreement": agreement("radio"),
        "bounds": None,
        "between_seeds": None,
        **more,
    }


def record(**more: Any) -> RunRecord:
    """A ``run.json``; ``more`` as JSON."""
    made = {
        "schema": 4,
        "status": "complete",
        "started": "2026-01-31T12:00:00+00:00",
        "ended": "2026-01-31T12:30:00+00:00",
        "config": {
            "solver": "random",
            "tasks_dir": "tasks of others",
            "overlay": None,
            "split": "test",
            "tasks": [],
            "max_instances": 10,
            "workers": 2,
            "seed": 0,
            "solver_seed": None,
            "metrics": "standard",
            "headed": False,
            "display": "webdriver",
            "live_clock": False,
            "server": None,
            "limits": {"max_steps": 1000, "max_seconds": 300.0},
            "network": "mirror",
            "media": None,
            "skip_missing_media": False,
            "exclude_content_warnings": False,
            "options": {},
        },
        "provenance": {
            "git": {"revision": "a" * 40, "changed_files": []},
            "python": "3.11.7",
            "system": "Linux",
            "browser": "Chrome/1",
            "packages": {"numpy": "2", "PyAutoGUI": None},
        },
        "solver": {},
        "task_set": "1" * 64,
        "inventory": "2" * 64,
        "protocol": "field-names",
        "sample": "3" * 64,
        "comparability_id": "0123456789",
        "planned_episodes": 30,
        "left_out": {"instances that nobody labelled": 7},
        "problems": [],
        "identical_tasks": [],
        "foundations": dict.fromkeys(("overlay", "task_set", "page_code", "mirror"), ""),
        "outside": plain(missed_outside()),
        **more,
    }
    return typed(made, RunRecord)


def errors(*classes: tuple[str, int]) -> dict[str, Any]:
    """See ``harness.analysis.failed_actions``."""
    example = {"task": "T", "index": 0, "action": EVIL, "message": EVIL}
    return {
        "steps": 100,
        "failed": sum(times for _, times in classes),
        "episodes": 30,
        "episodes_touched": 3,
        "classes": {name: {"count": times, "episodes": 2, "example": example} for name, times in classes},
        "unread": {"count": 0, "episodes": 0, "example": None},
        "actions": {},
    }


def agreement(kind: str) -> dict[str, Any]:
    found = {"units": 50, "labels": 140, "alpha": -0.125, "unanimous": 0.5, "majority": 0.3, "tie": 0.2}
    labels = {"overall": found, "kinds": {kind: found}, "tasks": {}}
    return {"labels": labels, "with_workers": {kind: {"share": 0.625, "fields": 50}}}


def cut(text: str) -> dict[str, Any]:
    return {"text": text, "characters": len(text), "cut": False}


def mistakes(word: str = EVIL) -> dict[str, Any]:
    """One of each, see ``harness.reports.mistakes.collection``; ``word`` stands wherever strangers' text does."""
    field = {"task": word, "field": word, "kind": "radio", "scored": 30, "wrong": 12, "lost": 11.5, "blank": 2}
    example = {"task": word, "index": 4, "id": "0" * 12, "field": word, "kind": "text", "score": 0.25, "ceiling": 1.0}
    none = {"fields": 0, "lost": 0.0}
    pairs = [
        {"sent": word, "right": word, "times": 18, "ok": True},
        {"sent": None, "right": word, "times": 12, "ok": False},
    ]
    choice = {
        **field,
        "tied": 1,
        "unreachable": 0,
        "each_box": False,
        "pairs": pairs,
        "pairs_left_out": {"pairs": 0, "times": 0},
    }
    text = {
        **example,
        "explanation": word,
        "sent": cut(f"one {word}"),
        "labels": [{**cut(word), "workers": 2, "nearest": True}],
        "labels_left_out": 1,
        "diff": [["both", "one "], ["sent", word], ["label", word]],
        "diff_cut": False,
    }
    slider = {**example, "sent": cut("9"), "labels": [1, 2.5], "labels_left_out": 0, "distance": 7.25}
    silent = {"task": word, "field": word, "kind": "text", "scored": 10, "lost": 10.0, "hidden_at_first": 4}
    return {
        "profile": "standard",
        "episodes": 30,
        "skipped": {},
        "scored_fields": 90,
        "unfollowed_fields": 0,
        "fields": {"rows": [field], "left_out": {"fields": 3, "lost": 4.5}},
        "choices": {"rows": [choice], "left_out": none},
        "texts": {"rows": [text], "left_out": 5},
        "ranges": {"rows": [slider], "left_out": 0},
        "unanswered": {"rows": [silent], "left_out": none, "blank_fields": 12, "scored_fields": 60},
    }


NO_MISTAKES: dict[str, Any] = {
    **mistakes(),
    "fields": {"rows": [], "left_out": {"fields": 0, "lost": 0.0}},
    "choices": {"rows": [], "left_out": {"fields": 0, "lost": 0.0}},
    "texts": {"rows": [], "left_out": 0},
    "ranges": {"rows": [], "left_out": 0},
    "unanswered": {"rows": [], "left_out": {"fields": 0, "lost": 0.0}, "blank_fields": 0, "scored_fields": 60},
}

TASKS = {"Sorting": 0.9, "Naming": 0.2, "Drawing": 0.55}


def reported(name: str = "random", tasks: Mapping[str, float] | None = None, **more: Any) -> Reported:
    made = Reported(
        name=name,
        numbers=numbers(tasks or TASKS),
        records=[record()],
        profile="standard",
        comparability_id="0123456789",
        scores=Scores([10, *[1] * 18, 2], 8, 1),
        dropped={},
        mistakes=mistakes("plain"),
        original=Original("fedcba9876", around(0.42), 0.44, around(0.41)),
    )
    return replace(made, **more)


def evil() -> Reported:
    """A result in which every text of strangers is ``EVIL``."""
    tasks = {EVIL: 0.3, f"{EVIL}2": 0.9}
    known = numbers(
        tasks,
        kinds={EVIL: group(0.3)},
        splits={EVIL: group(0.3)},
        unscored_fields={EVIL: 1},
        errors=errors((EVIL, 2)),
        agreement=agreement(EVIL),
        trivial=[
            {"task": EVIL, "floor": "constant", "floor_score": 0.4, "against": "crowd", "against_score": 0.42},
        ],
    )
    run = record(left_out={EVIL: 1}, problems=[EVIL], identical_tasks=[[EVIL, EVIL]], solver={"model": EVIL})
    config = replace(run.config, solver=EVIL, tasks=(EVIL,), options={"command": EVIL})
    run = replace(run, config=config, provenance=replace(run.provenance, system=EVIL, git=WorkingCopy(EVIL, (EVIL,))))
    return reported(EVIL, numbers=known, records=[run], mistakes=mistakes(), dropped={EVIL: 2})


def many(count: int) -> Sequence[Reported]:
    return [reported(f"solver {place}") for place in range(count)]
