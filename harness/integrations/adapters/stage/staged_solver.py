"""The solver of a stage: it does on the page what somebody outside asks for next."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from harness.actions.call import ActionError
from harness.actions.parser import parse
from harness.browser.devtools import Devtools
from harness.browser.form.fields import Field
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.site_actions import SiteActions
from harness.integrations.adapters.stage.messages import OF_EPISODE, Acted, Opened, Refused, Request, Requests
from harness.models.thoughts import part
from harness.solvers.outside.agent_reports import ANSWER
from harness.solvers.outside.attended_page import AttendedSolver
from harness.solvers.outside.opened_page import DevtoolsAddress
from harness.solvers.outside.page_tools import PageTools, ToolAnswer

Worth = Callable[[Mapping[str, tuple[str, ...]]], float | None]
"""What a form would score that sent these values."""
SUBMITTED = ToolAnswer("The work on this page is over.")
BY_PROGRAM = "a program drives this page over DevTools: no tool can be called on it"


class StagedSolver:
    """Works on one page by request.

    Attributes:
        owed: The answer to the last request, which is given when it is known what came of the episode; None if the
            episode ended without a request.
    """

    def __init__(self, requests: Requests, say: Callable[[object], None], worth: Worth | None) -> None:
        """Prepare.

        Args:
            requests: What is asked for.
            say: Is given the answers.
            worth: Scores the form as it stands; None not to.
        """
        self.owed: ToolAnswer | None = None
        self._requests = requests
        self._say = say
        self._worth = worth

    def solve(self, page: Page, act: Actions) -> None:
        """Do what is asked for until the work is over.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode.
            BrowserGone: the browser died.
        """
        tools = PageTools(page, act, tell_fields=True)
        offered = tuple({key: tool[key] for key in ("name", "description", "parameters")} for tool in tools.tools())
        self._say(replace(opened(page, act), instructions=tools.instructions, tools=offered))
        while not tools.is_over:
            left = act.trajectory.seconds_left()
            request = self._requests.next(left) if left else None
            if request is None:
                act.trajectory.check_limits()
                continue
            if request.do not in OF_EPISODE:
                self._requests.put_back(request)
                return
            if request.do == "submit":
                self.owed = SUBMITTED
                if isinstance(act, SiteActions):
                    act.answer = request.answer
                return
            answer = _done(request, tools)
            if tools.is_over:
                self.owed = answer
            else:
                self._say(self._acted(answer, act))
        tools.settle()

    def _acted(self, answer: ToolAnswer, act: Actions) -> Acted:
        fields: Sequence[Field] = () if isinstance(act, SiteActions) else act.fields()
        worth = self._worth(held(fields)) if self._worth and fields else None
        return Acted(answer.text, answer.ok, pictures(answer), tuple(fields), worth)


class StagedProgram:
    """Waits while a program drives the browser, until somebody asks for another thing than that it go on.

    Attributes:
        owed: As of ``StagedSolver``.
    """

    def __init__(self, requests: Requests, say: Callable[[object], None]) -> None:
        """Prepare; see ``StagedSolver``."""
        self.owed: ToolAnswer | None = None
        self._requests = requests
        self._say = say
        self._answer = ""

    def solve_over_devtools(self, page: Page, act: Actions, devtools: Devtools) -> None:
        """Let the program work on the page.

        Raises:
            PageGone: it has done away with the page.
            harness.episode.trajectory.LimitReached: its time is up.
            BrowserGone: the browser died.
        """
        self._act = act
        address = DevtoolsAddress(**{name: getattr(devtools, name) for name in DevtoolsAddress.__annotations__})
        AttendedSolver(
            lambda _: self._say(replace(opened(page, act), devtools=address)),
            self._is_done,
            tell_fields=True,
            last_words=lambda: self._answer,
        ).solve_over_devtools(page, act, devtools)

    def _is_done(self, seconds: float) -> bool:
        request = self._requests.next(seconds)
        if request is None:
            return False
        if request.do == "look":
            self._act.see()
            if isinstance(self._act, SiteActions):
                self._act.see_reward()
            if self._act.submitted:
                self.owed = SUBMITTED
                return True
            fields = () if isinstance(self._act, SiteActions) else self._act.fields()
            self._say(Acted("", fields=tuple(fields)))
            return False
        if request.do == "submit":
            self.owed = SUBMITTED
            self._answer = json.dumps({ANSWER: request.answer}) if request.answer is not None else ""
            return True
        if request.do in OF_EPISODE:
            self._say(Refused(BY_PROGRAM))
            return False
        self._requests.put_back(request)
        return True


def opened(page: Page, act: Actions) -> Opened:
    """What is told of a page."""
    left = round(act.trajectory.seconds_left(), 1)
    return Opened(page.url, page.names, page.fields, left, page.seed, page.goal, page.origins)


def held(fields: Sequence[Field]) -> dict[str, tuple[str, ...]]:
    """What fields hold that a form would send."""
    return {field.name: field.initial for field in fields if not field.disabled}


def pictures(answer: ToolAnswer) -> tuple[str, ...]:
    """Those of an answer, in base64."""
    return tuple(base64.b64encode(image.png).decode() for image in answer.images)


def _done(request: Request, tools: PageTools) -> ToolAnswer:
    """Do what a request asks for."""
    if request.do == "look":
        return ToolAnswer("")
    if request.do == "call":
        return tools.call(request.name, request.arguments)
    calls = parse(part(request.text).answer, tools.specs)
    if not calls:
        return ToolAnswer("There is no action in this text.", ok=False)
    if isinstance(calls[0], ActionError):
        return ToolAnswer(str(calls[0]), ok=False)
    return tools.call(calls[0].name, calls[0].args)
