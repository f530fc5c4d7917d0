"""What runs were made under, where it differs: what a comparison of their scores has to say beside its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.analysis.scored_run import ScoredRun
from harness.kit.files.codec import plain
from harness.records.provenance import Provenance

_LEFT_OUT = "what only one has is left out"
_HASHED = (
    ("task_set", f"The task sets differ (tasks, their files, splits or overlay): {_LEFT_OUT}."),
    ("protocol", "The protocols differ: the solvers were not told the same."),
    ("sample", f"The chosen instances differ: {_LEFT_OUT}."),
)
_OF_ONE_SAMPLE = (
    ("inventory", "The pages had other fields (inventory): instances with other scored fields are left out."),
    ("outside", "What the pages asked the outside world for in vain differs: some may have looked different."),
)
"""What covers the instances that were played: of different samples, or before the end, it differs anyway."""
_SETTINGS = ("network", "input", "live_clock", "visitor", "limits")
_DIGITS = 10
COMPLETE = "complete"


def differing_conditions(runs: Sequence[ScoredRun]) -> tuple[str, ...]:
    """Warnings about runs whose scores are to be compared.

    Args:
        runs: All runs of all the results.

    Returns:
        A sentence for each condition that is not the same in all of them, and for each run that is not complete.
    """
    found = []
    if profiles := _differing(run.profile for run in runs):
        found.append(f"The scores are of different profiles ({profiles}): --metrics scores all runs by one.")
    records = [run.record for run in runs]
    found += [words for key, words in _HASHED if _differing(getattr(record, key) for record in records)]
    if not _differing(record.sample for record in records):
        whole = [record for record in records if record.status == COMPLETE]
        found += [words for key, words in _OF_ONE_SAMPLE if _differing(getattr(record, key) for record in whole)]
    for key in _SETTINGS:
        if values := _differing(plain(getattr(record.config, key)) for record in records):
            found.append(f"The setting {key} differs ({values}).")
    found += _versions([record.provenance for record in records])
    found += [
        f"The run {run.folder} is {run.record.status}: it may lack some of its instances."
        for run in runs
        if run.record.status != COMPLETE
    ]
    return tuple(found)


def _versions(provenances: Sequence[Provenance]) -> list[str]:
    """What differs in the code."""
    found = []
    gits = [provenance.git for provenance in provenances]
    if revisions := _differing((git.revision if git else "unknown")[:_DIGITS] for git in gits):
        found.append(f"The versions of turkbench differ (revision {revisions}).")
    if changed := sum(bool(git and git.changed_files) for git in gits):
        found.append(f"turkbench had changes that its revision does not tell in {changed} of {len(gits)} runs.")
    packages = [provenance.packages for provenance in provenances]
    values = {name: _differing(each.get(name) for each in packages) for name in sorted(set().union(*packages))}
    for name in ("python", "browser"):
        # A run that ended before a browser was at work has none.
        values[name] = _differing(version for each in provenances if (version := getattr(each, name)))
    if told := "; ".join(f"{name}: {versions}" for name, versions in values.items() if versions):
        found.append(f"Versions differ ({told}).")
    return found


def _differing(values: Iterable[object]) -> str:
    """The values as text, each once; empty if all are the same."""
    texts = list(dict.fromkeys(map(str, values)))
    return ", ".join(texts) if len(texts) > 1 else ""
