"""A run that was played, or is still going, as Python sees it: its scores as tables, its episodes one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.records.directory import RunDirectory
from harness.records.texts import unpacked

if TYPE_CHECKING:
    import pandas as pd

    from harness.analysis.scored_run import ScoredRun
    from harness.records.episode import Episode
    from harness.records.run_record import RunStatus
    from harness.records.turn import Turn


class Run:
    """A run directory, read.

    Its tables are read when they are first asked for, and kept; make another ``Run`` of a run that goes on.

    Args:
        folder: The run directory.

    Attributes:
        folder: The same.

    Raises:
        UserError: it is none, or this version does not read it.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self._directory = RunDirectory(self.folder)
        self._record = self._directory.read()

    @property
    def solver(self) -> str:
        """The solver's name."""
        return self._record.config.solver

    @property
    def status(self) -> RunStatus:
        """``running``; ``complete``; ``incomplete`` (instances without a score); ``interrupted``."""
        return self._record.status

    @property
    def config(self) -> dict[str, Any]:
        """What was asked, as ``run.json`` has it; docs/reference/run-directory.md says what each key means."""
        config: dict[str, Any] = plain(self._record.config)
        return config

    @property
    def score(self) -> float | None:
        """The headline: the mean over tasks, between 0 and 1. None if nothing was earned, or nothing is known."""
        results = self._record.results
        return results.overall.score if results else None

    @property
    def scores(self) -> pd.DataFrame:
        """A row an episode, sorted by task and index.

        Returns:
            Columns ``task``, ``index``, ``id``, ``split``, ``outcome``; ``score`` (between 0 and 1) and what it is held
            against: ``ceiling``, ``do_nothing``, ``constant``, ``copy``; ``steps``, ``failed`` (actions), ``seconds``,
            ``cost`` (US dollars), ``input_tokens``, ``output_tokens``, ``turns``. NaN is what is not known.
        """
        return self._scored.instances.loc[:, _EPISODE_COLUMNS]

    @property
    def field_scores(self) -> pd.DataFrame:
        """A row a scored field, sorted likewise; a website has none.

        Returns:
            Columns ``task``, ``index``, ``name``, ``kind``, ``score``, ``ceiling``, ``do_nothing``, ``constant``,
            ``copy``, ``labels`` (how many are not empty).
        """
        fields, instances = self._scored.fields, self._scored.instances
        place = instances.loc[fields["instance"], ["task", "index"]].reset_index(drop=True)
        return place.join(fields.loc[:, _FIELD_COLUMNS].reset_index(drop=True))

    def episodes(self) -> Iterator[Episode]:
        """Its episodes, read one at a time, by task and index: steps, turns, what the form sent.

        Raises:
            UserError: one of them cannot be read.
        """
        return self._directory.episodes()

    def request_of(self, turn: Turn) -> Any:
        """What a model was sent in a turn of one of its episodes, as JSON; pictures by their SHA-256.

        Args:
            turn: Of ``Episode.turns``.

        Raises:
            UserError: it is not there any more, or damaged.
        """
        try:
            return unpacked(self._directory.texts, turn.sent)
        except (OSError, ValueError) as error:
            raise UserError(f"{self._directory.texts}: what was sent cannot be read: {error}") from error

    def summary(self) -> str:
        """The tables that the command prints at its end."""
        from harness.reports.run_summary import summary_table  # noqa: PLC0415 - who asks for scores does without

        return summary_table(self._record)

    def __repr__(self) -> str:
        score = "no score" if self.score is None else f"score {100 * self.score:.1f}"
        return f"<Run {self.folder}: {self.solver}, {self.status}, {score}>"

    @cached_property
    def _scored(self) -> ScoredRun:
        from harness.analysis.scored_run import read_scored  # noqa: PLC0415 - pandas

        return read_scored(self.folder)


_MEASURES = ["score", "ceiling", "do_nothing", "constant", "copy"]
_EFFORT = ["steps", "failed", "seconds", "cost", "input_tokens", "output_tokens", "turns"]
_EPISODE_COLUMNS = ["task", "index", "id", "split", "outcome", *_MEASURES, *_EFFORT]
_FIELD_COLUMNS = ["name", "kind", *_MEASURES, "labels"]


def load_run(folder: Path | str) -> Run:
    """A run that is there.

    Args:
        folder: The run directory.

    Raises:
        UserError: it is none, or this version does not read it.
    """
    return Run(folder)
