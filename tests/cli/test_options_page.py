"""The pages of options are what the records say."""

from __future__ import annotations

import re
from pathlib import Path

from harness.cli.commands.evaluate import named_options
from harness.cli.commands.options_page import document
from harness.kit.options.option import options_in
from harness.models.asking_options import SiteAsking

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_options_is_up_to_date():
    page = (DOCS / "options.md").read_text(encoding="utf-8")
    assert page == document(), "write it anew: make docs"


def test_every_option_says_what_it_is_and_has_a_heading():
    for each in named_options():
        assert not each.about.argument or (each.about.help and each.about.group), each.name


def test_what_only_websites_have_is_told_with_its_choices_where_prompts_are():
    page = (DOCS / "prompts.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(--[a-z-]+)[^`]*` \| ([^|]*) \|", page, re.MULTILINE))
    for each in options_in(SiteAsking):
        if each.choices:
            assert sorted(re.findall(r"`([a-z]+)`", rows[each.flag])) == sorted(each.choices), each.name
