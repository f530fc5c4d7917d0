"""The files of one git commit: their paths and blob ids, and their contents by way of the program git.

A blob id is a hash of the file's content, so that the list of a commit's files is all it takes to check a copy of
them, wherever the copy comes from.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

_LINE = re.compile(r"([0-9a-f]{40})\t(.+)")
# A transfer that stands still for a minute has ended; without this git waits for ever.
_STALLED = ("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60")
_REASON = re.compile(r"^(?:fatal|error): (.+)", re.MULTILINE)


class GitFailed(Exception):
    """git is not there, or did not do what was asked; the message is one line."""


def blob_id(data: bytes) -> str:
    """The id under which git keeps a file of this content (git's documentation, "Git Objects")."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def list_digest(blobs: Mapping[str, str]) -> str:
    """A hash (sha256, hex) of a list of files: equal for equal paths and contents, whatever the order."""
    lines = sorted(f"{id_}\t{path}\n".encode() for path, id_ in blobs.items())
    return hashlib.sha256(b"".join(lines)).hexdigest()


def read_list(file: Path) -> dict[str, str]:
    """Read a list of files, a line ``<blob id><tab><path>`` each.

    Args:
        file: UTF-8; paths have ``/`` between their parts.

    Returns:
        Path -> blob id.

    Raises:
        OSError: If it cannot be read.
        ValueError: If a line is something else, or a path leads out of the folder; names the line.
    """
    blobs = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.removesuffix("\r"))
        if found is None or not _stays_inside(found[2]):
            raise ValueError(f"line {number} is not a blob id, a tab and a path")
        blobs[found[2]] = found[1]
    return blobs


def _stays_inside(path: str) -> bool:
    return "\0" not in path and not any(part in {"", ".", ".."} for part in path.split("/"))


class Commit:
    """A commit in a repository on this machine.

    Args:
        repository: A folder that holds ``.git``.
        id: The commit's full id.
    """

    def __init__(self, repository: Path, id: str) -> None:
        self.repository = repository
        self.id = id

    @classmethod
    def fetch(cls, address: str, id: str, into: Path) -> Commit:
        """Get one commit, without its history, into a new repository.

        Args:
            address: Where the repository is, as ``git fetch`` takes it.
            id: The commit's full id.
            into: A folder for the new repository; made if needed.

        Raises:
            GitFailed: Without git or network, or if there is no such commit.
        """
        into.mkdir(parents=True, exist_ok=True)
        _git(into, "init", "--quiet")
        _git(into, "fetch", "--quiet", "--depth=1", "--no-tags", address, id)
        return cls(into, id)

    def is_there(self) -> bool:
        """Whether the repository has the commit.

        Raises:
            GitFailed: Without git.
        """
        return _run(self.repository, ("cat-file", "-e", f"{self.id}^{{commit}}")).returncode == 0

    def blobs(self, folders: Sequence[str]) -> dict[str, str]:
        """The commit's files in some folders: path -> blob id. Links and submodules are left out.

        Raises:
            GitFailed: If git cannot list them, or a name is not UTF-8.
        """
        listed = _git(self.repository, "ls-tree", "-r", "-z", "--full-tree", self.id, "--", *folders)
        blobs = {}
        try:
            for entry in listed.decode().split("\0")[:-1]:
                mode, _, rest = entry.partition(" ")
                described, _, path = rest.partition("\t")
                if mode.startswith("100") and _stays_inside(path):
                    blobs[path] = described.split(" ")[1]
        except UnicodeDecodeError as error:
            raise GitFailed(f"a file name of commit {self.id} is not UTF-8") from error
        return blobs

    def contents(self, ids: Iterable[str]) -> Iterator[bytes]:
        """The contents of blobs, in the order of their ids, byte for byte: no line ends are converted.

        Raises:
            GitFailed: If the repository lacks one.
        """
        command = _command(self.repository, ("cat-file", "--batch"))
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()) as git:
            assert git.stdin is not None  # noqa: S101 - they are pipes
            assert git.stdout is not None  # noqa: S101
            for id_ in ids:
                git.stdin.write(f"{id_}\n".encode())
                git.stdin.flush()
                header = git.stdout.readline().split()
                if len(header) != 3:
                    raise GitFailed(f"the repository lacks the blob {id_}")
                data = git.stdout.read(int(header[2]) + 1)
                yield data[:-1]
            git.stdin.close()


def _git(folder: Path, *arguments: str) -> bytes:
    done = _run(folder, arguments)
    if done.returncode:
        said = _REASON.search(done.stderr.decode(errors="replace"))
        raise GitFailed(f"git {arguments[0]}: {said[1] if said else f'exit code {done.returncode}'}")
    return done.stdout


def _run(folder: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(_command(folder, arguments), capture_output=True, check=False, env=_environment())
    except FileNotFoundError as error:
        raise GitFailed("git is not installed") from error


def _command(folder: Path, arguments: Sequence[str]) -> list[str]:
    return ["git", "-C", str(folder), *_STALLED, *arguments]


def _environment() -> dict[str, str]:
    """The user's, without what a surrounding git command would say of another repository; no questions asked."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"}
    }
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
