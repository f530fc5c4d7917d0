"""Files that are written whole or not at all, so that a crash leaves none half-written."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path


def write_bytes(file: Path, data: bytes) -> None:
    """Write ``data`` under a temporary name in the same folder, then rename; folders are made as needed."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_json(file: Path, record: object) -> None:
    """Write a record as UTF-8 JSON, indented for people."""
    write_bytes(file, json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n")
