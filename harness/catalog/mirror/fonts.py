"""The addresses of a well-known service for fonts, and the packages that hold the same typefaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs

from harness.catalog.mirror.manifest import PackageSource

_ITALIC = {"i", "italic", "ital"}
_NAMED = {"regular": "400", "normal": "400", "bold": "700", "b": "700", "light": "300", "medium": "500"}
# What is asked for as a range (100..900) comes in the weights that texts use.
_OF_RANGE = ("300", "400", "500", "600", "700")


def google_fonts(query: str) -> Iterator[PackageSource]:
    """Yield the packages for the query of an address, one for each family.

    Args:
        query: Without escapes, e.g. "family=Open Sans:400,700i|Lato&display=swap" or
            "family=Lato:ital,wght@0,400;1,700&family=Inter:wght@100..900".
    """
    # "+" is a space here, as in forms.
    for value in parse_qs(query, separator="&").get("family", []):
        for family in value.split("|"):
            name, _, styles = family.partition(":")
            slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
            if slug:
                files = tuple(dict.fromkeys(f"{style}.css" for style in _styles(styles)))
                yield PackageSource("npm", f"@fontsource/{slug}", "", files, "near")


def _styles(text: str) -> Iterator[str]:
    """Yield weights with "-italic" where asked for, in both spellings of the service."""
    axes, mark, values = text.partition("@")
    if not mark:
        for style in text.partition(":")[0].split(",") if text else ["400"]:
            found = re.fullmatch(r"(\d*)(\D*)", style.strip().lower())
            if found:
                weight = found[1] or _NAMED.get(found[2], "400")
                yield weight + ("-italic" if found[2] in _ITALIC or found[2].endswith("italic") else "")
        return
    names = axes.split(",")
    for tuple_ in values.split(";"):
        said = dict(zip(names, tuple_.split(","), strict=False))
        italic = "-italic" if said.get("ital") == "1" else ""
        weight = said.get("wght", "400")
        low, dots, high = weight.partition("..")
        weights = [each for each in _OF_RANGE if not dots or int(low or 1) <= int(each) <= int(high or 999)]
        yield from (f"{each}{italic}" for each in (weights if dots else [low]))
