"""A paper's page of the documentation: item, command, what differs; written by ``make docs``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.papers.paper import PAPERS, Paper, PaperItem, PublishedTable, items_in
from harness.papers.wording.wording import Wording, wording_in

_PAGE = re.compile(r"docs/([\w-]+\.md)")


def document(name: str) -> str:
    """The page.

    Args:
        name: The paper's, as on command lines.
    """
    paper = PAPERS.find(name)
    return "\n".join(_lines(name, paper)) + "\n"


def items_of(name: str, paper: Paper) -> Iterator[PaperItem]:
    """All rows of the page: parts of the system, tables and figures, the printed words.

    Args:
        name: The paper's, as on command lines.
        paper: The paper.
    """
    yield from items_in(paper.package)
    yield from (_of_table(name, table) for table in paper.tables())
    if wording := wording_in(paper.package):
        yield PaperItem(
            name="Its own words in place of ours",
            command=f"python -m harness papers prompts {name}",
            differs="; ".join(_of_words(wording)),
        )


def _of_table(name: str, table: PublishedTable) -> PaperItem:
    if table.command or not table.commands:
        command, differs = table.command, table.differs
    else:
        command = f"python -m harness papers tables {name} {table.name}"
        differs = f"{table.differs.removesuffix('.')}; a command a row"
    return PaperItem(name=f"{table.label}: {table.title}", command=command, differs=differs)


def _of_words(wording: Wording) -> Iterator[str]:
    yield f"taken from {wording.repository} at {wording.commit[:7]}, which docs/prompts.md tells of"
    if wording.shown:
        yield wording.shown
    if wording.without:
        yield "in our words stay: " + ", ".join(f"{what} ({why})" for what, why in wording.without.items())


def _lines(name: str, paper: Paper) -> Iterator[str]:
    yield f"# {paper.title}: item, command, what differs"
    yield ""
    yield f"<!-- Written by `make docs` from {paper.package.replace('.', '/')}/; do not edit. -->"
    yield ""
    yield "| item | command | what differs |"
    yield "| --- | --- | --- |"
    for item in items_of(name, paper):
        command = f"`{item.command}`" if item.command else "none"
        yield "| " + " | ".join(_cell(each) for each in (item.name, command, item.differs)) + " |"
    yield ""
    yield f"{paper.citation}: <{paper.url}>. Numbers, doubtful cells and measured values of each table:"
    yield ""
    yield f"    python -m harness papers tables {name}"


def _cell(text: str) -> str:
    return _PAGE.sub(r"[\1](\1)", text).replace("|", "\\|")
