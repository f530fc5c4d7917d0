"""Change the code in small ways, one at a time, and count what the tests notice: ``make mutants``.

python -m tools.mutants --count 200 --seed 7
python -m tools.mutants --rooms metrics answers scoring   # in folders of these names only
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tools.mutants.drawing import Drawn, draw
from tools.mutants.reckoning import Mutant, as_text, reckon, share_wanted
from tools.mutants.trying import Copy

PROJECT = Path(__file__).resolve().parents[2]
COPIES = PROJECT / ".mutants"


def main() -> int:
    """Run the command line; 0 if enough changes were noticed."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="changes (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of chance (default %(default)s)")
    parser.add_argument("--rooms", nargs="+", default=[], help="names of folders (default: all code)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default %(default)s)")
    chosen = parser.parse_args()
    begun = time.monotonic()
    copies: SimpleQueue[Copy] = SimpleQueue()
    for number in range(chosen.workers):
        copies.put(Copy(PROJECT, COPIES / str(number)))

    def tried(drawn: Drawn) -> Mutant:
        copy = copies.get()
        try:
            mutant = Mutant(drawn.change, copy.kills(drawn))
        finally:
            copies.put(copy)
        print(f"{'noticed ' if mutant.killed else 'SURVIVED'}  {drawn.change.function}", flush=True)
        return mutant

    print(f"Trying {chosen.count} changes of the code, seed {chosen.seed} ...", flush=True)
    drawn = draw(PROJECT, chosen.count, chosen.seed, chosen.rooms)
    with ThreadPoolExecutor(chosen.workers) as workers:
        mutants = list(workers.map(tried, drawn))
    reckonings = {
        room: reckon(each for each in mutants if each.room == room) for room in sorted({m.room for m in mutants})
    }
    whole = reckonings["all"] = reckon(mutants)
    print(as_text(reckonings))
    wanted = share_wanted(chosen.rooms)
    print(f"\n{whole.share:.1%} noticed; {wanted:.0%} are wanted. {time.monotonic() - begun:.0f} s.")
    return 0 if whole.share >= wanted else 1


if __name__ == "__main__":
    sys.exit(main())
