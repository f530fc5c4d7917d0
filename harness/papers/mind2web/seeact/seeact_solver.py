"""SeeAct as a solver of websites and forms: what is next, by a picture of the page; then which element that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.catalog.kinds import KindName
from harness.episode.library import Actions
from harness.episode.solver import WrongOptions
from harness.kit.files.installation import hash_of_code
from harness.kit.words import Words
from harness.models.messages import Image, Message, Request, Text
from harness.models.presets import Preset
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep
from harness.papers.mind2web.demonstrations.element_words import name_of
from harness.papers.mind2web.mindact.answers import read_choice
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.questions import AskModel, Questions
from harness.papers.mind2web.mindact.ranker import TOP, Ranker, candidates_of, page_of, query_of, ranked
from harness.papers.mind2web.mindact.step_requests import LONGEST_REPLY, Options, done_words, option_lines
from harness.papers.mind2web.mindact.step_solvers import NO_CANDIDATES, REJECTED
from harness.papers.mind2web.mindact_options import SeeActOptions
from harness.papers.mind2web.mindact_solver import MindActSolver, preset_of

_WORDS = Words("harness.papers.mind2web.seeact")
LONGEST_DESCRIPTION = 500
"""Tokens of what a model says of a picture."""
FORM_TASK = _WORDS.say("form")
"""The task of a form, whose page says all else."""


def seeact_prompts_hash() -> str:
    """SHA-256 over the words: equal hashes mean equal words."""
    return hash_of_code([("papers/mind2web/seeact/prompts", "*.md")])


@dataclass(frozen=True)
class SeeAct:
    """Asks a model that sees pictures.

    Attributes:
        ranker: Among whose likeliest elements the one that is meant is found.
        asker: Asks the model.
        top: How many of them.
    """

    ranker: Ranker
    asker: Questions
    top: int = TOP

    def predict(self, asked: AskedStep, picture: bytes) -> PredictedStep:
        """What the model would do.

        Args:
            asked: The step.
            picture: Of the page, as PNG.

        Raises:
            harness.papers.mind2web.mindact.marked_page.UnreadableStepPage: the page holds no element.
            harness.models.client.ModelError: the model did not answer.
        """
        page = page_of(asked)
        query = query_of(asked)
        # In the order of the page, in which the picture has them, too.
        best = {each.backend_node_id for each in ranked(self.ranker, query, candidates_of(asked, page))[: self.top]}
        options = Options(
            tuple(each for each in candidates_of(asked, page) if each.backend_node_id in best), numbered=True
        )
        if not options.elements:
            return PredictedStep(backend_node_id=None, op=None, problem=NO_CANDIDATES)
        see = _WORDS.say("see", task=query.task, done=done_words(query))
        shown = (
            Message("system", (Text(_WORDS.say("role")),)),
            Message("user", (Image(picture), Text(see))),
        )
        described = self.asker.send(Request(self.asker.preset.model, shown, max_tokens=LONGEST_DESCRIPTION)).text
        find = _WORDS.say("find", none=options.none, options="\n".join(_lines(page, options)))
        then = (*shown, Message("assistant", (Text(described),)), Message("user", (Text(find),)))
        reply = self.asker.send(Request(self.asker.preset.model, then, max_tokens=LONGEST_REPLY))
        answer = read_choice(reply.text, options.labels, options.none)
        if answer.chosen is None:
            return PredictedStep(backend_node_id=None, op=None, problem=answer.problem or REJECTED)
        return PredictedStep(
            backend_node_id=options.elements[answer.chosen].backend_node_id,
            op=answer.op,
            value=answer.value,
            problem=answer.problem,
        )


def _lines(page: MarkedPage, options: Options) -> list[str]:
    """The elements, each with what a person calls it: no page is shown around them that would tell it."""
    none, *lines = option_lines(page, options)
    names = [name_of(page.by_id[each.backend_node_id]) for each in options.elements]
    return [none, *(line if name in line else f"{line} {name}" for line, name in zip(lines, names, strict=True))]


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
