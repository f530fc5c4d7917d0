from __future__ import annotations

from pathlib import Path

from harness.analysis.scored_run import read_scored
from harness.records.directory import RunDirectory
from harness.scoring.scores import InstanceScore
from tests.samples import episode, record, run_record

YES_NO = {"kind": "radio", "options": ("yes", "no")}


class Names:
    def __init__(self) -> None:
        self.seen: list[tuple[str, int, float | None]] = []

    def see(self, score: InstanceScore) -> None:
        self.seen.append((score.episode.task, score.episode.index, score.score))

    def merge(self, other: Names) -> None:
        self.seen += other.seen


def run(folder: Path) -> Path:
    directory = RunDirectory(folder)
    directory.write(run_record(comparability_id="of its own profile"))
    directory.add(episode(record("a", **YES_NO, labels=("", "", "yes"), sent=("yes",)), task="A"), {})
    directory.add(episode(record("a", **YES_NO, labels=("no", "no"), sent=("yes",)), task="B"), {})
    return folder


def test_a_run_is_read_under_its_own_profile_or_another(tmp_path):
    folder = run(tmp_path)
    own, other = read_scored(folder), read_scored(folder, "turkingbench-2024")
    assert (own.solver, own.profile, other.profile) == ("random", "standard", "turkingbench-2024")
    assert list(own.instances["score"]) == [1.0, 0.0]
    assert list(other.instances["score"]) == [0.0, 0.0], "there, blanks vote"
    assert own.comparability_id != other.comparability_id


def test_visitors_see_every_episode_once(tmp_path):
    names = Names()
    read_scored(run(tmp_path), visitors=[names])
    assert names.seen == [("A", 0, 1.0), ("B", 0, 0.0)]


def test_people_are_scored_only_if_asked_for(tmp_path):
    folder = run(tmp_path)
    assert read_scored(folder).instances["crowd"].isna().all()
    assert list(read_scored(folder, people=True).fields["crowd"].fillna(-1)) == [-1, 1.0]
