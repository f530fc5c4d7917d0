"""The variants of the bundled sites: every planted change that a reference trace runs into is found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from harness.sites.maintenance.trace_check import look
from harness.sites.maintenance.trace_findings import findings_of
from tests.sites.maintenance.planted import CATALOG, MET, changes_met, jobs_of
from tests.sites.maintenance.stage import Stage, impatient, staged
from tests.sites.served import assert_reached

LONGEST = ("Shop - A larger coat", "Travel - The card is declined", "Board - The best advice on blight")


def on_its_site(names: Iterable[str]) -> pytest.MarkDecorator:
    """A test of tasks, each on the stage of its site."""
    cases = [(name.split()[0].lower(), name) for name in names]
    return pytest.mark.parametrize(("stage", "name"), cases, indirect=["stage"], scope="module")


@pytest.fixture(scope="module")
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """One of the sites."""
    with impatient(), staged(CATALOG.tasks_dir, request.param) as made:
        yield made


@pytest.mark.slow
@on_its_site(MET)
def test_traces_reach_their_goals_and_planted_changes_are_found_and_repaired(stage: Stage, name: str) -> None:
    task = CATALOG.task(name)
    seen = look(stage.session, stage.control, jobs_of(task, "moved")[0])
    assert seen.task.before is not None
    assert_reached(task, seen.task.before.evaluations)
    met = changes_met(seen, "moved")
    assert len({each.change.before for each in met}) == MET[name]
    assert [each for each in met if not each.found] == []
    assert [each for each in met if each.right is False] == []


@pytest.mark.slow
@on_its_site(LONGEST)
def test_nothing_is_found_on_a_site_that_has_not_changed(stage: Stage, name: str) -> None:
    task = CATALOG.task(name)
    seen = look(stage.session, stage.control, jobs_of(task, "")[0])
    assert findings_of(seen.task, seen.now) == ()
    assert_reached(task, seen.now.evaluations)
