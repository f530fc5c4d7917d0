"""The console script ``turkbench``: every command as a subcommand.

Options, output and exit codes are those of ``python -m`` with the command's module; the usage line alone has the other
name (``harness.cli.program``). Nothing of a command is imported before it is called.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from harness.cli.exit_codes import COMPLETE, WRONG_USE
from harness.cli.output import print_out
from harness.kit.files.command_hints import CALLERS
from harness.kit.text.closest import did_you_mean


@dataclass(frozen=True)
class Subcommand:
    """A command and where it is.

    Attributes:
        module: The module with its ``main(arguments)``, which returns the exit code.
        summary: What it does, as its help or its docstring begins.
    """

    module: str
    summary: str


SUBCOMMANDS = {
    "evaluate": Subcommand("harness.commands.evaluate", "Evaluate a solver"),
    "score": Subcommand("harness.score", "Score a run again from its directory, without a browser"),
    "report": Subcommand("harness.report", "A report of one or several runs that people read"),
    "compare": Subcommand("harness.compare", "Compare runs on the instances that they share"),
    "power": Subcommand("harness.power", "Plan a comparison"),
    "plan": Subcommand("harness.plan", "Plan a large run"),
    "people": Subcommand(
        "harness.analysis.people.__main__", "The workers of a run, their agreement and its noisy instances"
    ),
    "review": Subcommand(
        "harness.review", "A person's review of drawn answers, blind to the metric, and how far the two agree"
    ),
    "judge": Subcommand("harness.judge", "Have the trajectories of a run judged as a whole"),
    "judges": Subcommand("harness.scoring.judges.__main__", "How far judges of trajectories can be trusted"),
    "mindact": Subcommand("harness.papers.mind2web.mindact.__main__", "Rankers of MindAct"),
    "offline-eval": Subcommand("harness.offline_eval", "Evaluate a solver step by step on demonstrations"),
    "leaderboard": Subcommand("harness.leaderboard", "Keep a leaderboard"),
    "parity": Subcommand("harness.parity", "What the rules of the original code do to scores"),
    "published": Subcommand(
        "harness.papers.turkingbench.__main__", "The rows of the TurkingBench paper's tables of models"
    ),
    "webcanvas": Subcommand(
        "harness.papers.webcanvas.__main__", "The rows of WebCanvas' tables of models and ablations"
    ),
    "key-nodes": Subcommand(
        "harness.key_nodes", "Forms judged by key nodes beside the metric, and how far the two agree"
    ),
    "agreement": Subcommand(
        "harness.agreement", "Compare a run of recorded outputs with what was read when they were recorded"
    ),
    "view": Subcommand("harness.view", "Look at a run in a browser, or write one of its episodes as an HTML file"),
    "replay": Subcommand(
        "harness.replay", "Do again what a run did, from its action text, and compare what came of it"
    ),
    "prompt": Subcommand("harness.prompt", "Print what a model would be sent about an instance"),
    "export": Subcommand(
        "harness.export", "Runs as training examples, preference pairs, tables, features or demonstrations"
    ),
    "log": Subcommand("harness.log", "Log a run to a tracker of experiments, or as a trace"),
    "trajectory": Subcommand("harness.integrations.exports.__main__", "Preference pairs out of a model's own mistakes"),
    "open": Subcommand("harness.open", "Opens one instance for a program or a person"),
    "record": Subcommand("harness.record", "Record a task on a website"),
    "mcp": Subcommand("harness.mcp", "One page as an MCP server, for an assistant that you already have"),
    "maintain": Subcommand(
        "harness.maintain", "Replay the reference traces of tasks on websites, and tell what has changed"
    ),
    "datasets": Subcommand("harness.datasets.__main__", "Task sets of others, fetched once into the user's cache"),
    "mirror": Subcommand("harness.catalog.mirror.__main__", "The mirror of outside scripts, styles and fonts"),
    "tokens": Subcommand("harness.models.tokens.__main__", "Vocabularies for token counts"),
    "doctor": Subcommand("harness.doctor", "Look at all that the harness needs on this machine, and say what to do"),
    "new-task": Subcommand("harness.new_task", "Make an example task to start from"),
    "check": Subcommand("oracle.check.__main__", "The validity report of a task set"),
    "watch": Subcommand(
        "harness.reports.watch.__main__", "Make the indices by which the server shows runs, in advance"
    ),
    "serve": Subcommand("turkle_app.__main__", "Serves the tasks of a folder"),
}


def usage(caller: str) -> str:
    """The help text: one line for each subcommand.

    Args:
        caller: The name under which this was called, one of ``CALLERS``.
    """
    width = max(map(len, SUBCOMMANDS))
    lines = [f"  {name:{width}}  {each.summary}" for name, each in SUBCOMMANDS.items()]
    return "\n".join(
        [
            f"usage: {caller} COMMAND [OPTION ...]",
            "",
            "Crowdsourcing tasks as a benchmark of web agents.",
            "",
            "commands:",
            *lines,
            "",
            f"{caller} COMMAND --help tells the options and exit codes of a command.",
        ]
    )


def main(argv: Sequence[str] | None = None, caller: str = CALLERS[0]) -> int:
    """Run a subcommand.

    Args:
        argv: Its name and its arguments; by default those of this process.
        caller: The name under which this was called, one of ``CALLERS``.

    Returns:
        The exit code: the subcommand's, or 2 if there is none of that name.

    Raises:
        SystemExit: By a subcommand that ends with its help, or whose arguments are wrong.
    """
    name, *arguments = (sys.argv[1:] if argv is None else argv) or ["--help"]
    if name in {"-h", "--help"}:
        print_out(usage(caller))
        return COMPLETE
    if name not in SUBCOMMANDS:
        hint = did_you_mean(name, SUBCOMMANDS) or f" {caller} --help lists the commands."
        print(f"error: there is no command {name!r}.{hint}", file=sys.stderr)
        return WRONG_USE
    sys.argv = [f"{caller} {name}", *arguments]
    # As under python -m, a user's own solver can be named by a module in the working folder.
    sys.path.append(str(Path.cwd()))
    code: int = import_module(SUBCOMMANDS[name].module).main(arguments)
    return code
