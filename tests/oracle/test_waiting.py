"""A question that opens later is answered as soon as what the page has put off has run; others are not waited for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.runs import Stage, stage
from tests.task_folders import csv_text, make_task

CLOSED = """<fieldset id=later disabled><input name=thoughts></fieldset>
<script>const opened = () => { later.disabled = false; };"""
OPENS_LATER = {
    "after a timeout": "setTimeout(opened, 25000);",
    "after a countdown by intervals": "let left = 20; setInterval(() => { left -= 1; if (!left) opened(); }, 1000);",
    "when the clock says so": """const begun = Date.now();
        setInterval(() => { if (Date.now() - begun >= 20000) opened(); }, 250);""",
    "after a chain of promises": """const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
        (async () => { for (let second = 0; second < 20; second += 1) await pause(1000); opened(); })();""",
    "after many frames": """let frames = 0;
        const drawn = () => { frames += 1; if (frames === 1200) opened(); else requestAnimationFrame(drawn); };
        requestAnimationFrame(drawn);""",
    "where it breaks the ways of others": """
        MessagePort.prototype.postMessage = () => {}; setTimeout(opened, 8000);""",
    "after a timer that fails": """
        setTimeout(() => { setTimeout(opened, 9000); throw new Error("no such thing"); }, 9000);""",
}
STAYS_CLOSED = {
    "where nothing is put off": "",
    "where something goes on for ever": "setInterval(() => { document.title = String(Date.now()); }, 250);",
    "where the page is busy without end": "const busy = () => setTimeout(busy, 5); busy();",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("tasks")
    for name, script in {**OPENS_LATER, **STAYS_CLOSED}.items():
        table = csv_text(["Answer.thoughts"], ["none so far"])
        make_task(folder, name, template=f"{CLOSED} {script}</script>", table=table)
    with stage(folder) as made:
        yield made


LONG = (
    "after a chain of promises",
    "after many frames",
    "where the page is busy without end",
    "where it breaks the ways of others",
)
SLOW = dict.fromkeys(LONG, pytest.mark.slow)
"""What these set off is awaited after each action."""


@pytest.mark.parametrize("page", [pytest.param(page, marks=SLOW.get(page, ())) for page in OPENS_LATER])
def test_a_question_that_opens_later_is_answered(pages: Stage, page: str) -> None:
    made = pages.play(page)
    assert made.submission.values["thoughts"] == ("none so far",)


@pytest.mark.parametrize("page", [pytest.param(page, marks=SLOW.get(page, ())) for page in STAYS_CLOSED])
def test_a_question_that_nothing_opens_is_not_waited_for(pages: Stage, page: str) -> None:
    made = pages.play(page)
    assert not made.submission.values.get("thoughts")
    assert not [step.action for step in made.steps if step.action.startswith("wait_until_enabled")]
