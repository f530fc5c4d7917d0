from __future__ import annotations

import pytest

from harness.analysis.conditions import differing_conditions
from harness.analysis.scored_run import read_scored
from harness.kit.files.codec import plain
from tests.analysis.made import scored
from tests.samples import missed_outside

TASKS = {"A": [{"s": 0.5}]}
PLAIN = {
    "provenance": {
        "git": {"revision": "a" * 40, "changed_files": []},
        "python": "3.11.7",
        "system": "Linux",
        "browser": "Chrome/1",
        "packages": {"numpy": "2.0", "pandas": None},
    }
}
OUTSIDE = plain(missed_outside(missing_assets={"http://x": 1}))


def provenance(**values):
    return {"provenance": {**PLAIN["provenance"], **values}}


def warnings(folder, config, values):
    return differing_conditions(
        [scored(folder / "0", TASKS, **PLAIN), scored(folder / "1", TASKS, config, **{**PLAIN, **values})]
    )


def test_runs_under_equal_conditions_are_not_warned_of(tmp_path):
    assert warnings(tmp_path, {"solver": "b", "workers": 9}, {"started": "later"}) == ()


@pytest.mark.parametrize(
    ("config", "values", "said"),
    [
        ({}, {"task_set": "x"}, "The task sets differ"),
        ({}, {"protocol": "open"}, "The protocols differ"),
        ({}, {"sample": "x"}, "The chosen instances differ"),
        ({}, {"inventory": "x"}, "The pages had other fields"),
        ({}, {"outside": OUTSIDE}, "What the pages asked the outside world for"),
        ({"network": "live"}, {}, "The setting network differs (mirror, live)"),
        ({"input": "desktop"}, {}, "The setting input differs"),
        ({"live_clock": True}, {}, "The setting live_clock differs"),
        ({"limits": {"max_steps": 5}}, {}, "The setting limits differs"),
        ({}, provenance(git={"revision": "b" * 40, "changed_files": []}), "(revision aaaaaaaaaa, bbbbbbbbbb)"),
        ({}, provenance(git=None), "(revision aaaaaaaaaa, unknown)"),
        ({}, provenance(git={"revision": "a" * 40, "changed_files": ["x.py"]}), "in 1 of 2 runs"),
        ({}, provenance(packages={"numpy": "2.1", "pandas": None}), "(numpy: 2.0, 2.1)"),
        ({}, provenance(python="3.12.0"), "(python: 3.11.7, 3.12.0)"),
        ({}, provenance(browser="Chrome/2"), "(browser: Chrome/1, Chrome/2)"),
        ({}, {"status": "interrupted"}, "is interrupted: it may lack some"),
    ],
)
def test_each_condition_that_differs_is_told_in_one_sentence(tmp_path, config, values, said):
    (warning,) = warnings(tmp_path, config, values)
    assert said in warning


def test_profiles_that_differ_come_with_the_remedy(tmp_path):
    run = scored(tmp_path, TASKS)
    (warning,) = differing_conditions([run, read_scored(tmp_path, "turkingbench-2024")])
    assert "(standard, turkingbench-2024): --metrics scores all runs by one" in warning


@pytest.mark.parametrize("values", [{"sample": "x"}, {"status": "running"}])
def test_what_covers_the_played_pages_is_not_compared_where_they_differ(tmp_path, values):
    (warning,) = warnings(tmp_path, {}, {**values, "inventory": "x", "outside": OUTSIDE, **provenance(browser="")})
    assert "fields" not in warning
