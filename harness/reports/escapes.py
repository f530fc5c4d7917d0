"""Strangers' names in Markdown, LaTeX and CSV: what is said stays, what would be markup there becomes text."""

from __future__ import annotations

import re
import unicodedata

_THIN = "\N{NARROW NO-BREAK SPACE}"
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_ADDRESS = re.compile(r"(?i)(?<=[a-z])(?=://)|(?<=www)(?=\.)")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': "''",
    "\N{MINUS SIGN}": "$-$",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
_DASHES = re.compile("-(?=-)")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def plain(text: str) -> str:
    """A text on one line, without characters that cannot be seen or that turn the direction of others."""
    shown = (" " if each.isspace() and each not in _THIN else each for each in text)
    return "".join(each for each in shown if unicodedata.category(each) not in {"Cc", "Cf", "Cs"}).strip()


def markdown(text: str) -> str:
    """A text for a cell of a Markdown table, and for a paragraph: no markup, no link, no new cell."""
    return _ADDRESS.sub(r"\\", _MARKDOWN.sub(r"\\\1", plain(text)))


def latex(text: str) -> str:
    """A text for LaTeX from 2020 on, or with the package ``textcomp``.

    Letters stay as they are: scripts that pdflatex does not know need xelatex or lualatex, and a font.
    """
    return _DASHES.sub("-{}", "".join(_LATEX.get(character, character) for character in plain(text)))


def csv_text(text: str) -> str:
    """A text for a cell of a CSV file.

    A spreadsheet takes what begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and would run it: an apostrophe is
    put before, which spreadsheets take for "this is text" (OWASP, "CSV injection"). A program that reads the file finds
    the apostrophe; names with these signs at their beginning are rare.
    """
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
