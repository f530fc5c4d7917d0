"""What the episodes of one run must have in common, so that it can go on after it was cut short."""

from __future__ import annotations

from pathlib import Path

from harness.browser.form.inventory import code_hash
from harness.catalog.mirror.outside import Outside
from harness.records.fatal import CannotResume
from harness.records.provenance import fingerprint_of
from harness.records.run_record import RunFingerprint
from harness.run.run_tasks import RunTasks

_WORDS = {
    "overlay": "the overlay",
    "task_set": "the task set",
    "page_code": "the code that looks at pages",
    "mirror": "the mirror",
}


def run_fingerprint_of(tasks: RunTasks, outside: Outside) -> RunFingerprint:
    """What they are now, as hashes.

    Args:
        tasks: Of the run.
        outside: What its pages reach.
    """
    return RunFingerprint(
        overlay=fingerprint_of(tasks.decisive),
        task_set=tasks.task_set(tasks.names),
        page_code=code_hash(),
        mirror=outside.fingerprint(),
    )


def refuse_others(folder: Path, before: RunFingerprint, now: RunFingerprint) -> None:
    """Refuse to go on with a run on other foundations.

    Args:
        folder: The run directory.
        before: On which it began.
        now: What they are now.

    Raises:
        CannotResume: they differ; the message says in what.
    """
    changed = [words for name, words in _WORDS.items() if getattr(now, name) != getattr(before, name)]
    if changed:
        raise CannotResume(
            f"{folder} cannot be resumed: since it began, {' and '.join(changed)} changed, so that old and new "
            "episodes could not be compared. Put back what was, or begin a new run"
        )
