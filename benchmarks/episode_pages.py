"""What the page of an episode with a film of 50 steps takes, in a large run all of whose episodes have a film."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from benchmarks.processes import processor_seconds
from benchmarks.setting import Setting
from benchmarks.synthetic import SIZE, TARGET, film_run, noise, write_run
from benchmarks.watching import ROUNDS, answer_times, served_runs
from harness.actions.result import Step
from harness.catalog import Catalog
from harness.kit.text import aligned
from harness.models.messages import Message, Request, Text, Usage
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import Film, Frame, picture_name
from harness.records.texts import packed
from harness.records.turn import Turn

STEPS = 50
_RULES, _PAGE = "A rule of the work, told each time. " * 100, "A line of the page as the model was shown it.\n" * 200


def measure(setting: Setting) -> str:
    """The figures as a table."""
    with tempfile.TemporaryDirectory() as scratch:
        runs = Path(scratch) / "runs"
        write_run(Catalog(setting.tasks_dir), runs / "large", setting.episodes)
        film_run(RunDirectory(runs / "large"))
        place = film_one(RunDirectory(runs / "large"))
        address = f"/runs/large/episode/{quote(place.parent.name)}/{place.stem}/"
        with served_runs(runs, Path(scratch) / "cache") as (port, pid):
            answer_times(port, address)
            before = processor_seconds(pid)
            times = answer_times(port, address)
            spent = processor_seconds(pid) - before
    heading = ["page of an episode: steps", "ms at the median", "ms at most", "ms of the processor"]
    return aligned([heading, [str(STEPS), *times, f"{1000 * spent / ROUNDS:.0f}"]])


def film_one(run: RunDirectory) -> Path:
    """Give the first episode of a run a turn and a frame for each of ``STEPS`` steps; gives its file."""
    file = min((run.folder / "episodes").glob("*/*.json"))
    texts: dict[str, str] = {}
    turns, steps = [], []
    for place in range(STEPS):
        name, more = packed(_request(place).to_json())
        texts |= more
        usage = Usage(3_000, 40)
        call = f"modify_text('field {place}', 'an answer')"
        turns.append(Turn(sent=name, reply=call, calls=(call,), steps=(place, place + 1), usage=usage, cost=0.01))
        steps.append(Step(call, ok=True, message="the field holds 'an answer'", ms=20.0))
    plain: Episode = next(each for each in run.episodes() if run.episode_file(each.task, each.index) == file)
    run.add(replace(plain, turns=tuple(turns), steps=tuple(steps)), {}, texts)
    picture = noise()
    name = picture_name(picture, "webp")
    frames = [Frame(step=place, picture=name, size=SIZE, target=TARGET) for place in range(STEPS)]
    film = Film(frames=(Frame(picture=name, size=SIZE), *frames))
    run.write_film(plain.task, plain.index, film, {name: picture})
    return file


def _request(place: int) -> Request:
    told = (Message("system", (Text(_RULES),)), Message("user", (Text(f"{_PAGE}Now field {place}."),)))
    return Request("a model", told)
