from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from harness.reports.html.blocks import TableBlock, TableColumn
from harness.reports.html.plots.axes import Dot, Series
from harness.reports.html.plots.forest import Marks, forest
from harness.reports.html.plots.histogram import BINS, histogram
from harness.reports.html.plots.scatter import Point, against, cost_against_score
from harness.reports.html.plots.svg import PAINTS, FigureTexts, drawing, inline, paint
from tests.reports.made import EVIL

DATA = TableBlock("caption", [TableColumn("name", "words")], [["a"]])


def plot(*, ident: str = "plot", colour: str = "series-1", text: str = "name") -> str:
    words = FigureTexts()
    with drawing(3, 2) as figure:
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], marker="o", color=paint(colour))
        axes.set_xticks([0], [words.add(text)])
        return inline(figure, ident, "title", "description", words)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - made here


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter("text")]


@pytest.mark.parametrize("name", PAINTS)
def test_a_colour_is_one_of_the_page_and_follows_its_scheme(name):
    svg = plot(colour=name)
    assert f"var(--{name})" in svg
    assert "fe" not in "".join(re.findall(r"#[0-9a-f]{6}", svg))


def test_text_stays_text_whatever_it_holds():
    assert EVIL.replace("\x00", "\N{REPLACEMENT CHARACTER}") in texts(plot(text=EVIL))


def test_the_same_figure_gives_the_same_text():
    assert plot() == plot()


def test_a_user_s_settings_of_matplotlib_change_nothing():
    import matplotlib

    wanted = plot()
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path", "lines.linewidth": 9, "axes.grid": True}):
        assert plot() == wanted


def test_ids_of_two_figures_differ_and_every_reference_has_its_target():
    found = []
    for ident in ("one", "two"):
        svg = plot(ident=ident)
        ids = re.findall(r'\bid="([^"]+)"', svg)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg)) <= set(ids)
        assert len(ids) == len(set(ids))
        found.append(set(ids))
    assert found[0].isdisjoint(found[1])
    assert all(len(ids) > 2 for ids in found)


def test_a_figure_has_a_name_a_description_and_no_file_s_head():
    root = parsed(plot())
    assert root.get("role") == "img"
    names = {element.get("id"): element.text for element in root}
    assert names[root.get("aria-labelledby")] == "title"
    assert names[root.get("aria-describedby")] == "description"
    assert not [element.tag for element in root.iter() if element.tag in ("metadata", "style", "script")]
    assert "xmlns" not in plot()


def test_a_forest_names_its_rows_and_writes_values_with_their_intervals():
    series = [Series("", [Dot(0.5, 0.4, 0.612), Dot(None), Dot(1.0)])]
    figure = forest("f", "caption", ["a", "b", "c"], series, [Marks("crowd", [0.7, None, None])], data=DATA)
    found = texts(figure.pictures[0])
    assert [text for text in ("a", "b", "c", "50.0", "40.0–61.2", "–", "100.0") if text not in found] == []
    assert [key.words for key in figure.keys] == ["crowd: each worker against the others"]
    described = parsed(figure.pictures[0]).findtext("desc")
    assert described is not None
    assert "from 50.0 per cent (a) to 100.0 per cent (c)" in described


@pytest.mark.parametrize("solvers", [1, 3])
def test_many_rows_are_several_pictures_that_each_fit_on_a_page(solvers):
    rows = [f"row {place}" for place in range(40)]
    series = [Series(f"s{place}", [Dot(0.5)] * 40) for place in range(solvers)]
    figure = forest("f", "caption", rows, series, [])
    shown = [text for each in figure.pictures for text in texts(each) if text.startswith("row ")]
    assert shown == rows
    assert len(figure.pictures) > 1
    assert max(float(parsed(each).attrib["height"]) for each in figure.pictures) <= 8 * 96


def test_a_forest_s_dots_stand_where_their_values_are():
    figure = forest("f", "caption", ["a", "b"], [Series("s", [Dot(0.0), Dot(0.5)])], [])
    root = parsed(figure.pictures[0])
    ticks = {element.text: float(element.attrib["x"]) for element in root.iter("text") if "x" in element.attrib}
    dots = [float(use.attrib["x"]) for use in root.iter("use") if "var(--series-1)" in use.get("style", "")]
    assert dots == pytest.approx([ticks["0"], (ticks["40"] + ticks["60"]) / 2], abs=0.01)


def test_a_scatter_names_the_points_that_are_far_from_the_diagonal_worst_first():
    points = [Point("near", 0.5, 0.52), Point("far", 0.9, 0.1), Point("above", 0.2, 0.4)]
    figure = against("s", "caption", ("x", "y"), [("solver", points)], DATA)
    assert figure.notes == ["far: 10.0 against 90.0", "above: 40.0 against 20.0"]
    assert [text for text in texts(figure.pictures[0]) if text in ("1", "2", "3")] == ["1", "2"]


def test_bars_are_as_high_as_their_counts():
    counts = [4, 2, *[0] * (BINS - 2)]
    root = parsed(histogram("h", "caption", counts, DATA).pictures[0])
    heights = []
    for path in root.iter("path"):
        if "var(--series-1)" in path.get("style", ""):
            numbers = [float(number) for number in re.findall(r"[\d.]+", path.attrib["d"])]
            heights.append(max(numbers[1::2]) - min(numbers[1::2]))
    assert len(heights) == BINS
    assert heights[0] == pytest.approx(2 * heights[1], rel=1e-3)
    assert heights[2:] == [0.0] * (BINS - 2)


@pytest.mark.parametrize("costs", [(0.001, 0.5), (0.2, 0.3)])
def test_costs_are_written_as_plain_numbers(costs):
    points = [(EVIL, costs[0], Dot(0.5, 0.4, 0.6)), ("b", costs[1], Dot(None))]
    found = texts(cost_against_score("c", "caption", points, DATA, "an instance").pictures[0])
    assert len([text for text in found if re.fullmatch(r"\$[\d.]+", text)]) >= 2
    assert not [text for text in found if "^" in text]


@pytest.mark.slow
def test_the_axes_of_several_pictures_stand_below_each_other():
    rows = [*(f"row {place}" for place in range(40)), "a row with a much longer name"]
    figure = forest("f", "caption", rows, [Series("s", [Dot(0.5)] * 41)], [])
    zeros = {text.get("x") for each in figure.pictures for text in parsed(each).iter("text") if text.text == "0"}
    assert len(figure.pictures) == 2
    assert len(zeros) == 1
