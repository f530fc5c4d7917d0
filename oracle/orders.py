"""Answers in another order: one that hides a field is taken back, the field is filled in, and it is given again."""

from __future__ import annotations

from collections.abc import Iterator

from harness.browser.form.fields import Field
from harness.catalog.kinds import TYPED
from harness.episode.library import fill
from oracle.form import Form


def enter_in_other_orders(form: Form) -> None:
    """Fill in what could be seen when the page had loaded, and what an answer has hidden since.

    What was entered counts even when the field is hidden again, unless the page throws it away. A choice that cannot be
    taken back is not tried here: ``oracle.reveal`` makes another one meanwhile.
    """
    for field in list(_to_take_back(form)):
        hidden = form.hidden()
        if not hidden:
            return
        if not fill(form.act, field, ()).ok:
            continue
        form.look()
        if back := hidden - form.hidden():
            form.fill_sought(back)
        form.fill_what_appears()


def _to_take_back(form: Form) -> Iterator[Field]:
    """Fields that hold an answer and can be emptied: those first that are known to have hidden something."""
    takers = {form.takers[name] for name in form.hidden() if name in form.takers}
    held = [field for field in form.fields if field.name in form.goals and field.initial and _can_be_emptied(field)]
    yield from sorted(held, key=lambda field: field.name not in takers)


def _can_be_emptied(field: Field) -> bool:
    return field.kind in TYPED | {"checkbox"} and field.visible and not field.disabled and not field.submits
