"""Steps of demonstrations as lessons: each question word for word as a solver asks it, and its answer (section 3.2)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from harness.kit.files.writing import whole_file
from harness.models.messages import Request
from harness.models.presets import Preset
from harness.papers.mind2web.demonstrations.asking import asked_step
from harness.papers.mind2web.demonstrations.demonstration import Demonstration
from harness.papers.mind2web.mindact.answers import GROUP
from harness.papers.mind2web.mindact.few_examples import ExampleStep
from harness.papers.mind2web.mindact.marked_page import UnreadableStepPage
from harness.papers.mind2web.mindact.page_element import PageElement, elements_of
from harness.papers.mind2web.mindact.questions import Questions, StepTooLarge
from harness.papers.mind2web.mindact.ranker import TOP, Ranker, candidates_of, ranked
from harness.papers.mind2web.mindact.snippet import element_words
from harness.papers.mind2web.mindact.step_requests import Options

TaughtSolver = Literal["mindact", "generate"]
DRAWS = 5
"""Questions of each step: one for each of the paper's five epochs (Table 4), which draws other elements each time."""
WITHOUT_ANSWER = 0.2
"""Share of the questions that have no acceptable element among their options."""


@dataclass
class StepLessons:
    """Makes lessons.

    Attributes:
        solver: Whose questions they are.
        ranker: Whose likeliest elements stand beside the right one.
        preset: The model that is to learn: how long its questions may be.
        top: How many of the likeliest.
        draws: Questions of each step.
        seed: Of what is drawn.
        left_out: Why steps or questions were left out -> how many.
    """

    solver: TaughtSolver
    ranker: Ranker
    preset: Preset
    top: int = TOP
    draws: int = DRAWS
    seed: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def write(self, demonstrations: Iterable[Demonstration], out: Path) -> int:
        """Write the lessons of demonstrations, a line of JSON each; the file is there whole or not at all.

        Returns:
            How many there are.

        Raises:
            OSError: it cannot be written.
        """
        count = 0
        with whole_file(out) as file:
            for demonstration in demonstrations:
                for lesson in self.of(demonstration):
                    file.write(json.dumps(lesson, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
                    count += 1
        return count

    def of(self, demonstration: Demonstration) -> Iterator[dict[str, Any]]:
        """The lessons of a demonstration; the last of the ``messages`` of each is to be learnt."""
        for index, step in enumerate(demonstration.steps):
            example = ExampleStep(asked_step(demonstration, index), step)
            try:
                right = elements_of(example.page, step.positives)
                best = ranked(self.ranker, example.query, candidates_of(example.asked, example.page))[: self.top]
            except UnreadableStepPage:
                self.left_out["unreadable page"] += 1
                continue
            if not right:
                self.left_out["no acceptable element on the page"] += 1
                continue
            for draw in range(self.draws):
                chance = random.Random(f"{self.seed} {demonstration.annotation_id} {index} {draw}")  # noqa: S311 - a draw
                try:
                    request, answer = self._drawn(example, right, best, chance)
                except StepTooLarge:
                    self.left_out["longer than the model takes"] += 1
                    continue
                asked = [{"role": each.role, "content": each.text} for each in request.messages]
                yield {
                    "messages": [*asked, {"role": "assistant", "content": answer}],
                    "annotation_id": demonstration.annotation_id,
                    "step": index,
                    "website": demonstration.website,
                    "domain": demonstration.domain,
                }

    def _drawn(
        self, example: ExampleStep, right: list[PageElement], best: list[PageElement], chance: random.Random
    ) -> tuple[Request, str]:
        """A question with its answer."""
        wanted = chance.choice(right)
        acceptable = {each.backend_node_id for each in right}
        wrong = [each for each in best if each.backend_node_id not in acceptable]
        if self.solver == "generate":
            return self._written(example, wanted, best)
        answered = not wrong or chance.random() >= WITHOUT_ANSWER
        group = chance.sample(wrong, min(GROUP - answered, len(wrong))) + [wanted] * answered
        chance.shuffle(group)
        options = Options(tuple(group))
        request, _ = self._questions.choice(example.asked, example.page, options)
        if not answered:
            return request, f"Answer: {options.none}"
        return request, f"Answer: {options.labels[group.index(wanted)]}. {_on_one_line(example.action)}"

    def _written(self, example: ExampleStep, wanted: PageElement, best: list[PageElement]) -> tuple[Request, str]:
        shown = best if wanted in best else [*best[:-1], wanted]
        request, _ = self._questions.generation(example.asked, example.page, shown)
        words = element_words(example.page, wanted.backend_node_id)
        return request, f"Element: {_on_one_line(words)}. {_on_one_line(example.action)}"

    @property
    def _questions(self) -> Questions:
        return Questions(_nobody, self.preset, self.seed)


def _on_one_line(text: str) -> str:
    """As the paper has answers: the tokenizer of T5 knows no line ends."""
    return " ".join(text.split())


def _nobody(_request: Request) -> Any:
    raise AssertionError("lessons are made without a model")
