"""Stand-ins for the nodes of a cluster bring episodes that are as good as played ones."""

from __future__ import annotations

from benchmarks import driver
from harness.models.ledger import LEDGER, Ledger
from harness.records.directory import RunDirectory


def test_ready_made_episodes_are_scored_booked_and_written_by_the_engine_of_a_cluster() -> None:
    with driver.driven(episodes=6, nodes=1) as (engine, nodes, folder, seen):
        engine.open()
        engine.put(*nodes.planned())
        nodes.begin(rate=10_000)
        while nodes.done < 6:
            engine._step(0)
        engine.finish()
        episodes = list(RunDirectory(folder).episodes())
        assert [episode.outcome for episode in episodes] == ["scored"] * 6
        assert sum(len(episode.turns) for episode in episodes) == Ledger(folder / LEDGER).totals().calls
        films = [RunDirectory(folder).film(episode.task, episode.index) for episode in episodes]
        assert all(film and len(film.frames) == 8 for film in films)
        assert seen.count("labels.keep") == 6
