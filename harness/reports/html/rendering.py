"""A report as one HTML file that needs nothing else: no other file, no network, no script."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from django.template import Context, Engine

from harness.kit.files.writing import write_bytes
from harness.reports.html.blocks import ReportPage

_TEMPLATES = files(__package__) / "templates"


def render(page: ReportPage) -> str:
    """The file's text; the same for the same page."""
    # Labels, answers and names are strangers' text: the engine escapes all but pictures and the style sheet, which are
    # made here.
    engine = Engine(dirs=[str(_TEMPLATES)])
    return engine.get_template("report.html").render(Context({"page": page, "css": report_css()}, use_l10n=False))


def report_css() -> str:
    """The styles of reports, in light, in dark and on paper."""
    return (_TEMPLATES / "report.css").read_text(encoding="utf-8")


def write(page: ReportPage, file: Path) -> None:
    """Write it, whole.

    Raises:
        OSError: the place cannot be written.
    """
    write_bytes(file, render(page).encode("utf-8", "replace"))
