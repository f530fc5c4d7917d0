"""The scripts of ``examples/training``, as far as they can be looked at without the packages that train models."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.checkout import PROJECT

FOLDER = PROJECT / "examples" / "training"
ASKED = re.compile(r"""settings\[["'](\w+)["']\]""")


@pytest.mark.parametrize(
    "scripts", [("sft", "training_model"), ("preference", "training_model"), ("rejection",)], ids=lambda names: names[0]
)
def test_a_script_finds_its_settings_in_its_file_and_uses_all_of_them(scripts):
    name = scripts[0]
    texts = [(FOLDER / f"{script}.py").read_text(encoding="utf-8") for script in scripts]
    asked = {each for text in texts for each in ASKED.findall(text)}
    assert asked == set(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def test_what_training_is_told_elsewhere_are_settings_of_it():
    rejection = tomllib.loads((FOLDER / "rejection.toml").read_text(encoding="utf-8"))
    assert rejection["sft"].keys() < tomllib.loads((FOLDER / "sft.toml").read_text(encoding="utf-8")).keys()


def test_preferences_have_the_weights_of_the_paper():
    settings = tomllib.loads((FOLDER / "preference.toml").read_text(encoding="utf-8"))
    assert (settings["sft_weight"], settings["beta"], settings["learning_rate"]) == (0.8, 0.15, 1e-6)
    assert settings["batch"] * settings["accumulate"] == 64
