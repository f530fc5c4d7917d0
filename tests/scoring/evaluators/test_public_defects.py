"""Defects of public harnesses that would be evaluation's here, by their numbers in docs/notes/parity.md."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest

from harness.analysis.site_scores import site_numbers, site_score
from harness.kit.files.codec import plain, typed
from harness.records.episode import Episode
from harness.records.site_record import SiteRecord
from tests.analysis.site_episodes import played
from tests.scoring.evaluators.made import SHOP, Recording, path, site, value

PROJECT = Path(__file__).parents[3]
PAGE = "<input id=who><p>other</p><input id=else>"


@pytest.mark.parametrize("text", [string.printable, "a\nb", 'O\'Neil (Jr.) \\ 50% "x"', "${rule} {0} %s"])
def test_6_value_is_compared_as_it_is_with_no_character_escaped(text: str):
    recording = Recording().acts(PAGE, "#who", value=text, event="input")
    assert recording.part(value("exact", text, "#who")).score == 1
    assert recording.part(value("include", text[1:-1], "#who")).score == 1


def test_9_every_episode_is_in_the_mean_or_counted_as_unknown():
    scores = [found for nodes in ([1], [0], [None], [1, None]) if (found := site_score(played(nodes)))]
    numbers = site_numbers(scores)
    assert (numbers.episodes, numbers.unknown) == (2, 2)


def test_12_episode_is_read_and_scored_without_its_solver():
    written = json.dumps(plain(played([1, 0])))
    found = site_score(typed(json.loads(written), Episode))
    assert found
    assert found.completion == 0.5


def test_15_text_after_an_element_is_part_of_the_page_and_so_are_names_and_types():
    page = (
        "<label><input type=radio name=mood value=y> Yes</label><label><input type=radio name=mood value=n> No</label>"
    )
    recording = Recording().acts(page, "label:nth-child(2) > input", value="n", event="change")
    assert recording.part(path("//label[contains(., 'No')]/input[@type='radio']", method="xpath")).score == 1
    assert recording.part(path("//label[contains(., 'Yes')]/input[@type='radio']", method="xpath")).score == 0


def test_19_episode_without_a_node_does_not_improve_the_efficiency():
    alone = site_numbers([found for each in ([1, 1],) if (found := site_score(played(each)))])
    more = site_numbers([found for each in ([1, 1], [0, 0]) if (found := site_score(played(each)))])
    assert alone.steps_per_node == more.steps_per_node


def test_21_record_says_which_moment_met_a_node_so_that_it_can_be_looked_up():
    recording = Recording().shows(SHOP, kind="opened").acts(PAGE, "#who", value="ann", event="input")
    facts = site(key_nodes=(value("exact", "ann", "#who"),))
    record = SiteRecord(task=facts, moments=tuple(recording.moments), evaluations=recording.evaluated(facts))
    assert record.main
    (part,) = record.main.parts
    assert part.moment == 1
    assert "'ann'" in part.why


def test_every_test_that_the_table_of_defects_names_is_there():
    page = (PROJECT / "docs" / "notes" / "parity.md").read_text("utf-8")
    rows = [
        int(number) for row in re.findall(r"^\| ([\d, ]+) \|.*test_", page, re.MULTILINE) for number in row.split(",")
    ]
    assert rows == [1, 7, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", page)
    missing = [name for file, name in named if f"def {name}(" not in (PROJECT / file).read_text("utf-8")]
    assert missing == []
