"""What a run does when its last episode has ended: a judge compares by meaning what nobody else could."""

from __future__ import annotations

from collections.abc import Callable

from harness.analysis.judged_episodes import JUDGE_FOLDER, judge_episodes
from harness.evaluators.judge import open_judge
from harness.files.writing import cache_folder
from harness.runlog.directory import RunDirectory
from harness.text.numbers import counted


def judge_run(run: RunDirectory, name: str, note: Callable[[str], None]) -> None:
    """Evaluate again, in their place, the episodes that have no score for want of a judge.

    Nothing that is known already is asked again: a run that was interrupted meanwhile can be gone on with.

    Args:
        run: The run directory.
        name: The preset of the judge's model.
        note: Is told what came of it.

    Raises:
        harness.models.presets.UnknownPreset: there is none of that name.
        harness.runlog.fatal.CannotWrite: an episode cannot be written.
    """
    judge = open_judge(name, run.folder / JUDGE_FOLDER, cache_folder() / JUDGE_FOLDER)
    judged, unknown = judge_episodes(run, judge)
    if judged or unknown:
        left = f"; of {counted(unknown, 'episode')} it could not tell all" if unknown else ""
        note(f"{name} has judged {counted(judged, 'episode')}{left}")
