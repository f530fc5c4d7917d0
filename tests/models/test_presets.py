"""The presets, and what their users choose otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from harness.models import presets as module
from harness.models.cost import Price
from harness.models.presets import Preset, UnknownPreset, WrongPreset, list_table, presets, price_of, resolve
from harness.models.providers.provider_table import PROVIDERS
from harness.observe import ENCODINGS

EVERY = pytest.mark.parametrize("preset", presets().values(), ids=lambda preset: preset.name)


# ---- the file ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["gpt4v", "gpt4-text", "gpt-4o", "gpt-4.1", "claude", "claude-2.1", "gemini", "qwen-vl", "llama", "llava", "local"],
)
def test_the_well_known_names_are_there(name: str) -> None:
    assert presets()[name].name == name


@EVERY
def test_a_preset_can_be_run(preset: Preset) -> None:
    assert preset.provider in PROVIDERS
    assert preset.encoding in (*ENCODINGS, "none")
    assert preset.context is not None
    assert preset.max_input_tokens + preset.max_output_tokens <= preset.context
    assert preset.max_input_tokens >= 3_000


@EVERY
def test_a_preset_has_a_price_unless_its_user_runs_the_server(preset: Preset) -> None:
    assert (preset.price is None) == (preset.base_url is not None)


def test_models_whose_end_is_announced_say_when() -> None:
    ends = {name: preset.retirement.on for name, preset in presets().items() if preset.retirement}
    assert ends == {
        "gpt4v": date(2024, 12, 6),
        "gpt4-text": date(2026, 3, 26),
        "claude-2.1": date(2025, 7, 21),
        **dict.fromkeys(("gpt-4o", "gpt-4o-mini", "gpt-4.1"), date(2027, 1, 14)),
    }


def test_a_model_in_the_process_costs_nothing() -> None:
    price = presets()["local"].price
    assert price is not None
    assert price.free


# ---- prices -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "rate"),
    [(date(2026, 11, 30), 2), (date(2026, 12, 1), 4), (date(2030, 1, 1), 4)],
)
def test_a_price_that_changes_holds_from_its_day_on(day: date, rate: int) -> None:
    price = price_of("google", "gemini-4-argon", day)
    assert price is not None
    assert price.rates.input == rate


def test_a_dated_version_has_the_price_of_its_model_unless_it_has_its_own() -> None:
    assert price_of("openai", "gpt-4o-2024-11-20") == price_of("openai", "gpt-4o")
    assert price_of("openai", "gpt-4o-2024-05-13") == Price.from_record({"input": 5, "output": 15})
    assert price_of("anthropic", "claude-haiku-4-5-20251001") == price_of("anthropic", "claude-haiku-4-5")


@pytest.mark.parametrize(("provider", "model"), [("openai", "gpt-4o-x"), ("anthropic", "gpt-4o"), ("nobody", "gpt-4o")])
def test_a_price_that_is_not_known_is_not_invented(provider: str, model: str) -> None:
    assert price_of(provider, model) is None


# ---- what a user chooses -------------------------------------------------------------------------------------------


def test_flags_come_before_the_preset() -> None:
    chosen = {
        "base_url": "http://127.0.0.1:9/v1",
        "encoding": "axtree",
        "protocol": "field",
        "output": "text",
        "demos": 3,
        "temperature": 0.7,
        "max_input_tokens": 5_000,
        "max_output_tokens": 99,
    }
    preset = resolve("gpt-4o", chosen)
    assert {name: getattr(preset, name) for name in chosen} == chosen


@pytest.mark.parametrize("model", [None, "gpt-4.1"])
def test_what_a_server_of_ones_own_answers_has_no_price(model: str | None) -> None:
    assert resolve("gpt-4o", {"model": model, "base_url": "http://127.0.0.1:9/v1"}).price is None


def test_the_address_of_a_preset_or_of_its_provider_is_no_other_server() -> None:
    assert resolve("gpt-4o", {"base_url": "https://api.openai.com/v1/"}).price == presets()["gpt-4o"].price
    mine = replace(presets()["llama"], name="mine", price=presets()["gpt-4o"].price)
    assert mine.base_url is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "presets", lambda: {"mine": mine})
        assert resolve("mine", {"base_url": mine.base_url}).price == mine.price
        assert resolve("mine", {"base_url": "http://127.0.0.1:9/v1"}).price is None


def test_flags_that_are_not_given_change_nothing() -> None:
    options = {"model": None, "vision": None, "demos": None, "retries": 3, "cache": "somewhere"}
    assert resolve("gpt-6.1-sol", options) == presets()["gpt-6.1-sol"]


def test_a_demonstration_less_than_one_is_a_choice_too() -> None:
    expected = replace(presets()["llama"], demos=0, temperature=0.5)
    assert resolve("llama", {"demos": 0, "temperature": 0.5}) == expected


def test_a_set_of_prompts_is_chosen_like_any_other_option() -> None:
    assert resolve("gpt-4o", {"prompts": "turkingbench"}).prompts == "turkingbench"
    with pytest.raises(WrongPreset, match="prompts 'theirs' is none of harness, turkingbench"):
        resolve("gpt-4o", {"prompts": "theirs"})


def test_another_model_brings_its_own_price_context_and_life() -> None:
    preset = resolve("gpt4v", {"model": "gpt-4.1"})
    assert (preset.model, preset.encoding, preset.demos) == ("gpt-4.1", "full", 7)
    assert (preset.price, preset.context) == (price_of("openai", "gpt-4.1"), 1_000_000)
    assert preset.retirement == presets()["gpt-4.1"].retirement


def test_another_model_that_reasons_takes_no_temperature_and_writes_its_thoughts() -> None:
    preset = resolve("gpt4v", {"model": "gpt-6.1-sol"})
    assert (preset.temperature, preset.max_output_tokens) == (None, presets()["gpt-6.1-sol"].max_output_tokens)
    assert resolve("gpt4v", {"model": "gpt-6.1-sol", "max_output_tokens": 500}).max_output_tokens == 500
    assert resolve("gpt4v", {"model": "gpt-4.1"}).temperature == 1.0


def test_a_model_that_nobody_knows_has_neither_price_nor_context() -> None:
    preset = resolve("gpt-4o", {"model": "my-own"})
    assert (preset.price, preset.context, preset.pictures, preset.note) == (None, None, None, "")


def test_any_file_as_the_local_model_is_free() -> None:
    preset = resolve("local", {"model": "some.gguf"})
    assert preset.price is not None
    assert preset.price.free


def test_longer_replies_leave_less_room_for_the_request() -> None:
    preset = resolve("llama2", {"max_output_tokens": 1_000})
    assert preset.max_input_tokens == 3_096


def test_no_vision_sends_no_pictures() -> None:
    preset = resolve("gpt-4o", {"vision": False})
    assert (preset.modality, preset.screenshot) == ("text", "none")


def test_vision_sends_the_presets_picture_or_the_viewport() -> None:
    assert resolve("gpt-4o", {"vision": True}).screenshot == "marks"
    assert resolve("gpt-4o-mini", {"vision": True}).screenshot == "viewport"


@pytest.mark.parametrize(
    ("name", "chosen", "complaint"),
    [
        (
            "gpt4-text",
            {"vision": True, "retired_anyway": True},
            "gpt-4-turbo-preview takes no pictures; use --no-vision or another --model",
        ),
        ("gpt-4o", {"protocol": "fields"}, "protocol 'fields' is none of field, form"),
        ("gpt-4o", {"output": "json"}, "output 'json' is none of text, tools"),
        ("gpt-4o", {"demos": -1}, "cannot be negative"),
        ("gpt-4o", {"max_output_tokens": 0}, "must be 1 at least"),
        ("llama2", {"max_input_tokens": 4_000}, "--max-input-tokens 4000 .*are more than the 4096 tokens"),
        ("gpt-4o", {"vision": False, "encoding": "none"}, "sees nothing; choose an --encoding"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_way_out(name: str, chosen: dict[str, Any], complaint: str) -> None:
    with pytest.raises(WrongPreset, match=complaint):
        resolve(name, chosen)


def test_an_unknown_name_is_answered_with_the_nearest_and_all() -> None:
    with pytest.raises(UnknownPreset, match=r"no preset 'gpt-4v'\. Did you mean 'gpt4v'\? Known: gpt4v, .*local"):
        resolve("gpt-4v", {})


# ---- the table for people ------------------------------------------------------------------------------------------


def test_the_table_has_a_line_for_each_preset() -> None:
    head, *lines = list_table().splitlines()
    assert head.startswith("PRESET")
    assert [line.split()[0] for line in lines] == list(presets())
    assert all(len(line) < 170 for line in lines)


def test_the_table_tells_the_models_that_are_asked_today_and_their_prices() -> None:
    by_name = {line.split()[0]: line for line in list_table().splitlines()}
    assert by_name["gpt4v"].split()[1:3] == ["openai:", "gpt-6.1-sol"]
    assert by_name["gpt4v"].endswith("2 in, 10 out          its own retired 2024-12-06")
    assert by_name["claude"].endswith("2 in, 10 out")
    assert by_name["qwen-vl"].endswith("unknown")
    assert by_name["local"].endswith("free")


def test_a_remark_stands_at_the_end_of_a_presets_line() -> None:
    lines = list_table(["gpt4v", "claude"], {"gpt4v": "Table 4", "claude": "first"}).splitlines()
    assert lines[1].endswith("its own retired 2024-12-06; Table 4")
    assert lines[2].split()[-1] == "first"


def test_the_table_can_be_of_some_presets() -> None:
    assert len(list_table(["gpt4v", "local"]).splitlines()) == 3


# ---- mistakes in the file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"provider": "openai"}, "model"),
        ({"model": "gpt-4o", "provider": "openai", "max_output_tokens": 9, "demo": 1}, "demo"),
    ],
)
def test_a_mistake_in_the_file_names_the_preset(
    record: dict[str, Any], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_file", lambda: {"presets": {"mine": record}, "price": {}})
    with pytest.raises(WrongPreset, match=f"presets.toml, preset mine: .*{complaint}"):
        module._presets.__wrapped__(date(2026, 1, 1))


def test_numbers_of_the_file_are_exact() -> None:
    price = presets()["claude-haiku"].price
    assert price is not None
    assert price.rates.cached == Decimal("0.01")
