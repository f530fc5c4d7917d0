"""What stands beside the options of a field, as its page's HTML says it without being opened."""

from __future__ import annotations

from collections.abc import Mapping

from bs4 import BeautifulSoup, Tag


def option_words(html: str, field: str) -> Mapping[str, str]:
    """The words beside each option of a field; of a page that a script makes, there may be none.

    Args:
        html: The page.
        field: The field's name.

    Returns:
        An option's value -> its words.
    """
    soup = BeautifulSoup(html, "html.parser")
    found = {}
    for control in soup.find_all(attrs={"name": field}):
        if control.name == "select":
            for option in control.find_all("option"):
                words = option.get_text()
                found[str(option.get("value", words))] = words
        elif control.name == "input" and control.get("type") in {"radio", "checkbox"}:
            found[str(control.get("value", "on"))] = _label(soup, control)
    return {value: " ".join(words.split()) for value, words in found.items()}


def _label(soup: BeautifulSoup, control: Tag) -> str:
    around = control.find_parent("label")
    ident = control.get("id")
    label = around or (soup.find("label", attrs={"for": ident}) if ident else None)
    return label.get_text(" ") if isinstance(label, Tag) else ""
