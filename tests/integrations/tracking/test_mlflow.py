"""Runs in MLflow, in an SQLite file. ``.ci/extras mlflow`` runs this where MLflow is installed."""

from __future__ import annotations

import pytest

from tests.needs import extra

pytest.importorskip("mlflow", reason=extra("mlflow"))

from tests.integrations.tracking.logged import TASK_ID, follow, make_run, secrets_in

pytestmark = pytest.mark.filterwarnings("ignore")  # of the library itself


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Of a run that was logged as if it went on, into the folder ``theirs``."""
    folder = tmp_path_factory.mktemp("mlflow")
    run, theirs = make_run(folder), folder / "theirs"
    theirs.mkdir()
    said = follow("mlflow", run, MLFLOW_TRACKING_URI=f"sqlite:///{theirs}/mlflow.db")
    assert said.startswith("mlflow: run ")
    assert said.endswith(f" at sqlite:///{theirs}/mlflow.db\n")
    return folder


@pytest.fixture(scope="module")
def client(folder):
    from mlflow import MlflowClient

    return MlflowClient(f"sqlite:///{folder}/theirs/mlflow.db")


@pytest.fixture(scope="module")
def logged(client):
    (run,) = client.search_runs([client.get_experiment_by_name("turkbench").experiment_id])
    return run


def test_a_run_is_there_with_its_parameters_and_its_numbers(logged):
    assert (logged.info.run_name, logged.info.status) == ("run", "FINISHED")
    params = logged.data.params
    assert (params["solver"], params["model"], params["comparability_id"]) == ("gpt4-text", "gpt-4", "0123456789")
    metrics = logged.data.metrics
    assert (metrics["score"], metrics["progress/episodes"], metrics[f"task/{TASK_ID}/score"]) == (0.5, 4.0, 0.0)
    assert metrics["score.low"] <= 0.5 <= metrics["score.high"]


def test_progress_is_a_curve_over_the_episodes(client, logged):
    history = client.get_metric_history(logged.info.run_id, "progress/mean_score")
    assert [(each.step, each.value) for each in history] == [(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.25)]


def test_no_label_no_text_of_a_page_and_no_key_is_there(folder):
    assert secrets_in(folder / "theirs") == set()
