"""What tests of Mind2Web-Live share: its public file, and the key nodes in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.catalog.site_facts import KeyNode, SiteFacts
from harness.kit.files.codec import typed
from harness.papers.webcanvas.mind2web_live import import_tasks, known_ids
from tests.checkout import PEERS
from tests.needs import needs, peers

REAL = PEERS / "webcanvas" / "mind2web-live_test_20241024.json"
real = needs(peers("webcanvas/mind2web-live_test_20241024.json"))


def facts(tasks_dir: Path, name: str) -> SiteFacts:
    return typed(json.loads((tasks_dir / name / "task.json").read_bytes()), SiteFacts)


@pytest.fixture(scope="session")
def real_nodes(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[tuple[int, int], KeyNode]]:
    """The nodes of the public file, each with its task's index and its number there."""
    folder = tmp_path_factory.mktemp("real") / "tasks"
    import_tasks(REAL, folder)
    return [
        ((int(index), number), node)
        for name, index in known_ids(folder).items()
        for number, node in enumerate(facts(folder, name).evaluators.key_nodes, start=1)
    ]
