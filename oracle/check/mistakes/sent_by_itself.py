"""Pages whose scripts send the answers to somewhere by themselves, in place of the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oracle.check.mistakes.mistake import Mistake


def sent_by_themselves(found: Iterable[tuple[str, tuple[int, ...], str]]) -> Iterator[Mistake]:
    """A note for each of them.

    Args:
        found: Of each such page the task, the rows that it was made from, and where it sent something, or went, when it
            was submitted with the workers' answers.
    """
    for task, rows, where in found:
        yield Mistake(
            task=task,
            kind="sent by itself",
            what="when it is submitted, a script of the page sends something to this address, and not the form. A run "
            "reads the fields all the same; serve --annotate keeps only what workers hand in when it tells them",
            remedy="Let the form be submitted, too: without preventDefault or return false, or by its submit() when "
            "the request is over",
            rows=rows,
            wanted=where,
            is_note=True,
        )
