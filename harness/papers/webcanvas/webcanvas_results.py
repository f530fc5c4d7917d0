"""A run on websites in WebCanvas's own layout: a file an episode, and totals (docs/reference/key-nodes.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

from harness.analysis.site_scores import SiteNumbers, SiteScore, site_numbers, site_score
from harness.datasets.tasksets import DatasetError
from harness.kit.files.writing import path_name, write_json
from harness.papers.webcanvas.mind2web_live import ORIGIN, known_ids
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.site_record import EvaluatedPart, Moment
from harness.records.turn import Turn
from harness.scoring.evaluators.text_match import is_met

RESULTS = "out.json"
"""The list that is handed in."""
TOTALS = "result.json"
_MISREAD = "error:"


@dataclass(frozen=True)
class WrittenResults:
    """What was written of a run.

    Attributes:
        episodes: How many episodes.
        left_out: Those that have no key nodes, or ended by an error of the harness: ``<task> <index>``.
        unknown: How many of the episodes have a key node that could not be judged.
    """

    episodes: int
    left_out: tuple[str, ...]
    unknown: int


def export_results(run: Path, out: Path, tasks_dir: Path | None = None) -> WrittenResults:
    """Write what WebCanvas writes of a run: ``<place>_<id>.json`` an episode, ``out.json``, ``result.json``.

    A task's id is its index in the public file if ``tasks_dir`` says where its imported task set is; else its name. The
    folder that the run itself names is never opened: a run may be a stranger's.

    Args:
        run: The run directory.
        out: The folder; it is made, and may be there if it is empty.
        tasks_dir: The task set that the run is of; None for ids that are names.

    Raises:
        DatasetError: no episode has key nodes, ``out`` is not empty, or ``tasks_dir`` was not imported.
        harness.records.directory.NotARun: it cannot be read.
        OSError: a file cannot be written.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DatasetError(f"{out} is not empty; give a new folder for the results")
    directory = RunDirectory.open(run)
    ids = known_ids(tasks_dir) if tasks_dir else {}
    if tasks_dir and not ids:
        raise DatasetError(f"{tasks_dir / ORIGIN} is not there: name a task set that was imported, or leave it out")
    rows: list[dict[str, Any]] = []
    scores: list[SiteScore] = []
    left_out: list[str] = []
    for episode in directory.episodes():
        score = site_score(episode)
        if score is None:
            left_out.append(f"{episode.task} {episode.index}")
            continue
        record = episode_record(episode, score, _id_of(episode, ids))
        write_json(out / f"{len(rows)}_{path_name(str(record['id']))}.json", record)
        rows.append(_row(record, score))
        scores.append(score)
    if not rows:
        raise DatasetError(f"{run} has no episode on a site with key nodes; there is nothing to export")
    write_json(out / RESULTS, rows)
    write_json(out / TOTALS, totals(site_numbers(scores)))
    return WrittenResults(len(rows), tuple(left_out), sum(score.step_score is None for score in scores))


def episode_record(episode: Episode, score: SiteScore, identity: int | str) -> dict[str, Any]:
    """One episode, as WebCanvas's runner writes it.

    Args:
        episode: The episode, on a site with key nodes.
        score: Its score.
        identity: By which the data set knows its task.
    """
    site = episode.site
    if site is None:
        raise ValueError(f"{episode.task} {episode.index} is a form")
    parts = next(each.parts for each in site.evaluations if each.evaluator == "key_nodes")
    steps: list[dict[str, Any]] = []
    for number in range(len(episode.steps)):
        steps.append(_step(episode, number, parts, site.moments, [step["current_trace"] for step in steps]))
    return {
        "task_name": site.task.goal,
        "id": identity,
        "reference_task_length": site.task.reference_length,
        "status": _status(episode, score),
        "LLM_error_rate": _error_rate(episode.turns),
        "step_list": steps,
        "evaluate_steps": [{"step_index": step["step_index"], "score": step["score"]} for step in steps],
    }


def totals(numbers: SiteNumbers) -> dict[str, Any]:
    """The totals by the names of WebCanvas; what is not known is null."""
    near = None
    if numbers.success is not None and numbers.success_with_one_missing is not None:
        near = numbers.success_with_one_missing - numbers.success
    return {
        "task_counts": numbers.episodes,
        "unknown_tasks": numbers.unknown,
        "key_node_completion_rate": numbers.completion_micro,
        "average_step_score_rate": numbers.completion_macro,
        "task_success_rate": numbers.success,
        "task_near_success_rate": near,
        "average_efficiency_score": numbers.steps_per_node,
        "usd_efficiency_score": numbers.usd_per_node,
    }


def _row(record: Mapping[str, Any], score: SiteScore) -> dict[str, Any]:
    return {
        "task_name": record["task_name"],
        "id": record["id"],
        "reference_task_length": record["reference_task_length"],
        "status": record["status"],
        "steps": score.steps,
        "task_score": _of(score.step_score, score.nodes),
        "task_score_rate": score.completion,
        "usd": score.cost,
    }


def _step(
    episode: Episode,
    number: int,
    parts: Sequence[EvaluatedPart],
    moments: Sequence[Moment],
    before: list[dict[str, str]],
) -> dict[str, Any]:
    step = episode.steps[number]
    until = [moment for moment in moments if moment.step is None or moment.step <= number]
    here = [moment for moment in until if moment.step == number]
    # What sent a form says more than the form.
    acted = next((each.element for each in reversed(here) if each.element and each.event != "submit"), None)
    turn = next((turn for turn in episode.turns if turn.steps[0] <= number < turn.steps[1]), None)
    met = {str(place): part.score for place, part in enumerate(parts) if is_met(part.score) and part.step == number}
    return {
        "step_index": number,
        "dict_result": {"action": step.action, "ok": step.ok},
        "current_trace": {
            "thought": (turn.thought or turn.reply) if turn else "",
            "action": step.action,
            "reflection": step.message,
        },
        "selector": acted.css if acted else None,
        "execute_action": step.action,
        "element_value": acted.value if acted else None,
        "text_content": acted.text if acted else None,
        "score": _of(_by_step(parts, number), len(parts)),
        "match_func_result": met,
        "step_reward": None,
        "step_url": until[-1].url if until else None,
        "error_message": "" if step.ok else step.message,
        "previous_trace": before,
    }


def _by_step(parts: Sequence[EvaluatedPart], number: int) -> float | None:
    """What the nodes were worth once a step was done; of what was judged but not met nothing is known until the end."""
    if any(part.score is None for part in parts):
        return None
    met = [part for part in parts if part.moment is not None]
    return fsum(part.score or 0.0 for part in met if (part.step or 0) <= number)


def _status(episode: Episode, score: SiteScore) -> str:
    if score.succeeded():
        return "finished"
    if score.is_ended_by_itself:
        return "llm_finished"
    return "step_limit" if episode.ended_at == "steps" else "early_stop"


def _error_rate(turns: Sequence[Turn]) -> float | None:
    """The share of replies in which no action could be read; None if no model was asked."""
    wrong = sum(not turn.calls or all(call.startswith(_MISREAD) for call in turn.calls) for turn in turns)
    return wrong / len(turns) if turns else None


def _of(points: float | None, nodes: int) -> str | None:
    return None if points is None else f"{points:g} / {nodes}"


def _id_of(episode: Episode, ids: Mapping[str, int | str]) -> int | str:
    return ids.get(episode.task, f"{episode.task} {episode.index}")
