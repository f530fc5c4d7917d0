"""Which tests are slow: they bear the mark ``slow``, and `make test` leaves them out.

The marks come from measured durations, as pytest prints them:

    make test-all PYTEST="--durations=0 --durations-min=0.05" | tee durations.log
    python -m tests.tiers mark durations.log      # set the marks anew in the files of the tests
    python -m tests.tiers check durations.log     # 1 if a test without the mark takes too long, or all do
    python -m tests.tiers files 2 5               # the files with slow tests, of five equal parts the third
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import PROJECT

SLOW = 1.0
"""Seconds from which a test is marked, on an idle machine; slower ones take up to twice as long."""
TOO_SLOW = 2.0
"""Seconds that no test without the mark may take."""
LONGEST = 540.0
"""Seconds that `make test` may take on an idle machine of two cores."""
MARK = "@pytest.mark.slow"
_FUTURE = "from __future__ import annotations\n"
_TOOK = re.compile(r"^\d+ (?:passed|failed)\b.* in ([\d.]+)s\b", re.MULTILINE)
_LINE = re.compile(r"^\s*([\d.]+)s (setup|call|teardown)\s+(\S+\.py)::([^\s\[]+)(\[.*\])?$", re.MULTILINE)


@dataclass(frozen=True)
class Function:
    """A test, whatever its parameters.

    Attributes:
        file: From the project's folder.
        name: Of the function; "Class::name" of a method.
    """

    file: str
    name: str


def slowest(log: str, among: Mapping[str, int] | None = None) -> dict[Function, float]:
    """How long each test takes at most, in seconds, with that of its parameters which takes longest.

    What several tests are set up with falls to the one that comes first: of all setting up in a file each of its tests
    that are named bears an equal part.

    Args:
        log: What pytest printed with ``--durations=0``.
        among: Among how many tests of each file that is shared, where fewer ran than usually do.
    """
    alone: dict[Function, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    set_up: dict[str, float] = defaultdict(float)
    for seconds, when, file, name, parameters in _LINE.findall(log):
        seen = alone[Function(file, name)]
        seen[parameters] += 0.0 if when == "setup" else float(seconds)
        set_up[file] += float(seconds) if when == "setup" else 0.0
    tests = among or named_in(log)
    return {each: max(seen.values()) + set_up[each.file] / tests[each.file] for each, seen in alone.items()}


def named_in(log: str) -> dict[str, int]:
    """How many tests of each file a log names, one with other parameters as another."""
    named = {(file, name, parameters) for _, _, file, name, parameters in _LINE.findall(log)}
    return Counter(file for file, _, _ in named)


def slow_functions(file: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The tests of a file that bear the mark."""
    return ((name, node) for name, node in _functions(file.read_text(encoding="utf-8")) if _mark_of(node))


def marked_anew(source: str, slow: Iterable[str], timed: Iterable[str]) -> str:
    """A file of tests with the mark at those that are slow, and at no other that was timed.

    Args:
        source: Of the file.
        slow: The names of its slow tests.
        timed: The names of all whose duration is known; the marks of others stay.
    """
    slow, timed = set(slow), set(timed)
    lines = source.split("\n")
    for name, node in sorted(_functions(source), key=lambda each: -each[1].lineno):
        mark = _mark_of(node)
        if mark and name in timed - slow:
            del lines[mark.lineno - 1]
        elif not mark and name in slow:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            lines.insert(first - 1, " " * node.col_offset + MARK)
    after = "\n".join(lines)
    if after == source or any(_imports_pytest(each) for each in ast.parse(source).body):
        return after
    return after.replace(_FUTURE, f"{_FUTURE}\nimport pytest\n", 1)


def _imports_pytest(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import) and any(each.name == "pytest" for each in statement.names)


def _functions(source: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}::{each.name}", each) for each in node.body if isinstance(each, ast.FunctionDef))


def _mark_of(node: ast.FunctionDef) -> ast.expr | None:
    return next((each for each in node.decorator_list if f"@{ast.unparse(each)}" == MARK), None)


def _mark(seconds: Mapping[Function, float]) -> int:
    by_file: dict[str, dict[str, float]] = defaultdict(dict)
    for function, each in seconds.items():
        by_file[function.file][function.name] = each
    for file, functions in sorted(by_file.items()):
        path = PROJECT / file
        before = path.read_text(encoding="utf-8")
        after = marked_anew(before, (name for name, each in functions.items() if each >= SLOW), functions)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(file)
    return 0


def late(log: str, run: Callable[[Iterable[Function]], str]) -> dict[Function, float]:
    """The tests without the mark that take too long, and how many seconds.

    Those that do so in the log run again, one after another: beside others a test may take several times as long.

    Args:
        log: What pytest printed with ``--durations=0``.
        run: Runs tests and gives what pytest prints of them, as ``run_alone``.
    """
    suspects = {each for each, took in slowest(log).items() if took > TOO_SLOW and not _is_marked(each)}
    if not suspects:
        return {}
    again = slowest(run(suspects), named_in(log))
    return {each: again[each] for each in suspects & again.keys() if again[each] > TOO_SLOW}


def _is_marked(test: Function) -> bool:
    file = PROJECT / test.file
    return file.is_file() and any(name == test.name for name, _ in slow_functions(file))


def run_alone(tests: Iterable[Function]) -> str:
    """What pytest prints of these tests with their durations, in a process that runs them alone.

    Raises:
        SystemExit: one of them fails.
    """
    named = sorted(f"{each.file}::{each.name}" for each in tests)
    print(f"Over {TOO_SLOW:g} s beside others, so run again alone:", *named, sep="\n  ", flush=True)
    command = [sys.executable, "-m", "pytest", "-n", "0", "--durations=0", "--durations-min=0.05", *named]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout)
    return done.stdout


def overtime(log: str) -> float:
    """How many seconds all tests of a log took beyond those that `make test` may take; 0 if none.

    Args:
        log: What pytest printed, with its last line.
    """
    took = _TOOK.findall(log)
    return max(0.0, float(took[-1]) - LONGEST) if took else 0.0


def _check(log: str) -> int:
    found = late(log, run_alone)
    for each, took in sorted(found.items(), key=lambda pair: -pair[1]):
        print(f"{took:.1f} s  {each.file}::{each.name}")
    if found:
        print(f"These take over {TOO_SLOW:g} s and are not marked as slow: make them fast, or `{MARK}`.")
    if over := overtime(log):
        print(f"All took {LONGEST + over:.0f} s, {over:.0f} s over the {LONGEST:g} s that `make test` may take.")
    return 1 if found or over else 0


def _files(part: int, parts: int) -> int:
    slow = [str(file.relative_to(PROJECT)) for file in _test_files() if any(slow_functions(file))]
    print(*slow[part % parts :: parts])
    return 0


def _test_files() -> list[Path]:
    return sorted((PROJECT / "tests").rglob("test_*.py"))


def main(arguments: list[str]) -> int:
    """Run the command line; gives its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tiers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("mark", "check"):
        commands.add_parser(name).add_argument("log", type=Path)
    files = commands.add_parser("files")
    files.add_argument("part", type=int)
    files.add_argument("parts", type=int)
    chosen = parser.parse_args(arguments)
    if chosen.command == "files":
        return _files(chosen.part, chosen.parts)
    log = chosen.log.read_text(encoding="utf-8")
    seconds = slowest(log)
    if not seconds:
        parser.error(f"{chosen.log}: no durations in it; pytest prints them with --durations=0")
    return _mark(seconds) if chosen.command == "mark" else _check(log)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
