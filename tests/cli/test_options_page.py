"""The pages of options are what the records say."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from harness.cli.commands.evaluate import named_options, parser
from harness.cli.commands.options_page import document
from harness.kit.options import names_of, options_in
from harness.models.asking_options import SiteAsking
from harness.records.config import RunConfig
from harness.run.runner import Run

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_options_is_up_to_date():
    page = (DOCS / "reference" / "options.md").read_text(encoding="utf-8")
    assert page == document(), "write it anew: make docs"


def test_every_option_says_what_it_is_and_has_a_heading():
    arguments = [each for each in named_options() if each.about.argument]
    assert [each.name for each in arguments if not each.about.help] == [], "give these options a help="
    assert [each.name for each in arguments if not each.about.group] == [], "give these options a group="


def test_every_option_of_the_page_is_an_argument():
    there = parser().format_all()
    assert [each.flag for each in named_options() if each.about.argument and each.flag not in there] == []


def test_what_may_be_another_when_a_run_is_gone_on_with_is_handed_on():
    taken = inspect.signature(Run.resume).parameters
    assert [name for name in names_of(RunConfig, on_resume="free") if name not in taken] == [], "Run.resume lacks these"


def test_what_only_websites_have_is_told_with_its_choices_where_prompts_are():
    page = (DOCS / "reference" / "prompts.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(--[a-z-]+)[^`]*` \| ([^|]*) \|", page, re.MULTILINE))
    for each in options_in(SiteAsking):
        if each.choices:
            assert sorted(re.findall(r"`([a-z]+)`", rows[each.flag])) == sorted(each.choices), each.name
