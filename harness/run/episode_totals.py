"""What all episodes of a run together tell beside its scores."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from harness.analysis.endings import Endings
from harness.browser.form.inventory import fingerprint
from harness.catalog.mirror.outside import Network
from harness.records.agent_report import ReportedTotals
from harness.records.budgets import OF_THE_RUN
from harness.records.results import RunTime
from harness.records.run_record import MissedOutside, RunRecord
from harness.scoring.scored_kind import KindTally, kind_of
from harness.scoring.scores import InstanceScore


class WallClock:
    """Runs while it is held as a context, on top of what earlier sittings took."""

    def __init__(self, earlier: float | None = 0.0) -> None:
        """Prepare.

        Args:
            earlier: Seconds of earlier sittings; None if they are not known.
        """
        self._earlier = earlier
        self._begun = 0.0
        self._own = 0.0

    @classmethod
    def after(cls, before: RunRecord, last_page: str) -> WallClock:
        """Prepare for the next sitting of a run.

        Args:
            before: Its ``run.json``. Where that tells of no end, its last sitting was killed, and counts until its last
                page.
            last_page: When the last of its episodes was written; empty if there is none, or that is not known.
        """
        earlier = before.time.wall_seconds if before.time else None
        if earlier is None or before.ended:
            return cls(earlier)
        begun = [before.started, *before.resumed][-1]
        try:
            taken = datetime.fromisoformat(last_page or begun) - datetime.fromisoformat(begun)
        except (ValueError, TypeError):  # somebody has edited it
            return cls(None)
        return cls(earlier + max(0.0, taken.total_seconds()))

    def __enter__(self) -> WallClock:
        """Begin the sitting."""
        self._begun = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        """End the sitting."""
        self._own = time.monotonic() - self._begun

    @property
    def seconds(self) -> float | None:
        """Of all sittings that have ended; None if that is not known."""
        return None if self._earlier is None else round(self._earlier + self._own, 3)


class EpisodeTotals:
    """Counts what passes, see ``harness.analysis.episode_pass.Visitor``.

    Attributes:
        outcomes: Outcome -> how many episodes had it.
        served: Model that answered -> in how many episodes.
        out_of_budget: Limit of the run -> how many episodes it ended.
        endings: Why they ended otherwise than by themselves.
        of_kind: What their kind of task counts; None if it counts nothing.
        reported: What their agents say that they spent.
        unjudged: Episodes of which something is not known that is compared by meaning.
        lacking_assets: How many asked in vain for a script, style or font.
        pages: Task, instance id and digest of the fields of each page that could be looked at.
    """

    def __init__(self, folder: Path) -> None:
        """Nothing was counted yet.

        Args:
            folder: The run directory.
        """
        self.outcomes: Counter[str] = Counter()
        self.served: Counter[str] = Counter()
        self.out_of_budget: Counter[str] = Counter()
        self.endings = Endings(folder)
        self.of_kind: KindTally | None = None
        self.reported = ReportedTotals()
        self.unjudged = 0
        self.lacking_assets = 0
        self._model_seconds: list[float] = []
        self.pages: list[tuple[str, str, str]] = []
        self._media: dict[str, list[int]] = {}
        self._assets: Counter[str] = Counter()

    def see(self, score: InstanceScore) -> None:
        """Count an episode."""
        episode = score.episode
        self.outcomes[episode.outcome] += 1
        self.served.update(episode.served)
        self.endings.see(score)
        kind = kind_of(episode)
        self.of_kind = self.of_kind or kind.tally()
        if self.of_kind:
            self.of_kind.see(score)
        if episode.reported:
            self.reported = self.reported.plus(ReportedTotals.of(episode.reported))
        if (waited := episode.model_seconds) is not None:
            self._model_seconds.append(waited)
        if episode.ended_at in OF_THE_RUN:
            self.out_of_budget[episode.ended_at] += 1
        self.unjudged += kind.awaits_judge(episode)
        if episode.page:
            self.pages.append((episode.task, episode.id, episode.page))
        if episode.missing_media:
            self._media.setdefault(episode.task, []).append(episode.index)
        self._assets.update(set(episode.missing_assets))
        self.lacking_assets += bool(episode.missing_assets)

    def merge(self, other: EpisodeTotals) -> None:
        """Take in what another has counted of the episodes that follow."""
        self.outcomes.update(other.outcomes)
        self.served.update(other.served)
        self.out_of_budget.update(other.out_of_budget)
        self.endings.merge(other.endings)
        if self.of_kind and other.of_kind:
            self.of_kind.merge(other.of_kind)
        self.of_kind = self.of_kind or other.of_kind
        self.reported = self.reported.plus(other.reported)
        self.unjudged += other.unjudged
        self._model_seconds += other._model_seconds
        self.pages += other.pages
        for task, indices in other._media.items():
            self._media.setdefault(task, []).extend(indices)
        self._assets.update(other._assets)
        self.lacking_assets += other.lacking_assets

    def in_record(
        self, network: Network, fixed_media: Mapping[str, tuple[str, ...]], wall_seconds: float | None
    ) -> dict[str, Any]:
        """What they tell of their run: attributes of ``RunRecord``.

        Args:
            network: What its pages reached.
            fixed_media: Media that templates of its tasks show themselves and that are not there.
            wall_seconds: That it was at work; None if that is not known.
        """
        return {
            "inventory": fingerprint(self.pages),
            "outside": self.outside(network, fixed_media),
            "pages_lacking_assets": self.lacking_assets,
            "served": dict(sorted(self.served.items())),
            "reported": self.reported if self.reported.episodes else None,
            "time": self.time(wall_seconds),
            "out_of_budget": dict(sorted(self.out_of_budget.items())),
        }

    def time(self, wall_seconds: float | None) -> RunTime:
        """How long the run took.

        Args:
            wall_seconds: That it was at work; None if that is not known.
        """
        pages = self.outcomes.total() - self.outcomes["harness_error"]
        return RunTime(
            wall_seconds=wall_seconds,
            pages=pages,
            pages_per_second=round(pages / wall_seconds, 4) if wall_seconds else None,
            model_seconds=round(math.fsum(self._model_seconds), 3) if self._model_seconds else None,
            model_told=len(self._model_seconds),
        )

    def found(self) -> Any:
        """What their kind of task has counted; None if nothing."""
        return self.of_kind.found() if self.of_kind else None

    def outside(self, network: Network, fixed_media: Mapping[str, tuple[str, ...]]) -> MissedOutside:
        """What pages asked the outside world for in vain; ``fixed_media`` is what their templates show themselves."""
        return MissedOutside(
            network=network,
            instances_without_their_media=sum(map(len, self._media.values())),
            tasks_without_their_media={task: tuple(indices) for task, indices in sorted(self._media.items())},
            missing_assets=dict(sorted(self._assets.items())),
            media_of_templates=dict(sorted(fixed_media.items())),
        )
