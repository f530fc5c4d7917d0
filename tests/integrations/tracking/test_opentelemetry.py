"""Runs as traces. ``.ci/extras opentelemetry`` runs this where OpenTelemetry is installed."""

from __future__ import annotations

import json

import pytest

from tests.needs import extra

pytest.importorskip("opentelemetry.sdk", reason=extra("opentelemetry"))

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.export import log
from harness.integrations.tracking.opentelemetry_tracker import OpenTelemetryTracker
from harness.integrations.tracking.run_log import RunLog
from harness.records.directory import RunDirectory
from tests.integrations.tracking.logged import SECRETS, follow, make_run
from tests.models.servers import Answer, Server


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path)


@pytest.fixture
def spans(run):
    """The spans of a run, as they were exported."""
    exporter = InMemorySpanExporter()
    logged = RunLog("opentelemetry", lambda: OpenTelemetryTracker([exporter]), run, print)
    logged.start()
    for episode in RunDirectory(run).episodes():
        logged.episode(episode)
    logged.end()
    assert not logged.failures
    return exporter.get_finished_spans()


def test_a_run_is_one_trace_of_episodes_turns_exchanges_and_actions(spans):
    assert len({span.context.trace_id for span in spans}) == 1
    by_id = {span.context.span_id: span for span in spans}
    (root,) = [span for span in spans if span.parent is None]
    under = {(span.name, by_id[span.parent.span_id].name) for span in spans if span.parent}
    assert under == {
        ("invoke_agent gpt4-text", "evaluate gpt4-text"),
        ("turn 1", "invoke_agent gpt4-text"),
        ("chat gpt-4-0613", "turn 1"),
        ("execute_tool modify_text", "turn 1"),
    }
    assert len(spans) == 1 + 4 * 4
    assert (root.attributes["turkbench.score"], root.attributes["turkbench.comparability_id"]) == (0.5, "0123456789")
    assert root.status.status_code is StatusCode.UNSET


def took(span) -> int:
    """Milliseconds."""
    return round((span.end_time - span.start_time) / 10**6)


def test_times_are_those_of_the_record(spans):
    (root,) = [span for span in spans if span.parent is None]
    assert took(root) == 300_000
    assert {took(span) for span in spans if span.name.startswith("invoke_agent")} == {190}
    assert {took(span) for span in spans if span.kind is SpanKind.CLIENT} == {50}


def test_the_service_is_the_harness_unless_the_environment_names_it(spans, monkeypatch):
    assert spans[0].resource.attributes["service.name"] == "turkbench"
    monkeypatch.setenv("OTEL_SERVICE_NAME", "mine")
    named = OpenTelemetryTracker([])._provider.resource.attributes
    assert named["service.name"] == "mine"


def test_no_label_no_text_of_a_page_and_no_key_is_in_a_span(spans):
    told = [span.to_json() for span in spans]
    assert [secret for secret in SECRETS if any(secret in each for each in told)] == []


def test_spans_go_to_a_collector_over_otlp(run, monkeypatch, capsys):
    with Server(lambda _: Answer(b"")) as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        assert log.main([str(run), "--to", "opentelemetry"]) == COMPLETE
    sent = [ExportTraceServiceRequest.FromString(asked.body) for asked in collector.requests]
    names = [
        span.name
        for request in sent
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    assert {asked.path for asked in collector.requests} == {"/v1/traces"}
    assert (len(names), names[-1]) == (17, "evaluate gpt4-text")
    assert capsys.readouterr().err.endswith(" to OTLPSpanExporter\n")


def test_a_collector_that_refuses_is_said_once(run, monkeypatch, capsys):
    with Server(lambda _: Answer(b"", status=400)) as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        assert log.main([str(run), "--to", "opentelemetry"]) == INCOMPLETE
    where, failed, times = capsys.readouterr().err.splitlines()
    assert where.startswith("opentelemetry: trace ")
    assert failed.startswith("opentelemetry has failed: TrackerFailed: spans were not taken by OTLPSpanExporter: ")
    assert times == "opentelemetry has failed 5 times in all"


def test_an_exporter_that_is_not_installed_is_said(run, monkeypatch, capsys):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "zipkin")
    assert log.main([str(run), "--to", "opentelemetry"]) == INCOMPLETE
    assert "no package with the exporter zipkin of OpenTelemetry is installed" in capsys.readouterr().err


def test_a_run_that_goes_on_can_be_traced_to_the_terminal(run):
    said = follow("opentelemetry", run, OTEL_TRACES_EXPORTER="console")
    first, shown = said.partition("\n")[::2]
    assert first.endswith(" to ConsoleSpanExporter")
    decoder, names = json.JSONDecoder(), []
    while shown.strip():
        span, end = decoder.raw_decode(shown.lstrip())
        shown = shown.lstrip()[end:]
        names.append(span["name"])
    assert (len(names), names[-1]) == (17, "evaluate gpt4-text")
