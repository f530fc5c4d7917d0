"""The trajectories of a run, or of a folder in Online-Mind2Web's layout, as judges are given them.

Of a run the pictures are those of its films: as the page opened, and after each step. What a judge needs and a run does
not have is not made up: a run without films has no pictures.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.actions.result import Step
from harness.kit.errors import UserError
from harness.kit.text import counted, shorten
from harness.records.directory import RUN_FILE, RunDirectory
from harness.records.episode import Episode
from harness.records.film import FILMS, Film
from harness.records.verdict import JudgedRun
from harness.scoring.evaluators.page_tree import PageTree, UnreadableTree
from harness.scoring.judges.judgements import JudgedTrajectory
from harness.scoring.judges.result_folders import ResultFolders, read_result_folders

LONGEST_VALUE = 1_000
"""Characters of a value; of a longer one the beginning is told."""
_WORDS: Mapping[str, str] = {
    "click_element": "CLICK",
    "hover_element": "HOVER",
    "fill": "TYPE",
    "fill_search": "TYPE AND PRESS ENTER",
    "select_option": "SELECT",
    "modify_text": "TYPE",
    "modify_radio": "SELECT",
    "modify_select": "SELECT",
    "modify_checkbox": "CHECK",
    "modify_range": "SET",
}
"""Actions whose first argument is the element, and the second, if there is one, the value."""
_NO_ACTION = frozenset({"get_html", "capture_screen", "wait_till_loaded", "maximize", "finish"})
"""They look, and change nothing; or they tell the answer, which judges are given apart, or not at all."""
_CALL = re.compile(r"(\w{1,60})\((.*)\)", re.DOTALL)
_ELEMENT = re.compile(r"\[[0-9]{1,9}\] <([\w-]{1,60})>(?: (\"(?:[^\"\\]|\\.){0,300}\"))?")
"""How the messages of actions call an element: ``[13] <a> "Members"``."""


def action_history(steps: Sequence[Step]) -> tuple[str, ...]:
    """The actions of an episode, in order, each on one line; those that only look are left out, and the answer.

    Args:
        steps: Of the episode.
    """
    return tuple(_told(step) for step in steps if _name(step) not in _NO_ACTION)


def is_action(step: Step) -> bool:
    """Whether the action history tells of a step."""
    return _name(step) not in _NO_ACTION


def _name(step: Step) -> str:
    return step.action.partition("(")[0]


def _told(step: Step) -> str:
    name, arguments = _read(step.action)
    if name in _WORDS and arguments:
        said = f"{_element(step, arguments[0])} -> {_WORDS[name]}{_value(arguments[1:])}"
    elif name:
        said = f"{name.replace('_', ' ').upper()}{_value(arguments)}"
    else:
        said = shorten(step.action, LONGEST_VALUE)
    return said if step.ok else f"{said} (not done: {step.code or 'failed'})"


def _element(step: Step, given: object) -> str:
    """The element as the action's message calls it, else as the action does: by the name of a field, or its number."""
    if found := _ELEMENT.search(step.message):
        return f"<{found[1]} {found[2]}>" if found[2] else f"<{found[1]}>"
    return f"<element {given}>" if isinstance(given, int) else f"<{shorten(str(given), LONGEST_VALUE)}>"


def _value(arguments: Sequence[object]) -> str:
    told = [shorten(" ".join(str(each).split()), LONGEST_VALUE) for each in arguments if each is not None]
    return f": {', '.join(told)}" if told else ""


def _read(action: str) -> tuple[str, Sequence[object]]:
    """The name and the arguments of an action's text; no name if it is none. Nothing in it is executed."""
    call = _CALL.fullmatch(action)
    if not call:
        return "", ()
    try:
        arguments = ast.literal_eval(f"[{call[2]}]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "", ()
    return call[1], arguments


FORM_TASK = (
    "Do the crowdsourcing task {task!r} that the page shows: follow its instructions, fill in its form, and leave "
    "nothing out that it asks for."
)
"""What is told of a form's task: the page says the rest, and the pictures show it."""


class NothingToJudge(UserError):
    """A folder holds no trajectory; the message says which, and what to do."""


@dataclass(frozen=True)
class Trial:
    """A trajectory and whose it is.

    Attributes:
        task: The task.
        index: The instance's place in its table.
        id: The instance's id; empty where there is none.
        trajectory: What a judge is given.
    """

    task: str
    index: int
    id: str
    trajectory: JudgedTrajectory

    @property
    def place(self) -> tuple[str, int]:
        """Task and index."""
        return self.task, self.index

    def digest(self) -> str:
        """SHA-256 of all that a judge may be given: equal digests mean that it was the same."""
        seen = self.trajectory
        said = [seen.task, seen.actions, seen.thoughts, seen.answer, seen.pictures, seen.page]
        return hashlib.sha256(json.dumps(said).encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class Trials:
    """What there is to judge.

    Attributes:
        run: The run, or what stands for it of a folder of others.
        trials: The trajectories.
        problems: Why others cannot be judged, a line each.
    """

    run: JudgedRun
    trials: tuple[Trial, ...]
    problems: tuple[str, ...] = ()


def read_trials(folder: Path, *, pages: bool = False) -> Trials:
    """The trajectories in a folder.

    Args:
        folder: A run directory, or a folder of result folders.
        pages: Whether to read the words of the last page, too, which a rule looks at.

    Raises:
        NothingToJudge: it holds none.
        UserError: it cannot be read.
    """
    if not folder.is_dir():
        raise NothingToJudge(f"{folder} is no folder: name a run, or a folder of results in Online-Mind2Web's layout")
    found = _of_run(RunDirectory.open(folder), pages) if (folder / RUN_FILE).exists() else _of_folders(folder)
    if not found.trials:
        why = f": {found.problems[0]}" if found.problems else ""
        raise NothingToJudge(f"{folder} holds no trajectory that can be judged{why}")
    return found


def read_trajectories(folder: Path) -> ResultFolders:
    """The same without whose they are, for what is written as result folders.

    Args:
        folder: A run directory, or a folder of result folders.

    Raises:
        NothingToJudge: a run holds none.
        UserError: it cannot be read.
    """
    if not (folder / RUN_FILE).exists():
        return read_result_folders(folder)
    found = read_trials(folder)
    return ResultFolders(tuple(each.trajectory for each in found.trials), found.problems)


def _of_run(run: RunDirectory, pages: bool) -> Trials:
    trials, problems = [], []
    for episode in run.episodes():
        where = f"{episode.task}, instance {episode.index}"
        if episode.outcome == "harness_error" or episode.answered_by == "workers":
            problems.append(f"{where}: nobody worked on it")
            continue
        if episode.unseen:
            problems.append(f"{where}: its solver worked past the action library, so that no actions are recorded")
            continue
        trajectory = trajectory_of(run, episode, pages=pages)
        trials.append(Trial(episode.task, episode.index, episode.id, trajectory))
    return Trials(JudgedRun.of(run.read()), tuple(trials), tuple(problems))


def _of_folders(folder: Path) -> Trials:
    found = read_result_folders(folder)
    ids = "\n".join(each.task_id for each in found.trajectories)
    # There is no record of the run: the folder's name stands for the agent, as in the public layout.
    run = JudgedRun(
        solver=folder.resolve().name, started="", task_set="", sample=hashlib.sha256(ids.encode()).hexdigest()
    )
    return Trials(run, tuple(Trial(each.task_id, 0, "", each) for each in found.trajectories), found.problems)


def trajectory_of(run: RunDirectory, episode: Episode, *, pages: bool = False) -> JudgedTrajectory:
    """The trajectory of an episode.

    Args:
        run: Its run.
        episode: The episode.
        pages: Whether to read the words of the last page, too.

    Raises:
        harness.records.record_file.NotARun: its film cannot be read.
    """
    film = run.film(episode.task, episode.index)
    site = episode.site
    return JudgedTrajectory(
        task_id=f"{episode.task}/{episode.index}",
        task=site.task.goal if site else FORM_TASK.format(task=episode.task),
        actions=action_history(episode.steps),
        folder=run.folder / FILMS / "pictures",
        pictures=tuple(frame.picture for frame in film.frames if frame.picture) if film else (),
        missing=tuple(_missing(film)),
        thoughts=_thoughts(episode),
        answer=site.answer if site else None,
        page=_last_page(run, episode) if pages else None,
    )


def _missing(film: Film | None) -> Iterator[str]:
    """Frames of which no picture could be taken, by their place in the film, and those that it had no room for."""
    for number, frame in enumerate(film.frames if film else ()):
        if not frame.picture:
            yield f"frame {number}"
    if film and film.left_out:
        yield f"{counted(film.left_out, 'frame')} after the last"


def _thoughts(episode: Episode) -> tuple[str | None, ...]:
    """What was thought before each action that the history tells of; nothing if no turn tells a thought.

    A turn's thought is what the model thought, where that is told apart, else what it wrote; it stands at the first
    action that came of it.
    """
    told: list[str | None] = [None] * len(episode.steps)
    for turn in episode.turns:
        first, end = turn.steps
        thought = (turn.thought or turn.reply).strip()
        place = next((place for place in range(first, min(end, len(told))) if is_action(episode.steps[place])), None)
        if place is not None and thought:
            told[place] = thought
    thoughts = tuple(told[place] for place, step in enumerate(episode.steps) if is_action(step))
    return thoughts if any(thoughts) else ()


def _last_page(run: RunDirectory, episode: Episode) -> str | None:
    """The words of the last page that was acted on, and what its fields were given, with the address in the end."""
    site = episode.site
    moment = next((each for each in reversed(site.moments) if each.dom), None) if site else None
    text = run.text(moment.dom) if moment else None
    if site is None or moment is None or text is None:
        return None
    try:
        tree = PageTree.read(text)
    except UnreadableTree:
        return None
    shown = [
        piece
        for element in tree.root.iter()
        if element.tag not in ("script", "style")
        for piece in (element.text, element.get("value"), element.tail)
        if piece
    ]
    written = [
        each.element.value
        for each in site.moments
        if each.url == moment.url and each.element and each.element.value is not None
    ]
    return " ".join(" ".join([site.moments[-1].url, *shown, *written]).split())
