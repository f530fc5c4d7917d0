"""What a run was asked for and what it was made with, as a page lists it, and in what of it runs differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kit.files.codec import plain
from harness.records.run_record import RunRecord

ASKED = "Asked for"
_NOTHING: tuple[Any, ...] = (None, "", [], (), {}, False)
_HASH = 10
"""Digits of a hash that are shown."""


@dataclass(frozen=True)
class SettingGroup:
    """Settings of one source.

    Attributes:
        title: What they have in common.
        settings: Name to value in words, those that say nothing left out.
    """

    title: str
    settings: Mapping[str, str]


@dataclass(frozen=True)
class DifferingSetting:
    """A setting that is not the same in all runs.

    Attributes:
        title: Of its group.
        name: Its name there.
        values: In words, one for each run in their order; empty where a run has none.
    """

    title: str
    name: str
    values: tuple[str, ...]


def run_settings(record: RunRecord) -> tuple[SettingGroup, ...]:
    """All settings of a run.

    Args:
        record: Of the run.

    Returns:
        What was asked for, what the solver tells of itself, what the run was made with, and what its score depends on.
    """
    config = dict(plain(record.config))
    within = [config.pop(name, {}) for name in ("options", "limits")]
    asked = {**config, **within[0], **within[1]}
    git = record.provenance.git
    made = {
        "revision": git.revision if git else None,
        "changed files": list(git.changed_files) if git else None,
        **{name: value for name, value in plain(record.provenance).items() if name not in ("git", "packages")},
        **record.provenance.packages,
    }
    met = {
        "models that answered": sorted(record.served),
        "sandbox of the browser": record.sandbox,
        "box of the program": record.isolation,
        "comparability id": record.comparability_id,
        "tasks": record.task_set[:_HASH],
        "instances": record.sample[:_HASH],
        "protocol": record.protocol[:_HASH],
    }
    groups = ((ASKED, asked), ("The solver", record.solver), ("Made with", made), ("Depends on", met))
    return tuple(SettingGroup(title, settings) for title, values in groups if (settings := dict(_settings(values))))


def differing_settings(records: Sequence[RunRecord]) -> tuple[DifferingSetting, ...]:
    """In which settings runs differ, in the order in which ``run_settings`` has them.

    Args:
        records: Of the runs that are compared.
    """
    by_run = [
        {(group.title, name): value for group in run_settings(record) for name, value in group.settings.items()}
        for record in records
    ]
    names = dict.fromkeys(name for settings in by_run for name in settings)
    found = ((name, tuple(settings.get(name, "") for settings in by_run)) for name in names)
    return tuple(DifferingSetting(*name, values) for name, values in found if len(set(values)) > 1)


def _settings(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        words = f"{above}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from _settings(value, f"{words}: ")
        elif value not in _NOTHING:
            yield words, _words(value)


def _words(value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
