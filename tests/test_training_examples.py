"""The scripts of ``examples/training``, as far as they can be looked at without the packages that train models."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.checkout import PROJECT

FOLDER = PROJECT / "examples" / "training"
ASKED = re.compile(r"""settings\[["'](\w+)["']\]""")


@pytest.mark.parametrize("name", ["sft", "preference"])
def test_a_script_finds_its_settings_in_its_file_and_uses_all_of_them(name):
    scripts = [f"{name}.py", "training_model.py"]
    asked = {each for script in scripts for each in ASKED.findall((FOLDER / script).read_text(encoding="utf-8"))}
    assert asked == set(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def test_preferences_have_the_weights_of_the_paper():
    settings = tomllib.loads((FOLDER / "preference.toml").read_text(encoding="utf-8"))
    assert (settings["sft_weight"], settings["beta"], settings["learning_rate"]) == (0.8, 0.15, 1e-6)
    assert settings["batch"] * settings["accumulate"] == 64
