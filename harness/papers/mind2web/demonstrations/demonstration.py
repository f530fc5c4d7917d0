"""A demonstration: a task that was done once, each step with the page before it; the records of Mind2Web.

Source: Deng et al. 2023 (Mind2Web), section 2 and appendix B.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

DOMAINS: Mapping[str, tuple[str, str]] = {
    "shop": ("Shopping", "General"),
    "travel": ("Travel", "Other"),
    "board": ("Service", "Social media"),
}
"""Name of a bundled site -> its domain and subdomain."""
UNKNOWN = ("", "")


def domain_of(website: str) -> tuple[str, str]:
    """Domain and subdomain of a website; empty for one that is not bundled, since nobody has said."""
    return DOMAINS.get(website, UNKNOWN)


Operation = Literal["CLICK", "TYPE", "SELECT"]
"""What a model is asked for; to hover and to press Enter count as clicks."""
OriginalOperation = Literal["CLICK", "HOVER", "ENTER", "TYPE", "SELECT"]


@dataclass(frozen=True, kw_only=True)
class DoneOperation:
    """What was done to a step's element.

    Attributes:
        op: As it is asked for.
        original_op: As it was done.
        value: The text that was typed, or of the option that was chosen; empty for a click.
    """

    op: Operation
    original_op: OriginalOperation
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An element of a step's page.

    Attributes:
        backend_node_id: By which the page's HTML names it, in the attribute of the same name.
        tag: In small letters.
        attributes: Those that it had, with those that the recording added (``bounding_box_rect``).
        is_original_target: Whether it is the one that was acted on; None where the file does not say.
        is_top_level_target: Whether it is the outermost acceptable one; None where the file does not say.
        more: What else the file says of it, as plain JSON.
    """

    backend_node_id: str
    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_original_target: bool | None = None
    is_top_level_target: bool | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DemonstratedStep:
    """One step.

    Attributes:
        action_uid: Its id.
        raw_html: The page before it, every element with ``backend_node_id``.
        cleaned_html: The same with what is seen and what means something alone.
        operation: What was done.
        positives: The acceptable elements; none where the recording has lost them.
        negatives: The other elements of the page.
        more: What else the file says of it, as plain JSON.
    """

    action_uid: str
    raw_html: str
    cleaned_html: str
    operation: DoneOperation
    positives: tuple[Candidate, ...] = ()
    negatives: tuple[Candidate, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """A task, and how it was done.

    Attributes:
        annotation_id: Its id.
        website: The site's short name.
        domain: What the site is about, e.g. ``Travel``.
        subdomain: More narrowly, e.g. ``Airlines``.
        confirmed_task: What is to be done, in words.
        action_reprs: Each step in words, ``[button]  Search -> CLICK``.
        steps: In order, as many as there are words.
        more: What else the file says of it, as plain JSON.
    """

    annotation_id: str
    website: str
    domain: str
    subdomain: str
    confirmed_task: str
    action_reprs: tuple[str, ...]
    steps: tuple[DemonstratedStep, ...]
    more: Mapping[str, Any] = field(default_factory=dict)
