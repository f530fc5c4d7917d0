"""The JSON Schemas of the files of runs and of maintenance."""

from __future__ import annotations

import json

from harness.kit.files.codec import json_schema
from harness.records.digests import DIGEST
from harness.records.episode import Episode
from harness.records.film import Film
from harness.records.run_record import RunRecord
from harness.records.verdict import Verdicts
from harness.scoring.judges.saved_judgements import SavedJudgement, TrajectoryJudge
from harness.sites.maintenance.records import MaintenanceReport

FILES = {
    "run": RunRecord,
    "episode": Episode,
    "verdicts": Verdicts,
    "film": Film,
    "maintenance": MaintenanceReport,
    "judge": TrajectoryJudge,
    "judgement": SavedJudgement,
}
"""Name of the schema to the record that it is of."""
LEFT_OUT = {"episode": ("site", "other")}
"""Keys that a file does without where they have nothing to say: those of forms look as before there were websites."""
_DIGEST = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "SHA-256 of the bytes of the file before the comma that stands before this key, which is the last; "
    "older files lack it.",
}
BESIDE = {"episode": {DIGEST: _DIGEST}}
"""Keys of a file that are no attributes of its record."""


def schema_text(name: str) -> str:
    """The schema of one of ``FILES`` as text."""
    schema = json_schema(FILES[name])
    for key in LEFT_OUT.get(name, ()):
        schema["$defs"][FILES[name].__name__]["required"].remove(key)
    schema["$defs"][FILES[name].__name__]["properties"] |= BESIDE.get(name, {})
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
