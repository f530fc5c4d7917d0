"""Try all that was ever found against a run, and print claim by claim what held.

python -m tests.trust            # all claims of docs/trust.md
python -m tests.trust -k gate    # further arguments are pytest's
"""

from __future__ import annotations

import sys
from collections import defaultdict

import pytest

from tests.trust.claims import Claim, claims


class Outcomes:
    """A plugin of pytest: what became of each test, by its file and its function."""

    def __init__(self) -> None:
        self.of: dict[tuple[str, str], list[str]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down the outcome of a test, and of a set-up that failed or was skipped."""
        if report.when == "call" or report.outcome != "passed":
            file, _, test = report.nodeid.partition("::")
            self.of[file, test.partition("[")[0]].append(report.outcome)

    def verdict(self, claim: Claim) -> str:
        """Whether a claim held: ``held``, ``BROKEN``, or ``not tried`` (a test was skipped or left out)."""
        found = [self._outcomes(file, test) for file, test in claim.tests]
        if any("failed" in each for each in found):
            return "BROKEN"
        return "held" if found and all("passed" in each for each in found) else "not tried"

    def _outcomes(self, file: str, test: str) -> set[str]:
        return {one for (where, name), all_ in self.of.items() if where == file and test in ("", name) for one in all_}


def main(arguments: list[str]) -> int:
    """Run the tests that claims name; 0 if none is broken."""
    stated = claims()
    wanted = sorted({f"{file}::{test}" if test else file for claim in stated for file, test in claim.tests})
    outcomes = Outcomes()
    status = pytest.main(["-q", "--no-header", *arguments, *wanted], plugins=[outcomes])
    verdicts = [outcomes.verdict(claim) for claim in stated]
    print()
    for claim, verdict in zip(stated, verdicts, strict=True):
        print(f"{verdict:<9}  {claim.words}")
    print(
        f"\n{verdicts.count('held')} held, {verdicts.count('BROKEN')} broken, {verdicts.count('not tried')} not tried"
    )
    return int(status) if status or "BROKEN" not in verdicts else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
