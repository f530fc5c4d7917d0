"""The variants of the bundled sites: every planted change that a reference trace runs into is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from harness.maintenance import trace_walk
from harness.maintenance.trace_check import look
from harness.maintenance.trace_findings import findings_of
from tests.maintenance.planted import CATALOG, changes_met, jobs_of
from tests.maintenance.stage import Stage, staged

MET = {
    "Shop - A larger coat": 6,
    "Shop - Put a kettle into the cart": 3,
    "Shop - Puzzles with a coupon": 5,
    "Shop - Save a tent for later": 1,
    "Shop - Stop the newsletter": 1,
    "Travel - Cancel the hotel in Vienna": 3,
    "Travel - Fewer messages": 2,
    "Travel - Home airport in Costa Rica": 3,
    "Travel - Only the necessary cookies": 2,
    "Travel - Search with a price alert": 4,
    "Travel - The card is declined": 8,
    "Travel - The cost of another date": 3,
    "Board - A dark theme": 2,
    "Board - A list for the shelf": 2,
    "Board - A reply with a quote": 3,
    "Board - A vote for an answer": 2,
    "Board - Answer Old Compass": 2,
    "Board - Become a moderator": 1,
    "Board - Fewer mails": 2,
    "Board - Follow a thread": 1,
    "Board - Report an advertisement": 1,
    "Board - The best advice on blight": 3,
    "Board - The moderators' queue": 1,
}
"""How many planted changes the trace of a task runs into: tasks for each kind of change on each kind of page. All tasks
are measured by ``python -m tests.maintenance.planted``."""
LONGEST = ("Shop - A larger coat", "Travel - The card is declined", "Board - The best advice on blight")


def on_its_site(names: Iterable[str]) -> pytest.MarkDecorator:
    """A test of tasks, each on the stage of its site."""
    cases = [(name.split()[0].lower(), name) for name in names]
    return pytest.mark.parametrize(("stage", "name"), cases, indirect=["stage"], scope="module")


@pytest.fixture(scope="module")
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """One of the sites, whose elements are there as soon as a page is at rest."""
    with pytest.MonkeyPatch.context() as patch, staged(CATALOG.tasks_dir, request.param) as made:
        patch.setattr(trace_walk, "PATIENCE_MS", 100)
        yield made


@pytest.mark.slow
@on_its_site(MET)
def test_planted_changes_are_found_and_the_right_elements_proposed(stage: Stage, name: str) -> None:
    met = changes_met(stage, jobs_of(CATALOG.task(name), "moved")[0])
    assert len({each.change.before for each in met}) == MET[name]
    assert [each for each in met if not each.found] == []
    assert [each for each in met if each.right is False] == []


@pytest.mark.slow
@on_its_site(LONGEST)
def test_nothing_is_found_on_a_site_that_has_not_changed(stage: Stage, name: str) -> None:
    seen = look(stage.session, stage.backstage, jobs_of(CATALOG.task(name), "")[0])
    assert findings_of(seen.task, seen.now) == ()
    assert all(each.success for each in seen.now.evaluations.values())
