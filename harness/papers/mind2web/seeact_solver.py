"""SeeAct as a solver of websites and forms: it sees a picture of the page, and then finds the element that it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.catalog.kinds import KindName
from harness.episode.library import Actions
from harness.episode.solver import WrongOptions
from harness.models.presets import Preset
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep
from harness.papers.mind2web.mindact.questions import AskModel, Questions
from harness.papers.mind2web.mindact_options import SeeActOptions
from harness.papers.mind2web.mindact_solver import MindActSolver, preset_of
from harness.papers.mind2web.seeact.see_and_find import FORM_TASK, SeeAct, seeact_prompts_hash


class SeeActSolver(MindActSolver):
    """Asks a model what a picture of the page shows to be next, and then which element that is."""

    options = SeeActOptions
    kinds: tuple[KindName, ...] = ("form", "site")
    form_task = FORM_TASK

    @classmethod
    def check(cls, name: str, options: SeeActOptions) -> SeeActOptions:
        """As of MindAct, and the model has to see pictures; errors as of it."""
        checked = super().check(name, options)
        if preset_of(checked).modality != "vision":
            raise WrongOptions(
                f"the solver {name!r} shows pictures, and --preset {checked.preset} is shown none: give one that sees "
                "(--list-solvers says which)"
            )
        return checked

    @classmethod
    def asked_in(cls, preset: Preset) -> Mapping[str, Any]:  # noqa: ARG003 - as of MindAct
        """In words of ours."""
        return {"prompts": seeact_prompts_hash()}

    def predicted(self, asked: AskedStep, ask: AskModel, act: Actions) -> PredictedStep:
        """What is next on the page, by its picture; errors as of ``solve``."""
        picture = act.observation.picture("full")
        assert picture is not None  # noqa: S101 - there is none of the mode "none" alone
        return SeeAct(self.ranker, Questions(ask, self.preset, self.seed)).predict(asked, picture.png)
