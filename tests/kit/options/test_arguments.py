from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from harness.kit.arguments import add_options, values_of, whole
from harness.kit.options import kept, option


@dataclass(frozen=True, kw_only=True)
class Options:
    GROUP: ClassVar[str] = "colours"

    mood: Literal["calm", "bold"] | None = option(help="of the page")
    steps: int | None = option(takes=whole, metavar="N", group="limits")
    places: tuple[Path, ...] = option((), flag="place", metavar="DIR")
    loud: bool | None = option()
    quick: bool = option(False)
    digest: str | None = kept()


def parsed(*words: str, groups: tuple[str, ...] = ()) -> argparse.Namespace:
    parse = argparse.ArgumentParser()
    add_options(parse, Options, *groups)
    return parse.parse_args(words)


def test_what_is_not_given_is_none_or_what_the_record_says():
    assert values_of(parsed(), Options) == {"mood": None, "steps": None, "places": (), "loud": None, "quick": False}


def test_arguments_have_the_names_the_choices_and_the_types_of_the_record():
    words = ("--mood", "bold", "--steps", "3", "--place", "a", "--place", "b", "--no-loud", "--quick")
    assert Options(**values_of(parsed(*words), Options)) == Options(
        mood="bold", steps=3, places=(Path("a"), Path("b")), loud=False, quick=True
    )


@pytest.mark.parametrize("words", [("--mood", "sad"), ("--steps", "-1"), ("--digest", "x"), ("--no-quick",)])
def test_what_a_record_does_not_take_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        parsed(*words)
    assert "error: " in capsys.readouterr().err


def test_a_command_may_take_some_groups_alone():
    assert vars(parsed("--steps", "2", groups=("limits",))) == {"steps": 2}


def test_records_that_share_an_option_add_it_once_and_groups_have_their_headings():
    parse = argparse.ArgumentParser()
    add_options(parse, Options, defaults={"steps": 7})
    add_options(parse, Options)
    assert parse.parse_args([]).steps == 7
    told = parse.format_help()
    assert told.count("--mood {calm,bold}") == 2  # usage, and its own line
    assert "colours:" in told
    assert "limits:" in told
