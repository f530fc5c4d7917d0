"""The same agents on the same tasks, step by step and live: ``python -m benchmarks.step_and_end TRACES OUT``.

TRACES are demonstrations of the bundled sites' tasks (``turkbench export runs --format mind2web``). Each agent works
on the sites (``harness.evaluate``) and is asked step by step on the demonstrations of the same instances
(``turkbench offline-eval``), in a folder each below OUT; what is there is not done again. The table stands beside
WebCanvas' Table 3 in docs/how-to/offline-evaluation.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.setting import PROJECT
from harness.analysis.site_scores import site_numbers, site_score
from harness.catalog import Catalog
from harness.kit.arguments import positive
from harness.kit.files import codec
from harness.kit.text import aligned, markdown_table, percent
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations, written
from harness.papers.teacher_forced.kept_predictions import SUMMARY_FILE
from harness.papers.teacher_forced.step_numbers import EvaluationNumbers
from harness.records.directory import RunDirectory
from harness.records.episode import Episode

TASKS = PROJECT / "tasks" / "_sites"


@dataclass(frozen=True)
class SteppedAgent:
    """An agent, as each of the two commands is told of it.

    Attributes:
        words: What it is.
        stepwise: What follows ``--solver`` of ``turkbench offline-eval``.
        live: What follows ``--solver`` of ``harness.evaluate``.
    """

    words: str
    stepwise: tuple[str, ...]
    live: tuple[str, ...]


_HERE = "benchmarks.stepwise_agents"
AGENTS: Mapping[str, SteppedAgent] = {
    "oracle": SteppedAgent("oracle", ("oracle",), ("oracle",)),
    "slips": SteppedAgent("slips (constructed)", (f"{_HERE}:Slips",), (f"{_HERE}:Slips",)),
    "returns": SteppedAgent(
        "slips and returns (constructed)", (f"{_HERE}:SlipsAndReturns",), (f"{_HERE}:SlipsAndReturns",)
    ),
    "lexical": SteppedAgent("lexical walk", (f"page:{_HERE}:LexicalWalk",), (f"{_HERE}:LexicalWalk",)),
    "search": SteppedAgent("search", ("page:search",), ("search",)),
    "random": SteppedAgent("random", ("page:random",), ("random",)),
    "local": SteppedAgent("local model", ("page:local",), ("local",)),
}
_HEADING = (
    "",
    "tasks",
    "steps",
    "step SR",
    "task SR(0)",
    "task SR(1)",
    "completion",
    "task SR(0)",
    "task SR(1)",
    "goal",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Evaluate, and print the table. Returns the first exit code that is not 0."""
    parse = argparse.ArgumentParser(
        prog="python -m benchmarks.step_and_end", description=(__doc__ or "").partition(":")[0]
    )
    parse.add_argument("traces", type=Path, metavar="TRACES", help="demonstrations of the bundled sites' tasks")
    parse.add_argument("out", type=Path, metavar="OUT", help="folder of what is evaluated")
    parse.add_argument("--agents", default=",".join(AGENTS), metavar="A,B", help=f"of {', '.join(AGENTS)}")
    parse.add_argument("--tasks", type=positive, metavar="N", help="only N tasks, taken evenly from all")
    parse.add_argument("--workers", type=positive, default=1, metavar="N", help="browsers, live (default: %(default)s)")
    parse.add_argument("--markdown", action="store_true", help="print the table for a page of documentation")
    arguments = parse.parse_args(argv)
    names = arguments.agents.split(",")
    if unknown := sorted(set(names) - set(AGENTS)):
        parse.error(f"unknown agent {unknown[0]!r}; there are {', '.join(AGENTS)}")
    for name in names:
        if code := _evaluate(AGENTS[name], arguments.out / name, arguments):
            return code
    rows = [_HEADING, *(_row(AGENTS[name].words, arguments.out / name) for name in names)]
    print(markdown_table(rows) if arguments.markdown else aligned(rows))
    return 0


def _evaluate(agent: SteppedAgent, folder: Path, arguments: argparse.Namespace) -> int:
    live, chosen = folder / "live", arguments.tasks
    command = ["harness.evaluate", "--resume", live]
    if not live.exists():
        tasks = [part for name in tasks_of(arguments.traces, chosen) for part in ("--task", name)]
        drawn = ["--tasks-dir", TASKS, "--max-instances", 1, *tasks]  # one instance a task, also of one with a table
        command = ["harness.evaluate", "--solver", *agent.live, *drawn, "--out", live]
    if code := _run([*command, "--workers", arguments.workers]):
        return code
    traces = folder / "traces.jsonl.gz"
    written(demonstrations_of(arguments.traces, RunDirectory(live).episodes()), traces)
    return _run(["harness", "offline-eval", traces, "--solver", *agent.stepwise, "--resume", "--out", folder / "steps"])


def _run(command: Sequence[object]) -> int:
    return subprocess.run([sys.executable, "-m", *map(str, command)], check=False, cwd=PROJECT).returncode


def tasks_of(traces: Path, most: int | None) -> list[str]:
    """The tasks of the bundled sites that demonstrations are of, by their goals.

    Args:
        traces: The demonstrations.
        most: Only so many, taken evenly from all; None for all.
    """
    catalog = Catalog(TASKS)
    by_goal = {
        task.site_of(instance).goal: task.name
        for task in map(catalog.task, catalog.names())
        for instance in task.instances
    }
    goals = [each.confirmed_task for each in read_demonstrations(traces)]
    names = list(dict.fromkeys(by_goal[goal] for goal in goals if goal in by_goal))
    return names if most is None else names[:: max(1, len(names) // most)][:most]


def demonstrations_of(traces: Path, episodes: Iterable[Episode]) -> Iterator[Demonstration]:
    """The demonstrations of what was to be done in episodes.

    Args:
        traces: The demonstrations.
        episodes: On websites.
    """
    goals = {each.site.task.goal for each in episodes if each.site}
    return (each for each in read_demonstrations(traces) if each.confirmed_task in goals)


def _row(words: str, folder: Path) -> tuple[str, ...]:
    steps = codec.read(folder / "steps" / SUMMARY_FILE, EvaluationNumbers).whole
    assert steps is not None, "no task was asked to its end"
    episodes = list(RunDirectory(folder / "live").episodes())
    scores = [score for score in map(site_score, episodes) if score is not None]
    live = site_numbers(scores)
    offline = (steps.macro.step_success.value, steps.task_success.value, steps.task_success_but_one.value)
    ends = (live.completion_micro, live.success, live.success_with_one_missing, _goals(episodes))
    return (words, str(steps.tasks), str(steps.steps), *map(percent, (*offline, *ends)))


def _goals(episodes: Sequence[Episode]) -> float | None:
    """The share of the episodes that left the site as it should be, of those that are judged by that."""
    told = [
        bool(evaluation.success)
        for each in episodes
        if each.site
        for evaluation in each.site.evaluations
        if evaluation.evaluator == "final_state"
    ]
    return sum(told) / len(told) if told else None


if __name__ == "__main__":
    sys.exit(main())
