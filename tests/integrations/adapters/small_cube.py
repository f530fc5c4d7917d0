"""A small benchmark of CUBE: two pages, and tasks that judge in different ways how they are left."""

# ruff: noqa: ARG002 - its methods have the arguments that CUBE hands over

from __future__ import annotations

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from cube.benchmark import Benchmark, BenchmarkConfig, BenchmarkMetadata
from cube.core import Observation
from cube.task import RuntimeContext, Task, TaskConfig, TaskMetadata
from cube.tools.browser import BrowserTool

from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions

ENDS, STAYS, FAILS, FOR_A_TERMINAL = "ends", "stays", "mistakes/fails", "for a terminal"
PAGES = {"/": b"<a href=/second>on</a>", "/second": b"<h1>The second page</h1>"}


class SmallTask(Task[TaskMetadata, BrowserTool]):
    """To open the second page."""

    url: str

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        if self.id == FOR_A_TERMINAL:
            self.tool.bash("ls")
        self.tool.reset()
        self.tool.goto(self.url)
        return Observation.from_text("Open the second page."), {}

    def finished(self, obs: Observation | None = None) -> bool:
        if self.id == FAILS:
            raise KeyError("a mistake of the task")
        return self.id == ENDS and self.evaluate()[0] > 0

    def evaluate(self, obs: Observation | None = None) -> tuple[float, dict[str, Any]]:
        return float(self.tool.evaluate_js("() => location.pathname") == "/second"), {}


class SmallTaskConfig(TaskConfig[TaskMetadata]):
    def make(self, runtime_context: RuntimeContext | None = None) -> SmallTask:
        assert runtime_context
        url = runtime_context["url"]
        return SmallTask(metadata=self.metadata, tool_config=self.tool_config, url=url)


class SmallBenchmark(Benchmark["SmallBenchmarkConfig"]):
    def _setup(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", self.config.port), Pages)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._runtime_context["url"] = f"http://127.0.0.1:{self.config.port}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class SmallBenchmarkConfig(BenchmarkConfig[TaskMetadata]):
    benchmark_metadata: ClassVar[BenchmarkMetadata] = BenchmarkMetadata(
        name="small", version="1.2", description="Two pages", num_tasks=4
    )
    task_metadata: ClassVar[Mapping[str, TaskMetadata]] = {
        name: TaskMetadata(id=name, abstract_description="Two pages.", recommended_max_steps=5)
        for name in (ENDS, STAYS, FAILS, FOR_A_TERMINAL)
    }
    task_config_class: ClassVar[type[TaskConfig]] = SmallTaskConfig
    benchmark_class: ClassVar[type[Benchmark]] = SmallBenchmark

    port: int = 8000


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        page = PAGES.get(self.path)
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page or b"")

    def log_message(self, *_: object) -> None:
        """Nothing."""


class GoesOn:
    """Opens the second page by its address, from the one that it was told."""

    def solve(self, page: Page, act: SiteActions) -> None:
        act.goto(f"{page.url}second")
