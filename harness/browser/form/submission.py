"""What the form of the open page would send, read back by submitting it as a worker would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.browser.form.fields import HasFields
from harness.kit.files.codec import Malformed, typed


@dataclass(frozen=True)
class Refusal:
    """A field that the page's HTML validation refuses as it stands.

    Attributes:
        name: The field's name; may be empty.
        words: Why, as the browser tells a person.
        visible: Whether the control can be seen.
    """

    name: str
    words: str
    visible: bool


@dataclass(frozen=True)
class Submission:
    r"""What a page sent.

    Attributes:
        values: Name -> values, in the form's order, other fields than answers included; line ends are ``\n``.
        accepted: Whether the page let the submission through.
        via: How the values were got: ``solver`` (it pressed Submit), ``press``, a fallback in words, ``untouched`` (the
            page was lost).
        blocked: Why the page did not let it through; else empty. The values count all the same.
        dialogs: What the page said in dialogs, as ``kind:text``; also ``send``: an address that a script sent to.
        refused: Addresses that the page tried to go to.
        invalid: What the page's HTML validation refused.
    """

    values: Mapping[str, tuple[str, ...]]
    accepted: bool
    via: str
    blocked: str
    dialogs: tuple[str, ...]
    refused: tuple[str, ...] = ()
    invalid: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class _Entry:
    """One name with its value, as a form sends them."""

    name: str
    value: str


@dataclass(frozen=True)
class _Report:
    """What ``form.submit`` tells (``SubmissionRecord`` of the scripts' types)."""

    entries: tuple[_Entry, ...]
    accepted: bool
    via: str
    blocked: str
    dialogs: tuple[str, ...]
    refused: tuple[str, ...]
    invalid: tuple[Refusal, ...]


class NoForm(Exception):
    """What came back from the page is no record of a form: nothing of the harness's has answered."""


def submit(browser: HasFields) -> Submission:
    """Submit the open page and take down what it sends; the page stays.

    Raises:
        harness.browser.browser.PageFailed: the page's form cannot be read by any means.
        NoForm: what comes back is no record of a form.
    """
    try:
        report = typed(browser.run("form.submit"), _Report)
    except Malformed as error:
        raise NoForm(f"what the page told of its form is no record of one: {error}") from error
    values: dict[str, tuple[str, ...]] = {}
    for entry in report.entries:
        values[entry.name] = (*values.get(entry.name, ()), entry.value)
    return Submission(
        values, report.accepted, report.via, report.blocked, report.dialogs, report.refused, report.invalid
    )
