"""An encoding that shows a model nothing but the fields of a page and the words of their labels."""

from __future__ import annotations

from turkbench import Encoding, Snapshot


def questions(page: Snapshot, field: str | None) -> str:
    """A line a field: its name, and what stands in the labels of its controls.

    Args:
        page: The page at one moment.
        field: The only field to show; None for all that can be seen.
    """
    names = [field] if field else page.visible_fields
    return "\n".join(f"{name}: {', '.join(words_of(page, name))}" for name in names)


def words_of(page: Snapshot, name: str) -> list[str]:
    """The labels of a field's controls, each once."""
    labels = [label for place in page.controls[name] for label in page.nodes[place].control.labels]
    return list(dict.fromkeys(page.text_of(label) for label in labels))


QUESTIONS = Encoding.plain("questions", questions)
