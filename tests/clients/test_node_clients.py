"""Puppeteer and Playwright in Node, as strangers install them, join the browser of an episode."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.solvers.outside.command import CommandSolver
from tests.checkout import PROJECT
from tests.clients.forms import FORM
from tests.needs import NODE, Need, needs
from tests.runs import sent, stage
from tests.task_folders import csv_text, make_task

FOLDER = PROJECT / "tests" / "clients" / "node"
CLIENTS = Need("Puppeteer and Playwright for Node", ".ci/real-clients", (FOLDER / "node_modules").is_dir)
needs_node = needs(NODE, CLIENTS)
REFUSED = {
    "puppeteer": ["DOM.setFileInputFiles", "Target.createTarget", "Target.createBrowserContext", "Browser.close"],
    "playwright": ["Target.createTarget", "Target.createBrowserContext"],
}


@needs_node
@pytest.mark.parametrize("name", REFUSED)
def test_it_fills_in_a_form_and_is_refused_what_leads_out_of_the_page(name: str, tmp_path: Path) -> None:
    columns = [f"Answer.{name}" for name in "abcde"]
    table = csv_text(["text", *columns], ["x", "w", "1", "on", "x", "2"])
    make_task(tmp_path, "Form", template=f"{FORM}<input type=file name=file>", table=table)
    with stage(tmp_path) as at:
        made = at.play("Form", CommandSolver(["node", str(FOLDER / f"{name}.mjs")], {}, tell_fields=True))
    assert (made.outcome, sent(made)["a"]) == ("scored", ("w",)), made.turns
    # Nothing that it sends by itself when it connects or leaves is among what was refused.
    assert [step.action for step in made.steps] == [f"devtools({method!r})" for method in REFUSED[name]]
    assert [line for line in made.turns[0].reply.splitlines() if "refused" not in line] == []
