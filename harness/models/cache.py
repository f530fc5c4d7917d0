"""Replies on disk, by the whole request: what was paid for once is not paid for again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from harness.files.writing import write_json
from harness.models.messages import Reply, Request

SCHEMA = 1


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
            record: dict[str, Any] = json.loads(file.read_text("utf-8"))
            return Reply.from_json(record["reply"]) if record["schema"] == SCHEMA else None
        except FileNotFoundError:
            return None
        except (ValueError, LookupError, TypeError, AttributeError):
            # A disk that was full, or a hand that slipped: asking again costs less than a run that stops.
            return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; the folder is made as needed."""
        record = {"schema": SCHEMA, "asked": self._asked, "model": request.model, "reply": reply.to_json()}
        write_json(self._file(request), record)

    def _file(self, request: Request) -> Path:
        name = hashlib.sha256(f"{self._asked}\n{request.key()}".encode()).hexdigest()
        # In 256 folders: a run of the whole benchmark has hundreds of thousands of replies.
        return self._folder / name[:2] / f"{name}.json"
