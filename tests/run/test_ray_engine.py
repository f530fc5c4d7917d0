"""Runs on a Ray cluster: what comes of them is what comes of the same run on one machine."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.models.tokens.vocabulary import folder_of_vocabularies
from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.needs import NETWORKS, extra, needs
from tests.run.far_solver import HOLD, WAITING, waiting
from tests.run.processes import marked, temporary, until
from tests.run.ray_cluster import Cluster, ray_cluster
from tests.solvers.runs import calls, evaluate, make_pages

pytestmark = pytest.mark.skipif(not find_spec("ray"), reason=extra("ray"))
PAGES = 10
FAR = "tests.run.far_solver:Far"
NODE, BROWSER = "harness.run.node_pool", "--remote-debugging-pipe"
"""What stands on the command lines of a node's processes, and of a browser's first."""
RAYS = ("0", "0.log", "ray")
"""What Ray keeps among temporary files."""
WANTED = "pending tasks/actors"
"""What `ray status` says of work for which there is no processor."""


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The variables of the solver, here and on the nodes."""
    variables = {
        HOLD: str(tmp_path / "go"),
        WAITING: str(tmp_path / "waiting"),
        "SCRIPTED_CALLS": str(tmp_path / "calls"),
        "PYTHONPATH": str(PROJECT),
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    make_pages(tmp_path / "tasks", PAGES)
    return variables


def begun(cluster: Cluster, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The run of a driver on the first node of a cluster."""
    command = [sys.executable, "-m", "harness.evaluate", "--engine", "ray", "--address", cluster.address]
    # A cache of its own, but for the vocabularies, by which the run on one machine counts tokens, too.
    vocabularies = folder_of_vocabularies()
    own = folder / "cache" / vocabularies.parent.name / vocabularies.name
    own.parent.mkdir(parents=True, exist_ok=True)
    if not own.is_symlink():
        own.symlink_to(vocabularies)
    return subprocess.Popen(
        [*command, "--workers", "1", "--progress", "plain", *arguments],
        cwd=PROJECT,
        env=dict(cluster.environment) | {"XDG_CACHE_HOME": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def on(node: int, cluster: Cluster) -> bool:
    """Whether a call waits on a node."""
    return any(cluster.nodes[node].pid in ancestors for ancestors in waiting())


@pytest.mark.parametrize("namespaces", [False, pytest.param(True, marks=needs(NETWORKS))])
def test_a_node_that_is_lost_costs_only_its_episodes_in_flight_and_one_that_joins_late_plays(
    tmp_path: Path, held: dict[str, str], namespaces: bool
) -> None:
    tasks, out = tmp_path / "tasks", tmp_path / "far"
    with (
        ray_cluster(tmp_path, 3, namespaces=namespaces, **held) as cluster,
        begun(cluster, tmp_path, "--solver", FAR, "--tasks-dir", str(tasks), "--out", str(out)) as run,
    ):
        until(lambda: all(on(node, cluster) for node in range(3)) or run.poll() is not None, 300)
        assert run.poll() is None, run.communicate()
        cluster.kill(1)
        cluster.join()
        cluster.settle()
        until(lambda: on(3, cluster) or run.poll() is not None, 300)
        assert run.poll() is None, run.communicate()
        Path(held[HOLD]).touch()
        _, told = run.communicate(timeout=300)
    assert run.returncode == COMPLETE, told
    assert "is lost" in told
    far = RunDirectory(out)
    answered = Counter(calls())
    assert max(answered.values()) == 1, "a call was made twice"
    spent = far.read().spent
    assert spent is not None
    assert (spent.calls, spent.open_calls) == (len(answered), 1), "the lost node's call under way stays claimed"
    assert far.read().config.engine == "ray"
    code, here = evaluate(tasks, tmp_path / "here", solver=FAR)
    assert (code, here.read().config.engine) == (COMPLETE, "local")
    assert far.canonical() == here.canonical()


def test_an_interrupted_run_is_gone_on_with_on_another_engine_and_every_solver_has_its_labels(
    tmp_path: Path, held: dict[str, str]
) -> None:
    tasks, out = tmp_path / "tasks", tmp_path / "far"
    with ray_cluster(tmp_path, 1, namespaces=False, **held) as cluster:
        with begun(cluster, tmp_path, "--solver", FAR, "--tasks-dir", str(tasks), "--out", str(out)) as run:
            until(lambda: on(0, cluster) or run.poll() is not None, 300)
            run.terminate()
            Path(held[HOLD]).touch()
            _, told = run.communicate(timeout=300)
        assert run.returncode == INCOMPLETE, told
        with begun(
            cluster, tmp_path, "--solver", "oracle", "--tasks-dir", str(tasks), "--out", str(tmp_path / "o")
        ) as run:
            _, told = run.communicate(timeout=300)
        assert run.returncode == COMPLETE, told
    before = len(list(out.glob("episodes/*/*.json")))
    assert 0 < before < PAGES
    code, _ = evaluate(tasks, tmp_path / "o-here", solver="oracle")
    assert code == COMPLETE
    assert RunDirectory(tmp_path / "o").canonical() == RunDirectory(tmp_path / "o-here").canonical()


SHARED = ["--workers", "2", "--pages-per-browser", "2"]


def in_its_midst(run: subprocess.Popen[str], folder: Path) -> None:
    """Wait until both workers of a node wait for their model, in one browser."""
    until(lambda: len(waiting()) > 1 or run.poll() is not None, 300)
    assert run.poll() is None, run.communicate()
    assert len([each for each in marked(folder) if BROWSER in each]) == 1


def nothing_is_left_there(folder: Path) -> bool:
    """Whether a node has no process and no temporary file but Ray's own."""
    theirs = [each for each in marked(folder) if NODE in each or BROWSER in each]
    return not theirs and all(each.name in RAYS for each in temporary(folder).iterdir())


def test_workers_of_a_node_share_a_browser_and_the_records_are_those_of_one_machine(
    tmp_path: Path, held: dict[str, str]
) -> None:
    tasks, out = tmp_path / "tasks", tmp_path / "far"
    with ray_cluster(tmp_path, 1, namespaces=False, TMPDIR=str(temporary(tmp_path)), **held) as cluster:
        with begun(cluster, tmp_path, "--solver", FAR, "--tasks-dir", str(tasks), "--out", str(out), *SHARED) as run:
            in_its_midst(run, tmp_path)
            Path(held[HOLD]).touch()
            _, told = run.communicate(timeout=300)
        assert run.returncode == COMPLETE, told
        until(lambda: nothing_is_left_there(tmp_path))
    far = RunDirectory(out)
    assert far.read().config.pages_per_browser == 2
    code, here = evaluate(tasks, tmp_path / "here", solver=FAR)
    assert code == COMPLETE
    assert far.canonical() == here.canonical()


def test_a_driver_that_is_killed_leaves_nothing_on_its_nodes_and_its_run_is_gone_on_with(
    tmp_path: Path, held: dict[str, str]
) -> None:
    tasks, out = tmp_path / "tasks", tmp_path / "far"
    with ray_cluster(tmp_path, 1, namespaces=False, TMPDIR=str(temporary(tmp_path)), **held) as cluster:
        with begun(cluster, tmp_path, "--solver", FAR, "--tasks-dir", str(tasks), "--out", str(out), *SHARED) as run:
            in_its_midst(run, tmp_path)
            run.kill()
        until(lambda: nothing_is_left_there(tmp_path))
        Path(held[HOLD]).touch()
        with begun(cluster, tmp_path, "--resume", str(out), "--yes") as run:
            _, told = run.communicate(timeout=300)
        assert run.returncode == COMPLETE, told
    code, here = evaluate(tasks, tmp_path / "here", solver=FAR)
    assert code == COMPLETE
    assert RunDirectory(out).canonical() == here.canonical()


def status(cluster: Cluster) -> str:
    """What Ray tells an autoscaler, and people."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "status", "--address", cluster.address]
    return subprocess.run(
        command, env=dict(cluster.environment), stdout=subprocess.PIPE, text=True, timeout=300, check=True
    ).stdout


def test_ray_knows_of_the_processors_that_a_run_has_and_of_those_that_it_would_take(
    tmp_path: Path, held: dict[str, str]
) -> None:
    places = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "far")]
    with ray_cluster(tmp_path, 1, namespaces=False, **held) as cluster:
        with begun(cluster, tmp_path, "--solver", FAR, *places) as run:
            until(lambda: on(0, cluster) or run.poll() is not None, 300)
            until(lambda: "1.0/1.0 CPU" in (told := status(cluster)) and WANTED in told, 300)
            Path(held[HOLD]).touch()
            _, told = run.communicate(timeout=300)
        assert run.returncode == COMPLETE, told
        until(lambda: "0.0/1.0 CPU" in (told := status(cluster)) and WANTED not in told, 300)


def test_a_driver_without_the_mode_of_its_cluster_is_told_of_it(tmp_path: Path, held: dict[str, str]) -> None:
    with ray_cluster(tmp_path, 1, namespaces=False, **held) as cluster:
        # Without the cluster's patience, too: it tries for so long.
        bare = {name: value for name, value in cluster.environment.items() if not name.startswith("RAY_")}
        places = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "far")]
        with begun(replace(cluster, environment=bare), tmp_path, "--solver", "oracle", *places) as run:
            _, told = run.communicate(timeout=300)
    assert run.returncode == WRONG_USE, told
    assert told.splitlines()[-1].startswith("error: --engine ray: ")
    assert "set RAY_AUTH_MODE=token here, too" in told.splitlines()[-1]
    assert not (tmp_path / "far").exists()


def test_a_run_is_a_job_that_is_submitted(tmp_path: Path, held: dict[str, str]) -> None:
    Path(held[HOLD]).touch()
    places = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "far"), "--progress", "plain"]
    with ray_cluster(tmp_path, 1, namespaces=False, dashboard=True, **held) as cluster:
        submitting = [sys.executable, "-m", "ray.scripts.scripts", "job", "submit", "--address", cluster.jobs, "--"]
        playing = [sys.executable, "-m", "harness.evaluate", "--engine", "ray", "--solver", FAR, "--workers", "1"]
        submitted = subprocess.run(
            [*submitting, *playing, *places],
            env=dict(cluster.environment),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert submitted.returncode == 0, submitted.stdout + submitted.stderr
    assert "Run directory" in submitted.stdout
    assert RunDirectory(tmp_path / "far").read().status == "complete"
    assert RunDirectory(tmp_path / "far").size() == PAGES
