"""What is made of the moments at which a model was waited for."""

from __future__ import annotations

import json
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from benchmarks.waiting_model import WaitingModel, Waits


def test_the_share_counts_waits_while_all_places_are_taken_alone() -> None:
    # Two places. All are taken from 1, when the second episode calls, to 7, when the last one does.
    waits = Waits(asked=[0.0, 1.0, 5.0, 7.0], spans=[(0.0, 4.0), (1.0, 4.0), (5.0, 8.0), (7.0, 9.0)])
    assert waits.steady(2) == (1.0, 7.0)
    assert waits.share(2) == pytest.approx((3 + 3 + 2) / 6 / 2)
    assert waits.turns(1.0, 7.0) == 2


def test_a_run_without_a_steady_time_is_refused() -> None:
    with pytest.raises(AssertionError, match="2 episodes have called the model, and there are 2 places"):
        Waits(asked=[0.0, 1.0]).steady(2)


def test_the_model_gives_its_replies_in_turn_and_counts_conversations() -> None:
    with WaitingModel(["one", "two"], 0.0) as model:
        for said, expected in ((0, "one"), (1, "two"), (2, "two")):
            messages = [{"role": "user", "content": "?"}] + [{"role": "assistant", "content": "!"}] * said
            with closing(HTTPConnection(urlsplit(model.url).netloc)) as connection:
                connection.request("POST", "/v1/chat/completions", json.dumps({"messages": messages}))
                reply = json.load(connection.getresponse())
            assert reply["choices"][0]["message"]["content"] == expected
    assert len(model.waits.asked) == 1
    assert len(model.waits.spans) == 3
