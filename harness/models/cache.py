"""Replies on disk, by the whole request: what was paid for once is not paid for again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.kit.files import codec
from harness.kit.files.writing import write_json
from harness.models.messages import Reply, Request

SCHEMA: Literal[1] = 1


@dataclass(frozen=True)
class _Kept:
    """The content of a file."""

    schema: Literal[1]
    asked: str
    model: str
    reply: Reply


class ReplyCache:
    """A folder with a JSON file a reply.

    Its name is a hash over everything that the model was told, pictures and sampling parameters included, and over who
    was asked: two servers may serve different models under one name. Files are written whole or not at all, so that
    many processes, and many runs, can share a folder.
    """

    def __init__(self, folder: Path, asked: str) -> None:
        """Use a folder, which need not exist.

        Args:
            folder: For the files.
            asked: Who answers: the provider, and its address if that is not the provider's own.
        """
        self._folder = folder
        self._asked = asked

    def get(self, request: Request) -> Reply | None:
        """The reply to an equal request; None if there is none, or its file cannot be read."""
        file = self._file(request)
        try:
            return codec.read(file, _Kept).reply
        except (OSError, codec.Malformed):
            # It is not there. Or a disk was full, or a hand slipped, or somebody put a link or a pipe there: asking
            # again costs less than a run that stops.
            return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; the folder is made as needed."""
        write_json(self._file(request), codec.plain(_Kept(SCHEMA, self._asked, request.model, reply)))

    def _file(self, request: Request) -> Path:
        name = hashlib.sha256(f"{self._asked}\n{request.key()}".encode()).hexdigest()
        # In 256 folders: a run of the whole benchmark has hundreds of thousands of replies.
        return self._folder / name[:2] / f"{name}.json"
