from __future__ import annotations

from dataclasses import replace

import pytest

from oracle.check.validity_report import NoReport, TaskReport, ValidityReport, groups, told
from tests.oracle.check.reports import ABOUT, finding, mistake, report, verdict


def test_fields_below_their_ceiling_are_counted_by_category_and_splits_apart():
    made = ValidityReport(
        ABOUT,
        {
            "A": TaskReport("test", instances={0: verdict(finding(), finding("b", "broken")), 5: verdict()}),
            "B": TaskReport("train", instances={1: verdict(finding("a", "impossible", below=False), echo=3)}),
        },
    )
    counts = made.counts()
    assert (counts["instances"], counts["fields"], counts["at_ceiling"], counts["outside"]) == (3, 6, 4, 1)
    assert counts["below"] == {"unreached": 1, "broken": 1}
    assert counts["unscored"] == {"echo": 3}
    splits = made.splits()
    assert [(name, each["at_ceiling"], each["fields"]) for name, each in splits.items()] == [
        ("test", 2, 4),
        ("train", 2, 2),
    ]


def test_a_report_is_clean_if_every_field_is_at_its_ceiling_or_explained():
    assert report(verdict()).is_clean
    assert report(verdict(finding(explained="known"))).is_clean
    assert report(verdict(finding(below=False))).is_clean
    assert not report(verdict(finding())).is_clean


def test_a_field_below_its_ceiling_of_which_a_mistake_says_why_is_that_mistake():
    made = report(verdict(finding("a")))
    assert [each[2].field for each in made.unexplained] == ["a"]
    for rows, clean in (((2,), True), ((3,), False)):
        made.mistakes = (mistake(rows=rows),)
        assert (made.is_clean, made.fits) == (clean, False)


@pytest.mark.parametrize("values", [{"is_note": True}, {"explained": "known"}])
def test_notes_and_what_the_facts_explain_do_not_keep_pages_and_labels_from_fitting(values):
    made = report(verdict())
    made.mistakes = (mistake(**values),)
    assert made.fits
    assert not report(verdict(finding())).is_clean


def test_files_that_cannot_be_used_do_not_fit():
    made = ValidityReport(replace(ABOUT, problems=("batch.csv: broken",)), {})
    assert not made.fits


def test_the_first_mistakes_of_each_kind_and_task_are_listed_and_the_rest_counted():
    made = [mistake(rows=(row,)) for row in range(12)] + [mistake(kind="outside"), mistake(is_note=True)]
    lines = [line.partition(":")[0] for line in told(made).splitlines()]
    assert lines == ["mistake"] * 11 + ["… and 2 more mistakes, see the report", "note"]
    of_many = [mistake(task=str(number), rows=(row,)) for number in range(8) for row in range(3)]
    assert told(of_many).splitlines()[16:] == ["… and 8 more mistakes, see the report"]
    assert told([mistake(task=str(number)) for number in range(99)]).count("\n") == 41


def test_an_instance_that_was_not_finished_is_never_clean():
    made = report(verdict(finding("", "unfinished"), fields=0))
    assert not made.is_clean
    assert made.counts()["unfinished"] == 1


def test_a_report_survives_its_file(tmp_path):
    made = report(verdict(finding(explained="known"), echo=1), verdict(), warning="rude", issues=("old",))
    made.mistakes = (mistake(line=3, possible=("x", "y")),)
    made.write(tmp_path)
    assert ValidityReport.read(tmp_path) == made


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "holds no report.json"),
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"schema": 0}', "another version"),
        ('{"schema": 1}', "cannot be read"),
    ],
)
def test_a_file_that_is_no_report_is_refused(tmp_path, content, said):
    if content is not None:
        (tmp_path / "report.json").write_text(content)
    with pytest.raises(NoReport, match=said):
        ValidityReport.read(tmp_path)


def test_findings_that_are_alike_are_one_group_and_the_frequent_come_first():
    task = report(
        verdict(finding("a"), finding("b")),
        verdict(finding("b", reason="another reason")),
        verdict(finding("c", below=False), finding("b", "broken")),
    ).tasks["T"]
    found = [(group.finding.field, group.finding.category, group.times, group.index) for group in groups(task)]
    assert found == [
        ("b", "unreached", 2, 0),
        ("a", "unreached", 1, 0),
        ("b", "broken", 1, 2),
        ("c", "unreached", 1, 2),
    ]
