"""Forms, as a kind of task: one page whose fields are scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from harness.catalog.problems import CatalogError
from harness.run.task_kind import PlayerSetup, ReplaySetup, TaskKind, WrongActions
from harness.scoring.scores import InstanceScore, score_form

if TYPE_CHECKING:
    from harness.actions.signature import ActionSpec
    from harness.catalog.mirror.outside import Outside
    from harness.catalog.task import Instance, Task
    from harness.forms.form_player import FormLabelSide, FormPlayer
    from harness.forms.form_replaying import FormReplay
    from harness.records.config import ActionSetName, RunConfig
    from harness.records.episode import Episode
    from harness.scoring.metrics import Profile


class Forms(TaskKind):
    """See ``TaskKind``."""

    plural = "forms"
    protocol = "field-names"
    """The page and the names of its answer fields (TurkingBench, section 3.3)."""

    def check(self, config: RunConfig, task: Task | None = None) -> None:
        """See ``TaskKind``."""
        if config.judge:
            raise CatalogError("--judge: nothing of a form is compared by meaning, only of websites: leave it out.")
        if config.seeds != 1:
            raise CatalogError("--seeds: forms have no seed, only bundled websites do: leave it out.")
        if config.attended:
            raise CatalogError(
                "--attended: solvers ask their user on websites only, and these tasks are forms; leave it out."
            )

    def actions(self, name: ActionSetName | None) -> Mapping[str, ActionSpec]:
        """See ``TaskKind``."""
        from harness.episode.library import ACTIONS  # noqa: PLC0415

        if name in ("webcanvas", "autowebglm"):
            raise WrongActions(
                f"--actions {name}: its actions are for websites; a form has turkingbench, or leave it out"
            )
        return ACTIONS

    @property
    def all_actions(self) -> Mapping[str, ActionSpec]:
        """See ``ScoredKind``."""
        from harness.episode.pointer_actions import POINTER_ACTIONS  # noqa: PLC0415

        return {**self.actions(None), **POINTER_ACTIONS}

    def is_answered(self, instance: Instance) -> bool:
        """See ``TaskKind``."""
        from harness.scoring.answers.columns import is_answered  # noqa: PLC0415

        return is_answered(instance)

    def label_side(
        self, config: RunConfig, key: str, text: Callable[[str], str | None], outside: Outside
    ) -> FormLabelSide:
        """See ``TaskKind``."""
        from harness.forms.form_player import FormLabelSide  # noqa: PLC0415

        return FormLabelSide(config, outside)

    def player(self, setup: PlayerSetup) -> FormPlayer:
        """See ``TaskKind``."""
        from harness.forms.form_player import FormPlayer  # noqa: PLC0415

        return FormPlayer()

    def refusal(self, task: Task, *, live: bool) -> str:
        """See ``TaskKind``."""
        return ""

    def replay(self, setup: ReplaySetup) -> FormReplay:
        """See ``TaskKind``."""
        from harness.forms.form_replaying import FormReplay  # noqa: PLC0415

        return FormReplay(setup)

    def score(self, episode: Episode, profile: Profile) -> InstanceScore:
        """See ``ScoredKind``."""
        return score_form(episode, profile)

    def was_played(self, episode: Episode) -> bool:
        """See ``ScoredKind``."""
        return episode.submission is not None

    def has_acted(self, episode: Episode) -> bool:
        """See ``ScoredKind``."""
        # Only of what acts past the library: else a page that fills in something by itself would pass for a solver's.
        seen_past = episode.unseen and episode.submission is not None
        return seen_past and any(field.sent != field.untouched for field in episode.fields)

    def instruction(self, episode: Episode) -> str:
        """See ``ScoredKind``."""
        return f"Fill in the form of {episode.task!r}, instance {episode.index}."


FORMS = Forms()
