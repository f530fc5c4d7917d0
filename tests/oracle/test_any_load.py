"""The same form is sent on an idle machine and on one that is six times slower, by pages that move, wait and count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.form.submission import Submission
from tests.checkout import TURKINGBENCH
from tests.needs import needs, real_data
from tests.runs import Stage, stage
from tests.task_folders import csv_text, make_task

DATA = TURKINGBENCH
SLOWER = 6
"""How many times less the page's process gets of the processor."""

# Presses that come while something moves are lost on these pages, and how many were taken is sent.
COUNTING = """<input type=hidden name=taken value=0>
<script>
const field = (name) => document.getElementsByName(name)[0];
let moves = false;
const taken = () => { field("taken").value = Number(field("taken").value) + 1; };
const started = () => { if (moves) return false; taken(); return moves = true; };
const rest = (name) => { moves = false; document.getElementById(name).hidden = false; };
</script>"""
FOLDED = "<button type=button id=one>one</button><p id=a hidden><input name=a></p>"
TWICE = FOLDED + "<button type=button id=two>two</button><p id=b hidden><input name=b></p>" + COUNTING
PRESSES = """<script>
for (const [button, name] of [["one", "a"], ["two", "b"]]) {
  const panel = document.getElementById(name);
  document.getElementById(button).onclick = () => { if (started()) move(panel, () => rest(name)); };
}
</script>"""


def both(move: str) -> str:
    """Two buttons, each of which brings out a field by a movement during which no button is heard."""
    return f"{TWICE}<script>{move}</script>{PRESSES}"


MOVEMENTS = {
    "a chain of timeouts": """const move = (panel, then, step = 0) =>
      step < 20 ? setTimeout(move, 13, panel, then, step + 1) : then();""",
    "a timeout whose handler is text": """let next;
      const move = (panel, then) => { next = then; setTimeout("next()", 300); };""",
    "an interval by the clock": """const move = (panel, then) => {
      const begun = Date.now();
      const timer = setInterval(() => { if (Date.now() - begun >= 300) { clearInterval(timer); then(); } }, 13);
    };""",
    "frames": """const move = (panel, then, frame = 0) =>
      requestAnimationFrame(() => (frame < 12 ? move(panel, then, frame + 1) : then()));""",
    "a style that fades in": """const move = (panel, then) => {
      panel.hidden = false;
      panel.animate([{ opacity: 0 }, { opacity: 1 }], 300).onfinish = then;
    };""",
    "a movement after a pause after a movement": """const move = (panel, then) => {
      panel.hidden = false;
      panel.animate([{ opacity: 0 }, { opacity: 1 }], 100).onfinish = () => setTimeout(() =>
        panel.animate([{ marginLeft: 0 }, { marginLeft: "9px" }], 100).onfinish = then, 100);
    };""",
    "promises": """const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
      const move = async (panel, then) => { for (let i = 0; i < 4; i++) await pause(60); then(); };""",
}
DELAYED = """<label><input type=radio name=a value=yes>yes</label><input name=b disabled>
<script>document.getElementsByName("a")[0].onchange = () =>
  setTimeout(() => { document.getElementsByName("b")[0].disabled = false; }, 400);</script>"""
DEBOUNCED = """<input name=a><input name=b><input type=hidden name=taken value="">
<script>
let timer;
addEventListener("input", (event) => {
  clearTimeout(timer);
  timer = setTimeout(() => { document.getElementsByName("taken")[0].value += event.target.name; }, 250);
});
</script>"""
LATE = """<input name=a><p id=late></p>
<script>setTimeout(() => { document.getElementById("late").innerHTML = "<input name=b>"; }, 200);</script>"""
TIMED = """<input name=a><input name=b><input type=hidden name=taken>
<script>
const opened = Date.now();
document.querySelector("form").onsubmit = () => { document.getElementsByName("taken")[0].value = Date.now() - opened; };
</script>"""
PAGES = {
    **{name: both(move) for name, move in MOVEMENTS.items()},
    "a field that is enabled later": DELAYED,
    "a debounced handler": DEBOUNCED,
    "a field that comes late": LATE,
    "the time that was taken": TIMED,
}
DONE = {"a debounced handler": "ab"}
"""What the page itself writes."""

TASKS = (
    "ATOMIC - Required Objects (Sequence)",
    "BiSECT Human Evaluation",
    "Clarifiction",
    "Lattice",
    "Rule-of-Thumb",
)
"""Of pages that fade, fold, drag, wait, and write how long it took, one of each."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("tasks")
    for name, page in PAGES.items():
        make_task(folder, name, template=page, table=csv_text(["Answer.a", "Answer.b"], ["yes", "no"]))
    with stage(folder) as made:
        yield made


@pytest.fixture(scope="module")
def turkingbench() -> Iterator[Stage]:
    with stage(DATA / "tasks") as made:
        yield made


def submissions(stage: Stage, task: str) -> list[Submission]:
    """What the oracle's form sends, idle and slowed down."""
    found = []
    for rate in (1, SLOWER):
        stage.browser.channel.call("Emulation.setCPUThrottlingRate", rate=rate)
        try:
            found.append(stage.play(task).submission)
        finally:
            stage.browser.channel.call("Emulation.setCPUThrottlingRate", rate=1)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("task", PAGES)
def test_the_oracle_sends_the_same_form_however_slow_the_page_is(pages: Stage, task: str) -> None:
    idle, slowed = submissions(pages, task)
    assert idle == slowed
    assert (idle.values["a"], idle.values["b"]) == (("yes",), ("no",))
    assert task not in DONE or idle.values["taken"] == (DONE[task],)


@pytest.mark.slow
@needs(real_data("tasks"))
@pytest.mark.parametrize("task", TASKS)
def test_the_oracle_sends_the_same_form_of_a_task_of_turkingbench(turkingbench: Stage, task: str) -> None:
    idle, slowed = submissions(turkingbench, task)
    assert idle == slowed
