"""The maintenance report for people: one HTML file in the look of the other reports."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.kit.files.codec import plain
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.text import counted, shorten
from harness.reports.html.blocks import (
    Block,
    FactsBlock,
    FoldBlock,
    HeadingBlock,
    Highlight,
    HighlightsBlock,
    NoticeBlock,
    ParagraphBlock,
    PicturesBlock,
    ReportPage,
    ReportPicture,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.rendering import render
from harness.sites.maintenance.records import ChangeKind, MaintenanceReport, ReplayedTrace, TraceFinding, TraceState

PAGE_FILE, REPORT_FILE, PICTURES = "report.html", "report.json", "pictures"
_LONGEST = 300
_STATES: Mapping[TraceState, str] = {
    "holds": "holds",
    "changed": "changed, still reaches all",
    "broken": "broken",
    "failed": "not replayed",
}
KIND_WORDS: Mapping[ChangeKind, str] = {
    "gone": "gone",
    "renamed": "renamed",
    "relabelled": "other words",
    "moved": "moved",
    "reordered": "reordered",
    "readdressed": "other address",
    "refused": "not taken",
    "node_missed": "key node missed",
    "state_missed": "end missed",
}
_FOOTER = (
    "Likeness goes from 0 to 1 and is explained in docs/how-to/maintenance.md. This file needs nothing but itself; "
    f"{REPORT_FILE} beside it holds the same for programs."
)


def write_report(folder: Path, report: MaintenanceReport, pictures: Mapping[str, bytes]) -> None:
    """Write the report, for people and for programs, and its pictures.

    Args:
        folder: Where to.
        report: What was found.
        pictures: WebP by the names in the report.

    Raises:
        OSError: the place cannot be written.
    """
    for name, picture in pictures.items():
        write_bytes(folder / PICTURES / name, picture)
    write_json(folder / REPORT_FILE, plain(report))
    write_bytes(folder / PAGE_FILE, render(page_of(report, pictures)).encode("utf-8", "replace"))


def page_of(report: MaintenanceReport, pictures: Mapping[str, bytes]) -> ReportPage:
    """The report as sections.

    Args:
        report: What was found.
        pictures: WebP by the names in the report.
    """
    changed = [trace for trace in report.traces if trace.findings or trace.why]
    sections = [_overview(report), *(_of_trace(place, trace, pictures) for place, trace in enumerate(changed, start=1))]
    return ReportPage(f"Reference traces of {Path(report.tasks_dir).name}", _lead(report), sections, _FOOTER)


def summary(report: MaintenanceReport) -> str:
    """What was found, in a line for a terminal."""
    states = Counter(trace.state for trace in report.traces)
    parts = [f"{states[state]} {words}" for state, words in _STATES.items() if states[state]]
    return f"{counted(len(report.traces), 'trace')} replayed: {', '.join(parts) or 'none'}"


def line_of(trace: ReplayedTrace, finding: TraceFinding) -> str:
    """A finding in a line for a terminal."""
    where = trace.task + (f", instance {trace.instance}" if trace.instance else "")
    where += f", step {finding.step}" if finding.step is not None else ""
    proposal = finding.proposal
    what = f" -> {_proposed(finding)}" if proposal and _proposed(finding) else ""
    return f"{finding.id}  {where}: {finding.words}{what}"


def _lead(report: MaintenanceReport) -> str:
    sentence = f"{counted(len(report.traces), 'reference trace')} replayed at {report.made}."
    return sentence if report.complete else f"{sentence} It was interrupted: not all traces were replayed."


def _overview(report: MaintenanceReport) -> Section:
    states = Counter(trace.state for trace in report.traces)
    findings = {finding.id: finding for trace in report.traces for finding in trace.findings}
    proposed = [finding for finding in findings.values() if finding.proposal and finding.proposal.edits]
    figures = [
        Highlight("traces hold", f"{states['holds']} of {len(report.traces)}"),
        Highlight("broken", str(states["broken"])),
        Highlight("changes found", str(len(findings))),
        Highlight("with a proposed repair", str(len(proposed))),
    ]
    blocks: list[Block] = [HighlightsBlock(figures)]
    if report.repaired:
        count = sum(map(len, report.repaired.values()))
        text = f"{counted(count, 'repair')} of {counted(len(report.repaired), 'task')} were made before this replay."
        blocks.append(NoticeBlock("Repaired", text))
    if not any(trace.state != "holds" for trace in report.traces):
        blocks.append(ParagraphBlock("Nothing has changed: every trace goes through as it was recorded."))
    blocks.append(_table(report.traces))
    if report.without_trace:
        rows = list(report.without_trace.items())
        blocks.append(FoldBlock(f"{counted(len(rows), 'task')} without a replay", [FactsBlock(rows)]))
    return Section("overview", "Overview", blocks)


def _table(traces: Sequence[ReplayedTrace]) -> TableBlock:
    columns = [
        TableColumn("task", "words"),
        TableColumn("layout", "words"),
        TableColumn("seed"),
        TableColumn("state", "words"),
        TableColumn("steps"),
        TableColumn("guessed"),
        TableColumn("left out"),
        TableColumn("key nodes"),
        TableColumn("what has changed", "words"),
    ]
    rows = [
        [
            _name(trace),
            trace.variant or "usual",
            str(trace.seed),
            _STATES[trace.state],
            str(trace.steps),
            str(trace.guessed),
            str(trace.skipped),
            f"{trace.nodes_met} of {trace.nodes}",
            _kinds(trace.findings),
        ]
        for trace in traces
    ]
    caption = (
        "Each replay. A guessed step was done to the nearest element, since the recorded one was not found; key nodes "
        "are as they stand in the task, met or not by that."
    )
    return TableBlock(caption, columns, rows)


def _kinds(findings: Sequence[TraceFinding]) -> str:
    counts = Counter(kind for finding in findings for kind in finding.kinds)
    return ", ".join(f"{KIND_WORDS[kind]} {count}" for kind, count in counts.items()) or "nothing"


def _of_trace(place: int, trace: ReplayedTrace, pictures: Mapping[str, bytes]) -> Section:
    blocks: list[Block] = []
    if trace.why:
        blocks.append(NoticeBlock("Not replayed", trace.why))
    for number, finding in enumerate(trace.findings, start=1):
        blocks += _of_finding(f"trace-{place}-{number}", finding, pictures)
    setting = ", ".join(filter(None, [trace.variant, f"seed {trace.seed}" if trace.site else ""]))
    return Section(f"trace-{place}", _name(trace) + (f" ({setting})" if setting else ""), blocks)


def _of_finding(ident: str, finding: TraceFinding, pictures: Mapping[str, bytes]) -> list[Block]:
    at = [
        f"step {finding.step}" if finding.step is not None else "",
        f"key node {finding.node}" if finding.node else "",
    ]
    kinds = ", ".join(KIND_WORDS[kind] for kind in finding.kinds)
    heading = ": ".join(filter(None, [", ".join(filter(None, at)).capitalize(), kinds]))
    blocks: list[Block] = [HeadingBlock(heading, ident), ParagraphBlock(shorten(finding.words, _LONGEST))]
    facts = [("page", finding.url), ("breaks the trace", "yes" if finding.breaks else "no")]
    recorded = shorten(finding.value_before or (finding.before.css if finding.before else ""), _LONGEST)
    facts.append(("recorded", recorded))
    if proposal := finding.proposal:
        proposed = _proposed(finding)
        if not proposal.edits:
            proposed = "nothing that can be written by itself"
        elif proposed == recorded:
            proposed = "the same selector, and what the element says and where it stands now"
        facts.append(("proposed", proposed))
        if proposal.likeness is not None:
            after = "none" if proposal.next_likeness is None else f"{proposal.next_likeness:.2f}"
            sure = "" if proposal.certain else "; uncertain"
            facts.append(("likeness", f"{proposal.likeness:.2f} (next {after}){sure}"))
        facts.append(("why", "; ".join(proposal.reasons)))
        facts.append(("accept with", f"--accept {finding.id}"))
    blocks.append(FactsBlock([(name, value) for name, value in facts if value]))
    shown = [
        ReportPicture(caption, _address(pictures[name]))
        for caption, name in (("Before", finding.picture_before), ("Now", finding.picture_after))
        if name in pictures
    ]
    return [*blocks, PicturesBlock(shown)] if shown else blocks


def _proposed(finding: TraceFinding) -> str:
    return shorten(finding.value_after or (finding.after.css if finding.after else ""), _LONGEST)


def _address(picture: bytes) -> str:
    return f"data:image/webp;base64,{base64.b64encode(picture).decode()}"


def _name(trace: ReplayedTrace) -> str:
    return trace.task + (f", instance {trace.instance}" if trace.instance else "")
