"""What the commands are: a table that names where each is, and imports none.

A package adds a command of its own as ``examples/plugin/`` adds a solver, in the group ``turkbench.commands``::

    [project.entry-points."turkbench.commands"]
    count = "my_package.table:COUNT"

where ``COUNT`` is a ``Command`` of a module whose ``main(arguments)`` returns the exit code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.kit.registry import Registry

_OURS = "harness.cli.commands"
GROUPS = ("evaluate", "look at runs", "compare", "make tasks", "learn from runs", "papers", "set up and develop")
"""What a user wants, in the order of the help. A group of another package stands behind them."""


@dataclass(frozen=True)
class Command:
    """A command, or a part of one.

    Attributes:
        summary: What it does, in one line.
        module: The module with its ``main(arguments)``, which returns the exit code; empty if it has parts alone.
        group: One of ``GROUPS``, or another; of a part empty.
        parts: Its parts by name; their first words stand for what is called.
        named: Of a part: whether its module is told its name, as the first of its arguments.
    """

    summary: str
    module: str = ""
    group: str = ""
    parts: Mapping[str, Command] = field(default_factory=dict)
    named: bool = False


def _parts(module: str, summaries: Mapping[str, str]) -> dict[str, Command]:
    """The parts that one module has under names of its own."""
    return {name: Command(summary, module, named=True) for name, summary in summaries.items()}


EVALUATE = Command("Evaluate a solver", f"{_OURS}.evaluate", "evaluate")
MERGE = Command("Make one run of the shards of a run", f"{_OURS}.merge", "evaluate")
OFFLINE_EVAL = Command("Evaluate a solver step by step on demonstrations", f"{_OURS}.offline_eval", "evaluate")
PLAN = Command(
    "Plan a large run, or a comparison",
    group="evaluate",
    parts={
        "run": Command("Plan a large run", f"{_OURS}.plan.run"),
        "comparison": Command("Plan a comparison", f"{_OURS}.plan.comparison"),
    },
)

REPORT = Command("A report of one or several runs that people read", f"{_OURS}.report", "look at runs")
VIEW = Command(
    "Look at a run in a browser, or write one of its episodes as an HTML file", f"{_OURS}.view", "look at runs"
)
SCORE = Command("Score a run again from its directory, without a browser", f"{_OURS}.score", "look at runs")
REPLAY = Command(
    "Do again what a run did, from its action text, and compare what came of it", f"{_OURS}.replay", "look at runs"
)

COMPARE = Command("Compare runs on the instances that they share", f"{_OURS}.compare", "compare")
REPLACE = Command("Say whether an agent may take workers' places, and at what cost", f"{_OURS}.replace", "compare")
PILOT = Command(
    "Find out whether an agent may take workers' places, with as few items as that takes", f"{_OURS}.pilot", "compare"
)
PEOPLE = Command(
    "Runs beside people: their workers, and reviewers of their answers",
    group="compare",
    parts={
        "workers": Command("The workers of a run, their agreement and its noisy instances", f"{_OURS}.people.workers"),
        "review": Command(
            "A person's review of drawn answers, blind to the metric, and how far the two agree",
            f"{_OURS}.people.review",
        ),
    },
)
JUDGE = Command(
    "Judges of whole trajectories: have a run judged, and how far judges can be trusted",
    group="compare",
    parts={
        "run": Command("Have the trajectories of a run judged as a whole", f"{_OURS}.judge.run"),
        **_parts(
            f"{_OURS}.judge.trust",
            {
                "agreement": "Judges against people, or against the tasks' evaluators",
                "corrected": "Success rates without a judge's bias, and the ranking before and after",
                "kinds": "Of which kinds failures are, by judges and by people",
                "efficiency": "Steps of successes and failures, beside the reference's",
                "people": "Success rates by people, and published verdicts beside theirs",
                "metrics": "The published metrics of judges, from their recorded verdicts",
                "replies": "How recorded replies of WebJudge are read here",
                "folders": "Trajectories in Online-Mind2Web's layout: which there are, what is missing",
                "published": "Tables 1 to 3 of the paper",
            },
        ),
    },
)
LEADERBOARD = Command("Keep a leaderboard", f"{_OURS}.leaderboard", "compare")

TASKS = Command(
    "Tasks of your own, and task sets of others",
    group="make tasks",
    parts={
        "new": Command("Make an example task to start from", f"{_OURS}.tasks.new"),
        "record": Command("Record a task on a website", f"{_OURS}.tasks.record"),
        "check": Command("The validity report of a task set", "oracle.check.__main__"),
        "maintain": Command(
            "Replay the reference traces of tasks on websites, and tell what has changed", f"{_OURS}.tasks.maintain"
        ),
        "lite": Command("Choose a small split of a task set, pinned by instance ids", f"{_OURS}.tasks.lite"),
        **_parts(
            f"{_OURS}.tasks.sets",
            {
                "list": "The known task sets, and which of them are here",
                "fetch": "Get a task set, from where it is published or from a copy here",
                "verify": "Compare what is here with what was published",
                "path": "Print where the tasks are",
                "lint": "What is odd about tasks and labels",
                "stats": "How much of what there is: tasks, instances, fields, lengths, topics",
                "gallery": "Write a page with a picture of every task",
                "collect": "Make a new task set, whose labels are people's answers",
                "import": "Make a new task set of sites, or a folder of demonstrations, from public files",
                "export": "A task set or a run on sites, as other projects' files",
                "cleaning": "What cleaning leaves of the pages of demonstrations, by website",
            },
        ),
    },
)
PAGE = Command(
    "One page, for a program, a person, an assistant, or as a model would see it",
    group="make tasks",
    parts={
        "open": Command("Opens one instance for a program or a person", f"{_OURS}.page.open"),
        "mcp": Command("One page as an MCP server, for an assistant that you already have", f"{_OURS}.page.mcp"),
        "prompt": Command("Print what a model would be sent about an instance", f"{_OURS}.page.prompt"),
        "openenv": Command("Pages as an environment server of OpenEnv", f"{_OURS}.page.openenv"),
    },
)
SERVE = Command("Serves the tasks of a folder", "turkle_app.__main__", "make tasks")
ANNOTATE = Command(
    "Tasks done by hand: projects, batches, results and accounts of a server", f"{_OURS}.annotate", "make tasks"
)
MANAGE = Command(
    "The server's own commands: annotators (accounts), results, copilot, move_in, and Django's",
    "turkle_app.command_line",
    "make tasks",
)

EXPORT = Command(
    "Runs as training data, tables and trajectories, or to a tracker",
    group="learn from runs",
    parts={
        "runs": Command(
            "Runs as training examples, preference pairs, tables, features or demonstrations", f"{_OURS}.export.runs"
        ),
        "pairs": Command("Preference pairs from mistakes of a model", f"{_OURS}.export.pairs"),
        "log": Command("Log a run to a tracker of experiments, or as a trace", f"{_OURS}.export.log"),
    },
)

PAPERS = Command(
    "What papers did: their tables, rules, rankers and recorded outputs, each beside ours",
    group="papers",
    parts={
        "tables": Command("Every table of the papers as data", f"{_OURS}.papers.tables"),
        "prompts": Command("Take the wording of a paper's prompts from its repository", f"{_OURS}.papers.prompts"),
        "turkingbench": Command(
            "TurkingBench: its tables of models and its figures, its rules, its recorded outputs",
            parts={
                **_parts(
                    f"{_OURS}.papers.turkingbench",
                    {name: f"The rows of the paper's Table {name[5:]}" for name in ("table4", "table5")},
                ),
                **_parts(
                    f"{_OURS}.papers.figures",
                    {
                        "figure5": "Score by modality and task, over runs",
                        "figure6": "Score by number of demonstrations, over runs",
                    },
                ),
                "parity": Command("What the rules of the original code do to scores", f"{_OURS}.papers.parity"),
                "agreement": Command(
                    "Compare a run of recorded outputs with what was read when they were recorded",
                    f"{_OURS}.papers.agreement",
                ),
            },
        ),
        "webcanvas": Command(
            "WebCanvas: its tables of models and ablations, and forms judged by key nodes",
            parts={
                **_parts(
                    f"{_OURS}.papers.webcanvas",
                    {
                        name: f"The rows of the paper's Table {name[5:]}"
                        for name in ("table4", "table5", "table11", "table12")
                    },
                ),
                "golden": Command(
                    "Have a model write golden references of tasks, for --reference written", f"{_OURS}.papers.golden"
                ),
                "key-nodes": Command(
                    "Forms judged by key nodes beside the metric, and how far the two agree",
                    f"{_OURS}.papers.key_nodes",
                ),
            },
        ),
        "mind2web": Command(
            "Mind2Web: rankers of MindAct, and lessons for its model",
            parts=_parts(
                f"{_OURS}.papers.mind2web",
                {
                    "recall": "How often an acceptable element is among the first k",
                    "train": "Learn a ranker from demonstrations",
                    "lessons": "Write the questions of MindAct with their answers, for fine-tuning",
                },
            ),
        ),
    },
)

SETUP = Command(
    "What turkbench needs on this machine",
    group="set up and develop",
    parts={
        "doctor": Command(
            "Look at all that turkbench needs on this machine, and say what to do", f"{_OURS}.setup.doctor"
        ),
        "mirror": Command("The mirror of outside scripts, styles and fonts", f"{_OURS}.setup.mirror"),
        "tokens": Command("Vocabularies for token counts", f"{_OURS}.setup.tokens"),
        "index": Command("Make the indices by which the server shows runs, in advance", f"{_OURS}.setup.index"),
    },
)
DOCUMENT = Command("Write a generated page of the documentation", f"{_OURS}.document", "set up and develop")

COMMANDS: Registry[Command] = Registry(
    "commands",
    {
        name.lower().replace("_", "-"): f"{__name__}:{name}"
        for name, each in list(globals().items())
        if isinstance(each, Command)
    },
)
"""Those above, in their order, and those of other packages. They are not in ``registered.toml``, which no Python reads
that is too old for the harness: what says so is one of them."""

MOVED: Mapping[str, str] = {
    "agreement": "papers turkingbench agreement",
    "check": "tasks check",
    "datasets": "tasks",
    "doctor": "setup doctor",
    "export": "export runs",
    "judge": "judge run",
    "judges": "judge",
    "key-nodes": "papers webcanvas key-nodes",
    "log": "export log",
    "maintain": "tasks maintain",
    "mcp": "page mcp",
    "mindact": "papers mind2web",
    "mirror": "setup mirror",
    "new-task": "tasks new",
    "open": "page open",
    "parity": "papers turkingbench parity",
    "people": "people workers",
    "plan": "plan run",
    "power": "plan comparison",
    "prompt": "page prompt",
    "published": "papers turkingbench",
    "record": "tasks record",
    "review": "people review",
    "tokens": "setup tokens",
    "trajectory": "export pairs",
    "watch": "setup index",
    "webcanvas": "papers webcanvas",
}
"""Names of earlier versions, and what they are called now; also of those that have parts now and had none."""
MOVED_ARGUMENTS: Mapping[str, Mapping[str, str]] = {"judge": {"--judge": "--method"}}
"""Names of earlier versions -> arguments of theirs that are called otherwise now."""
