import statistics

import pytest

from harness.papers.online_mind2web.paper import (
    AVERAGE,
    judge_inputs,
    judge_source,
    published_agreement,
    published_rates,
)
from tests.checkout import PAPERS
from tests.needs import needs, papers

PAPER = PAPERS / "online-mind2web.txt"


def test_the_averages_of_table_3_are_those_of_its_lines():
    *lines, average = published_agreement()
    assert average.agent == AVERAGE
    for judge in ("autonomous", "agenttrek", "webvoyager", "webjudge"):
        known = [value for line in lines if (value := getattr(line, judge)) is not None]
        assert getattr(average, judge) == pytest.approx(statistics.fmean(known), abs=0.051)


def test_both_tables_have_the_same_agreement_of_webjudge():
    assert {line.agent: line.agreement for line in published_rates()} == {
        line.agent: line.webjudge for line in published_agreement() if line.agent != AVERAGE
    }


def test_a_judge_has_no_agreement_on_agents_that_lack_what_it_needs():
    needs = {each.judge: each for each in judge_inputs()}
    lines = {line.agent: line for line in published_agreement()}
    assert needs["WebVoyager"].answer
    assert lines["SeeAct"].webvoyager is None  # it gives no final response (section 4)
    assert needs["AgentTrek"].thoughts
    assert lines["OpenAI Operator"].agenttrek is None  # it tells no thoughts (section 4)


@needs(papers(PAPER.name))
def test_every_figure_stands_in_the_paper():
    text = PAPER.read_text(encoding="utf-8")
    for line in published_rates():
        table = text.partition("5.2 Main Results")[2]
        row = next(each for each in table.splitlines() if each.startswith(f"{line.agent}\t"))
        for figure in (line.people, line.webjudge, line.webjudge_sd, line.agreement, line.agreement_sd):
            assert str(figure) in row
    for each in published_agreement():
        table = text.partition("actual success rate (Table 2)")[2]
        row = next(row for row in table.splitlines() if row.startswith(f"{each.agent}\t"))
        printed = [None if cell == "-" else float(cell) for cell in row.split("\t")[1:]]
        assert printed == [each.autonomous, each.agenttrek, each.webvoyager, each.webjudge]
    assert judge_source("model") in text
