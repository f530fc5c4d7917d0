"""Websites, as a kind of task: one is walked through towards a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.catalog.problems import CatalogError
from harness.records.config import RunConfig
from harness.run.task_kind import PlayerSetup, ReplaySetup, TaskKind
from harness.scoring.scores import InstanceScore, score_site

if TYPE_CHECKING:
    from harness.actions.signature import ActionSpec
    from harness.analysis.site_results import SiteResults
    from harness.browser.browser_choice import NavigationPolicy
    from harness.catalog.mirror.outside import Outside
    from harness.catalog.task import Instance, Task
    from harness.records.config import ActionSetName, InputName
    from harness.records.episode import Episode, Outcome
    from harness.records.results import Results
    from harness.run.task_kind import KindSummary
    from harness.scoring.evaluators.text_match import MeaningJudge
    from harness.scoring.metrics import Profile
    from harness.scoring.scored_kind import KindTally
    from harness.sites.site_labels import SiteLabelSide
    from harness.sites.site_player import SitePlayer
    from harness.sites.site_replaying import SiteReplay


class Sites(TaskKind):
    """See ``TaskKind``."""

    plural = "websites"
    protocol = "goal"
    """Goal and address; and, where its run is attended, a person's answers."""
    sets_sites = True
    has_profiles = False
    unscored = "the score is not known"
    published = ("kind", "judge", "actions", "seeds")

    def check(self, config: RunConfig, task: Task | None = None) -> None:
        """See ``TaskKind``."""
        self.check_input(config.input)
        if config.metrics != RunConfig.metrics:
            raise CatalogError(
                "--metrics: websites are scored by their tasks' evaluators, not by a profile; leave it out."
            )
        if config.cube and config.seeds != 1:
            raise CatalogError("--seeds: the seeds of --cube are its own: leave it out.")
        if config.server:
            raise CatalogError("--server: tasks on websites need a task server of the run's own; leave it out.")
        if config.attended and not {"ask_user", "user_input"} & self.actions(config.actions).keys():
            from harness.episode.action_sets import USUAL  # noqa: PLC0415

            raise CatalogError(
                f"--attended: of --actions {config.actions or USUAL['site']} none asks the user; give --actions "
                "autowebglm or --actions all, or leave it out."
            )
        if task and task.site and not task.site.site and config.network != "live":
            raise CatalogError(f"{task.name!r} is on the web, which only --network live reaches.")

    def check_task(self, config: RunConfig, task: Task) -> None:
        """See ``TaskKind``."""
        if config.options.get("reference") == "written":
            from harness.catalog.golden_reference import golden_reference, written_reference  # noqa: PLC0415

            for each in task.instances:
                written_reference(task.folder, golden_reference(task.site_of(each), task.trace_of(each)))

    def check_input(self, name: InputName) -> None:
        """See ``TaskKind``."""
        if name == "webdriver":
            raise CatalogError(f"--input {name} knows one page, and tasks on websites have tabs: leave it out.")

    def actions(self, name: ActionSetName | None) -> Mapping[str, ActionSpec]:
        """See ``TaskKind``."""
        from harness.episode.action_sets import actions_of  # noqa: PLC0415

        return actions_of(name)

    @property
    def all_actions(self) -> Mapping[str, ActionSpec]:
        """See ``ScoredKind``."""
        from harness.episode.pointer_actions import POINTER_ACTIONS  # noqa: PLC0415
        from harness.episode.site_actions import SITE_ACTIONS  # noqa: PLC0415

        return {**SITE_ACTIONS, **POINTER_ACTIONS}

    def unreachable(self, task: Task, config: RunConfig) -> str:
        """See ``TaskKind``."""
        from harness.run.selection import ON_THE_WEB  # noqa: PLC0415

        is_outside = bool(task.site and not task.site.site)
        return ON_THE_WEB if is_outside and config.network != "live" and not config.cube else ""

    def is_answered(self, instance: Instance) -> bool:
        """See ``TaskKind``: the task itself has what it is judged by."""
        return True

    def site_of(self, task: Task) -> tuple[str, str] | None:
        """See ``TaskKind``."""
        return (task.site.site, task.site.variant) if task.site and task.site.site else None

    def reach(self, task: Task) -> tuple[tuple[str, ...], bool]:
        """See ``TaskKind``."""
        return (task.site.origins, bool(task.site.site)) if task.site else ((), False)

    def policy(self, task: Task, server: str) -> NavigationPolicy:
        """See ``TaskKind``."""
        from harness.run.plan import site_policy  # noqa: PLC0415

        origins, bundled = self.reach(task)
        return site_policy(origins, server, bundled=bundled)

    def label_side(
        self, config: RunConfig, key: str, text: Callable[[str], str | None], outside: Outside
    ) -> SiteLabelSide:
        """See ``TaskKind``."""
        from harness.sites.site_labels import SiteLabelSide  # noqa: PLC0415

        return SiteLabelSide(config, key, text)

    def ended(self, folder: Path, task: str, index: int) -> None:
        """See ``TaskKind``."""
        from harness.records.lost_attempts import SavedMoments  # noqa: PLC0415

        SavedMoments(folder, task, index).forget()

    def player(self, setup: PlayerSetup) -> SitePlayer:
        """See ``TaskKind``."""
        from harness.sites.site_player import SitePlayer  # noqa: PLC0415

        return SitePlayer(setup)

    def refusal(self, task: Task, *, live: bool) -> str:
        """See ``TaskKind``."""
        if task.site and not task.site.site and not live:
            return "its website is on the web, which only --network live reaches"
        return ""

    def replay(self, setup: ReplaySetup) -> SiteReplay:
        """See ``TaskKind``."""
        from harness.sites.site_replaying import SiteReplay  # noqa: PLC0415

        return SiteReplay(setup)

    def score(self, episode: Episode, profile: Profile) -> InstanceScore:
        """See ``ScoredKind``: its main evaluator's, whatever the profile."""
        assert episode.site  # noqa: S101 - of this kind are episodes that have it
        return score_site(episode, episode.site)

    def was_played(self, episode: Episode) -> bool:
        """See ``ScoredKind``."""
        return episode.site is not None

    def has_acted(self, episode: Episode) -> bool:
        """See ``ScoredKind``."""
        return episode.site is not None and any(moment.kind == "acted" for moment in episode.site.moments)

    def scored_by(self, profile: str) -> str:
        """See ``ScoredKind``."""
        return "evaluators of websites"

    def tally(self) -> KindTally:
        """See ``ScoredKind``."""
        from harness.analysis.site_results import SiteTally  # noqa: PLC0415

        return SiteTally()

    def judged(self, episode: Episode, text: Callable[[str], str | None], judge: MeaningJudge) -> Episode:
        """See ``ScoredKind``."""
        from harness.scoring.evaluators.evaluate import evaluate  # noqa: PLC0415

        if episode.site is None:
            return episode
        site = replace(episode.site, evaluations=evaluate(episode.site, text, judge))
        is_scored = site.main is not None and site.main.score is not None
        return replace(episode, site=site, outcome=_end(episode) if is_scored else episode.outcome)

    def is_unknown(self, episode: Episode) -> bool:
        """See ``ScoredKind``."""
        return episode.site is not None and any(each.score is None for each in episode.site.evaluations)

    def groups(self, episode: Episode) -> Mapping[str, str]:
        """See ``ScoredKind``."""
        from harness.analysis.site_groups import site_words  # noqa: PLC0415

        return site_words(episode, episode.site) if episode.site else super().groups(episode)

    def words(self, episode: Episode) -> Iterable[str]:
        """See ``ScoredKind``: its goal, its answer and where it went."""
        if site := episode.site:
            yield from (site.task.goal, site.answer or "")
            yield from dict.fromkeys(moment.url for moment in site.moments)

    def submitted(self, episode: Episode) -> Sequence[Any]:
        """See ``ScoredKind``."""
        site = episode.site
        return [site.answer, [(each.evaluator, each.score) for each in site.evaluations]] if site else []

    def summary(self, results: Results, found: SiteResults | None) -> KindSummary:
        """See ``TaskKind``."""
        from harness.reports.site_tables import site_summary  # noqa: PLC0415

        return site_summary(results, found)

    def awaits_judge(self, episode: Episode) -> bool:
        """See ``ScoredKind``."""
        return episode.site is not None and episode.site.awaits_judge

    def instruction(self, episode: Episode) -> str:
        """See ``ScoredKind``."""
        return episode.site.task.goal if episode.site else ""

    def answer(self, episode: Episode) -> str | None:
        """See ``ScoredKind``."""
        return episode.site.answer if episode.site else None


def _end(episode: Episode) -> Outcome:
    """How an episode ended that was ``unscored`` for want of a score."""
    if episode.outcome != "unscored":
        return episode.outcome
    return "limit" if episode.limit else "agent_error" if episode.detail else "scored"


SITES = Sites()
