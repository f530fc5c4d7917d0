"""Try all that was ever found against a run, and print claim by claim what held.

python -m tests.trust            # all claims of docs/notes/claims.md
python -m tests.trust --list     # the tests of each claim
python -m tests.trust --page     # docs/notes/claims.md, as `make docs` writes it
python -m tests.trust -k gate    # further arguments are pytest's
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping

import pytest

from tests.trust.claims import Claim, claims, document, held_by, marked_files


class Outcomes:
    """A plugin of pytest: it picks the tests that hold claims, and takes down what became of each.

    Attributes:
        tests: The ids of the tests of each claim, by the claim's name.
    """

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = defaultdict(list)
        self._outcomes: dict[str, set[str]] = defaultdict(set)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep what holds a claim."""
        left = [item for item in items if not held_by(item)]
        items[:] = [item for item in items if held_by(item)]
        config.hook.pytest_deselected(items=left)
        for item in items:
            for name in held_by(item):
                self.tests[name].append(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down the outcome of a test, and of a set-up that failed or was skipped."""
        if report.when == "call" or report.outcome != "passed":
            self._outcomes[report.nodeid].add(report.outcome)

    def verdict(self, claim: Claim) -> str:
        """Whether a claim held: ``held``, ``BROKEN``, or ``not tried`` (a test was skipped or left out)."""
        found = [self._outcomes[test] for test in self.tests[claim.name]]
        if any("failed" in each for each in found):
            return "BROKEN"
        return "held" if found and all("passed" in each for each in found) else "not tried"


def functions(tests: Mapping[str, list[str]], claim: Claim) -> list[str]:
    """The functions that hold a claim, without their parameters."""
    return sorted({test.partition("[")[0] for test in tests[claim.name]})


def main(arguments: list[str]) -> int:
    """Run the tests that hold claims; 0 if none is broken."""
    if "--page" in arguments:
        print(document(), end="")
        return 0
    stated = claims()
    lists = "--list" in arguments
    arguments = [each for each in arguments if each != "--list"] + (["--collect-only", "-qq"] if lists else [])
    outcomes = Outcomes()
    status = pytest.main(["-q", "--no-header", *arguments, *map(str, marked_files())], plugins=[outcomes])
    print()
    if lists:
        for claim in stated:
            print(f"{claim.name}: {claim.words}", *functions(outcomes.tests, claim), sep="\n    ")
        return int(status)
    verdicts = [outcomes.verdict(claim) for claim in stated]
    for claim, verdict in zip(stated, verdicts, strict=True):
        print(f"{verdict:<9}  {claim.name}: {claim.words}")
    print(
        f"\n{verdicts.count('held')} held, {verdicts.count('BROKEN')} broken, {verdicts.count('not tried')} not tried"
    )
    return int(status) if status or "BROKEN" not in verdicts else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
