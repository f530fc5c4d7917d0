from __future__ import annotations

import pytest

from oracle.check.validity_report import NoReport, TaskReport, ValidityReport, groups
from tests.oracle.check.reports import ABOUT, finding, report, verdict


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


def test_an_instance_that_was_not_finished_is_never_clean():
    made = report(verdict(finding("", "unfinished"), fields=0))
    assert not made.is_clean
    assert made.counts()["unfinished"] == 1


def test_a_report_survives_its_file(tmp_path):
    made = report(verdict(finding(explained="known"), echo=1), verdict(), warning="rude", issues=("old",))
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
