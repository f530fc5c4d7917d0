"""What pages of a run did without because the mirror does not have it, in words."""

from __future__ import annotations

from harness.catalog.mirror.addresses import key
from harness.catalog.mirror.manifest import entries
from harness.catalog.mirror.store import building
from harness.kit.text.numbers import counted
from harness.records.run_record import RunRecord


def missing_files(record: RunRecord) -> str:
    """Say which scripts, styles and fonts pages asked for in vain, and what gets them; empty if none.

    Args:
        record: The content of a run's ``run.json``.
    """
    missing = record.outside.missing_assets
    if not missing:
        return ""
    pages = "pages" if record.pages_lacking_assets is None else counted(record.pages_lacking_assets, "page")
    wanted = max(missing, key=lambda url: (missing[url], url))
    files = counted(len(missing), "outside script, style or font", "outside scripts, styles or fonts")
    what = f"{pages} asked in vain for {files}, e.g. {wanted}, and may look and work otherwise than they should"
    if record.outside.network != "mirror":
        return what
    if all((entry := entries().get(key(url))) and entry.source is None for url in missing):
        return f"{what}; no package holds what is missing"
    return f"{what}; what can be had is collected by: {building(record.config.tasks_dir)}"
