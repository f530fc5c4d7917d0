"""A small stand-in for MiniWoB++, in words of its own, and the real one where it is installed or was fetched."""

from __future__ import annotations

import importlib.util
import zipfile
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE
from harness.cli.commands.tasks.sets import main
from harness.datasets.tasksets import DATASETS, Manifest
from tests.needs import LACK

MISSING = f"{LACK}the package miniwob: pip install --no-deps miniwob==1.1.0"

# What pages and the server's script need of the real one.
CORE = """
var WOB_DONE_GLOBAL = false, WOB_RAW_REWARD_GLOBAL = 0;
var core = { EPISODE_MAX_TIME: 50, cover_div: null, timer: null };
core.QueryString = Object.fromEntries(new URLSearchParams(location.search));
Math.seedrandom = (seed) => {
  let last = 7;
  for (const letter of seed) last = (last * 31 + letter.charCodeAt(0)) % 9973;
  Math.random = () => (last = (last * 137 + 11) % 9973) / 9973;
};
const make = (tag, id) => Object.assign(document.body.appendChild(document.createElement(tag)), { id });
core.hideDisplay = () => { document.getElementById("reward-display").style.display = "none"; };
core.countdownTimer = () => { make("p", "clock"); };
core.getUtterance = () => document.getElementById("query").textContent.trim();
core.startEpisode = () => {
  if (!core.cover_div) {
    make("canvas", "click-canvas");
    make("div", "reward-display").textContent = "Last reward: -";
    core.cover_div = make("div", "cover");
    core.cover_div.textContent = "START";
    core.cover_div.onclick = () => core.startEpisodeReal();
  }
  core.cover_div.style.display = "block";
};
core.startEpisodeReal = () => {
  genProblem();
  WOB_DONE_GLOBAL = false;
  core.cover_div.style.display = "none";
  core.countdownTimer();
  core.timer = setTimeout(() => core.endEpisode(-1), core.EPISODE_MAX_TIME);
};
core.endEpisode = (reward) => {
  if (core.timer === null) return;
  clearTimeout(core.timer);
  core.timer = null;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_DONE_GLOBAL = true;
  document.getElementById("reward-display").textContent = "Last reward: " + reward;
  core.startEpisode();
};
"""
PAGE = """<!DOCTYPE html><html><head><title>Buttons</title><script src="../core/core.js"></script><script>
core.EPISODE_MAX_TIME = 60;
var genProblem = () => {
  document.getElementById("query").textContent = "Press " + Math.floor(Math.random() * 1e6) + " or not.";
};
window.onload = () => core.startEpisode();
</script></head><body><div id="query"></div>
<button id="right" onclick="core.endEpisode(1)">right</button>
<button id="part" onclick="core.endEpisode(0.5)">part</button>
<button id="wrong" onclick="core.endEpisode(-1)">wrong</button>
<button id="nothing">nothing</button></body></html>
"""
FILES = {
    "miniwob/html/miniwob/buttons.html": PAGE,
    "miniwob/html/miniwob/click-test.html": PAGE,
    "miniwob/html/core/core.js": CORE,
    "miniwob/html/common/words.js": "var words = 'ä';\n",
    "miniwob/environment.py": "raise RuntimeError('this is neither kept nor run')\n",
    "miniwob-1.1.0.dist-info/licenses/LICENSE": "Do what you like.\n",
}


def installed(folder: Path) -> Path:
    """Write the stand-in as an installed package has it; returns the folder of packages."""
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def wheel(file: Path) -> Path:
    """Write the stand-in as a wheel."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in FILES.items():
            archive.writestr(path, text)
    return file


def fetch_stand_in(folder: Path) -> None:
    """Fetch the stand-in into the cache, as a copy of which nobody knows what it is."""
    main(["fetch", "miniwob", "--from", str(installed(folder / "site-packages"))])


def fetch_real() -> None:
    """Fetch the real pages into the cache from where they are on this machine; skip where they are not."""
    spec = importlib.util.find_spec("miniwob")
    if spec is None or spec.origin is None:
        pytest.skip(MISSING)
    if main(["fetch", "miniwob", "--from", str(Path(spec.origin).parents[1])]) != COMPLETE:
        pytest.skip(MISSING)


def kept() -> Manifest:
    """What was fetched."""
    return Manifest.read(DATASETS["miniwob"])
