"""The paper's tables as data: they agree with one another, and name pages and classes that are here."""

from __future__ import annotations

import json
from importlib.resources import files
from statistics import mean
from typing import get_args

import pytest

from harness.papers.paper import tables_in
from harness.records.verdict import WebErrorKind

TABLES = {each.name: each for each in tables_in("harness.papers.autowebglm")}


def printed(table: str) -> dict[str, dict[str, float]]:
    return {row.name: {name: float(cell) for name, cell in row.printed.items()} for row in TABLES[table].rows}


def test_printed_means_are_those_of_the_printed_cells() -> None:
    for name, cells in printed("table3").items():
        if "average" in cells:  # a cell that its own table contradicts is left out
            *splits, average = cells.values()
            assert mean(splits) == pytest.approx(average, abs=0.1), name
    pages = printed("table6")
    averages = pages.pop("average")
    for column, average in averages.items():
        assert mean(cells[column] for cells in pages.values()) == pytest.approx(average, abs=0.006), column


def test_tables_that_tell_the_same_result_agree() -> None:
    whole = printed("table4")["AutoWebGLM"]
    assert mean(printed("table2")["AutoWebGLM 6B"].values()) == pytest.approx(whole["AutoWebBench"], abs=0.06)
    assert printed("table3")["AutoWebGLM 6B"]["average"] == whole["Mind2Web"]
    figure = printed("figure7")["AutoWebGLM 6B, fine-tuned"]
    assert {name: whole[name] for name in figure} == figure
    assert printed("table6")["average"]["AutoWebGLM"] * 100 == pytest.approx(figure["MiniWoB++"])


def test_pages_and_classes_of_errors_are_those_that_are_here() -> None:
    overlay = json.loads((files("harness.catalog") / "overlays" / "miniwob.overlay.json").read_text(encoding="utf-8"))
    paper = {name for name, facts in overlay["tasks"].items() if facts.get("split") == "paper"}
    assert printed("table6").keys() - {"average"} == paper
    assert printed("table5").keys() == set(get_args(WebErrorKind))
