"""A scripted model that sees: its eyes are the browser, its hand is the dialect of the provider that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from harness.browser.browser import Browser
from harness.browser.input_back_end import BrowserSession
from harness.catalog import Catalog
from harness.catalog.template import render
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.play_site import play_site
from harness.episode.site_assignment import site_assignment
from harness.models.presets import resolve
from harness.models.service import open_service
from harness.models.tokens.counting import tokens_for
from harness.records.config import Limits
from harness.records.site_record import SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from harness.solvers.models.computer.protocol import ComputerProtocol
from harness.solvers.models.model import recipe_of
from harness.solvers.solver_options import ModelOptions
from tests.models.servers import Answer, Asked, Server
from tests.site import Shown, in_page
from tests.sites.served import begin

BUNDLED = Catalog(Path(__file__).resolve().parents[4] / "tasks")
SITES = Catalog(Path(__file__).resolve().parents[4] / "tasks" / "_sites")
FORM = "Who is meant"
ON_SITE = "Shop - Put a kettle into the cart"


@dataclass(frozen=True)
class Step:
    """What the model wants to do: ``do`` is click, type, key, scroll, look or end.

    Attributes:
        do: What.
        at: The point, in pixels of the page.
        text: A text, the name of a key, or the answer in the end.
    """

    do: str
    at: tuple[float, float] = (0, 0)
    text: str = ""


class Eyes:
    """Where things are on the screen of a browser, as a model would see it."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def at(self, css: str) -> tuple[float, float] | None:
        """The centre of an element; None if it is not on the screen."""
        place = in_page(
            self._browser,
            f"(() => {{ const box = document.querySelector({css!r})?.getBoundingClientRect();"
            "return box && box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null; })()",
        )
        return (place[0], place[1]) if place and 0 <= place[0] < 1280 and 0 <= place[1] < 800 else None

    def click(self, css: str) -> Iterator[Step]:
        """Scroll until an element is on the screen, and press on it."""
        for _ in range(10):
            if (place := self.at(css)) is not None:
                yield Step("click", place)
                return
            yield Step("scroll", (640, 400))
        raise AssertionError(f"{css} does not come into sight")


Plan = Callable[[Eyes], Iterator[Step]]


def fill_in_form(eyes: Eyes) -> Iterator[Step]:
    """Fill in the first page of ``FORM``."""
    yield Step("look")
    for number, begins in enumerate(GOLD_WORDS, start=1):
        yield from eyes.click(f"[name=word-{number}]")
        yield Step("type", text=begins)
        yield Step("key", text="Enter")
    yield from eyes.click("[name=ending][value=B]")
    yield from eyes.click("[name=goes_on]")
    yield Step("type", text="It went on.")
    yield Step("end", text="The form is complete.")


def buy_kettle(eyes: Eyes) -> Iterator[Step]:
    """Do ``ON_SITE``."""
    yield from eyes.click("input[type=search], input[name=q]")
    yield Step("type", text="Brookfield Electric Kettle")
    yield Step("key", text="Enter")
    yield from eyes.click("a[href*='brookfield-electric-kettle-1-7-l']")
    yield from eyes.click("input[name=colour][value=Black]")
    yield from eyes.click("#add-to-cart")
    yield Step("end", text="Done.")


FORM_PAGE = BUNDLED.task(FORM).instances[0]
GOLD_WORDS = [FORM_PAGE.inputs[f"person_{number}"] for number in (1, 2, 3)]


class Speaker(Protocol):
    """One provider, as far as a scripted model stands for it."""

    preset: str
    path: str
    model: str = ""

    def check(self, asked: Asked) -> None:
        """Assert that a request is of the provider's published shape, and in order."""

    def answer(self, steps: Sequence[Step], number: int) -> Answer:
        """The model's reply that asks for steps; ``number`` is the turn's."""


class Driver:
    """The scripted model: one step a turn, or two where the dialect batches."""

    def __init__(self, speaker: Speaker, plan: Plan, eyes: Eyes, batch: int = 1) -> None:
        self.speaker = speaker
        self.wrong: list[str] = []
        self.turns = 0
        self._steps = plan(eyes)
        self._batch = batch

    def __call__(self, asked: Asked) -> Answer:
        self.turns += 1
        try:
            self.speaker.check(asked)
            step = next(self._steps)
        except BaseException as error:  # noqa: BLE001 - the test tells it, in its own thread
            self.wrong.append(repr(error))
            step = Step("end", text="broken")
        return self.speaker.answer([step], self.turns)


class ModelSolver:
    """Lets the preset of a speaker work, behind the real service and the provider's real library."""

    def __init__(self, speaker: Speaker, server: Server, folder: Path, protocol: str) -> None:
        model = {"model": speaker.model} if speaker.model else {}
        preset = resolve(speaker.preset, {"base_url": f"{server.url}{speaker.path}", "protocol": protocol, **model})
        self.recipe = recipe_of(preset, ModelOptions(), 0)
        service = open_service(preset, ModelOptions(), folder)
        self.protocol = ComputerProtocol(self.recipe, service, tokens_for(preset.model, preset.provider))

    def solve(self, page: Page, act: Actions) -> None:
        self.protocol.solve(page, act)


def solve_form(speaker: Speaker, shown: Shown, folder: Path, plan: Plan = fill_in_form) -> Driver:
    """Let a scripted model work on a page that is shown."""
    driver = Driver(speaker, plan, Eyes(shown.browser))
    with Server(driver) as server:
        ModelSolver(speaker, server, folder, "form").solve(Page(shown.url, (), (), 1), shown.actions)
    assert driver.wrong == []
    return driver


def solve_bundled_form(speaker: Speaker, show: Any, folder: Path) -> Shown:
    """The first page of ``FORM``, filled in; asserts that it sends what the model meant."""
    shown: Shown = show(whole=render(BUNDLED.task(FORM).template, FORM_PAGE.inputs))
    solve_form(speaker, shown, folder)
    assert [shown.actions.trajectory.turns[-1].calls] == [("finish()",)]
    sent = shown.sent()
    assert {name: sent[name] for name in ("word-1", "word-2", "word-3", "ending", "goes_on")} == {
        **{f"word-{number}": (word,) for number, word in enumerate(GOLD_WORDS, start=1)},
        "ending": ("B",),
        "goes_on": ("It went on.",),
    }
    return shown


def solve_bundled_site(speaker: Speaker, session: BrowserSession, folder: Path) -> Driver:
    """``ON_SITE``, done; asserts that its evaluators say so."""
    assignment = site_assignment(SITES.task(ON_SITE), SITES.task(ON_SITE).pages[0], 0)
    state = begin(session, "shop")
    driver = Driver(speaker, buy_kettle, Eyes(session.site))
    with Server(driver) as server:
        solver = ModelSolver(speaker, server, folder, "site")
        played, trajectory = play_site(session, solver, assignment, Limits())
    assert driver.wrong == []
    assert played.end.detail == ""
    assert played.body is not None
    record = SiteRecord(
        task=assignment.facts,
        moments=played.body.moments,
        answer=played.body.answer,
        state=state.told(),
        left=played.body.left,
    )
    scores = {each.evaluator: each.score for each in evaluate(record, trajectory.texts.get, None)}
    assert set(scores.values()) == {1}, scores
    return driver
