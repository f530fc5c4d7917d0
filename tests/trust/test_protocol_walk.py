"""A walk through the whole protocol, as far as the gate lets it through, comes nowhere near the harness's own world."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest

from harness.browser.gate import session_scope
from harness.browser.gate.policy import ALLOWED, EVENTS, OF_BROWSER
from harness.browser.gate.session_scope import TABLE, Shapes
from tests.trust.protocol_table import described, trimmed
from tests.trust.protocol_walk import Broken, Counts, walk

SEED = 31


@pytest.mark.slow
@pytest.mark.claim("gate-walk")
@pytest.mark.parametrize("kind", ["form", "site"])
def test_no_method_with_any_id_leads_to_the_harnesss_world(kind: str) -> None:
    counts = Counts()
    print(f"seed {SEED}: python -m tests.trust.protocol_walk --seed {SEED}")
    walk(kind, SEED, counts, time.monotonic() + 60, 1)
    print(counts)
    assert counts.asked["done"] > 50
    assert counts.objects > 10


@pytest.mark.slow
@pytest.mark.claim("gate-walk")
def test_the_walk_sees_a_gate_that_tells_of_listeners_of_all_worlds() -> None:
    table = json.loads(TABLE.read_text())
    table["types"]["DOMDebugger.EventListener"]["handler"] = "Runtime.RemoteObject"
    table["methods"]["DOMDebugger.getEventListeners"][0]["pierce"] = "boolean"
    open_gate = Shapes(table)
    with (
        patch.object(session_scope, "shapes", lambda: open_gate),
        patch.object(session_scope, "EVENTS_OF_OURS", "none of ours"),
        pytest.raises(Broken),
    ):
        walk("form", SEED, Counts(), time.monotonic() + 60, 1)


@pytest.fixture(scope="module")
def protocol() -> Mapping[str, Any]:
    """The installed browser's own description."""
    with described() as protocol:
        return protocol


def test_the_protocol_of_the_installed_browser_has_what_the_table_has(protocol: Mapping[str, Any]) -> None:
    table, here = json.loads(TABLE.read_text()), trimmed(protocol)
    assert {*table["methods"], *table["events"]} == ALLOWED | OF_BROWSER | EVENTS
    for part in ("methods", "events", "types"):
        for name, shape in table[part].items():
            there = here[part].get(name)
            assert there is not None, f"{name} is there no more: look at policy.py"
            for had, has in zip(_both(shape), _both(there), strict=True):
                assert had.items() <= has.items(), f"{name} has changed: python -m tests.trust.protocol_table"


def _both(shape: Any) -> list[dict[str, str]]:
    return shape if isinstance(shape, list) else [shape]


@pytest.mark.claim("gate-walk")
def test_objects_come_in_the_answers_of_few_methods() -> None:
    table = json.loads(TABLE.read_text())

    def holds_objects(fields: Mapping[str, str], seen: frozenset[str] = frozenset()) -> bool:
        kinds = {kind.strip("[]") for kind in fields.values()}
        inner = kinds & table["types"].keys() - seen
        return "Runtime.RemoteObject" in kinds or any(
            holds_objects(table["types"][each], seen | inner) for each in inner
        )

    # Lists to be looked at when they grow: can these be objects of a world that the program was not told of?
    assert [name for name, (_, answer) in table["methods"].items() if holds_objects(answer)] == [
        "DOM.resolveNode",
        "Runtime.awaitPromise",
        "Runtime.callFunctionOn",
        "Runtime.evaluate",
        "Runtime.getProperties",
    ]
    assert [name for name, event in table["events"].items() if holds_objects(event)] == [
        "Runtime.consoleAPICalled",
        "Runtime.exceptionThrown",
    ]
