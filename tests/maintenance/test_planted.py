"""The variants of the bundled sites: every planted change that a reference trace runs into is found."""

from __future__ import annotations

import pytest

from harness.catalog import Catalog
from harness.files.places import BUNDLED_TASKS
from harness.maintenance.trace_check import look
from harness.maintenance.trace_findings import findings_of
from tests.maintenance.planted import TouchedChange, jobs_of, touched
from tests.maintenance.stage import staged
from turkle_app.sites.registry import find_site

FOLDER = BUNDLED_TASKS / "_sites"
LEAST_RIGHT = 0.9


@pytest.mark.parametrize("name", ["shop", "travel", "board"])
def test_planted_changes_are_found_and_the_right_elements_proposed(name: str) -> None:
    site = find_site(name)
    assert site is not None
    catalog = Catalog(FOLDER)
    found: list[TouchedChange] = []
    with staged(FOLDER, name) as stage:
        for task in map(catalog.task, catalog.select(None, [f"{name.capitalize()} - *"])):
            for job in jobs_of(task, "moved"):
                seen = look(stage.session, stage.backstage, job)
                found += touched(seen, findings_of(seen.task, seen.now), site.variants["moved"])
    missed = [f"{each.task}, step {each.step}: {each.change.before}" for each in found if not each.found]
    proposed = [each for each in found if each.right is not None]
    right = sum(each.right is True for each in proposed)
    kinds = len({each.change.before for each in found})
    print(f"{name}: {kinds} of {len(site.variants['moved'])} planted changes are run into, by {len(found)} steps; ")
    print(f"{len(found) - len(missed)} found; {right} of {len(proposed)} proposals are right")
    assert found, "no trace runs into a planted change"
    assert missed == []
    wrong = [f"{each.task}, step {each.step}: {each.change.before}" for each in proposed if not each.right]
    assert right >= LEAST_RIGHT * len(proposed), wrong


@pytest.mark.parametrize("name", ["shop", "travel", "board"])
def test_nothing_is_found_on_a_site_that_has_not_changed(name: str) -> None:
    catalog = Catalog(FOLDER)
    with staged(FOLDER, name) as stage:
        for task in map(catalog.task, catalog.select(None, [f"{name.capitalize()} - *"])):
            for job in jobs_of(task, ""):
                seen = look(stage.session, stage.backstage, job)
                assert findings_of(seen.task, seen.now) == ()
                assert all(each.success for each in seen.now.evaluations.values()), task.name
