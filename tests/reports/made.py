"""Results as a report takes them, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from harness.analysis.aggregation import Groups, Sizes
from harness.analysis.endings import EndReason, OutcomeReasons
from harness.analysis.estimation import Estimates
from harness.analysis.failed_actions import ErrorClass, FailureExample, Failures
from harness.analysis.people.label_agreement import Agreement, GroupedAgreement
from harness.analysis.result_numbers import CloseFloor, Effort, GroupNumbers, RankedTask, ResultNumbers, WithWorkers
from harness.kit.files.codec import plain, typed
from harness.kit.statistics.estimate import Estimate
from harness.records.provenance import WorkingCopy
from harness.records.results import MeanScores, Rates
from harness.records.run_record import RunRecord
from harness.reports.mistakes.findings import (
    AnswerPair,
    Confusions,
    CountedField,
    ExampleTable,
    FieldCounts,
    FieldTable,
    Findings,
    LabelText,
    LossyField,
    ScoredPlace,
    SilentField,
    WrongNumber,
    WrongText,
)
from harness.reports.mistakes.word_difference import cut
from harness.reports.reported import Original, Reported, ScoreHistogram
from tests.samples import missed_outside

EVIL = "<script>alert('x')</script> & \"$\\frac{1}{2}$\" 漢字 \x00"
"""A name that is markup, a formula, letters that a font lacks, and a character that XML forbids."""


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value, low, high, clusters=3, items=30, method="studentised bootstrap")


def around(value: float | None, half: float = 0.06) -> Estimate:
    if value is None:
        return estimate(None)
    return estimate(value, max(0.0, value - half), min(1.0, value + half))


def group(score: float | None, crowd: float | None = 0.7, *, tasks: int = 3) -> GroupNumbers:
    """Numbers of a task, a split, a kind, or all."""
    own = None if score is None or crowd is None else score - 0.02
    gap = None if own is None or crowd is None else own - crowd
    return GroupNumbers(
        estimates=Estimates(
            score=around(score),
            of_ceiling=around(score),
            own_left_out=around(own),
            crowd=around(crowd),
            gap=estimate(gap) if gap is None else estimate(gap, gap - 0.05, gap + 0.05),
        ),
        means=MeanScores(
            score=score,
            ceiling=0.98,
            do_nothing=0.05,
            constant=0.45,
            copy=0.1,
            untied=score,
            of_ceiling=score,
            skill_over_do_nothing=0.5,
            skill_over_constant=0.4,
        ),
        sizes=Sizes(tasks, instances=30, fields=90, episodes=30),
    )


UNKNOWN = replace(
    group(None, None), means=MeanScores(**dict.fromkeys((each.name for each in fields(MeanScores)), None))
)
"""Of a group in which nothing could be measured."""


def groups(tasks: Mapping[str, float]) -> Groups[GroupNumbers]:
    mean = sum(tasks.values()) / len(tasks)
    return Groups(
        overall=group(mean, tasks=len(tasks)),
        instances=group(mean),
        fields=group(mean),
        splits={"test": group(0.5), "train": group(0.6, None)},
        tasks={
            name: group(score, 0.35 + place * 0.5 / len(tasks)) for place, (name, score) in enumerate(tasks.items())
        },
        kinds={"radio": group(0.6), "text": group(0.3), "checkbox": group(0.8)},
    )


def numbers(tasks: Mapping[str, float], **more: Any) -> ResultNumbers:
    hardest = sorted(tasks, key=lambda name: tasks[name])
    amount = Effort(total=120.0, per_instance=4.0, per_point=0.08, known=30)
    unknown = Effort(total=None, per_instance=None, per_point=None, known=0)
    effort = dict.fromkeys(("steps", "failed", "seconds"), amount)
    effort |= dict.fromkeys(("turns", "input_tokens", "output_tokens", "cost"), unknown)
    made = ResultNumbers(
        profile="standard",
        comparability_id="0123456789",
        level=0.95,
        groups=groups(tasks),
        split_of=dict.fromkeys(tasks, "test"),
        rank=[RankedTask(name, place, False, tasks[name]) for place, name in enumerate(hardest, start=1)],
        trivial=[],
        bounds=None,
        between_seeds=None,
        outcomes={"scored": 28, "limit": 1, "agent_error": 1, "unscored": 0, "harness_error": 0},
        asked_work=None,
        rates=Rates(accepted_submissions=0.9, filled_where_every_worker_left_blank=None),
        unscored_fields={"no label": 3, "repeats the input 'id'": 2, "repeats the input 'x'": 2},
        effort=effort,
        turns_from_cache=0,
        failures=failures(("no such field", 4)),
        agreement=agreement("radio"),
        with_workers={"radio": WithWorkers(share=0.625, fields=50)},
    )
    return replace(made, **more)


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
            "input": "devtools",
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


def failures(*classes: tuple[str, int]) -> Failures:
    example = FailureExample(task="T", index=0, action=EVIL, message=EVIL)
    return Failures(
        steps=100,
        failed=sum(times for _, times in classes),
        episodes=30,
        episodes_touched=3,
        classes={name: ErrorClass(times, 2, example) for name, times in classes},
        unread=ErrorClass(0, 0, None),
        actions={},
    )


def agreement(kind: str) -> GroupedAgreement:
    found = Agreement(50, 140, alpha=-0.125, unanimous=0.5, majority=0.3, tie=0.2, weight=1.0)
    return GroupedAgreement(found, {kind: found}, {})


def mistakes(word: str = EVIL) -> Findings:
    """One of each; ``word`` stands wherever strangers' text does."""
    place = ScoredPlace(word, 4, word, 0.25, 1.0)
    field = LossyField(CountedField(word, word, "radio"), scored=30, wrong=12, lost=11.5, blank=2)
    pairs = [AnswerPair(word, word, 18, ok=True), AnswerPair(None, word, 12, ok=False)]
    choice = Confusions(field, tied=1, unreachable=0, each_box=False, pairs=pairs, times_left_out=0)
    text = WrongText(
        place,
        word,
        sent=cut(f"one {word}"),
        labels=[LabelText(cut(word), workers=2, nearest=True)],
        labels_left_out=1,
        diff=[("both", "one "), ("sent", word), ("label", word)],
        diff_cut=False,
    )
    slider = WrongNumber(place, cut("9"), labels=[1, 2.5], labels_left_out=0, distance=7.25)
    silent = SilentField(CountedField(word, word, "text"), scored=10, lost=10.0, hidden_at_first=4)
    return Findings(
        counts=FieldCounts(episodes=30, skipped={}, scored=90, unfollowed=0, answerable=60, blank=12),
        fields=FieldTable([field], 3, 4.5),
        choices=FieldTable([choice], 0, 0.0),
        texts=ExampleTable([text], 5),
        ranges=ExampleTable([slider], 0),
        unanswered=FieldTable([silent], 0, 0.0),
    )


NO_MISTAKES = Findings(
    counts=mistakes().counts,
    fields=FieldTable([], 0, 0.0),
    choices=FieldTable([], 0, 0.0),
    texts=ExampleTable([], 0),
    ranges=ExampleTable([], 0),
    unanswered=FieldTable([], 0, 0.0),
)

TASKS = {"Sorting": 0.9, "Naming": 0.2, "Drawing": 0.55}


def reported(name: str = "random", tasks: Mapping[str, float] | None = None, **more: Any) -> Reported:
    made = Reported(
        name=name,
        numbers=numbers(tasks or TASKS),
        records=[record()],
        scores=ScoreHistogram([10, *[1] * 18, 2], 8, 1),
        dropped={},
        mistakes=mistakes("plain"),
        original=Original("fedcba9876", around(0.42), 0.44, around(0.41)),
    )
    return replace(made, **more)


def evil() -> Reported:
    """A result in which every text of strangers is ``EVIL``."""
    tasks = {EVIL: 0.3, f"{EVIL}2": 0.9}
    parts = replace(groups(tasks), kinds={EVIL: group(0.3)}, splits={EVIL: group(0.3)})
    known = numbers(
        tasks,
        groups=parts,
        unscored_fields={EVIL: 1},
        failures=failures((EVIL, 2)),
        agreement=agreement(EVIL),
        with_workers={EVIL: WithWorkers(0.625, 50)},
        trivial=[CloseFloor(EVIL, "constant", 0.4, "crowd", 0.42)],
    )
    run = record(left_out={EVIL: 1}, problems=[EVIL], identical_tasks=[[EVIL, EVIL]], solver={"model": EVIL})
    config = replace(run.config, solver=EVIL, tasks=(EVIL,), options={"command": EVIL})
    run = replace(run, config=config, provenance=replace(run.provenance, system=EVIL, git=WorkingCopy(EVIL, (EVIL,))))
    ended = OutcomeReasons(3, (EndReason(1, EVIL, EVIL, 0, Path("run")),), 2)
    endings = {"agent_error": ended}
    return reported(EVIL, numbers=known, records=[run], mistakes=mistakes(), dropped={EVIL: 2}, endings=endings)


def many(count: int) -> Sequence[Reported]:
    return [reported(f"solver {place}") for place in range(count)]
