"""Episodes seen in parts: what visitors have seen together does not depend on where a run is parted."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest

from harness.analysis import episode_pass
from harness.analysis.endings import Endings
from harness.analysis.episode_pass import pass_over
from harness.analysis.run_results import Counts
from harness.analysis.score_table import ScoreTable
from harness.analysis.site_results import SiteTally
from harness.analysis.tally import Tally
from harness.records.directory import RunDirectory
from harness.reports.length_measure import LengthMeasure
from harness.reports.mistakes import collection
from harness.reports.mistakes.collection import Mistakes
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode, record, run_record

STANDARD = PROFILES["standard"]


@pytest.fixture
def run(tmp_path):
    """A run whose fields differ from instance to instance: in options, labels and answers."""
    made = RunDirectory(tmp_path)
    made.write(run_record())
    for index in range(11):
        options = ("1", "2", "3") if index < 8 else ("1", "2", "x")
        labels = (str(1 + index % 3), "2", "2" if index % 2 else "")
        fields = (
            record("scale", kind="select", options=options, labels=labels, sent=("2",)),
            record("choice", kind="radio", options=("a", "b"), labels=("a", f"{index}", "a"), sent=(f"{index % 5}",)),
            record("text", kind="text", labels=("the cat sat", f"a dog {index}"), sent=(f"the dog {index % 4} sat",)),
            record(f"own {index}", kind="text", labels=("yes", "no"), sent=("no way",)),
        )
        outcome = "agent_error" if index % 4 == 0 else "scored"
        made.add(episode(*fields, task="A" if index < 6 else "B", index=index, outcome=outcome, detail="gave up"), {})
    return made


def visitors(run: RunDirectory) -> list:
    lengths = LengthMeasure(run, run.read())
    return [ScoreTable(STANDARD), Counts(), Tally(), Mistakes(STANDARD), Endings(run.folder), SiteTally(), lengths]


def said(seen: list) -> list:
    table, counts, tally, mistakes, endings, sites, lengths = seen
    agreement = tally.agreements.fields()
    columns = {question: (column.options, column.ordered) for question, column in tally.agreements.ballots}
    failed = (tally.failed.found(), tally.counts.rates(), tally.turns_from_cache)
    found = (mistakes.found(), endings.found(), endings.second_attempts, sites.found(), lengths.found())
    return [table.instances(), table.fields(), counts.outcomes, counts.rates(), agreement, columns, failed, found]


@pytest.mark.parametrize("part", [1, 2, 4, 50])
def test_visitors_of_parts_have_seen_what_one_sees_that_goes_through_all(run, part, monkeypatch):
    monkeypatch.setattr(episode_pass, "PART", part)
    monkeypatch.setattr(collection, "FOLLOWED_PAIRS", 3)
    monkeypatch.setattr(collection, "FOLLOWED_FIELDS", 5)
    alone, parted = visitors(run), visitors(run)
    for each in run.episodes():
        for visitor in alone:
            visitor.see(score_episode(each, STANDARD))
    pass_over(run, STANDARD, parted)
    for one, other in zip(said(alone), said(parted), strict=True):
        if isinstance(one, pd.DataFrame):
            pd.testing.assert_frame_equal(one, other, check_exact=True)
        else:
            assert one == other


def test_visitors_can_be_sent_to_another_process_and_back(run):
    sent = pickle.loads(pickle.dumps(visitors(run)))  # noqa: S301 - our own
    for each in run.episodes():
        for visitor in sent:
            visitor.see(score_episode(each, STANDARD))
    assert len(pickle.loads(pickle.dumps(sent))) == len(sent)  # noqa: S301 - our own
