"""Write a generated page of the documentation: ``turkbench document actions > docs/action-library.md``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from harness.cli.boundary import COMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.cli.commands.evaluate import named_options
from harness.kit.files.codec import json_schema
from harness.kit.options import NamedOption, OnResume
from harness.papers.paper import PAPERS
from harness.records.digests import DIGEST
from harness.records.episode import Episode
from harness.records.film import Film
from harness.records.run_record import RunRecord
from harness.records.verdict import Verdicts
from harness.scoring.judges.saved_judgements import SavedJudgement, TrajectoryJudge
from harness.sites.maintenance.records import MaintenanceReport

FILES = {
    "run": RunRecord,
    "episode": Episode,
    "verdicts": Verdicts,
    "film": Film,
    "maintenance": MaintenanceReport,
    "judge": TrajectoryJudge,
    "judgement": SavedJudgement,
}
"""Name of the schema to the record that it is of."""
LEFT_OUT = {"episode": ("site", "other")}
"""Keys that a file does without where they have nothing to say: those of forms look as before there were websites."""
_DIGEST = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "SHA-256 of the bytes of the file before the comma that stands before this key, which is the last; "
    "older files lack it.",
}
BESIDE = {"episode": {DIGEST: _DIGEST}}
"""Keys of a file that are no attributes of its record."""


def schema_text(name: str) -> str:
    """The schema of one of ``FILES`` as text."""
    schema = json_schema(FILES[name])
    for key in LEFT_OUT.get(name, ()):
        schema["$defs"][FILES[name].__name__]["required"].remove(key)
    schema["$defs"][FILES[name].__name__]["properties"] |= BESIDE.get(name, {})
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


_AGAIN: Mapping[OnResume, str] = {
    "as begun": "",
    "agree": "the same, which agrees to it",
    "raise": "more",
    "free": "another",
}
_HEAD = """# Options

The options of `python -m harness.evaluate`. Each is an argument, a key of a file for `--config` (with underscores or
dashes; `RUN/config.toml` makes a run again), and, of solvers, a key of `options` in `run.json`. The last column is what
may be given when a run is [gone on with](run-directory.md#going-on-with-a-run); without a word nothing may.
"""


def document() -> str:
    """The page."""
    groups: dict[str, list[NamedOption]] = {}
    for each in named_options():
        if each.about.argument:
            groups.setdefault(each.about.group, []).append(each)
    return "\n".join([_HEAD, *("\n".join(_table(title, members)) for title, members in groups.items())])


def _table(title: str, members: Iterable[NamedOption]) -> Iterable[str]:
    yield f"## {title[:1].upper()}{title[1:]}\n"
    yield "| option | what it is | with `--resume` |"
    yield "| --- | --- | --- |"
    for each in members:
        yield f"| {_argument(each)} | {_words(each)} | {_AGAIN[each.about.on_resume]} |"
    yield ""


def _argument(each: NamedOption) -> str:
    if each.kind is bool:
        return f"`{each.flag}`" if each.default is False else f"`{each.flag}`, `--no-{each.flag[2:]}`"
    if each.choices and not each.about.metavar:
        return f"`{each.flag}` {', '.join(f'`{choice}`' for choice in each.choices)}"
    return f"`{each.flag} {each.about.metavar or ''}`".replace(" `", "`")


def _words(each: NamedOption) -> str:
    help_text = each.about.help.replace("%(default)s", str(each.default)).replace("|", "\\|")
    return f"{help_text[:1].upper()}{help_text[1:]}."


PAGES = {
    "actions": "harness.episode.library_page",
    "api": "harness.api.api_page",
    "options": "harness.cli.commands.document",
}
"""What is slow to import is imported for work, not for help."""
PAPER = "papers/"
"""In front of the name of a paper, whose page is told from its data."""
SCHEMA = "schema/"
"""In front of the name of a file of runs, of which the page is the JSON Schema."""
SCHEMAS = ("run", "episode", "verdicts", "film", "maintenance", "judge", "judgement")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("document"), description=__doc__)
    parse.add_argument(
        "page",
        choices=[*PAGES, *(f"{PAPER}{name}" for name in PAPERS), *(f"{SCHEMA}{name}" for name in SCHEMAS)],
        help="the action library, what `import harness` offers, the options of evaluate, a paper's items, or the JSON "
        "Schema of a file of runs or of maintenance",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    page = parser().parse_args(argv).page
    if page in PAGES:
        sys.stdout.write(import_module(PAGES[page]).document())
    elif page.startswith(PAPER):
        sys.stdout.write(import_module("harness.papers.paper_page").document(page.removeprefix(PAPER)))
    else:
        sys.stdout.write(schema_text(page.removeprefix(SCHEMA)))
    return COMPLETE
