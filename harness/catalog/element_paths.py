"""Paths of elements in tasks on websites, which are to be read before the first of them is looked for."""

from __future__ import annotations

import cssselect
from lxml import etree

from harness.catalog.site_facts import PathMethod
from harness.catalog.template import placeholders


def fault_of_path(path: str, method: PathMethod) -> str:
    """Why a path is none; empty if it is one, or if nobody can tell before its variables are filled in.

    Args:
        path: A CSS selector or an XPath.
        method: Which of them it is.
    """
    if placeholders(path):
        return ""
    try:
        if method == "css":
            cssselect.parse(path.strip())
        else:
            etree.XPath(path)
    except (cssselect.SelectorError, etree.XPathError, ValueError) as error:
        return f"{path!r} is no {'CSS selector' if method == 'css' else 'XPath'}: {error}"
    return ""
