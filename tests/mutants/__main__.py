"""Change the code in small ways, one at a time, and look whether the tests notice: ``make mutants``.

mutmut makes the mutants and runs for each the tests that reach its function. What stands outside functions stays.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.mutants.checkout import ROOMS, make_copy
from tests.mutants.reckoning import ENOUGH, Change, Mutant, as_text, read_listed, reckon

PROJECT = Path(__file__).resolve().parents[2]
COPY = PROJECT / ".mutants"
# What mutmut writes for a mutant that no test failed for: the tests passed, pytest found none, mutmut found none.
_SURVIVED = (0, 5, 33)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2, help="processes (default %(default)s)")
    workers = parser.parse_args().workers
    rooms = ", ".join(ROOMS)
    print(f"Trying some 2,800 mutants of {rooms}: half an hour on two cores, less on idle ones ...", flush=True)
    begun = time.monotonic()
    make_copy(PROJECT, COPY)
    if code := _run_mutmut(workers):
        return code
    mutants = list(_mutants())
    listed = read_listed()
    reckonings = {room: reckon([each for each in mutants if each.room == room], listed) for room in ROOMS}
    whole = reckonings["all"] = reckon(mutants, listed)
    print(as_text(reckonings))
    enough = whole.share >= ENOUGH
    print(f"\n{whole.share:.1%} killed; {ENOUGH:.0%} {'are' if enough else 'would be'} enough.", end=" ")
    print(f"{time.monotonic() - begun:.0f} s.")
    return 0 if enough else 1


def _run_mutmut(workers: int) -> int:
    """Run it in the copy; gives its exit status."""
    log = COPY / "mutmut.log"
    with log.open("w", encoding="utf-8") as out:
        program = Path(sys.executable).parent / "mutmut"
        done = subprocess.run(
            [program, "run", "--max-children", str(workers)],
            cwd=COPY,
            env={**os.environ, "PYTHONPATH": ""},
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        print(f"mutmut failed; the end of {log} says why.", file=sys.stderr)
    return done.returncode


def _mutants() -> Iterator[Mutant]:
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.utils.format_utils import orig_function_and_class_names_from_key

    with contextlib.chdir(COPY):
        for file in sorted(Path("mutants/harness").rglob("*.meta")):
            path = file.relative_to("mutants").with_suffix("")
            for name, code in json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"].items():
                if code is None:
                    raise SystemExit(f"{name} was not tried: the run ended early")
                function, class_ = orig_function_and_class_names_from_key(name)
                module = ".".join(path.with_suffix("").parts)
                diff = get_diff_for_mutant(name, path=path).splitlines()[2:]
                lines = "\n".join(f"{line[0]} {line[1:].strip()}" for line in diff if line[0] in "+-")
                place = ".".join(filter(None, (module, class_, function)))
                yield Mutant(Change(place, lines), killed=code not in _SURVIVED)


if __name__ == "__main__":
    sys.exit(main())
