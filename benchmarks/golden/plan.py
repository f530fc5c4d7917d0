"""What is recorded: the steps, each one command of the public command line.

Words of a command may hold ``{out}`` (the recording), ``{runs}`` (its runs, with constant times), ``{inputs}``
(files made for it), ``{never}`` (a folder that the step is not to write), ``{tasks}`` (the real tasks), ``{model}``
(the scripted model's address) and ``{workers}``.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchmarks.golden import mistakes

EVALUATE = ("-m", "harness.evaluate", "--progress", "quiet")
REAL = ("--tasks-dir", "{tasks}", "--overlay", "turkingbench", "--split", "all", "--max-instances", "3")


@dataclass(frozen=True)
class Step:
    """One command.

    Attributes:
        name: Unique; also the name of the file of its output.
        words: What follows the interpreter on its command line.
        run: The name of the run directory that it writes; empty for a command that writes none.
        needs: Runs that it reads.
        browser: Whether it opens browsers of its own, so that no other step goes on beside it.
    """

    name: str
    words: tuple[str, ...]
    run: str = ""
    needs: tuple[str, ...] = ()
    browser: bool = False


def steps(only: tuple[str, ...] = ()) -> list[Step]:
    """The steps in the order in which they have to be done.

    Args:
        only: Globs of names; with them, the steps that match one, and the runs that these read.
    """
    every = [*_runs(), *_browsing(), *_leaderboard(), *_reading(), *_helps(), *_mistakes()]
    if not only:
        return every
    chosen = [step for step in every if any(fnmatchcase(step.name, glob) for glob in only)]
    needed = {name for step in chosen for name in step.needs}
    return [step for step in every if step in chosen or step.run in needed]


# ---- runs ----------------------------------------------------------------------------------------------------------

BASELINES = ("oracle", "constant", "random")
READ_BY_COMMANDS = (
    "bundled-oracle",
    "bundled-constant",
    "bundled-random",
    "real-constant",
    "model-field",
    "model-form",
)

_TEXT = "gpt-4o-mini --output text"
_NEAR = f"{_TEXT} --encoding relevant"
_ASKED = ("--solver", *shlex.split(_NEAR))
_FIELD = "--protocol field --demos 0"
_FORM = "--protocol form --demos 0 --max-steps 60"
_MODELS: Mapping[str, str] = {
    "field": f"{_NEAR} {_FIELD} --max-instances 3",
    "field-full": f"{_TEXT} {_FIELD} --encoding full --max-instances 1",
    "field-demos": f"{_NEAR} --protocol field --demos 2 --split test --max-instances 1",
    "field-picture": f"gpt-4o {_FIELD} --encoding text --vision --screenshot element --max-instances 1",
    "form": f"{_TEXT} {_FORM} --encoding simplified --max-instances 2",
    "form-demos": f"{_NEAR} --protocol form --demos 2 --split test --max-instances 1",
    "form-axtree": f"{_TEXT} {_FORM} --encoding axtree --max-instances 1",
    "form-open": f"{_TEXT} {_FORM} --encoding full --no-field-names --max-instances 1",
    "form-tools": f"gpt-4o {_FORM} --encoding simplified --no-vision --output tools --max-instances 2",
    "form-marks": f"gpt-4o {_FORM} --encoding none --vision --screenshot marks --max-instances 1",
    "mcp": "mcp --max-instances 1 --split test",
    "refused": f"{_NEAR} {_FIELD} --task 'Sentiment of reviews' --max-instances 2",
    "few-tokens": f"{_NEAR} {_FIELD} --max-tokens 8000 --task 'Household survey' --max-instances 1",
}
"""Name -> solver and options; the model is scripted."""


def _runs() -> Iterator[Step]:
    for solver in BASELINES:
        yield _run(f"bundled-{solver}", solver)
    for solver in ("do-nothing", "copy", "crowd"):
        yield _run(f"bundled-{solver}", solver, "--max-instances", "3")
    yield _run("bundled-2024", "constant", "--metrics", "turkingbench-2024", "--max-instances", "3", "--seed", "5")
    yield _run("bundled-two-steps", "oracle", "--max-steps", "2", "--max-instances", "1")
    yield _run("bundled-wrong-overlay", "oracle", "--overlay", "{inputs}/wrong.json", "--max-instances", "1")
    yield _run("bundled-own-solver", "examples.keyword_solver:KeywordSolver", "--max-instances", "2")
    yield _run("bundled-raises", "{inputs}/raises.py:Raises", "--max-instances", "1", "--split", "test")
    for name, options in _MODELS.items():
        solver, *more = shlex.split(options)
        asked = {"refused": "refusing", "mcp": "gpt-4o"}.get(name, "scripted")
        yield _run(f"model-{name}", solver, "--model", asked, "--base-url", "{model}/v1", *more)
    yield _run("offline", "offline", "--predictions", "{inputs}/predictions.jsonl")
    for solver in BASELINES:
        yield _run(f"real-{solver}", solver, *REAL)


def _run(name: str, solver: str, *more: str) -> Step:
    words = (*EVALUATE, "--solver", solver, "--workers", "{workers}", "--out", f"{{out}}/runs/{name}", *more)
    return Step(f"run-{name}", words, run=name, browser=True)


# ---- commands that read runs ---------------------------------------------------------------------------------------


def _browsing() -> Iterator[Step]:
    """Commands with a browser, or that write where the next one reads."""
    workers = ("--workers", "{workers}", "--progress", "quiet")
    yield _command("replay-oracle", "replay", "{runs}/bundled-two-steps", *workers, needs=("bundled-two-steps",))
    yield _command("replay-form", "replay", "{runs}/model-form", *workers, needs=("model-form",))
    yield _command(
        "agreement",
        "papers turkingbench agreement",
        *("{runs}/offline", "--predictions", "{inputs}/predictions.jsonl", "--list"),
        *("--out", "{out}/files/agreement/agreement.json", "--progress", "quiet"),
        needs=("offline",),
    )
    check = ("-m", "oracle.check", "--max-instances", "1", *workers, "--out", "{out}/files/check")
    yield Step("check", check, browser=True)
    sft = ("--format", "sft", "--out", "{out}/files/export-oracle/examples.jsonl", *workers)
    yield _command("export-oracle", "export runs", "{runs}/bundled-two-steps", *sft, needs=("bundled-two-steps",))
    for protocol in ("field", "form"):
        prompt = ("--task", "Sentiment of reviews", *_ASKED, "--demos", "1", "--protocol", protocol)
        yield _command(f"prompt-{protocol}", "page prompt", *prompt)
    dry = ("-m", "harness.evaluate", *_ASKED, "--protocol", "field", "--dry-run", "--max-instances", "1", *workers)
    yield Step("dry-run", dry, browser=True)


def _command(name: str, command: str, *words: str, needs: tuple[str, ...] = ()) -> Step:
    return Step(name, ("-m", "harness", *command.split(), *words), needs=needs, browser=True)


def _leaderboard() -> Iterator[Step]:
    folder = ("--folder", "{out}/files/leaderboard")
    for name in ("bundled-oracle", "bundled-constant", "model-field"):
        words = ("-m", "harness", "leaderboard", "add", *folder, "--name", name, f"{{runs}}/{name}")
        yield Step(f"leaderboard-add-{name}", words, needs=(name,), browser=True)
    yield Step("leaderboard-show", ("-m", "harness", "leaderboard", "show", *folder), browser=True)
    yield Step("leaderboard-check", ("-m", "harness", "leaderboard", "check", *folder), browser=True)


def _reading() -> Iterator[Step]:
    for name in READ_BY_COMMANDS:
        run = f"{{runs}}/{name}"
        report = f"{{out}}/files/report-{name}"
        commands = {
            "score": f"score {run}",
            "score-2024": f"score {run} --metrics turkingbench-2024",
            "score-json": f"score {run} --json",
            "people": f"people workers {run}",
            "people-json": f"people workers {run} --json",
            "parity": f"papers turkingbench parity {run}",
            "power": f"plan comparison {run}",
            "tables": f"export runs {run} --format jsonl --out {{out}}/files/tables-{name}",
            "report": f"report {run} --out {report}/report.html --tables {report}/tables",
        }
        for kind, command in commands.items():
            yield Step(f"{kind}-{name}", ("-m", "harness", *command.split()), needs=(name,))
    yield from _several()


def _several() -> Iterator[Step]:
    """Commands on more than one run."""
    pair = ("bundled-constant", "bundled-random")
    three = (*pair, "bundled-oracle")
    commands: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
        "compare": ("compare", pair, ()),
        "compare-json": ("compare", pair, ("--json",)),
        "compare-three": ("compare", three, ("--markdown", "--metrics", "turkingbench-2024")),
        "compare-real": ("compare", ("real-constant", "real-random"), ()),
        "power-two": ("plan comparison", pair, ("--difference", "3", "--design", "20x20")),
        "parity-three": ("papers turkingbench parity", three, ("--markdown",)),
        "score-wawa": ("score", ("bundled-random",), ("--labels", "wawa")),
        "score-dawid-skene": ("score", ("bundled-random",), ("--labels", "dawid-skene")),
        "report-three": ("report", three, ("--out", "{out}/files/report-three/report.html")),
        "report-2024": ("report", three, ("--metrics", "turkingbench-2024", "--out", "{out}/files/report-2024/r.html")),
        "sft-field": ("export runs", ("model-field",), ("--format", "sft", "--min-score", "0")),
        "sft-form": ("export runs", ("model-form",), ("--format", "sft", "--min-score", "0")),
        "preference": ("export runs", ("model-field", "model-field-full"), ("--format", "preference")),
    }
    for name, (command, runs, more) in commands.items():
        yield Step(name, ("-m", "harness", *command.split(), *(f"{{runs}}/{run}" for run in runs), *more), needs=runs)
    yield Step("list-solvers", ("-m", "harness.evaluate", "--list-solvers"))
    yield Step("mirror-list", ("-m", "harness", "setup", "mirror", "list"))
    yield Step("datasets-list", ("-m", "harness", "tasks", "list"))
    yield Step("datasets-lint", ("-m", "harness", "tasks", "lint", "--tasks-dir", "tasks"))
    yield Step("tokens-status", ("-m", "harness", "setup", "tokens", "status"))


# ---- help texts and mistakes ---------------------------------------------------------------------------------------

HELPED = (
    *("score", "report", "compare", "people workers", "export runs", "page prompt", "plan comparison", "replay"),
    *("papers turkingbench parity", "papers turkingbench agreement", "page mcp"),
    *("leaderboard", "leaderboard add", "leaderboard show", "leaderboard check"),
    *("tasks", "tasks list", "tasks fetch", "tasks verify", "tasks path", "tasks lint", "tasks lite"),
    *("setup mirror", "setup mirror build", "setup mirror list", "setup mirror verify"),
    *("setup tokens", "setup tokens fetch", "setup tokens status"),
)


def _helps() -> Iterator[Step]:
    for command in HELPED:
        yield Step(f"help-{command.replace(' ', '-')}", ("-m", "harness", *command.split(), "--help"))
    yield Step("help-evaluate", ("-m", "harness.evaluate", "--help"))
    yield Step("help-check", ("-m", "oracle.check", "--help"))
    yield Step("help-serve", ("manage.py", "serve", "--help"))


def _mistakes() -> Iterator[Step]:
    for name, command in mistakes.COMMANDS.items():
        module, *words = shlex.split(command)
        start = ("manage.py", "serve") if module == "serve" else ("-m", module)
        needs = tuple(word.removeprefix("{runs}/") for word in words if word.startswith("{runs}/"))
        yield Step(f"mistake-{name}", (*start, *words), needs=needs)
