"""A task set of another folder of the repository: without splits, and without a digest of its list in the code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.tasks.sets import main
from harness.datasets.gittree import blob_id
from harness.datasets.tasksets import DATASETS, Dataset
from tests.needs import GIT, needs

NAME = "rough"
FILES = {
    "sandbox tasks/Analogies (2021)/template.html": b"<p>Saved</p><input name=a>\n",
    "sandbox tasks/Audio/template.html": b"<input name=b>\n",
    "sandbox tasks/Audio/batch.csv": b"Title,Task\nCows,Cows\n",
}
OTHERS = {
    "tasks/Labelled/template.html": b"<input name=c>",
    "tasks/Labelled/batch.csv": b"Answer.c\nyes\n",
    "data/splits/evaluation_tasks_easy.txt": b"Labelled",
}


@pytest.fixture(autouse=True)
def cache(own_cache: Path) -> Path:
    """Where the task set is kept once it was fetched."""
    return own_cache / "turkbench" / "datasets" / NAME


def known(monkeypatch: pytest.MonkeyPatch, repository: Path, commit: str = "1" * 40) -> None:
    dataset = Dataset(NAME, "rough ones", str(repository), commit, None, "CC0-1.0", tasks="sandbox tasks", splits="")
    monkeypatch.setitem(DATASETS, NAME, dataset)


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def kept(cache: Path) -> dict[str, bytes]:
    found = {path.relative_to(cache).as_posix(): path.read_bytes() for path in cache.rglob("*") if path.is_file()}
    del found["manifest.json"]
    return found


WANTED = {path.replace("sandbox tasks/", "tasks/"): data for path, data in FILES.items()}


@needs(GIT)
def test_from_git_exactly_that_folder_is_taken_and_checked_against_the_commit(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "repository", FILES | OTHERS)

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "all")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    known(monkeypatch, folder, git("rev-parse", "HEAD"))

    assert main(["fetch", NAME]) == COMPLETE
    assert kept(cache) == WANTED
    (cache / "tasks/Audio/template.html").write_text("<input name=changed>")
    assert main(["verify", NAME]) == INCOMPLETE
    assert "changed: tasks/Audio/template.html" in capsys.readouterr().out.splitlines()


def test_a_list_of_hashes_is_used_and_said_to_be_perhaps_another(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known(monkeypatch, tmp_path / "nowhere")
    folder = write(tmp_path / "local", FILES | {"sandbox tasks/Audio/batch.csv": b"changed"})
    lines = (f"{blob_id(data)}\t{path}\n" for path, data in FILES.items())
    (folder / "tree.tsv").write_text("".join(lines))
    assert main(["fetch", NAME, "--from", str(folder)]) == INCOMPLETE
    assert kept(cache) == {path: data for path, data in WANTED.items() if path != "tasks/Audio/batch.csv"}
    said = capsys.readouterr().out
    assert "changed: tasks/Audio/batch.csv" in said
    assert "a list that is perhaps not commit 1111111's" in said


def test_of_a_plain_copy_the_commit_is_unknown(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known(monkeypatch, tmp_path / "nowhere")
    assert main(["fetch", NAME, "--from", str(write(tmp_path / "copy", FILES | OTHERS))]) == INCOMPLETE
    assert kept(cache) == WANTED
    assert "the files are a plain copy, and perhaps not those of commit 1111111" in capsys.readouterr().out


def test_the_sandbox_of_the_benchmark_is_of_the_commit_of_its_tasks() -> None:
    tasks, sandbox = DATASETS["turkingbench"], DATASETS["turkingbench-sandbox"]
    assert (sandbox.repository, sandbox.commit) == (tasks.repository, tasks.commit)
    assert set(sandbox.folders).isdisjoint(tasks.folders)
