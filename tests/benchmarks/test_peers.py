"""The race against other ways of filling in the same pages."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.peers import race
from benchmarks.peers.race import CONTESTANTS, Contestant, fills_of, is_right, measure
from benchmarks.peers.turns import Fill, Turn
from benchmarks.setting import Setting
from harness.browser.form.fields import Field, Option
from harness.kit.files.installation import BUNDLED_TASKS
from tests.needs import CHROMEDRIVER, needs

PLAYWRIGHT = next(each for each in CONTESTANTS if each.environment == "playwright")
SELENIUM = next(each for each in CONTESTANTS if each.module == "selenium_script" and not each.code)
THEIRS = next(each for each in CONTESTANTS if each.code)


def raced(*contestants: Contestant) -> list[str]:
    return measure(Setting(BUNDLED_TASKS, pages=2), contestants).splitlines()


def row_of(contestant: Contestant, lines: list[str]) -> str:
    (row,) = (line for line in lines if line.startswith(f"{contestant.name}  "))
    return row


@pytest.mark.slow
@needs(CHROMEDRIVER)
def test_all_that_are_installed_read_back_what_they_filled_in() -> None:
    here = [
        each
        for each in CONTESTANTS
        if not each.code and (not each.environment or (race.CLIENTS / each.environment / "bin/python").exists())
    ]
    lines = raced(*here)
    for contestant in here:
        row = row_of(contestant, lines)
        assert row.split()[-1 if not contestant.fills else -3 :] == (["2", "of", "2"] if contestant.fills else ["–"])
    assert not [line for line in lines if "error" in line or "not here" in line]


def test_who_lacks_a_package_is_a_row_that_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "playwright/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(race, "CLIENTS", tmp_path)
    monkeypatch.delenv("TURKINGBENCH_DIR", raising=False)
    lines = raced(PLAYWRIGHT, THEIRS)
    for contestant in (PLAYWRIGHT, THEIRS):
        assert row_of(contestant, lines).split()[-6:] == ["0", "–", "–", "–", "–", "–"]
    why = "No module named 'playwright'; .ci/over-venv playwright"
    assert f"{PLAYWRIGHT.name}: not here: ModuleNotFoundError: {why}" in lines
    assert [line for line in lines if line.startswith(f"{THEIRS.name}: not here: TURKINGBENCH_DIR names no checkout")]


@needs(CHROMEDRIVER)
def test_who_comes_to_no_end_is_ended_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "PATIENCE", 0.01)
    (line,) = (line for line in raced(SELENIUM) if "not here" in line)
    assert line == f"{SELENIUM.name}: not here: it was ended after 0 seconds"


def made(name: str, kind: str, *values: str, **values_of_field: object) -> Field:
    options = tuple(Option(value, value, visible=True) for value in values)
    plain = Field(name, kind, kind, options, True, False, False, None, ("",))  # type: ignore[arg-type]
    return replace(plain, **values_of_field)  # type: ignore[arg-type]


def test_what_can_be_seen_and_has_one_meaning_is_filled_in() -> None:
    found = fills_of(
        [
            made('say "it"', "text"),
            made("many", "text", initial=("", "")),
            made("later", "textarea", visible=False),
            made("when", "text", type="date"),
            made("age", "text", type="number"),
            made("mood", "radio", "good", "bad", initial=()),
            made("agree", "checkbox", "on", initial=()),
            made("agreed", "checkbox", "on", initial=("on",)),
            made("place", "select", "", "here"),
            made("places", "select", "here", multiple=True),
            made("how", "range"),
        ]
    )
    assert [(fill["name"], fill["kind"], fill["value"]) for fill in found] == [
        ('say "it"', "text", race.TEXT),
        ("age", "text", race.NUMBER),
        ("mood", "radio", "bad"),
        ("agree", "checkbox", "on"),
        ("place", "select", "here"),
    ]
    assert found[0]["selector"] == r':is(input:not([type=hidden]), textarea)[name="say \"it\""]'
    assert found[2]["selector"] == 'input[type=radio][name="mood"][value="bad"]'


@pytest.mark.parametrize(
    ("kind", "held", "error", "right"),
    [
        ("radio", ["x"], "", True),
        ("radio", ["y"], "", False),
        ("text", ["x", "x"], "", False),
        ("checkbox", ["w", "x"], "", True),
        ("checkbox", ["w"], "", False),
        ("text", [], "", False),
        ("text", ["x"], "TimeoutError: no control", False),
    ],
)
def test_a_page_is_right_if_it_would_submit_what_was_filled_in(
    kind: str, held: list[str], error: str, right: bool
) -> None:
    fill: Fill = {"name": "a", "kind": kind, "value": "x", "selector": ""}
    turn: Turn = {"seconds": 1.0, "held": {"a": held} if held else {}, "error": error}
    assert is_right([fill], turn) == right
