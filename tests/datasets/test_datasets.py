"""Fetching and verifying a task set: a small made-up one, in a repository and in folders of this machine."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import evaluate
from harness.cli.commands.tasks.sets import main
from harness.cli.task_arguments import config_of
from harness.datasets import fetching
from harness.datasets.gittree import Commit, GitFailed, blob_id, list_digest, read_list
from harness.datasets.tasksets import DATASETS, Dataset, DatasetError, tasks_folder
from harness.kit.files.installation import BUNDLED_TASKS, to_type
from tests.checkout import TURKINGBENCH
from tests.needs import GIT, needs, real_data

NAME = "small"
FILES = {
    "tasks/First [a]/template.html": b"<p>${text}</p><input name=a>\r\n",
    "tasks/First [a]/batch.csv": b"text,Answer.a\r\none,yes\r\n",
    "tasks/Zweite Übung/template.html": b"<input name=b>\n",
    "tasks/Zweite Übung/batch.csv": b"x,Answer.b\n1,2\n",
    "data/splits/evaluation_tasks_easy.txt": b"First [a]",
}
TEMPLATE = "tasks/First [a]/template.html"
BLOBS = {path: blob_id(data) for path, data in FILES.items()}
DATA = TURKINGBENCH

needs_git = needs(GIT)


@pytest.fixture(autouse=True)
def cache(own_cache: Path) -> Path:
    """The folder of the fetched task sets, under which nothing is yet."""
    return own_cache / "turkbench" / "datasets"


def add(monkeypatch: pytest.MonkeyPatch, repository: Path, commit: str = "0" * 40) -> Dataset:
    dataset = Dataset(NAME, "a small one", str(repository), commit, list_digest(BLOBS), "CC0-1.0")
    monkeypatch.setitem(DATASETS, NAME, dataset)
    return dataset


def write(folder: Path, files: dict[str, bytes] = FILES) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files and the list of their hashes; its repository cannot be reached."""
    add(monkeypatch, tmp_path / "nowhere")
    folder = tmp_path / "local"
    write(folder)
    write_list(folder, BLOBS)
    return folder


def write_list(folder: Path, blobs: dict[str, str]) -> None:
    (folder / "tree.tsv").write_text("".join(f"{id_}\t{path}\n" for path, id_ in blobs.items()), encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git checkout of the files, which is also the task set's repository."""
    folder = tmp_path / "checkout"
    write(folder, {**FILES, "README": b"no task\n"})
    (folder / "tasks" / "link").symlink_to("First [a]")

    def git(*arguments: str) -> str:
        plain = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false")
        command = ["git", "-C", str(folder), *plain, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "all")
    commit = git("rev-parse", "HEAD")
    # From the next commit on, git itself would convert line ends.
    (folder / ".gitattributes").write_text("* text eol=lf\n")
    git("add", ".gitattributes")
    git("commit", "--quiet", "-m", "attributes")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    add(monkeypatch, folder, commit)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def kept(files: dict[str, bytes] = FILES) -> dict[str, bytes]:
    return {path.removeprefix("data/"): data for path, data in files.items()}


def without_manifest(folder: Path) -> dict[str, bytes]:
    found = contents(folder)
    del found["manifest.json"]
    return found


Lines = Callable[[], list[str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Lines:
    """What the last command printed on standard output."""

    def lines() -> list[str]:
        return capsys.readouterr().out.splitlines()

    return lines


@pytest.fixture
def error(capsys: pytest.CaptureFixture[str]) -> Callable[[], str]:
    """The one line that the last command printed on standard error."""

    def line() -> str:
        (text,) = (each for each in capsys.readouterr().err.splitlines() if each.startswith("error: "))
        return text

    return line


@needs_git
@pytest.mark.usefixtures("checkout")
def test_fetching_a_commit_gives_its_tasks_and_splits_byte_for_byte(cache: Path) -> None:
    assert main(["fetch", NAME]) == COMPLETE
    assert without_manifest(cache / NAME) == kept()
    catalog = Catalog(tasks_folder(NAME))
    assert catalog.splits() == {"test": ["First [a]"], "train": ["Zweite Übung"]}
    assert catalog.check() == []
    assert main(["verify", NAME]) == COMPLETE
    assert sorted(path.name for path in cache.iterdir()) == [f".{NAME}.lock", NAME]


@needs_git
@pytest.mark.usefixtures("checkout")
def test_git_variables_of_a_surrounding_command_do_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert main(["fetch", NAME]) == COMPLETE
    assert not (tmp_path / "elsewhere").exists()


@needs_git
def test_a_checkout_is_taken_as_its_files_are_now(checkout: Path, cache: Path, said: Lines) -> None:
    (checkout / TEMPLATE).write_bytes(b"edited")
    assert main(["fetch", NAME, "--from", str(checkout)]) == INCOMPLETE
    assert said()[0] == f"changed: {TEMPLATE}"
    rest = kept()
    del rest[TEMPLATE]
    assert without_manifest(cache / NAME) == rest


@needs_git
def test_a_checkout_without_the_commit_is_refused(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, error: Callable[[], str]
) -> None:
    add(monkeypatch, checkout, "1" * 40)
    assert main(["fetch", NAME, "--from", str(checkout)]) == WRONG_USE
    assert error() == f"error: {checkout} is a git repository without commit 1111111; fetch that first"


@needs_git
@pytest.mark.parametrize("wrong", ["repository", "commit"])
def test_a_repository_or_commit_that_cannot_be_reached_is_one_line(
    checkout: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, error: Callable[[], str], wrong: str
) -> None:
    if wrong == "commit":
        add(monkeypatch, checkout, "1" * 40)
    else:
        add(monkeypatch, checkout / "nowhere", DATASETS[NAME].commit)
    assert main(["fetch", NAME]) == WRONG_USE
    assert error().startswith("error: small could not be fetched: git fetch: ")
    assert [path.name for path in cache.iterdir()] == [f".{NAME}.lock"]


@pytest.mark.usefixtures("local")
def test_without_git_a_fetch_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Callable[[], str]) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["fetch", NAME]) == WRONG_USE
    assert error() == "error: small could not be fetched: git is not installed. --from DIR takes a local copy"


@pytest.mark.parametrize("splits", ["data/splits", "splits"])
def test_a_folder_with_a_list_of_hashes_is_taken(local: Path, cache: Path, splits: str) -> None:
    (local / "data" / "splits").rename(local / "moved")
    (local / splits).parent.mkdir(exist_ok=True)
    (local / "moved").rename(local / splits)
    assert main(["fetch", NAME, "--from", str(local)]) == COMPLETE
    assert without_manifest(cache / NAME) == kept()


def test_missing_and_changed_files_are_named_and_the_rest_is_usable(local: Path, cache: Path, said: Lines) -> None:
    (local / TEMPLATE).write_bytes(b"edited")
    shutil.rmtree(local / "tasks" / "Zweite Übung")
    (local / "data" / "splits" / "evaluation_tasks_easy.txt").unlink()
    assert main(["fetch", NAME, "--from", str(local)]) == INCOMPLETE
    found = [
        f"changed: {TEMPLATE}",
        "missing: splits (1 file)",
        "missing: tasks/Zweite Übung (2 files)",
    ]
    last = f"small: 1 of 5 files are as in commit 0000000; tasks in {cache / NAME / 'tasks'}"
    assert said() == [*found, last]
    assert list(without_manifest(cache / NAME)) == ["tasks/First [a]/batch.csv"]
    assert main(["verify", NAME]) == INCOMPLETE
    # What was left out as changed is not there.
    assert said() == ["missing: splits (1 file)", f"missing: {TEMPLATE}", found[2], last]


def test_a_list_that_is_not_the_commits_own_is_used_and_named(local: Path, said: Lines) -> None:
    edited = b"edited"
    (local / TEMPLATE).write_bytes(edited)
    write_list(local, {**BLOBS, TEMPLATE: blob_id(edited)})
    assert main(["fetch", NAME, "--from", str(local)]) == INCOMPLETE
    line = "unknown list: the files were checked against a list that is not commit 0000000's"
    assert said()[0] == line
    assert main(["verify", NAME]) == INCOMPLETE
    assert said()[0] == line


@pytest.mark.parametrize(
    "line",
    [
        f"{'0' * 40}\ttasks/../../x",
        f"{'0' * 40}\t/tasks/x",
        f"{'0' * 40} tasks/T/x",
        f"{'0' * 39}\ttasks/T/x",
        f"{'0' * 40}\tREADME",
    ],
)
def test_a_list_with_other_lines_or_paths_that_lead_elsewhere_is_refused(
    local: Path, cache: Path, error: Callable[[], str], line: str
) -> None:
    (local / "tree.tsv").write_text(f"{line}\n", encoding="utf-8")
    assert main(["fetch", NAME, "--from", str(local)]) == WRONG_USE
    assert error().startswith(f"error: {local / 'tree.tsv'} cannot be used: ")
    assert not (cache / NAME).exists()


@needs_git
@pytest.mark.parametrize("how", ["--bare", "--mirror"])
def test_a_repository_without_files_beside_it_is_taken_as_the_commit_has_them(
    checkout: Path, cache: Path, tmp_path: Path, how: str
) -> None:
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "--quiet", how, str(checkout), str(bare)], check=True)
    assert main(["fetch", NAME, "--from", str(bare)]) == COMPLETE
    assert without_manifest(cache / NAME) == kept()
    manifest = json.loads((cache / NAME / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["commit"], manifest["origin"]) == (DATASETS[NAME].commit, str(bare))


@pytest.mark.parametrize("splits", ["data/splits", "splits"])
def test_a_plain_copy_that_is_the_commits_to_the_byte_is_known_by_that(local: Path, cache: Path, splits: str) -> None:
    (local / "tree.tsv").unlink()
    (local / "data" / "splits").rename(local / "moved")
    (local / "moved").rename(local / splits)
    assert main(["fetch", NAME, "--from", str(local)]) == COMPLETE
    assert without_manifest(cache / NAME) == kept()
    assert main(["verify", NAME]) == COMPLETE


def test_of_another_plain_copy_the_commit_is_unknown_and_the_hashes_are_recorded(
    local: Path, cache: Path, said: Lines
) -> None:
    (local / "tree.tsv").unlink()
    (local / TEMPLATE).write_bytes(b"edited")
    (local / "tasks" / "link").symlink_to("First [a]/batch.csv")
    unknown = "unknown commit: the files are a plain copy, and not those of commit 0000000"
    last = f"small: 5 of 5 files are as in the copy; tasks in {cache / NAME / 'tasks'}"
    assert main(["fetch", NAME, "--from", str(local)]) == INCOMPLETE
    assert said() == [unknown, last]
    assert without_manifest(cache / NAME) == kept({**FILES, TEMPLATE: b"edited"})
    manifest = json.loads((cache / NAME / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["commit"], manifest["pinned"], manifest["origin"]) == (None, False, str(local))
    assert manifest["files"] == {path: blob_id(data) for path, data in without_manifest(cache / NAME).items()}
    (cache / NAME / TEMPLATE).write_bytes(b"edited again")
    assert main(["verify", NAME]) == INCOMPLETE
    assert said() == [f"changed: {TEMPLATE}", unknown, last.replace("5 of", "4 of")]


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("file", ["README", "data/splits/easy.txt"])
def test_a_folder_that_is_no_copy_is_refused(cache: Path, tmp_path: Path, error: Callable[[], str], file: str) -> None:
    write(tmp_path / "other", {file: b"x"})
    assert main(["fetch", NAME, "--from", str(tmp_path / "other")]) == WRONG_USE
    neither = "it holds neither a git repository nor tree.tsv nor files in tasks/"
    assert error() == f"error: {tmp_path / 'other'} is no copy of small: {neither}"
    assert not (cache / NAME).exists()


def test_a_folder_with_none_of_the_files_replaces_nothing(
    local: Path, cache: Path, tmp_path: Path, error: Callable[[], str]
) -> None:
    assert main(["fetch", NAME, "--from", str(local)]) == COMPLETE
    before = contents(cache / NAME)
    empty = tmp_path / "empty"
    empty.mkdir()
    write_list(empty, BLOBS)
    assert main(["fetch", NAME, "--force", "--from", str(empty)]) == WRONG_USE
    assert error() == f"error: {empty} has none of the files of small"
    assert contents(cache / NAME) == before


def test_what_is_here_is_replaced_by_force_only(local: Path, cache: Path, said: Lines) -> None:
    (local / TEMPLATE).rename(local / "aside")
    assert main(["fetch", NAME, "--from", str(local)]) == INCOMPLETE
    (local / "aside").rename(local / TEMPLATE)
    assert main(["fetch", NAME, "--from", str(local)]) == INCOMPLETE
    assert said()[-1] == "it was here already; --force fetches it again"
    assert main(["fetch", NAME, "--from", str(local), "--force"]) == COMPLETE
    assert without_manifest(cache / NAME) == kept()


def test_an_empty_file_is_a_file_like_any_other(local: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**FILES, TEMPLATE: b""}
    blobs = {path: blob_id(data) for path, data in files.items()}
    monkeypatch.setitem(DATASETS, NAME, Dataset(NAME, "", "", "0" * 40, list_digest(blobs), ""))
    write(local, files)
    write_list(local, blobs)
    assert main(["fetch", NAME, "--from", str(local)]) == COMPLETE


def test_verify_names_what_was_changed_removed_or_added_later(local: Path, cache: Path, said: Lines) -> None:
    main(["fetch", NAME, "--from", str(local)])
    (cache / NAME / TEMPLATE).write_bytes(b"edited")
    (cache / NAME / "tasks" / "Zweite Übung" / "batch.csv").unlink()
    (cache / NAME / "tasks" / "First [a]" / "task.json").write_text("{}")
    said()
    assert main(["verify", NAME]) == INCOMPLETE
    assert said()[:-1] == [
        f"changed: {TEMPLATE}",
        "missing: tasks/Zweite Übung/batch.csv",
        "not part of the task set: tasks/First [a]/task.json",
    ]


@pytest.mark.parametrize("arrived", [False, True], ids=["before the new one stood", "after it stood"])
def test_what_a_killed_fetch_left_is_cleared_and_nothing_is_lost(
    local: Path, cache: Path, tmp_path: Path, arrived: bool
) -> None:
    main(["fetch", NAME, "--from", str(local)])
    before = contents(cache / NAME)
    shutil.copytree(cache / NAME, cache / f".{NAME}.before")
    if not arrived:
        shutil.rmtree(cache / NAME)
    for end in ("part", "git"):
        write(cache / f".{NAME}.{end}", {"tasks/half": b"ha"})
    (tmp_path / "empty").mkdir()
    assert main(["fetch", NAME, "--force", "--from", str(tmp_path / "empty")]) == WRONG_USE
    assert contents(cache / NAME) == before
    assert sorted(path.name for path in cache.iterdir()) == [f".{NAME}.lock", NAME]


def test_two_fetches_at_a_time_do_not_meet(local: Path, cache: Path, error: Callable[[], str]) -> None:
    cache.mkdir(parents=True)
    with (cache / f".{NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["fetch", NAME, "--from", str(local)]) == WRONG_USE
    assert error() == "error: another process is fetching this task set"
    assert not (cache / NAME).exists()


def test_a_cache_that_cannot_be_written_is_one_line(local: Path, cache: Path, error: Callable[[], str]) -> None:
    cache.parent.parent.write_text("a file where the folder should be")
    assert main(["fetch", NAME, "--from", str(local)]) == WRONG_USE
    assert error().endswith(": Not a directory")


def test_a_fetch_that_is_interrupted_leaves_nothing(
    local: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: bytes) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(fetching, "blob_id", interrupted)
    assert main(["fetch", NAME, "--from", str(local)]) == INCOMPLETE
    assert [path.name for path in cache.iterdir()] == [f".{NAME}.lock"]
    assert capsys.readouterr().err == "interrupted; what was fetched before is as it was\n"


def test_path_and_list_say_where_a_task_set_is(local: Path, cache: Path, said: Lines) -> None:
    assert main(["list"]) == COMPLETE
    assert f"{NAME:<14} not fetched; get it with: {to_type('tasks', 'fetch', NAME)}" in said()
    main(["fetch", NAME, "--from", str(local)])
    said()
    assert main(["list"]) == COMPLETE
    assert f"{NAME:<14} fetched, 5 of 5 files, in {cache / NAME}" in said()
    assert main(["path", NAME]) == COMPLETE
    assert said() == [str(cache / NAME / "tasks")]


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("command", ["verify", "path", "lint"])
def test_what_was_not_fetched_is_refused_with_the_command_that_fetches_it(
    error: Callable[[], str], command: str
) -> None:
    assert main([command, NAME]) == WRONG_USE
    assert error() == f"error: 'small' has not been fetched. Run: {to_type('tasks', 'fetch', NAME)}"


@pytest.mark.parametrize("command", ["fetch", "verify", "path", "lint"])
def test_an_unknown_task_set_is_refused(error: Callable[[], str], command: str) -> None:
    assert main([command, "nope"]) == WRONG_USE
    assert (
        error() == "error: unknown task set 'nope'. Known: turkingbench, turkingbench-sandbox, miniwob, bundled-sites"
    )


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[]",
        "{}",
        '{"schema": 1}',
        '{"schema": 9, "commit": "", "origin": "", "pinned": 1, "files": {}, "left_out": {}}',
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused_with_the_remedy(
    local: Path, cache: Path, error: Callable[[], str], manifest: str
) -> None:
    main(["fetch", NAME, "--from", str(local)])
    (cache / NAME / "manifest.json").write_text(manifest)
    assert main(["path", NAME]) == WRONG_USE
    assert error().endswith(f"Run: {to_type('tasks', 'fetch', NAME)} --force")


def test_a_copy_of_another_commit_is_refused_with_the_remedy(
    local: Path, monkeypatch: pytest.MonkeyPatch, error: Callable[[], str]
) -> None:
    main(["fetch", NAME, "--from", str(local)])
    add(monkeypatch, local, "1" * 40)
    assert main(["path", NAME]) == WRONG_USE
    assert error().endswith(f"is commit 0000000, 1111111 is wanted. Run: {to_type('tasks', 'fetch', NAME)} --force")


def test_lint_takes_a_fetched_task_set_or_any_folder(local: Path, said: Lines) -> None:
    main(["fetch", NAME, "--from", str(local)])
    said()
    assert main(["lint", NAME, "--json"]) == COMPLETE
    fetched = json.loads("\n".join(said()))
    assert [task["split"] for task in fetched["tasks"]] == ["test", "train"]
    assert main(["lint", "--tasks-dir", str(local / "tasks"), "--json"]) == COMPLETE
    plain = json.loads("\n".join(said()))
    assert [task["split"] for task in plain["tasks"]] == ["train", "train"]
    with pytest.raises(SystemExit, match="2"):
        main(["lint", NAME, "--tasks-dir", "x"])


def test_lint_refuses_a_folder_that_is_not_there(tmp_path: Path, error: Callable[[], str]) -> None:
    assert main(["lint", "--tasks-dir", str(tmp_path / "none")]) == WRONG_USE
    assert "is not a folder" in error()


SOLVER = ("--solver", "oracle")


def test_a_run_takes_a_fetched_task_set_by_name(local: Path) -> None:
    main(["fetch", NAME, "--from", str(local)])
    config = config_of(evaluate.parser().parse_args([*SOLVER, "--dataset", NAME]), "oracle", "standard")
    assert config.tasks_dir == tasks_folder(NAME)


@pytest.mark.usefixtures("local")
def test_a_run_refuses_what_was_not_fetched_with_the_command_that_fetches_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        evaluate.parser().parse_args([*SOLVER, "--dataset", NAME])
    assert f"Run: {to_type('tasks', 'fetch', NAME)}" in capsys.readouterr().err


def test_a_run_takes_a_task_set_or_a_folder_not_both(local: Path) -> None:
    main(["fetch", NAME, "--from", str(local)])
    with pytest.raises(SystemExit, match="2"):
        evaluate.parser().parse_args([*SOLVER, "--dataset", NAME, "--tasks-dir", str(local)])


@pytest.mark.parametrize(("given", "split"), [([], None), (["--split", "all"], None), (["--split", "test"], "test")])
def test_all_stands_for_every_split(given: list[str], split: str | None) -> None:
    config = config_of(evaluate.parser().parse_args([*SOLVER, *given]), "oracle", "standard")
    assert (config.split, config.tasks_dir) == (split, BUNDLED_TASKS)


@pytest.mark.parametrize("data", [b"", b"a\r\nb\0", "ü".encode()])
@needs_git
def test_a_blob_id_is_gits(data: bytes) -> None:
    git = subprocess.run(["git", "hash-object", "--stdin"], input=data, capture_output=True, check=True)
    assert blob_id(data) == git.stdout.decode().strip()


def test_the_digest_of_a_list_depends_on_every_path_and_id_and_on_no_order() -> None:
    assert list_digest(dict(reversed(BLOBS.items()))) == list_digest(BLOBS)
    path = next(iter(BLOBS))
    others = [
        {**BLOBS, path: "0" * 40},
        {**BLOBS, "tasks/x/y": "0" * 40},
        {k: v for k, v in BLOBS.items() if k != path},
    ]
    assert list_digest(BLOBS) not in map(list_digest, others)


def test_a_task_set_that_does_not_exist_is_a_catalog_error_for_callers() -> None:
    with pytest.raises(DatasetError, match="unknown task set"):
        tasks_folder("nope")


@needs_git
def test_a_blob_that_the_repository_lacks_is_an_error(checkout: Path) -> None:
    with pytest.raises(GitFailed, match="lacks the blob"):
        list(Commit(checkout, DATASETS[NAME].commit).contents(["1" * 40]))


@needs(real_data("tree.tsv"))
def test_the_list_of_the_real_commit_is_the_one_that_the_code_knows() -> None:
    assert list_digest(read_list(DATA / "tree.tsv")) == DATASETS["turkingbench"].list_digest


def test_the_tasks_on_the_bundled_sites_need_no_fetching():
    names = Catalog(tasks_folder("bundled-sites")).names()
    assert names
    assert all(Catalog(tasks_folder("bundled-sites")).task(name).site for name in names[:3])
