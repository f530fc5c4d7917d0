"""Runs as traces of OpenTelemetry, by its environment variables: ``OTEL_TRACES_EXPORTER`` and the like.

A run is a trace: the run, its episodes, their turns, and in these the exchanges with the model and the actions.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from importlib.metadata import entry_points

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

from harness.integrations.tracking.span_tree import TreeSpan, episode_span
from harness.integrations.tracking.tracker import BegunRun, EndedEpisode, RunSummary, TrackerFailed
from harness.kit.files.installation import PACKAGE, own_version

_AT_A_TIME = 512
"""Spans that an exporter gets at once."""


class OpenTelemetryTracker:
    """See ``harness.integrations.tracking.tracker.Tracker``."""

    def __init__(self, exporters: Sequence[SpanExporter] | None = None) -> None:
        """Prepare.

        Args:
            exporters: Where spans go; None for what the environment says.

        Raises:
            TrackerFailed: it names an exporter that is not installed.
        """
        self._outbox = _Outbox(chosen_exporters() if exporters is None else exporters)
        self._provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._provider.add_span_processor(self._outbox)
        self._tracer = self._provider.get_tracer(PACKAGE, own_version())

    def start(self, run: BegunRun) -> str:
        """Begin the span of the run."""
        self._told = run
        attributes = {f"turkbench.{name}": value for name, value in run.parameters.items()}
        self._run = self._tracer.start_span(
            f"evaluate {run.solver}",
            context=Context(),
            attributes={"turkbench.run": run.name, **attributes},
            start_time=_nanoseconds(run.began * 1000),
        )
        self._within = set_span_in_context(self._run, Context())
        return f"trace {self._run.get_span_context().trace_id:032x} to {self._outbox.names}"

    def episode(self, ended: EndedEpisode) -> None:
        """Export the spans of an episode."""
        self._add(episode_span(self._told, ended), self._within)
        self._outbox.send()

    def end(self, summary: RunSummary) -> None:
        """End and export the span of the run."""
        found = {**summary.parameters, **summary.metrics}
        self._run.set_attributes({f"turkbench.{name}": value for name, value in found.items()})
        if not summary.is_complete:
            self._run.set_status(Status(StatusCode.ERROR, summary.status))
        self._run.end(_nanoseconds(summary.ended * 1000))
        try:
            self._outbox.send()
        finally:
            self._provider.shutdown()

    def _add(self, tree: TreeSpan, within: Context) -> None:
        span = self._tracer.start_span(
            tree.name,
            context=within,
            kind=SpanKind.CLIENT if tree.remote else SpanKind.INTERNAL,
            attributes=tree.attributes,
            start_time=_nanoseconds(tree.began),
        )
        if tree.error:
            span.set_status(Status(StatusCode.ERROR, tree.error))
        inside = set_span_in_context(span, within)
        for part in tree.parts:
            self._add(part, inside)
        span.end(_nanoseconds(tree.ended))


class _Outbox(SpanProcessor):
    """Keeps the spans of an episode until they are sent, so that it is known whether they were taken.

    Attributes:
        names: Of the exporters, for people.
    """

    def __init__(self, exporters: Sequence[SpanExporter]) -> None:
        self.names = ", ".join(type(each).__name__ for each in exporters) or "no exporter"
        self._exporters = exporters
        self._waiting: list[ReadableSpan] = []
        self._said = _LastSaid()

    def on_end(self, span: ReadableSpan) -> None:
        """Keep one."""
        if span.context and span.context.trace_flags.sampled:
            self._waiting.append(span)

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Nothing is to be done."""

    def send(self) -> None:
        """Hand on what is kept.

        Raises:
            TrackerFailed: an exporter has not taken all of it.
        """
        waiting, self._waiting = self._waiting, []
        lost = set[str]()
        for exporter in self._exporters:
            for first in range(0, len(waiting), _AT_A_TIME):
                if exporter.export(waiting[first : first + _AT_A_TIME]) is not SpanExportResult.SUCCESS:
                    lost.add(type(exporter).__name__)
        if lost:
            raise TrackerFailed(f"spans were not taken by {', '.join(sorted(lost))}: {self._said.text}")

    def shutdown(self) -> None:
        """Close the exporters."""
        for exporter in self._exporters:
            exporter.shutdown()


class _LastSaid(logging.Handler):
    """Keeps what the library has logged last, which is all that tells why an exporter has failed.

    Attributes:
        text: It.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.text = "no reason is told"
        logger = logging.getLogger("opentelemetry")
        logger.addHandler(self)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.text = record.getMessage()


def chosen_exporters() -> list[SpanExporter]:
    """The exporters that ``OTEL_TRACES_EXPORTER`` names, by default that of OTLP.

    Raises:
        TrackerFailed: one of them is not installed.
    """
    names = [name.strip() for name in os.environ.get("OTEL_TRACES_EXPORTER", "").split(",") if name.strip()]
    return [_exporter(name) for name in names or ["otlp"] if name != "none"]


def _exporter(name: str) -> SpanExporter:
    if name == "otlp":
        general = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
        protocol = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", general)
        name = f"otlp_proto_{protocol.partition('/')[0]}"
    found = tuple(entry_points(group="opentelemetry_traces_exporter", name=name))
    if not found:
        raise TrackerFailed(f"no package with the exporter {name} of OpenTelemetry is installed (OTEL_TRACES_EXPORTER)")
    made: SpanExporter = found[0].load()()
    return made


def _resource() -> Resource:
    """What the environment says; the service is called after the package if that says nothing of it."""
    found = Resource.create()
    if str(found.attributes.get("service.name", "")).startswith("unknown_service"):
        found = found.merge(Resource({"service.name": PACKAGE}))
    return found


def _nanoseconds(ms: float) -> int:
    return int(ms * 1_000_000)
