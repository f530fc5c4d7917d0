"""Verdicts of people and of judges on the same trajectories (AgentRewardBench's results), and the metrics of them.

The file holds, by judge, benchmark, agent and category, what people and what the judge said of each trajectory. Its
metrics are worked out as those that were published with it, to the printed digit;
``harness.kit.statistics.classification`` has the ones that this harness stands for. They differ in what could not be
read: the published ones leave it out of recall and F1 and count it as not agreed elsewhere.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, TypeAlias

from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode
from harness.kit.files.inside import MOST, read_inside
from harness.kit.statistics.classification import UNREAD, count_verdicts

ResultCategory: TypeAlias = Literal[
    "trajectory_success", "trajectory_side_effect", "trajectory_looping", "trajectory_optimality"
]
CATEGORIES: Mapping[ResultCategory, str] = {
    "trajectory_success": "Success",
    "trajectory_side_effect": "Side Effect",
    "trajectory_looping": "Repetition",
    "trajectory_optimality": "Optimality",
}
"""Categories of verdicts -> their names in the published table."""
GRADED: ResultCategory = "trajectory_optimality"
"""The category that is a grade, of which only the accuracy is given."""
ALL = "all"
"""The name of what stands for all benchmarks, or all agents."""
SHOWN: Mapping[str, str] = {
    "webjudge": "WebJudge",
    "aer": "AER-C",
    "aerv": "AER-V",
    "nnetnav": "NNetNav",
    "claude-3.7-sonnet-noscreen": "Claude 3.7 Sonnet (Axtree)",
    "claude-3.7-sonnet-noaxtree": "Claude 3.7 Sonnet (Screen)",
    "gpt-4o-mini": "GPT-4o Mini (Both)",
    "gpt-4o-mini-noaxtree": "GPT-4o Mini (Screen)",
    "gpt-4o-mini-noscreen": "GPT-4o Mini (Axtree)",
    "gpt-4o-mini-noscreen-noaxtree": "GPT-4o Mini (Neither)",
    "gpt-4o-noaxtree": "GPT-4o (Screen)",
    "gpt-4o-noscreen": "GPT-4o (Axtree)",
    "qwen-2.5-vl-noaxtree": "Qwen2.5-VL (Screen)",
    "qwen-2.5-vl-noscreen": "Qwen2.5-VL (Axtree)",
    "llama-3.3-70b-noscreen": "Llama 3.3",
    "assistantbench": "AssistantBench",
    "webarena": "WebArena",
    "visualwebarena": "VisualWebArena",
    "workarena": "WorkArena",
    "workarena++": "WorkArena++",
    "GenericAgent-anthropic_claude-3.7-sonnet": "Claude 3.7 Sonnet",
    "GenericAgent-gpt-4o-2024-11-20": "GPT-4o",
    "GenericAgent-meta-llama_Llama-3.3-70B-Instruct": "Llama 3.3",
    "GenericAgent-Qwen_Qwen2.5-VL-72B-Instruct": "Qwen2.5-VL",
}
"""Names in the file -> names in the published table; others stand as they are."""


class MalformedResults(UserError):
    """A file holds no results of judges; the message says which, and where."""


@dataclass(frozen=True, kw_only=True)
class SaidOfEach:
    """What people and a judge said, trajectory by trajectory.

    Attributes:
        y_human: By people: 0 or 1, or a grade.
        y_judge: By the judge: the same, or -1 for what could not be read.
    """

    y_human: tuple[int, ...]
    y_judge: tuple[int, ...]


JudgeResults: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Mapping[ResultCategory, SaidOfEach]]]]
"""Judge -> benchmark -> agent -> category -> what was said."""


@dataclass(frozen=True)
class PrintedMetrics:
    """A line of the published table, each cell as it is printed; its attributes are its columns.

    Attributes:
        judge: Its name.
        benchmark: The benchmark's name; ``Overall`` for all.
        agent: The agent's name; ``All`` for all.
        category: The category's name.
        accuracy: Of all, in per cent, those of which both say the same.
        precision: Of the judge's successes; empty for what is graded, as are the next four.
        recall: Of people's successes of which the judge says anything.
        f1: The harmonic mean of these two.
        npv: Negative predictive value: of the judge's failures those that are right.
        tnr: True negative rate: of people's failures those of which the judge says so.
        unsures: How many trajectories of the judge people left open in this category.
        total: Trajectories.
    """

    judge: str
    benchmark: str
    agent: str
    category: str
    accuracy: str
    precision: str
    recall: str
    f1: str
    npv: str
    tnr: str
    unsures: str
    total: str


@dataclass(frozen=True)
class PrintedRates:
    """A line of the published success rates, each cell as it is printed; its attributes are its columns.

    Attributes:
        judge: Its name in the file.
        benchmark: The benchmark's name in the file; ``all`` for all.
        agent: The agent's name in the published table; ``All`` for all.
        human_sr: The share that people call a success.
        judge_sr: The share that the judge calls one; what could not be read is none.
        function_sr: The mean of what the benchmark itself gave, which the results do not hold: empty, that is unknown.
        count: Trajectories.
    """

    judge: str
    benchmark: str
    agent: str
    human_sr: str
    judge_sr: str
    function_sr: str
    count: str


def read_results(file: Path) -> JudgeResults:
    """The results in a file.

    Raises:
        MalformedResults: it cannot be read, or is not of that form.
    """
    try:
        found = decode(
            read_inside(file.parent, file.name, MOST),
            dict[str, dict[str, dict[str, dict[ResultCategory, SaidOfEach]]]],
        )
    except OSError as error:
        raise MalformedResults(f"{file} cannot be read: {error.strerror or error}") from error
    except Malformed as error:
        raise MalformedResults(f"{file} holds no results of judges: {error}") from error
    for place, said in _each(found):
        if len(said.y_human) != len(said.y_judge):
            raise MalformedResults(f"{file}: {' / '.join(place)} has not as many verdicts of the judge as of people")
        binary = {*said.y_human, *said.y_judge} <= {UNREAD, 0, 1} and UNREAD not in said.y_human
        if place[-1] != GRADED and not binary:
            raise MalformedResults(f"{file}: {' / '.join(place)} holds something else than 0, 1 and, of judges, -1")
    return found


def printed_metrics(results: JudgeResults) -> tuple[PrintedMetrics, ...]:
    """The published table, in the order of the file."""
    unsure = {judge: _unsure(of_judge) for judge, of_judge in results.items()}
    return tuple(
        _line((judge, benchmark, agent, category), said, unsure[judge].get(category, 0))
        for (judge, benchmark, agent, category), said in _each(results)
    )


def printed_rates(results: JudgeResults) -> tuple[PrintedRates, ...]:
    """The published success rates, in the order of the file."""
    return tuple(_rates_line(place, said) for place, said in _each(results) if place[-1] == "trajectory_success")


def results_csv(lines: Sequence[PrintedMetrics] | Sequence[PrintedRates]) -> str:
    """A published table as its file: a heading, then a line each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [each.name for each in fields(lines[0])] if lines else []
    writer.writerow(names)
    writer.writerows([getattr(line, name) for name in names] for line in lines)
    return text.getvalue()


def _each(results: JudgeResults) -> Iterator[tuple[tuple[str, str, str, ResultCategory], SaidOfEach]]:
    for judge, benchmarks in results.items():
        for benchmark, agents in benchmarks.items():
            for agent, categories in agents.items():
                for category, said in categories.items():
                    yield (judge, benchmark, agent, category), said


def _unsure(of_judge: Mapping[str, Mapping[str, Mapping[ResultCategory, SaidOfEach]]]) -> dict[ResultCategory, int]:
    """By category how many trajectories it lacks of those that some category has: people left them open."""
    sizes = {category: len(said.y_human) for category, said in of_judge.get(ALL, {}).get(ALL, {}).items()}
    return {category: max(sizes.values()) - size for category, size in sizes.items()}


def _line(place: tuple[str, str, str, ResultCategory], said: SaidOfEach, unsure: int) -> PrintedMetrics:
    judge, benchmark, agent, category = place
    total = len(said.y_human)
    agreed = sum(one == other for one, other in zip(said.y_human, said.y_judge, strict=True))
    return PrintedMetrics(
        SHOWN.get(judge, judge),
        "Overall" if benchmark == ALL else SHOWN.get(benchmark, benchmark),
        _agent(agent),
        CATEGORIES[category],
        _printed_accuracy(agreed, total),
        *(("",) * 5 if category == GRADED else _rates(said)),
        str(unsure),
        str(total),
    )


def _rates_line(place: tuple[str, str, str, ResultCategory], said: SaidOfEach) -> PrintedRates:
    judge, benchmark, agent, _ = place
    total = len(said.y_human)
    human, judged = (str(round(each.count(1) / total, 4)) if total else "0" for each in (said.y_human, said.y_judge))
    return PrintedRates(judge, benchmark, _agent(agent), human, judged, "" if total else "0", str(total))


def _agent(name: str) -> str:
    return "All" if name == ALL else SHOWN.get(name, name)


def _rates(said: SaidOfEach) -> tuple[str, str, str, str, str]:
    counts = count_verdicts(said.y_human, said.y_judge)
    tp, fp, fn, tn = (
        counts.true_positives,
        counts.false_positives,
        counts.false_negatives,
        counts.true_negatives,
    )
    return (
        _printed(tp, tp + fp),
        _printed(tp, tp + fn),
        _printed(2 * tp, 2 * tp + fp + fn) if tp else "0",
        _printed(tn, tn + fn),
        _printed(tn, tn + fp + counts.unread_negatives),
    )


def _printed(part: int, whole: int) -> str:
    """A share in per cent as it is printed; 0 where nothing is there."""
    return f"{100 * part / whole:.1f}" if whole else "0"


def _printed_accuracy(part: int, whole: int) -> str:
    """The same of the accuracy, which was rounded to four places as a share first."""
    return f"{round(part / whole, 4) * 100:.1f}" if whole else "0"
