"""What quirks are worth, against scoring the run again and by hand; the table of the original from recorded values."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.analysis.rescoring import score_run
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.papers.parity import main
from harness.papers.turkingbench.original import BadRecord, read_recorded, task_lines
from harness.papers.turkingbench.quirk_effects import (
    ANSWERS,
    ORIGINAL,
    STANDARD,
    WITH_ALL_ON_PAGE,
    WITH_UNLABELLED,
    QuirkEffects,
)
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.scoring.answers.columns import ABSENT, UNLABELLED
from harness.scoring.metrics import quirks
from tests.needs import needs, real_data
from tests.samples import episode, record, run_record
from tests.scoring.metrics.recorded import FILES

AB = {"kind": "radio", "options": ("a", "b")}
EPISODES = (
    # Standard: tie 1, range 0.5, blank vote 1. The original: 0; 0.5, in the mean 1; 0.
    episode(
        record("tie", **AB, labels=("a", "b"), sent=("b",)),
        record("slider", "range", labels=("10",), sent=("5",)),
        record("blanks", **AB, labels=("", "", "b"), sent=("b",), untouched=()),
        task="A",
        split="test",
    ),
    episode(
        record("box", "checkbox", options=("x", "y"), labels=("x|y",), sent=("x",)),
        record("later", labels=("some words",), sent=("some words",), visible=False),
        record("empty", **AB, labels=("", ""), status=UNLABELLED),
        record("echo", labels=("as it was",), sent=("as it was",), status="not an answer: repeats the input 'x'"),
        record("gone", labels=("x",), status=ABSENT),
        task="B",
        split="train",
    ),
    replace(
        episode(record("note", "textarea", labels=("the longest input",), sent=("?",)), task="B", split="train"),
        index=1,
        longest_input="the longest input",
    ),
    episode(record("note", labels=("x",)), task="C", split="test", outcome="harness_error"),
)


def written(folder: Path, *episodes, status: str = "complete") -> Path:
    run = RunDirectory(folder)
    run.write(run_record(config=RunConfig("somebody", folder), status=status))
    for each in episodes:
        run.add(each, {})
    return folder


@pytest.fixture
def run(tmp_path):
    return written(tmp_path / "run", *EPISODES)


def sizes_of(*episodes, answers: str = "solver") -> QuirkEffects:
    sizes = QuirkEffects(answers)
    for each in episodes:
        sizes.see(each)
    return sizes


@pytest.mark.parametrize(("profile", "rules"), [("standard", STANDARD), ("turkingbench-2024", ORIGINAL)])
@pytest.mark.parametrize("answers", ANSWERS)
def test_both_ends_are_the_scores_of_the_profiles(run, profile, rules, answers):
    wanted = score_run(RunDirectory(run), profile).record.results
    means = sizes_of(*EPISODES, answers=answers).means()[rules]
    measure = {"solver": "score", "do-nothing": "do_nothing"}.get(answers, answers)
    assert means.tasks == pytest.approx(getattr(wanted.overall, measure))
    assert means.fields == sum(kind.fields for kind in wanted.kinds.values())
    if answers == "solver":
        assert means.instances == pytest.approx(wanted.overall.mean_over_instances)


def test_means_by_hand():
    means = sizes_of(*EPISODES).means()
    # Instances: (1 + 0.5 + 1) / 3 in A; (0.5 + 1) / 2 and 0 in B.
    assert means[STANDARD].tasks == pytest.approx((2.5 / 3 + 0.375) / 2)
    assert means[STANDARD].instances == pytest.approx((2.5 / 3 + 0.75 + 0) / 3)
    assert means[STANDARD].pooled == pytest.approx((2.5 / 3 + 1.5 / 3) / 2)
    # (0 + 1 + 0) / 3 in A; 0 and 0 in B, whose text cannot be seen. Pooled, the range has its own points.
    assert means[ORIGINAL].tasks == pytest.approx((1 / 3 + 0) / 2)
    assert means[ORIGINAL].pooled == pytest.approx((0.5 / 3 + 0) / 2)
    # A choice that nobody made is right if it is left alone.
    assert means[WITH_UNLABELLED].tasks == pytest.approx((1 / 3 + (0.5 + 0) / 2) / 2)
    assert means[WITH_UNLABELLED].fields == means[ORIGINAL].fields + 1
    # So is an input's echo that nobody changed.
    assert means[WITH_ALL_ON_PAGE].tasks == pytest.approx((1 / 3 + (2 / 3 + 0) / 2) / 2)
    assert means[WITH_ALL_ON_PAGE].fields == means[ORIGINAL].fields + 2


def test_each_quirk_is_worth_what_it_changes_by_itself():
    found = {size.quirk: size for size in sizes_of(*EPISODES).sizes()}
    # A tie that is decided by its first answer takes 1 of 3 fields from one of two tasks.
    assert found[quirks.FIRST_OF_TIED].with_it == pytest.approx((-1 / 6, -1 / 9))
    assert found[quirks.FIRST_OF_TIED].without_it == pytest.approx((-1 / 6, -1 / 9))
    assert found[quirks.RANGE_IS_ONE].with_it == pytest.approx((0.5 / 6, 0.5 / 9))
    assert found[quirks.BLANKS_VOTE].with_it == pytest.approx((-1 / 6, -1 / 9))
    # One of two instances of B falls from (0.5 + 1) / 2 to 0.5, and to 0.5 from 0.75 if half a set is nothing.
    assert found[quirks.INVISIBLE].with_it == pytest.approx((-0.25 / 4, -0.25 / 3))
    assert found[quirks.EXACT_SETS].with_it == pytest.approx((-0.25 / 4, -0.25 / 3))
    assert found[quirks.LONE_BOX].with_it == (0, 0)
    changed = {size.quirk: size.fields for size in found.values() if size.fields}
    expected = (quirks.FIRST_OF_TIED, quirks.RANGE_IS_ONE, quirks.BLANKS_VOTE, quirks.INVISIBLE, quirks.EXACT_SETS)
    assert changed == dict.fromkeys(expected, 1)


def test_the_workers_own_answers_are_scored_with_each_left_out(tmp_path):
    crowd = replace(
        episode(
            record("vote", **AB, labels=("a", "a", "b", "b")),
            record("text", labels=("one two", "", "one three", "one two")),
            record("alone", labels=("one", "", "", "")),
        ),
        answered_by="workers",
    )
    folder = written(tmp_path, crowd)
    for profile, rules in (("standard", STANDARD), ("turkingbench-2024", ORIGINAL)):
        wanted = score_run(RunDirectory(folder), profile).record.results.overall
        means = sizes_of(crowd).means()[rules]
        assert means.tasks == pytest.approx(wanted.score)
    nothing = score_run(RunDirectory(folder), "standard").record.results.overall.do_nothing
    assert sizes_of(crowd, answers="do-nothing").means()[STANDARD].tasks == pytest.approx(nothing)


def test_nothing_scored_has_no_mean():
    means = sizes_of(EPISODES[-1]).means()[STANDARD]
    assert (means.tasks, means.instances, means.pooled, means.fields) == (None, None, None, 0)
    assert sizes_of(EPISODES[-1]).sizes()[0].with_it == (None, None)


class TestCommand:
    def test_a_table_for_people_names_every_quirk(self, run, capsys):
        assert main([str(run)]) == COMPLETE
        shown = capsys.readouterr().out
        assert [quirk.name for quirk in quirks.QUIRKS if quirk.name not in shown] == []
        assert "Answers of somebody: 4 episodes" in shown
        assert "60.4" in shown  # (2.5 / 3 + 0.375) / 2

    def test_an_object_for_programs(self, run, capsys):
        assert main([str(run), "--json", "--answers", "copy"]) == COMPLETE
        shown = json.loads(capsys.readouterr().out)
        assert shown["answers"] == "copy"
        assert shown["rules"]["standard"]["fields"] == 6
        assert [each["name"] for each in shown["quirks"]] == [quirk.name for quirk in quirks.QUIRKS]

    def test_one_split(self, run, capsys):
        assert main([str(run), "--json", "--split", "train"]) == COMPLETE
        assert json.loads(capsys.readouterr().out)["episodes"] == 2

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--split", "moon"], "no episodes of the split 'moon'"),
            (["--agreement", "x.json"], "--agreement goes with --recorded"),
            (["--recorded", "x.jsonl"], "give run directories, or --recorded FILE"),
        ],
    )
    def test_wrong_use_is_said(self, run, arguments, message, capsys):
        assert main([str(run), *arguments]) == WRONG_USE
        assert message in capsys.readouterr().err

    def test_several_runs_are_one_table_for_documents(self, run, tmp_path, capsys):
        other = written(tmp_path / "other", *EPISODES[1:])
        assert main([str(run), str(other), "--markdown"]) == COMPLETE
        rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
        assert [len(row) for row in rows] == [3] * (len(quirks.QUIRKS) + 5)
        assert rows[2] == ["`standard`", "60.4", "37.5"]
        assert ["exact sets", "-6.25 / -12.50", "-12.50 / -25.00"] in rows
        assert main([str(run), str(other), "--json"]) == COMPLETE
        assert [each["episodes"] for each in json.loads(capsys.readouterr().out)] == [4, 3]

    def test_what_is_no_run_is_wrong_use(self, tmp_path, capsys):
        assert main([str(tmp_path)]) == WRONG_USE
        assert "is no run directory" in capsys.readouterr().err

    def test_a_run_that_did_not_end_is_said_to_be_incomplete(self, tmp_path):
        assert main([str(written(tmp_path, *EPISODES, status="interrupted"))]) == INCOMPLETE


def line(page: tuple[str, int], kind: str, gold: list, value: str, score: float, **values) -> str:
    made = {"task": page[0], "row_number": page[1], "field": kind, "type": kind, "gold": gold}
    return json.dumps({**made, "value_scored": value, "model_output": "", "score": score, "status": "scored", **values})


LINES = (
    line(("A", 0), "radio", ["-1", "-1"], "1", 1.0),
    line(("A", 0), "text", ["one two"], "one", 2 / 3),
    line(("A", 1), "radio", ["a", "b"], "b", 0.0),
    line(("B", 7), "range", [10.0], "5", 0.5),
    line(("B", 7), "hidden", ["x"], "", 0.0, status="skipped_invisible"),
)


@pytest.fixture
def recorded(tmp_path):
    file = tmp_path / "recorded.jsonl"
    file.write_text("\n".join(LINES), encoding="utf-8")
    return file


def agreement(recorded: Path, *ours) -> Path:
    file = recorded.with_name("agreement.json")
    findings = [{"line": place, "ours": values} for place, values in enumerate(ours, start=1)]
    file.write_text(json.dumps({"findings": findings}), encoding="utf-8")
    return file


class TestRecorded:
    def test_the_table_of_the_original_output(self, recorded):
        found = read_recorded(recorded)
        first, second, mean = task_lines(found.fields, [field.recorded for field in found.fields])
        assert (first.task, first.fields, first.instances) == ("A", 3, 2)
        assert first.pooled == pytest.approx((1 + 2 / 3 + 0) / 3)
        assert first.kinds == pytest.approx({"radio": 0.5, "text": 2 / 3})
        assert first.over_instances == pytest.approx(((1 + 2 / 3) / 2 + 0) / 2)
        # The range has its own points in the line, and 1.0 in the mean of its page.
        assert (second.pooled, second.over_instances) == (0.5, 1.0)
        assert mean.pooled == pytest.approx((first.pooled + second.pooled) / 2)
        assert mean.over_instances == pytest.approx(((1 + 2 / 3) / 2 + 0 + 1) / 3)
        assert found.others == {"skipped_invisible": 1}

    def test_every_score_is_checked(self, recorded, capsys):
        assert main(["--recorded", str(recorded)]) == COMPLETE
        assert "4 of 4 recorded scores are reproduced." in capsys.readouterr().out
        recorded.write_text("\n".join([line(("A", 0), "radio", ["a"], "b", 1.0), *LINES[1:]]), encoding="utf-8")
        assert main(["--recorded", str(recorded)]) == INCOMPLETE
        shown = capsys.readouterr().out
        assert "3 of 4 recorded scores are reproduced." in shown
        assert "line 1: A, field 'radio': 1.0 recorded, 0.0 here" in shown

    def test_what_our_browser_sent_stands_beside_it(self, recorded, capsys):
        beside = agreement(recorded, ["-1"], ["one two"], ["b"], None, ["x"])
        assert main(["--recorded", str(recorded), "--agreement", str(beside), "--json"]) == COMPLETE
        first, mean = json.loads(capsys.readouterr().out)["our_browser"]
        assert first["pooled"] == pytest.approx(2 / 3)
        assert mean["fields"] == 3, "the range was not played"
        assert main(["--recorded", str(recorded), "--agreement", str(beside)]) == COMPLETE
        shown = capsys.readouterr().out
        assert "1 scored field was not played." in shown
        assert "+11.11" in shown  # from 5/9 to 6/9

    def test_files_that_do_not_belong_together_are_refused(self, recorded, capsys):
        assert main(["--recorded", str(recorded), "--agreement", str(agreement(recorded, ["1"]))]) == WRONG_USE
        assert "was not made from" in capsys.readouterr().err

    @pytest.mark.parametrize("content", ["{}", "[", '{"findings": [{"line": 1}]}', '{"findings": 3}'])
    def test_an_agreement_that_is_none_is_refused(self, recorded, content, capsys):
        file = recorded.with_name("other.json")
        file.write_text(content, encoding="utf-8")
        assert main(["--recorded", str(recorded), "--agreement", str(file)]) == WRONG_USE
        assert "is no file that turkbench papers turkingbench agreement writes" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ('{"task": "A", "index": 0, "output": "x"}', "only recorded runs can be checked"),
            (LINES[-1], "holds no field that was scored"),
            (line(("A", 0), "date", ["a"], "b", 1.0), "unknown kind"),
        ],
    )
    def test_a_line_that_cannot_be_checked_is_named(self, recorded, content, message):
        recorded.write_text(content, encoding="utf-8")
        with pytest.raises(BadRecord, match=message):
            read_recorded(recorded)

    def test_markdown_is_for_runs(self, recorded, capsys):
        assert main(["--recorded", str(recorded), "--markdown"]) == WRONG_USE
        assert "--markdown goes with run directories" in capsys.readouterr().err

    def test_a_missing_file_is_wrong_use(self, tmp_path, capsys):
        assert main(["--recorded", str(tmp_path / "none.jsonl")]) == WRONG_USE
        assert "cannot be read" in capsys.readouterr().err

    @needs(real_data("recorded"))
    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
    def test_every_score_of_the_authors_is_reproduced(self, file, capsys):
        assert main(["--recorded", str(file), "--json"]) == COMPLETE
        shown = json.loads(capsys.readouterr().out)
        assert shown["checked"] > 100
        assert shown["not_reproduced"] == []

    def test_run_on_websites_is_refused_in_a_line(self, tmp_path, capsys):
        run = RunDirectory(tmp_path / "run")
        run.write(run_record(config=RunConfig("random", Path("tasks"), kind="site")))
        assert main([str(run.folder)]) == WRONG_USE
        assert capsys.readouterr().err == (
            f"error: {run.folder} was on websites, and the rules of the original code score fields of forms: "
            "give runs on forms\n"
        )
