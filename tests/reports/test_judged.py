"""What a report says of judges of trajectories."""

from __future__ import annotations

import json
from pathlib import Path

from bs4 import BeautifulSoup

from harness.cli.commands.judge.run import main
from harness.reports.html.blocks import NoticeBlock, TableBlock
from harness.reports.html.rendering import render
from harness.reports.html.report_page import ReportPage
from harness.reports.html.sections.judged import judged_section
from harness.scoring.judges.saved_judgements import JudgementFolder, judges_beside
from tests.scoring.judges.trials import filmed_run, named_failure


def test_a_run_that_nobody_judged_has_no_such_section(tmp_path: Path) -> None:
    assert judged_section({"run": filmed_run(tmp_path / "run").folder}) is None


def test_verdicts_stand_beside_what_the_evaluators_say(tmp_path: Path) -> None:
    run = filmed_run(tmp_path / "run", tasks=("a", "b"), success=False)
    main([str(run.folder), "--method", "rule", "--progress", "quiet"])
    section = judged_section({"run": run.folder})
    assert section
    (table,) = (block for block in section.blocks if isinstance(block, TableBlock))
    assert table.rows == [("rule", "1", "2", "2", "0", "0", "100.0", "0.0", "0.0")]


def test_failures_stand_by_kind_where_a_judge_was_asked(tmp_path: Path) -> None:
    run = filmed_run(tmp_path / "run", tasks=("a", "b"))
    main([str(run.folder), "--method", "rule", "--progress", "quiet"])
    named_failure(JudgementFolder(judges_beside(run.folder) / "rule" / "1"), "a", "navigation")
    section = judged_section({"run": run.folder})
    assert section
    _, table = (block for block in section.blocks if isinstance(block, TableBlock))
    assert table.rows == [("rule", "1", "0", "0", "1", "0", "0", "0")]


def test_judgements_of_another_run_or_of_nobody_are_told_and_escaped(tmp_path: Path) -> None:
    run = filmed_run(tmp_path / "run", tasks=("<b>a</b>",))
    main([str(run.folder), "--method", "rule", "--progress", "quiet"])
    file = judges_beside(run.folder) / "rule" / "1" / "judge.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    for change in ({"run": {**said["run"], "started": "once"}}, {"method": "<script>"}):
        file.write_text(json.dumps({**said, **change}), encoding="utf-8")
        section = judged_section({"<i>run</i>": run.folder})
        assert section
        assert any(isinstance(block, NoticeBlock) for block in section.blocks)
        shown = BeautifulSoup(render(ReportPage("title", "lead", [section], "footer")), "html.parser")
        assert not shown.find_all("i")
        assert not [each for each in shown.find_all("script") if "method" in each.get_text()]
