"""Recordings from the first press to what the replay and maintenance make of them; a program plays the person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.browser.live_page import PageFailed
from harness.catalog import Catalog
from harness.catalog.trace import Trace
from harness.run.progress import QuietProgress
from harness.sites.maintenance.maintenance import TraceChoice, maintain
from harness.sites.maintenance.records import MaintenanceReport
from harness.sites.maintenance.repair import apply, repairable
from harness.sites.recording.order import order_of
from harness.sites.recording.proof import Proof
from harness.sites.recording.recorded_session import RecordedSession
from harness.sites.recording.recorder import Recorder
from tests.miniwob_set import fetch_stand_in
from tests.site import in_page
from tests.sites.maintenance.stage import impatient


class Person:
    """Who works in a recorded browser."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def press(self, css: str) -> None:
        """Press the middle of an element, once it is there."""

        def at(session: RecordedSession) -> None:
            session.site.settle()
            box = f"const b = document.querySelector({css!r}).getBoundingClientRect()"
            x, y = in_page(session.site, f"(() => {{ {box}; return [b.x + b.width / 2, b.y + b.height / 2] }})()")
            session.input.click(x, y)
            self._told(session)

        self.recorder.ask(at)

    def write(self, text: str, *keys: str) -> None:
        """Type a text, and press keys after it."""

        def into(session: RecordedSession) -> None:
            session.input.type(text)
            for key in keys:
                session.press(key)
            self._told(session)

        self.recorder.ask(into)

    @staticmethod
    def _told(session: RecordedSession) -> None:
        """Wait until the page has told what was done to it."""
        try:
            session.site.settle()
        except PageFailed:
            session.site.settle()

    def put_first_proposal(self) -> None:
        """Put the key node that is proposed first on the last step."""

        def put(recorder: Recorder) -> None:
            number = recorder.draft.steps[-1].number
            recorder.draft.put_node(number, recorder.draft.proposals(number)[0].node)

        with self.recorder.lock:
            put(self.recorder)

    def save(self, title: str, goal: str) -> Proof:
        """Write the task; gives what its replay has shown."""
        self.recorder.edit(lambda draft: draft.describe({"title": title, "goal": goal}))
        self.recorder.save()
        self.recorder.ask(lambda _: None)  # comes after the replay
        assert self.recorder.proof, self.recorder.trouble
        return self.recorder.proof


@contextmanager
def recorded(url: str, tasks: Path) -> Iterator[Person]:
    """A recording of a bundled site, while the context lasts."""
    recorder = Recorder(order_of(url), tasks)
    try:
        yield Person(recorder)
    finally:
        recorder.end()


def trace_of(tasks: Path, name: str) -> Trace:
    task = Catalog(tasks).task(name)
    trace = task.trace_of(task.pages[0])
    assert trace is not None
    return trace


def report_of(choice: TraceChoice) -> MaintenanceReport:
    return maintain(choice, QuietProgress()).report


@pytest.mark.slow
def test_a_recorded_task_is_maintained_like_any_other_and_repaired_for_another_layout(tmp_path: Path) -> None:
    with recorded("http://shop.test/", tmp_path) as person:
        person.press("input[name=q]")
        person.write("kettle", "Enter")
        person.put_first_proposal()
        person.press("a[href*='/product/']")
        person.put_first_proposal()
        person.press("#add-to-cart")
        person.put_first_proposal()
        proof = person.save("A kettle", "Put a kettle into the cart.")
    assert proof.holds, proof
    assert [step.do for step in trace_of(tmp_path, "A kettle").steps] == ["fill_search", "click", "click"]
    with impatient():
        repair(tmp_path)


def repair(tasks: Path) -> None:
    """Have the task, which holds, repaired for another layout, on which it then holds."""
    usual = report_of(TraceChoice(tasks))
    assert [(trace.state, trace.nodes_met, trace.findings) for trace in usual.traces] == [("holds", 3, ())]
    choice = TraceChoice(tasks, variant="moved")
    moved = report_of(choice)
    assert [trace.state for trace in moved.traces] == ["broken"]
    certain = [each.id for _, each in repairable(moved) if each.proposal and each.proposal.certain]
    apply(tasks, moved, certain, "moved")
    again = report_of(choice)
    assert [(trace.state, trace.nodes_met) for trace in again.traces] == [("holds", 3)]


@pytest.fixture
def miniwob(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A page that gives rewards; its address."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fetch_stand_in(tmp_path)
    return "http://miniwob.test/miniwob/buttons.html?seed=0"


@pytest.mark.slow
@pytest.mark.parametrize(("button", "is_right"), [("right", True), ("part", False)])
def test_what_is_recorded_on_a_page_that_gives_rewards_is_judged_by_its_reward(
    miniwob: str, tmp_path: Path, button: str, *, is_right: bool
) -> None:
    tasks = tmp_path / "recorded"
    with recorded(miniwob, tasks) as person:
        person.press(f"#{button}")
        proof = person.save("Buttons", "Do what the page asks for.")
    assert [(part.words, part.holds) for part in proof.nodes] == [("the page's reward", is_right)]
    task = Catalog(tasks).task("Buttons")
    assert task.site
    assert task.site.evaluators.page_reward
    (trace,) = report_of(TraceChoice(tasks)).traces
    assert (trace.state == "holds") == is_right
    assert [each.kinds for each in trace.findings] == ([] if is_right else [("state_missed",)])
