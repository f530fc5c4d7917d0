"""When a model is shut down: what stands in the presets, and what is said on which day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from harness.models import presets as presets_module
from harness.models.presets import Preset, list_table, presets, resolve, retirement_of
from harness.models.retirement import WARNED_DAYS, ModelRetired, Retirement

END = date(2027, 1, 14)
GPT_4O = Retirement("gpt-4o", END, "gpt-6-luna")
EVERY = pytest.mark.parametrize("preset", presets().values(), ids=lambda preset: preset.name)


@EVERY
def test_what_takes_the_place_of_a_model_is_a_preset_whose_own_end_is_not_known(preset: Preset) -> None:
    if preset.retirement:
        (instead,) = [
            each
            for each in presets().values()
            if (each.provider, each.model) == (preset.provider, preset.retirement.instead)
        ]
        assert instead.retirement is None
        assert instead.pictures or not preset.pictures


def test_a_dated_version_ends_with_its_model_unless_it_has_a_day_of_its_own() -> None:
    assert retirement_of("openai", "gpt-4o-2024-11-20") == Retirement("gpt-4o-2024-11-20", END, "gpt-6-luna")
    first = retirement_of("openai", "gpt-4o-2024-05-13")
    assert first is not None
    assert first.on == date(2026, 10, 23)


@pytest.mark.parametrize(("provider", "model"), [("openai", "gpt-6-luna"), ("anthropic", "gpt-4o"), ("nobody", "x")])
def test_an_end_that_is_not_known_is_not_invented(provider: str, model: str) -> None:
    assert retirement_of(provider, model) is None


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (WARNED_DAYS + 1, ""),
        (WARNED_DAYS, f"in {WARNED_DAYS} days; gpt-6-luna is served beyond that"),
        (1, "on 2027-01-14, tomorrow; "),
        (0, "gpt-4o was shut down by its provider on 2027-01-14"),
        (-400, "gpt-4o was shut down by its provider on 2027-01-14"),
    ],
)
def test_a_user_is_told_from_ninety_days_before_on(left: int, said: str) -> None:
    words = GPT_4O.words(END - timedelta(days=left))
    assert (said in words) if said else words == ""


def test_before_its_last_day_a_model_is_asked_and_from_then_on_refused_with_the_ways_to_go_on() -> None:
    preset = resolve("gpt-4o", {})
    assert preset.news(END - timedelta(days=1), agreed=False).startswith("gpt-4o is shut down")
    with pytest.raises(ModelRetired) as refused:
        preset.news(END, agreed=False)
    for way in ("was shut down by its provider on 2027-01-14", "--model gpt-6-luna", "--retired-anyway"):
        assert way in str(refused.value)


def test_who_agrees_to_a_model_that_is_gone_is_told_of_it_all_the_same() -> None:
    assert "was shut down" in resolve("gpt4v", {}).news(END, agreed=True)


def test_a_server_of_ones_own_decides_by_itself_which_models_there_are() -> None:
    assert resolve("gpt4v", {"base_url": "http://127.0.0.1:9/v1"}).news(END, agreed=False) == ""


def test_another_model_in_its_place_has_its_own_life() -> None:
    assert resolve("gpt4v", {"model": "gpt-6.1-sol"}).news(END, agreed=False) == ""
    again = resolve("gpt-6.1-sol", {"model": "gpt-4.1-mini"}).retirement
    assert again is not None
    assert (again.model, again.on) == ("gpt-4.1-mini", END)


@pytest.mark.parametrize(("day", "said"), [(END - timedelta(days=1), "until"), (END, "retired")])
def test_the_table_of_presets_tells_the_end_by_the_day(day: date, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets_module, "today", lambda: day)
    (line,) = list_table(["gpt-4o"]).splitlines()[1:]
    assert line.endswith(f"{said} 2027-01-14")
