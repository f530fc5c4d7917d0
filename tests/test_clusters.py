"""The recipes of examples/clusters/: what their jobs run is run here without a scheduler, and comes to one run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.records.directory import RunDirectory
from tests.checkout import PROJECT
from tests.task_folders import csv_text, make_task

CLUSTERS = PROJECT / "examples" / "clusters"
SCRIPTS = sorted(CLUSTERS.glob("*.sbatch"))
SHARDS = 3
PAGE = "<p>${text}</p><input name=a>"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The variables of a job: the command on its path, five pages, and where the run goes."""
    rows = [[f"text {number}", "1"] for number in range(5)]
    make_task(tmp_path / "tasks", "Text", template=PAGE, table=csv_text(["text", "Answer.a"], *rows))
    command = tmp_path / "bin" / "turkbench"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m harness "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "RUN": str(tmp_path / "first"),
    }


def asked(folder: Path) -> list[str]:
    return ["--solver", "oracle", "--tasks-dir", str(folder / "tasks"), "--progress", "quiet"]


def run(*words: str, **environment: str) -> None:
    subprocess.run(words, env=environment, check=True, capture_output=True, cwd=CLUSTERS)


def is_the_run_of_all(folder: Path, environment: dict[str, str]) -> bool:
    whole = folder / "whole"
    run("turkbench", "evaluate", *asked(folder), "--out", str(whole), **environment)
    return RunDirectory(folder / "first").canonical() == RunDirectory(whole).canonical()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.name)
def test_a_script_of_slurm_is_one_of_bash(script: Path) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)
    lines = script.read_text(encoding="utf-8").splitlines()
    last = max(place for place, line in enumerate(lines) if line.startswith("#SBATCH "))
    # Slurm reads its options up to the first line that is a command.
    assert all(line.startswith("#") for line in lines[: last + 1])


@pytest.mark.slow
def test_slurm_s_array_and_the_job_after_it_come_to_one_run(tmp_path: Path, environment: dict[str, str]) -> None:
    submitted = tmp_path / "submitted"
    stand_in = tmp_path / "bin" / "sbatch"
    stand_in.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >>{submitted}; printf "\\n" >>{submitted}; echo 7\n')
    stand_in.chmod(0o755)
    script = str(CLUSTERS / "slurm_shards.sbatch")
    run("bash", script, *asked(tmp_path), **environment)
    array, merging = (line.split("\0")[:-1] for line in submitted.read_text().splitlines())
    assert array[-len(asked(tmp_path)) - 1 :] == [script, *asked(tmp_path)]
    assert "--dependency=afterany:7" in merging
    for number in range(1, SHARDS + 1):
        job = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": str(SHARDS), "SLURM_CPUS_PER_TASK": "1"}
        run("bash", *array[array.index(script) :], **environment, **job)
    run("sh", "-c", merging[-1].removeprefix("--wrap="), **environment)
    assert is_the_run_of_all(tmp_path, environment)


def jobs() -> dict[str, Any]:
    items = yaml.safe_load((CLUSTERS / "kubernetes.yaml").read_text(encoding="utf-8"))["items"]
    return {each["metadata"]["name"]: each["spec"] for each in items if each["kind"] == "Job"}


def commands(job: dict[str, Any]) -> Iterator[str]:
    (container,) = job["template"]["spec"]["containers"]
    yield from (*container["command"], *container["args"])


@pytest.mark.slow
def test_the_indices_of_kubernetes_and_the_job_after_them_come_to_one_run(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    found = jobs()
    given = {
        each["name"]: each["value"] for each in found["turkbench-shards"]["template"]["spec"]["containers"][0]["env"]
    }
    assert int(given["SHARDS"]) == found["turkbench-shards"]["completions"]
    job = {"SHARDS": str(SHARDS), "ASKED": " ".join(asked(tmp_path))}
    for index in range(SHARDS):
        run(*commands(found["turkbench-shards"]), JOB_COMPLETION_INDEX=str(index), **environment, **job)
    # An index that is begun again finds its shard.
    run(*commands(found["turkbench-shards"]), JOB_COMPLETION_INDEX="0", **environment, **job)
    run(*commands(found["turkbench-merge"]), **environment, **job)
    assert is_the_run_of_all(tmp_path, environment)
