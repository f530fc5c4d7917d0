"""The bundled sites, served by this process to a browser, and their tasks' traces replayed in it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.test import override_settings
from waitress import create_server

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, SessionMaker, devtools_session
from harness.browser.launch import BrowserSettings
from harness.catalog.site_facts import SiteFacts
from harness.catalog.task import Task
from harness.catalog.trace import Trace
from harness.episode.play_site import play_site
from harness.episode.site_assignment import site_assignment
from harness.records.config import Limits
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.text_match import MeaningJudge
from oracle.oracle import Oracle
from tests.sites.visits import AGENT
from turkle_app.sites.episodes import EPISODES
from turkle_app.sites.registry import find_site

TOKEN = "an-episode-of-tests"  # noqa: S105 - a name
"""Of the episode that ``begin`` begins."""


@contextmanager
def sites_served() -> Iterator[str]:
    """Serve the sites in agent mode; gives host and port."""
    with override_settings(**AGENT):
        server = create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=4)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.effective_port}"
        finally:
            server.close()
            thread.join()


@contextmanager
def site_browser(name: str, make_session: SessionMaker = devtools_session, **more: bool) -> Iterator[BrowserSession]:
    """A browser for a site that is served meanwhile; ``more`` are attributes of its settings."""
    with sites_served() as place:
        policy = NavigationPolicy((f"http://{name}.test",), {f"{name}.test": place})
        session = make_session(BrowserSettings(f"http://{place}", policy=policy, **more))
        try:
            yield session
        finally:
            session.input.close()
            session.browser.close()


def begin(session: BrowserSession, name: str, seed: int = 0, variant: str = "") -> Any:
    """Begin an episode on a site, whose cookie the emptied browser then has; return its state."""
    site = find_site(name)
    assert site is not None
    episode = EPISODES.begin(TOKEN, site, seed, variant)
    session.site.clear()
    session.site.set_cookie(f"http://{name}.test", "episode", TOKEN)
    return episode.state


@dataclass(frozen=True)
class Replay:
    """What became of a trace.

    Attributes:
        error: Why the trace could not be done to its end; empty if it could.
        evaluations: By the evaluator's name.
        told: What the site told of itself in the end.
    """

    error: str
    evaluations: dict[str, Evaluation]
    told: dict[str, Any]


def assert_reached(task: Task, evaluations: Mapping[str, Evaluation]) -> None:
    """Assert that a task's trace has reached all that the task is judged by, each key node by the step that says so."""
    missed = {
        evaluator: [(part.name, part.why) for part in evaluation.parts if part.score != 1]
        for evaluator, evaluation in evaluations.items()
        if not evaluation.success
    }
    assert missed == {}
    assert task.trace is not None
    told = {node: place for place, step in enumerate(task.trace.steps) for node in step.nodes}
    assert {node: part.step for node, part in enumerate(evaluations["key_nodes"].parts)} == told


def replay_task(
    session: BrowserSession,
    task: Task,
    *,
    seed: int,
    variant: str = "",
    trace: Trace | None = None,
    judge: MeaningJudge | None = None,
) -> Replay:
    """Do a task's trace on its site, and evaluate what happened.

    Args:
        session: A browser for the task's site.
        task: The task.
        seed: Of the site's data.
        variant: Of its layout.
        trace: In place of the task's own.
        judge: Compares by meaning.
    """
    instance = task.pages[0]
    assignment = site_assignment(task, instance, 0)
    assignment = replace(assignment, trace=trace or assignment.trace)
    state = begin(session, assignment.facts.site, seed, variant)
    played, trajectory = play_site(session, Oracle(), assignment, Limits())
    assert played.body is not None
    record = SiteRecord(
        task=assignment.facts,
        moments=played.body.moments,
        answer=played.body.answer,
        state=state.told(),
        left=played.body.left,
    )
    evaluations = evaluate(record, trajectory.texts.get, judge)
    return Replay(played.end.detail, {one.evaluator: one for one in evaluations}, record.state)


def untouched(facts: SiteFacts) -> dict[str, Evaluation]:
    """What the evaluators of a task say where nothing is done but its first page opened."""
    site = find_site(facts.site)
    assert site is not None
    state = site.make_state(facts.seed, facts.variant).told()
    record = SiteRecord(task=facts, state_before=state, state=state)
    return {one.evaluator: one for one in evaluate(record, {}.get, None)}
