import json

import pytest

from harness.kit.statistics.estimate import NO_INTERVAL, Estimate


def test_an_estimate_survives_json():
    estimate = Estimate(0.5, 0.25, 0.75, clusters=3, items=40, method="studentised bootstrap")
    assert Estimate.from_json(json.loads(json.dumps(estimate.to_json()))) == estimate


def test_an_estimate_without_limits_says_so():
    written = Estimate(0.5, None, None, clusters=1, items=1).to_json()
    assert written == {"value": 0.5, "low": None, "high": None, "clusters": 1, "items": 1, "method": NO_INTERVAL}


def test_a_record_that_lacks_a_key_is_refused():
    with pytest.raises(KeyError, match="items"):
        Estimate.from_json({"value": 0.5, "low": None, "high": None, "clusters": 1, "method": NO_INTERVAL})
