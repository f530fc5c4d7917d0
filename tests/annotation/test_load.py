"""A short form of `python -m benchmarks annotators`: many workers at once, over HTTP, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.annotators import under_load


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_many_workers_at_once_lose_nothing_and_no_instance_gets_too_many(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/load.sqlite3"
    if kind == "postgresql":
        # A database of its own: other tests empty theirs.
        import psycopg

        cluster = request.getfixturevalue("postgres")
        with psycopg.connect(cluster, autocommit=True) as connection:
            connection.execute("CREATE DATABASE load")
        url = f"{cluster.rpartition('/')[0]}/load"
    load = under_load(url, tmp_path, workers=30, each=3, asked=3)
    kept = {name: load.kept[name] for name in ("submitted", "rows", "batches", "most", "twice", "mixed_up")}
    assert kept == {"submitted": 90, "rows": 90, "batches": 4, "most": 3, "twice": 0, "mixed_up": 0}
    assert len(load.claims) == len(load.submissions) == 90
