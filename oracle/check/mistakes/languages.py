"""Variables of another template language, which AMT and this harness leave as they are, and columns that no page shows.

Pure: a task and the columns of its table in, mistakes out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from harness.catalog.task import Task
from harness.catalog.template.markup import scan
from harness.kit.text import counted, few, shorten
from oracle.check.mistakes.mistake import MOST_VALUES, Mistake

_EVERYWHERE = (
    (re.compile(r"\{\{\{?-?([^{}]*\btask\.input\b[^{}]*)\}\}\}?"), "SageMaker Ground Truth"),
    (re.compile(r"\{\{\{?-?([^{}]*)\}\}\}?"), "Jinja, Liquid or Mustache"),
    (re.compile(r"\{%-?([^%]*)%\}"), "Jinja or Liquid"),
    (re.compile(r"<%[=-]?([^%]*)%>"), "ERB, EJS or JSP"),
    (re.compile(r"<\?(?:php|=)([^?]*)\?>"), "PHP"),
)
_IN_MARKUP = (
    (re.compile(r"\$\{([^{}]*)\}"), "FreeMarker, JSP or Qualtrics"),
    (re.compile(r"#\{([^{}]*)\}"), "Ruby, Pug or JSF"),
    (re.compile(r"%\((\w+)\)s"), "Python's % formatting"),
    (re.compile(r"\[\[([^\[\]]*)\]\]"), "Thymeleaf"),
    (re.compile(r"%%(\w+)%%"), "a mail merge"),
    (re.compile(r"(?<![\w$])\$\(?([A-Za-z_]\w*)\)?"), "Label Studio, PHP or Python's string.Template"),
    (re.compile(r"(?<![{$#\w])\{([\w.-]+)\}(?!\})"), "Python's str.format"),
)
"""What a variable looks like -> whose it is: everywhere, and outside of scripts and styles. The first counts."""
_BLANKS = re.compile(r"\$\{(?=\s|\w+\s)\s*(\w+)\s*\}")
"""A variable that a formatter of scripts has spread: it is not filled in, and the script breaks."""
_GROUND_TRUTH = re.compile(r"task\.input\.([A-Za-z_]\w*)")
_LENGTH = 60
_PLATFORMS = re.compile(
    r"(?:HIT|Assignment|Worker|Accept|Submit|Approv|Reject|AutoApprov|Turkle|Turkbench|Last\d+|Last(?:7|30))[\w. ]*"
    r"|MaxAssignments|RequesterAnnotation|RequesterFeedback|Reward|CreationTime|Expiration|NumberOfSimilarHITs"
    r"|WorkTimeInSeconds|LifetimeInSeconds|LifetimeApprovalRate|Title|Description|Keywords",
    re.IGNORECASE,
)
"""Columns of results files that are not of the requester's own."""


def language_mistakes(task: Task, others: Mapping[str, bool]) -> Iterator[Mistake]:
    """Variables that are not filled in, and columns that the page does not show.

    Args:
        task: The task.
        others: Columns of the table that are neither labels nor shown by the page -> whether rows of one instance
            differ in them.
    """
    own = {name: differ for name, differ in others.items() if name and not _PLATFORMS.fullmatch(name)}
    foreign = _foreign(task, own)
    for column, (line, languages, found) in foreign.items():
        what = f"{few(found, MOST_VALUES)} {'is' if len(found) == 1 else 'are'} not filled in"
        remedy = f"Write ${{{column}}} instead" + ("" if column in own else f", and add a column {column}")
        looks = f": it looks like a template of {' and of '.join(languages)}"
        yield Mistake(task.name, "foreign template", what + looks, remedy, line=line, wanted=f"${{{column}}}")
    merged = [name for name, differ in own.items() if differ]
    if not task.variables and own:
        what = f"the page shows none of its columns: {few(map(repr, own), MOST_VALUES)}{_one_page(task, merged)}"
        if foreign:
            known = dict.fromkeys(language for _, each, _ in foreign.values() for language in each)
            what += f": it looks like a template of {' and of '.join(known)}"
        first = next(iter(own))
        remedy = f"Write ${{{first}}} where the column {first!r} is to stand" + ("" if foreign else ", or leave it")
        yield Mistake(task.name, "foreign template", what, remedy, is_note=not (foreign or merged))
    elif merged:
        what = f"rows with equal pages are one instance, though they differ in {few(map(repr, merged), MOST_VALUES)}"
        remedy = f"Write ${{{merged[0]}}} into the page if workers should see it, or leave it"
        yield Mistake(task.name, "looked over", what, remedy, is_note=True)


def _one_page(task: Task, merged: Collection[str]) -> str:
    rows = sum(len(each.rows) for each in task.instances)
    return f", so that {counted(rows, 'row')} with different inputs are one instance" if merged else ""


def _foreign(task: Task, columns: Collection[str]) -> Mapping[str, tuple[int, list[str], list[str]]]:
    """Column -> the first line, the languages and the spellings of its variables that are not filled in."""
    spans: list[tuple[int, int, str, str]] = []
    for template, patterns in zip(_readings(task.template), (_EVERYWHERE, _IN_MARKUP), strict=True):
        for pattern, language in patterns:
            for found in pattern.finditer(template):
                start, end = found.span()
                column = _column(found[1], columns)
                if column and not any(start < other[1] and other[0] < end for other in spans):
                    spans.append((start, end, column, language))
    for found in _BLANKS.finditer(_scripts(task.template)):
        if found[1] in columns:
            spans.append((*found.span(), found[1], "FreeMarker, JSP or Qualtrics"))
    made: dict[str, tuple[int, list[str], list[str]]] = {}
    for start, end, column, language in sorted(spans):
        line = task.template.count("\n", 0, start) + 1
        _, languages, spellings = made.setdefault(column, (line, [], []))
        for each, known in ((language, languages), (shorten(task.template[start:end], _LENGTH), spellings)):
            if each not in known:
                known.append(each)
    return made


def _column(inner: str, columns: Collection[str]) -> str | None:
    """The column that an expression names; that of Ground Truth's objects, whether or not the table has it."""
    if inner.strip() in columns:
        return inner.strip()
    named = next((word for word in re.findall(r"[\w-]+", inner) if word in columns), None)
    ground_truth = _GROUND_TRUTH.search(inner)
    return named or (ground_truth[1] if ground_truth else None)


def _readings(template: str) -> tuple[str, str]:
    """A template without its comments, and the same without its scripts and styles, all else where it was."""
    everywhere, markup = list(template), list(template)
    for piece in scan(template):
        blank = [" " if letter != "\n" else letter for letter in template[piece.start : piece.end]]
        if piece.kind == "comment" and template.startswith("<!--", piece.start):
            everywhere[piece.start : piece.end] = markup[piece.start : piece.end] = blank
        elif piece.kind == "raw" and piece.name in {"script", "style"}:
            markup[piece.start : piece.end] = blank
    return "".join(everywhere), "".join(markup)


def _scripts(template: str) -> str:
    """The scripts of a template, but for what they put between backquotes, where ``${ x }`` is their own."""
    scripts = [letter if letter == "\n" else " " for letter in template]
    for piece in scan(template):
        if piece.kind == "raw" and piece.name == "script":
            text = template[piece.start : piece.end]
            scripts[piece.start : piece.end] = re.sub("`[^`]*`", lambda found: " " * len(found[0]), text)
    return "".join(scripts)
