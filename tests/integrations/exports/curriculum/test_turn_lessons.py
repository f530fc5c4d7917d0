"""Lessons out of what a model said: those of episodes above a score, which is rejection sampling."""

from __future__ import annotations

import json

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.export.runs import main
from tests.integrations.exports.made import played, write_run
from tests.integrations.exports.requests import reply, request

ASK_A, ASK_B = request("the page", "the field 'a'"), request("the page", "the field 'b'")
RIGHT_A, RIGHT_B = reply("modify_text('a', 'yes')"), reply("I write: modify_text('b', 'LABEL-B')")
WRONG_A, WRONG_B = reply("modify_text('a', 'nonsense')"), reply("modify_text('b', 'nothing')")


@pytest.mark.parametrize(("options", "kept"), [([], {0}), (["--min-score", "0.5"], {0, 1})])
def test_a_model_learns_its_own_words_of_episodes_above_a_score(tmp_path, options, kept):
    run = write_run(
        tmp_path / "run",
        played([(ASK_A, RIGHT_A), (ASK_B, RIGHT_B)], index=0),
        played([(ASK_A, RIGHT_A), (ASK_B, WRONG_B)], index=1),
        played([(ASK_A, WRONG_A), (ASK_B, WRONG_B)], index=2),
    )
    assert main([str(run), "--curriculum", str(tmp_path / "made"), *options, "--progress", "quiet"]) == COMPLETE
    lines = (tmp_path / "made" / "complex" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["index"] for row in rows} == kept
    assert [row["messages"][-1]["content"] for row in rows[:2]] == [RIGHT_A.text, RIGHT_B.text]
    assert rows[1]["action"] == "modify_text('b', 'LABEL-B')"
    ledger = [
        json.loads(line) for line in (tmp_path / "made" / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [each["index"] for each in ledger if each["kept"]] == sorted(kept)
    assert [each["score"] for each in ledger] == [1.0, 0.5, 0.0]
    assert all(each["why"].startswith("an episode with a score below") for each in ledger if not each["kept"])
    assert [each["train"] for each in ledger][:1] == [2]
