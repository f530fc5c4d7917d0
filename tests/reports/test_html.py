"""The report as text: contents, escaping, structure, colours. What needs a browser is in test_in_browser."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

import harness.reports
from harness.analysis.aggregation import Groups
from harness.analysis.result_numbers import BetweenSeeds, CloseFloor, Effort
from harness.cli.commands import evaluate
from harness.cli.solver_arguments import options_of
from harness.cli.task_arguments import config_of
from harness.papers.turkingbench.paper import reference_lines
from harness.records.agent_name import WORDS
from harness.records.provenance import WorkingCopy
from harness.records.results import Work
from harness.reports.html.blocks import Section
from harness.reports.html.rendering import render, write
from harness.reports.html.report_page import ReportPage, page_of
from harness.reports.html.sections.about import again, citing, command
from harness.reports.html.sections.beside_people import people, trivial
from harness.reports.html.sections.by_task import tasks
from harness.reports.html.sections.headline import headline, published
from harness.reports.html.sections.outcomes import effort, left_out, outcomes
from harness.reports.html.sections.wrong import wrong
from harness.reports.published_score import PublishedScore
from harness.reports.reported import ScoreHistogram
from tests.reports.made import (
    EVIL,
    NO_MISTAKES,
    TASKS,
    UNKNOWN,
    evil,
    failures,
    groups,
    many,
    numbers,
    record,
    reported,
)
from tests.samples import missed_outside

LINE = PublishedScore("Somebody's model", 0.417, "A paper", "Table 4", "a note", "turkingbench-2024", mean_over="tasks")
CSS = (Path(harness.reports.__file__).parent / "html" / "templates" / "report.css").read_text(encoding="utf-8")


def soup_of(*results, lines=(LINE,)) -> BeautifulSoup:
    return BeautifulSoup(render(page_of(results, lines)), "html.parser")


def part(*sections: Section) -> BeautifulSoup:
    """A report of these sections alone."""
    return BeautifulSoup(render(ReportPage("title", "lead", sections, "footer")), "html.parser")


def words(soup: BeautifulSoup, ident: str) -> str:
    part = soup.find(id=ident)
    assert part is not None, ident
    return " ".join(part.get_text(" ").split())


@pytest.fixture(scope="module")
def one() -> BeautifulSoup:
    return soup_of(reported())


@pytest.fixture(scope="module")
def three() -> BeautifulSoup:
    apart = numbers(TASKS, comparability_id="ffffffffff")
    other = reported("third", numbers=apart, records=[record(sample="4" * 64)])
    return soup_of(reported("first"), reported("second"), other)


def test_the_headline_has_score_interval_ceiling_floors_crowd_and_skill(one):
    said = words(one, "headline")
    for text in (
        "55.0",
        "95 %: 49.0 to 61.0",
        "Ceiling 98.0",
        "Constant answers 45.0",
        "Copied input 10.0",
        "Untouched page 5.0",
        "53.0 score on the label sets",
        "70.0",
        "skill over constant answers 40.0",
        "over instances",
        "on fields without a tied vote",
    ):
        ours = text.split(" ", 1) if text.startswith(("53.0", "skill")) else [text]
        assert all(part in said for part in ours), text


def test_tasks_come_from_the_hardest_to_the_easiest(one):
    rows = [row.th.get_text() for row in one.select("#tasks tbody tr")]
    assert rows == ["1. Naming", "2. Drawing", "3. Sorting"]


def test_published_numbers_stand_in_a_section_of_their_own_and_nowhere_else(one):
    section = one.find(id="published")
    assert "outside" in section["class"]
    tables = [table.caption.get_text() for table in section.find_all("table")]
    assert [caption.partition(",")[0] for caption in tables] == ["Published", "Measured here"]
    assert "turkingbench-2024" in tables[1]
    assert "41.7" in section.get_text()
    assert "44.0" in section.get_text()
    whole, here = (part.get_text().count("Somebody's model") for part in (one, section))
    assert whole == here > 0


def test_without_tasks_of_the_benchmark_nothing_published_is_shown():
    assert soup_of(reported(original=None)).find(id="published") is None


def test_other_kinds_of_mean_are_said_beside_a_published_number():
    other = replace(LINE, label="Another", mean_over="instances")
    said = words(part(published([reported()], (LINE, LINE, other))), "published")
    assert "if not said otherwise, mean over tasks" in said
    assert "a note; mean over instances" in said


def test_results_with_different_comparability_ids_are_marked_in_words(three):
    (notice,) = [each.get_text() for each in three.select(".notice") if "Not comparable" in each.get_text()]
    assert "second (0123456789) and third (ffffffffff) differ in sample of instances" in notice


def test_several_results_stand_side_by_side(three):
    table = three.select_one("#headline table")
    assert [row.th.get_text() for row in table.select("tbody tr")] == ["first", "second", "third"]
    cells = [row.find_all("td")[-1].get_text() for row in table.select("tbody tr")]
    assert cells == ["0123456789", "0123456789", "ffffffffff"]


def test_floors_are_drawn_only_where_they_are_the_same_for_all(three):
    assert "ceiling" not in three.select_one("#tasks .key").get_text()
    assert "ceiling" in part(tasks([reported("a"), reported("b")])).select_one("#tasks .key").get_text()


def test_more_results_than_a_figure_holds_get_several_figures():
    soup = part(tasks(many(5)))
    assert [figure["id"] for figure in soup.select("#tasks figure")] == ["tasks-1", "tasks-2"]


DISK = {"kind": "disk", "words": "No space left on device", "at": "2026-01-31T12:10:00"}
IN_VAIN = missed_outside(missing_assets={"https://x.example/a.js": 2})
NOTICES = {
    "Incomplete.": (
        reported(numbers=numbers(TASKS, bounds=(0.5, 0.62)), records=[record(status="incomplete")]),
        "instances without a score allow any headline from 50.0 to 62.0.",
    ),
    "Out of budget.": (
        reported(records=[record(status="incomplete", out_of_budget={"cost": 2, "tokens": 1})]),
        "3 instances ended for lack of money or tokens",
    ),
    "Outside files missing.": (
        reported(records=[replace(record(), outside=IN_VAIN, pages_lacking_assets=2)]),
        "2 pages did not get 1 outside script, style or font",
    ),
    "Unfinished.": (reported(records=[record(status="running")]), ""),
    "Unfinished. random: The run directory could not be written.": (
        reported(records=[record(status="interrupted", stopped=DISK)]),
        "No space left on device",
    ),
    "Doing nothing.": (
        reported(numbers=numbers(TASKS, asked_work=Work(played=3, replied=3, acted=0))),
        "nothing was ever done: this is the score of doing nothing.",
    ),
}


@pytest.mark.parametrize("begins", NOTICES)
def test_what_a_reader_has_to_know_before_the_headline_stands_above_it(begins):
    result, words = NOTICES[begins]
    (notice,) = part(headline([result])).select(".notice")
    assert notice.get_text().startswith(begins)
    assert words in notice.get_text()


def test_above_the_headline_of_a_run_without_trouble_stands_nothing():
    assert part(headline([reported()])).select(".notice") == []


@pytest.mark.parametrize(("isolation", "is_warned"), [("none", True), (None, True), ("box", False)])
def test_a_program_that_was_not_shut_in_is_warned_about(isolation, is_warned):
    run = record(isolation=isolation)
    run = replace(run, config=replace(run.config, solver="command", options={"command": "agent"}))
    soup = soup_of(reported(records=[run]))
    assert ("Not shut in" in soup.get_text()) == is_warned
    assert WORDS[isolation] in soup.select_one("#again").get_text()


def test_what_the_whole_run_spent_stands_below_what_its_episodes_took():
    spent = {"calls": 3, "usage": {"input_tokens": 2_000, "output_tokens": 10}, "cost": "0.5"}
    said = words(part(effort([reported(records=[record(spent=spent)])])), "effort")
    assert "by its ledger, with what led to no episode: 3 calls, 2,010 tokens, $0.5000." in said
    unknown = words(part(effort([reported(records=[record(spent={**spent, "cost": None})])])), "effort")
    assert "2,010 tokens, cost unknown." in unknown


def test_what_agents_say_that_they_spent_is_marked_as_theirs():
    told = {"episodes": 2, "input_tokens": 7, "output_tokens": 1, "tokens_told": 1}
    said = words(part(effort([reported(records=[record(reported=told)])])), "effort")
    assert "are what the agents say of themselves: 8 tokens reported (1 of 2 episodes), cost unknown." in said


def test_a_run_that_failed_says_why_and_what_to_try_before_anything_else():
    stop = {
        "kind": "refused",
        "words": "HTTP 400: no pictures <b>",
        "advice": "--no-vision",
        "at": "2026-01-31T12:10:00",
    }
    never = numbers(
        TASKS, groups=replace(groups(TASKS), overall=UNKNOWN), asked_work=Work(played=3, replied=0, acted=0)
    )
    soup = soup_of(reported(numbers=never, records=[record(status="failed", stopped=stop)]))
    failed, no_score = [notice.get_text() for notice in soup.select(".notice")]
    assert failed == (
        "Failed. random: The model's provider refuses the requests for what they are.\n"
        "Stopped (refused) at 2026-01-31T12:10:00: HTTP 400: no pictures <b>\nWhat to try: --no-vision."
    )
    assert no_score == "No score. random: the solver never gave a reply of use."
    assert "30 episodes, none of them with a score" in soup.select_one(".lead").get_text()


def test_episodes_that_ended_by_an_error_are_counted_beside_the_score(three):
    assert "episodes that ended by an error 1 of 30 episodes" in words(soup_of(reported()), "headline")
    outcomes = dict.fromkeys(("agent_error", "harness_error"), 0)
    well = numbers(TASKS, outcomes={"scored": 30, "limit": 0, "unscored": 0, **outcomes})
    assert "ended by an error" not in words(soup_of(reported(numbers=well)), "headline")
    table = three.select_one("#headline table")
    place = [cell.get_text() for cell in table.select("thead th")].index("episodes ended by an error")
    assert [row.find_all(["th", "td"])[place].get_text() for row in table.select("tbody tr")] == ["1", "1", "1"]


def test_seeds_are_shown_with_their_spread():
    seeds = BetweenSeeds([1, 2], [0.4, 0.5], standard_deviation=0.0707, dropped={})
    result = reported(numbers=numbers(TASKS, between_seeds=seeds), dropped={"not in seed 2": 3})
    soup = part(headline([result]), left_out([result]))
    assert "1, 2 40.0, 50.0 7.07" in words(soup, "headline")
    assert "instances that not all seeds share: not in seed 2 3" in words(soup, "left-out")


def test_a_result_that_nothing_is_known_of_has_dashes_and_no_zeros():
    known = numbers(TASKS, groups=Groups(UNKNOWN, UNKNOWN, UNKNOWN, {}, {}, {}), rank=[])
    soup = soup_of(reported(numbers=known, scores=ScoreHistogram([0] * 20, 0, 0)))
    assert soup.select_one("#headline .first dd").get_text() == "–"


def test_what_was_left_out_is_counted_with_its_reason(one):
    said = words(one, "left-out")
    assert "instances that nobody labelled 7" in said
    assert "fields that are not scored: repeats the input 4" in said


def test_flagged_tasks_stand_with_both_numbers():
    flagged = CloseFloor("Naming", "copy", 0.61, against="solver", against_score=0.63)
    said = words(part(trivial([reported(numbers=numbers(TASKS, trivial=[flagged]))])), "trivial")
    assert "Naming Copied input 61.0 random 63.0" in said


def test_cost_is_drawn_where_two_results_have_one():
    def priced(name, amount):
        cost = Effort(total=30 * amount, per_instance=amount, per_point=amount / 50, known=30)
        return reported(name, numbers=numbers(TASKS, effort={**numbers(TASKS).effort, "cost": cost}))

    soup = part(effort([priced("dear", 0.5), priced("cheap", 0.002), reported("free")]))
    figure = soup.find(id="cost")
    assert [row.th.get_text() for row in figure.select("tbody tr")] == ["dear", "cheap"]
    assert "Without a known cost, and not drawn: free." in figure.figcaption.get_text()
    assert part(effort([priced("dear", 0.5), reported("free")])).find(id="cost") is None


def test_wrong_answers_are_shown_as_pairs_texts_numbers_and_silence(one):
    said = words(one, "wrong")
    assert "Choices" in said
    assert "(no answer)" in said
    assert one.select_one(".matrix td.right").get_text() == "18"
    assert one.select_one("#wrong del").get_text() == "[only sent: plain]"
    assert one.select_one("#wrong ins").get_text() == "[only the worker's: plain]"
    assert "5 more texts below the ceiling not shown." in said
    assert "7.25" in said
    assert "12 of 60 scored fields other than boxes were left blank" in said


def test_a_solver_without_a_mistake_is_told_so():
    assert words(part(wrong([reported(mistakes=NO_MISTAKES)])), "wrong").endswith(
        "Every scored field reaches its ceiling."
    )


def test_workers_are_not_held_against_themselves():
    crowd = record()
    crowd = replace(crowd, config=replace(crowd.config, solver="crowd"))
    workers = reported("crowd", records=[crowd])
    soup = part(wrong([workers]), people([workers]))
    assert "there are no answers of a solver" in words(soup, "wrong")
    assert soup.select("#people figure") == []


def test_second_attempts_are_counted_where_there_were_any():
    said = words(part(outcomes([reported(second_attempts=3)])), "outcomes")
    assert "3 episodes had a second attempt: page, browser or process died while the solver worked." in said
    assert "second attempt" not in words(part(outcomes([reported()])), "outcomes")


def test_failed_actions_of_runs_without_error_codes_are_said_to_be_so():
    old = reported(numbers=numbers(TASKS, failures=failures(("no such field", 4), ("unknown", 3))))
    said = words(part(outcomes([old])), "outcomes")
    assert "The class of 3 is unknown: the run was written before error codes were recorded." in said
    assert "is unknown" not in words(part(outcomes([reported()])), "outcomes")


def test_the_command_makes_the_same_run_again():
    config = replace(
        record().config,
        tasks=('it\'s a "task"', "--other"[2:]),
        live_clock=True,
        solver_seed=7,
        input="desktop",
        workers=1,
        options={"temperature": 0.5, "vision": False, "field_names": True, "pass_env": ["A", "B"]},
    )
    line = shlex.split(command(config))
    assert line[:3] == ["python", "-m", "harness.evaluate"]
    arguments = evaluate.parser().parse_args(line[3:])
    resolved = config_of(arguments, arguments.solver, arguments.metrics, options_of(arguments))
    assert resolved == config


def test_hashes_versions_and_changed_files_are_named():
    run = record()
    run = replace(run, provenance=replace(run.provenance, git=WorkingCopy("b" * 40, ("x.py",))))
    result = reported(records=[run])
    soup = part(again([result]), citing([result]))
    said = words(soup, "again")
    for text in ("1" * 64, "2" * 64, "3" * 64, "0123456789", f"git checkout {'b' * 40}", "Chrome/1", "numpy 2", "x.py"):
        assert text in said, text
    assert "PyAutoGUI" not in said
    assert "b" * 40 in words(soup, "citing")


# What must hold of any report.


class Nesting(HTMLParser):
    """Fails on markup that is not balanced."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_no_text_of_strangers_becomes_markup():
    page = render(page_of([evil()], [replace(LINE, label=EVIL, note=EVIL)]))
    parser = Nesting()
    parser.feed(page)
    assert parser.open == []
    assert "script" not in parser.tags
    assert "&lt;script&gt;alert(" in page
    drawn = [text.get_text() for text in BeautifulSoup(page, "html.parser").select("svg text")]
    assert [text for text in drawn if text.startswith("1. <script>")] != []


@pytest.mark.slow
def test_several_evil_results_are_harmless_too():
    page = render(page_of([evil(), replace(evil(), name=f"{EVIL} 2")], reference_lines()))
    parser = Nesting()
    parser.feed(page)
    assert "script" not in parser.tags


def test_the_file_needs_nothing_but_itself(three):
    assert three.find(["script", "img", "iframe", "object", "embed", "base"]) is None
    assert [link["href"] for link in three.find_all("link")] == ["data:,"]
    assert three.find_all(src=True) == []
    assert all(link["href"].startswith("#") for link in three.find_all("a"))
    assert "url(" not in CSS
    assert "@import" not in CSS
    assert "default-src 'none'" in three.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]


def test_the_same_results_give_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write(page_of([reported()], [LINE]), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_every_id_is_there_once_and_every_link_leads_to_one(three):
    ids = [element["id"] for element in three.find_all(id=True)]
    assert sorted({ident for ident in ids if ids.count(ident) > 1}) == []
    targets = [link["href"].removeprefix("#") for link in three.find_all("a")]
    for element in three.find_all():
        for name in ("aria-labelledby", "aria-describedby"):
            targets += element.get(name, "").split()
    assert set(targets) <= set(ids)


def test_headings_skip_no_level(three):
    levels = [int(heading.name[1]) for heading in three.find_all(re.compile(r"^h[1-6]$"))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_tables_have_captions_and_headers_of_columns_and_rows(three):
    tables = three.find_all("table")
    assert tables
    for table in tables:
        assert table.caption.get_text()
        assert {header.get("scope") for header in table.thead.find_all("th")} == {"col"}
        for row in table.tbody.find_all("tr"):
            assert [header["scope"] for header in row.find_all("th")] == ["row"]
            assert len(row.find_all(["th", "td"])) == len(table.thead.find_all("th"))


def test_every_plot_has_a_caption_and_its_numbers_in_a_table(three):
    figures = three.find_all("figure")
    assert len(figures) > 5
    for figure in figures:
        assert figure.figcaption.get_text()
        assert figure.select("svg[role=img] > title")
        # The table of all results stands right above the figure of the headline.
        assert figure.select("details table") or figure["id"] == "standing"


# Colours: contrast as WCAG 2 defines it, computed anew.


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes() -> Iterator[dict[str, str]]:
    light = _colours(CSS.partition("@media")[0])
    yield light
    dark = _colours(CSS.partition("prefers-color-scheme: dark")[2].partition("* {")[0])
    assert dark.keys() == light.keys()
    yield dark


@pytest.mark.parametrize("colours", list(schemes()), ids=["light", "dark"])
def test_text_and_shapes_stand_out_in_both_schemes(colours):
    for text in ("ink", "muted", "link"):
        for ground in ("paper", "panel"):
            assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for ground in ("good", "bad"):
        assert _contrast(colours["ink"], colours[ground]) >= 4.5, ground
    for number in range(1, 5):
        assert _contrast(colours[f"series-{number}"], colours["paper"]) >= 3
