"""What a run loads before its workers are forked."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.checkout import PROJECT
from tests.needs import PROC, extra, needs

pytest.importorskip("openai", reason=extra("openai"))

LOOK = """
import json, sys
from pathlib import Path
from harness.run.player import warm_up
from harness.records.config import RunConfig

warm_up(RunConfig(solver="llama-3.3", tasks_dir=Path("tasks"), film="steps", film_pictures="webp"), Path("none"))
packages = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps([packages, len(list(Path("/proc/self/task").iterdir()))]))
"""
WORK = """
import io
from PIL import Image
from harness.browser.camera.camera import coded
from harness.models.client import ModelError
from harness.models.messages import Message, Request, Text
from harness.models.providers.openai_client import OpenAIClient

loaded = set(sys.modules)
png = io.BytesIO()
Image.new("RGB", (1280, 800)).save(png, "PNG")
assert coded(png.getvalue(), "webp")
try:
    OpenAIClient("http://127.0.0.1:1/v1").complete(Request("m", (Message("user", (Text("?"),)),)), timeout=5)
except ModelError:
    pass  # nobody listens there
else:
    raise AssertionError("a server at port 1 has answered")
print(json.dumps(sorted(set(sys.modules) - loaded)))
"""


@pytest.mark.slow
@needs(PROC)
def test_a_models_library_is_loaded_once_for_all_workers_and_no_thread_is_started() -> None:
    packages, threads = _told(LOOK)
    assert {"openai", "httpx2", "httpcore2"} <= set(packages)
    assert threads == 1


@pytest.mark.slow
def test_a_worker_imports_nothing_for_its_first_picture_and_its_first_call() -> None:
    assert _told(LOOK + WORK) == []


def _told(code: str) -> Any:
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])
