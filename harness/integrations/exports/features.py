"""Features of fields before they are written: picture, whole and relevant HTML, and the actions (TurkingBench's dumps).

The benchmark's own repository dumps the same for each field, for those who train without its harness.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.episode.observation import Observation
from harness.integrations.exports.examples import Spool, where
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.replayed import DIFFERS, ObservedEpisode, watch
from harness.kit.files.writing import write_bytes
from harness.kit.rows import CannotExport, lines_to
from harness.kit.text import joined_surrogates
from harness.observe import encode
from harness.run.page_source import PageSource
from harness.run.progress import Mode

FILE = "features.jsonl"


@dataclass(frozen=True)
class FieldLook:
    """A page around a field.

    Attributes:
        png: The screen, with the field in view and a border around it.
        html: The page's HTML as it is.
        relevant: The part around the field (TurkingBench, appendix C).
        page: Digest of the page's state.
    """

    png: bytes
    html: str
    relevant: str
    page: str


def look(observation: Observation, field: str | None) -> FieldLook:
    """Look at the open page around a field."""
    shot = observation.picture("element", field)
    snapshot = observation.snapshot()
    whole = encode("full", snapshot, count=len).text
    relevant = encode("relevant", snapshot, field=field, count=len).text
    return FieldLook(shot.png if shot else b"", whole, relevant, snapshot.digest())


def dump(
    episodes: Sequence[ExportedEpisode],
    folder: Path,
    left_out: Counter[str],
    *,
    pages: PageSource,
    workers: int,
    mode: Mode | None,
) -> int:
    """Write the features of every field that episodes write by name.

    Args:
        episodes: The episodes; each is done again in a browser.
        folder: Where they come to stand: ``features.jsonl``, ``images/``, ``html/``; it must be empty or missing.
        left_out: Counts what nothing is written of, by reason.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.

    Returns:
        How many fields were written.

    Raises:
        CannotExport: the folder holds something, or cannot be written.
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotExport(f"{folder} is not empty; name another folder with --features")
    places = {(each.source.name, each.episode.task, each.episode.index): n for n, each in enumerate(episodes)}
    count = 0
    with Spool() as spool:

        def watched(each: ExportedEpisode, seen: ObservedEpisode[FieldLook]) -> None:
            if seen.differs:
                left_out[DIFFERS] += 1
                return
            left_out.update(seen.left_out)
            rows = [_row(folder, each, moment.field, moment.seen, moment.calls) for moment in seen.moments]
            spool.put(places[each.source.name, each.episode.task, each.episode.index], rows)

        def failed(_each: ExportedEpisode, reason: str) -> None:
            left_out[reason] += 1

        watch(
            episodes,
            look,
            by_field=True,
            on_watched=watched,
            on_failed=failed,
            pages=pages,
            workers=workers,
            mode=mode,
        )
        with lines_to(folder / FILE) as sink:
            for row in spool.rows(range(len(episodes))):
                sink.write(row)
                count += 1
    return count


def _row(folder: Path, each: ExportedEpisode, field: str, seen: FieldLook, calls: Sequence[object]) -> dict[str, Any]:
    kind = next((record.kind for record in each.episode.fields if record.name == field), "")
    scores = {scored.record.name: scored.score.score for scored in each.score.fields}
    return {
        **where(each, page=seen.page),
        "field": field,
        "kind": kind,
        "score_of_field": scores.get(field),
        "action": "\n".join(map(str, calls)),
        "image": _kept(folder, "images", "png", seen.png),
        "html": _kept(folder, "html", "html", joined_surrogates(seen.html).encode()),
        "relevant_html": _kept(folder, "html", "html", joined_surrogates(seen.relevant).encode()),
    }


def _kept(folder: Path, kind: str, ending: str, data: bytes) -> str:
    """Write a file that is named by its content; gives its path inside the folder."""
    path = f"{kind}/{hashlib.sha256(data).hexdigest()}.{ending}"
    if not (folder / path).exists():
        write_bytes(folder / path, data)
    return path
