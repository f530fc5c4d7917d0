"""Solvers of steps and of sites that do what a test needs; found by their dotted path."""

from __future__ import annotations

import os
import signal
from typing import Any, ClassVar

from harness.models.client import NoAccess, RequestRefused
from harness.models.retry import ProviderGone
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep
from harness.papers.teacher_forced.step_solvers import NotAsked, StepSetup

RIGHT = PredictedStep(backend_node_id="10", op="CLICK")


class Raises:
    """Fails at every step."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        raise KeyError(asked.task)


class SaysNonsense:
    """Says something else each time, and none of it is a prediction."""

    def __init__(self) -> None:
        number: Any = 7
        jump: Any = "JUMP"
        self._left: list[Any] = [
            "CLICK",
            PredictedStep(backend_node_id=number, op="CLICK"),
            PredictedStep(backend_node_id="7", op=jump),
        ]

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        return self._left.pop(0)  # type: ignore[no-any-return]


class Refused:
    """Its model refuses every question."""

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        raise RequestRefused("no such thing")


class NoKey:
    """Its model's provider lets nobody in."""

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        raise NoAccess("no such key")


class Gone:
    """Its model has gone at the second step."""

    asked = 0

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        self.asked += 1
        if self.asked > 1:
            raise ProviderGone("nobody answers", lasting=True)
        return RIGHT


class NotAlways:
    """Of the first step nothing is known, since it could not be put to it."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        if not asked.previous:
            raise NotAsked("the page could not be shown")
        return RIGHT


class DiesOnce:
    """Kills its process at the third step, unless a file says that it did."""

    def __init__(self, setup: StepSetup) -> None:
        self._mark = setup.folder / "died"

    @classmethod
    def set_up(cls, setup: StepSetup) -> DiesOnce:
        return cls(setup)

    def predict(self, asked: AskedStep) -> PredictedStep:
        if len(asked.previous) == 2 and not self._mark.exists():
            self._mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return RIGHT


class Both:
    """Wants to be told everything."""

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        return RIGHT

    def predict_with_key(self, asked: AskedStep, step: object) -> PredictedStep:  # noqa: ARG002
        return RIGHT


class Seeded:
    """Tells its seed, and whether it was closed."""

    seeds: ClassVar[list[int]] = []
    closed: ClassVar[list[int]] = []

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.seeds.append(seed)

    @classmethod
    def set_up(cls, setup: StepSetup) -> Seeded:
        return cls(setup.seed)

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        return RIGHT if self._seed % 2 else PredictedStep(backend_node_id="4", op="CLICK", told={"seed": self._seed})

    def close(self) -> None:
        self.closed.append(self._seed)


class Presses:
    """Presses the button."""

    def predict(self, asked: AskedStep) -> PredictedStep:  # noqa: ARG002
        return RIGHT


# ---- solvers of sites ------------------------------------------------------------------------------------------------


def number_of(act: Any, words: str) -> int:
    """The number of the first element whose tag, name or text is this."""
    shown = act.observation.snapshot()
    for place, node in enumerate(shown.nodes):
        if node.ref and words in (node.text, node.get("name"), shown.text_of(place)):
            return int(node.ref)
    raise LookupError(words)


class SiteSolver:
    """Does what its class says, and goes on and on unless it is stopped."""

    goals: ClassVar[list[str]] = []

    def solve(self, page: Any, act: Any) -> None:
        self.goals.append(page.goal)
        while True:
            self.act(act)

    def act(self, act: Any) -> None:
        raise NotImplementedError


class PressesButton(SiteSolver):
    def act(self, act: Any) -> None:
        act.click_element(number_of(act, "Buy lamp"))


class HoversButton(SiteSolver):
    def act(self, act: Any) -> None:
        act.hover_element(number_of(act, "Buy lamp"))


class FollowsLink(SiteSolver):
    def act(self, act: Any) -> None:
        act.click_element(number_of(act, "Help"))


class LooksBeforeItChooses(SiteSolver):
    def act(self, act: Any) -> None:
        act.scroll(0, 100)
        act.fill(number_of(act, "sort"), "no text goes in here")
        act.select_option(number_of(act, "sort"), "cheapest")


class FillsCity(SiteSolver):
    def act(self, act: Any) -> None:
        act.fill_search(number_of(act, "city"), "New Lisbon")


class PressesByPlace(SiteSolver):
    def act(self, act: Any) -> None:
        aim = act._browser.run("elements.aim", number_of(act, "Buy lamp"), "press")
        act.click(aim["x"], aim["y"])


class TypesByKeys(SiteSolver):
    """A click into a field and then keys: the click is its first action."""

    def act(self, act: Any) -> None:
        aim = act._browser.run("elements.aim", number_of(act, "city"), "press")
        act.click(aim["x"], aim["y"])
        act.type("Lisbon")


class LeavesThePage(SiteSolver):
    def act(self, act: Any) -> None:
        act.goto("/elsewhere")


class LooksForEver(SiteSolver):
    def act(self, act: Any) -> None:
        act.scroll(0, 10)


class DoesNothing(SiteSolver):
    def solve(self, page: Any, act: Any) -> None:
        """Nothing."""


class Breaks(SiteSolver):
    def act(self, act: Any) -> None:  # noqa: ARG002
        raise ZeroDivisionError("nothing to divide")
