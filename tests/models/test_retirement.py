"""When a model is shut down: what stands in the presets, and what is said on which day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from harness.models import presets as presets_module
from harness.models.client import WARNED_DAYS, ModelRetired, Retirement
from harness.models.presets import Preset, list_table, presets, resolve, retirement_of

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


@pytest.fixture
def _at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets_module, "today", lambda: END)


@pytest.mark.usefixtures("_at_the_end")
def test_from_the_last_day_of_its_model_on_a_preset_asks_what_the_provider_recommends_as_that_is_asked() -> None:
    before, preset, instead = presets()["gpt-4o"], resolve("gpt-4o", {}), presets()["gpt-6-luna"]
    assert (preset.model, preset.stands_in_for) == ("gpt-6-luna", GPT_4O)
    assert (preset.price, preset.context, preset.pictures) == (instead.price, instead.context, instead.pictures)
    assert (preset.temperature, preset.max_output_tokens) == (None, instead.max_output_tokens)
    assert (preset.encoding, preset.protocol, preset.screenshot) == (before.encoding, before.protocol, "marks")
    said = preset.news(END, agreed=False)
    assert said == "gpt-4o: gpt-4o was shut down by its provider on 2027-01-14, so gpt-6-luna answers"


@EVERY
def test_every_preset_whose_model_is_gone_asks_what_takes_its_place_and_says_so(preset: Preset) -> None:
    asked = resolve(preset.name, {})
    ends = preset.retirement
    if ends and ends.is_over(date.today()):
        assert asked.model == ends.instead
        assert f"so {ends.instead} answers" in asked.news(date.today(), agreed=False)
    else:
        assert asked == preset


@pytest.mark.usefixtures("_at_the_end")
def test_a_model_that_was_chosen_before_stays_whatever_its_provider_shuts_down_meanwhile() -> None:
    again = resolve("gpt-4o", {"model": "gpt-4o"})
    assert (again.model, again.stands_in_for) == ("gpt-4o", None)
    # What a run has taken down of a model that stood in says so again.
    kept = resolve("gpt-4o", {"model": "gpt-6-luna"})
    assert kept == resolve("gpt-4o", {})


def test_before_its_last_day_a_model_that_is_named_is_asked_and_from_then_on_refused_with_the_ways_to_go_on() -> None:
    preset = resolve("gpt-4o-mini", {"model": "gpt-4o"})
    assert preset.news(END - timedelta(days=1), agreed=False).startswith("gpt-4o is shut down")
    with pytest.raises(ModelRetired) as refused:
        preset.news(END, agreed=False)
    for way in ("was shut down by its provider on 2027-01-14", "gpt-6-luna takes its place", "--retired-anyway"):
        assert way in str(refused.value)


def test_who_agrees_to_a_model_that_is_gone_is_told_of_it_all_the_same() -> None:
    old = resolve("gpt4v", {"retired_anyway": True})
    assert (old.model, old.temperature) == ("gpt-4-vision-preview", 1.0)
    assert "was shut down" in old.news(END, agreed=True)


def test_a_server_of_ones_own_decides_by_itself_which_models_there_are() -> None:
    own = resolve("gpt4v", {"base_url": "http://127.0.0.1:9/v1"})
    assert own.model == "gpt-4-vision-preview"
    assert own.news(END, agreed=False) == ""


def test_another_model_in_its_place_has_its_own_life() -> None:
    assert resolve("gpt4v", {"model": "gpt-6-luna"}).news(END, agreed=False) == ""
    again = resolve("gpt-6.1-sol", {"model": "gpt-4.1-mini"}).retirement
    assert again is not None
    assert (again.model, again.on) == ("gpt-4.1-mini", END)


@pytest.mark.parametrize(("day", "said"), [(END - timedelta(days=1), "until"), (END, "its own retired")])
def test_the_table_of_presets_tells_the_end_by_the_day(day: date, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presets_module, "today", lambda: day)
    (line,) = list_table(["gpt-4o"]).splitlines()[1:]
    assert line.endswith(f"{said} 2027-01-14")
