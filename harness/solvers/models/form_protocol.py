"""Protocol ``form``: a loop of actions and observations until the model says that the form is complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.actions.call import ActionCall
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.models.messages import Message, Request
from harness.solvers.models.asking import Asker, FinishedTurn, NoUsableReply
from harness.solvers.models.demos import Demonstrations
from harness.solvers.models.grammars import MOST_CALLS
from harness.solvers.models.history import ComposedConversation, History, PastTurn
from harness.solvers.models.planned_request import PlannedRequest
from harness.solvers.models.prompting import FINISH, Prompter
from harness.solvers.models.view import Observer, PageState, can_be_filled

REPEATS_OF_WRITING, REPEATS = 3, 20
"""How often the same actions may be done on a page in the same state before the model is taken to go in circles, which
costs money without end: answers that are written again, and others, since scrolling leaves the state as it is."""


class FormProtocol:
    """Shows the page, does what the model asks for, tells it what came of that, and shows the page again."""

    def __init__(self, prompter: Prompter, asker: Asker, observer: Observer, demos: Demonstrations) -> None:
        """Prepare.

        Args:
            prompter: Writes the messages.
            asker: Asks the model.
            observer: Shows the page.
            demos: Examples to tell.
        """
        self._prompter = prompter
        self._asker = asker
        self._observer = observer
        self._demos = demos

    def solve(self, page: Page, act: Actions) -> None:
        """Fill in the page.

        Raises:
            NoUsableReply: too many replies in a row held no action.
        """
        history = self._history(page)
        before = self._before(page)
        unusable = 0
        seen: Counter[tuple[str, ...]] = Counter()
        while True:
            sight = self._observer.look(act.observation, None)
            composed = self._compose(history, before, sight)
            request = self._request(page, act, [*before, *composed.messages])
            done = self._asker.ask(act, request, where=page.url, page=sight.digest, note=composed.left_out)
            if done.finished or act.submitted:
                return
            replies, results, pictures = self._asker.answered(done)
            unusable = 0 if done.is_usable else unusable + 1
            if unusable > self._prompter.recipe.retries:
                raise NoUsableReply.in_a_row(unusable, results)
            state = (sight.digest, *(str(item.what) for item in done.items))
            seen[state] += 1
            if done.performed and seen[state] == _most_repeats(done):
                act.trajectory.stop_at("repeats")
            view = composed.view
            history.add(PastTurn(view.page, view.tokens, tuple(replies), results, tuple(pictures)))

    def first_requests(self, page: Page, act: Actions) -> Iterator[PlannedRequest]:
        """What would be sent first."""
        before = self._before(page)
        composed = self._compose(self._history(page), before, self._observer.look(act.observation, None))
        request = self._request(page, act, [*before, *composed.messages])
        yield PlannedRequest("", request, self._observer.count_request(request), composed.view.shrunk)

    def _request(self, page: Page, act: Actions, messages: list[Message]) -> Request:
        fields = [field for field in act.fields() if field.name in page.names and can_be_filled(field)]
        return self._asker.request(messages, fields, max_calls=MOST_CALLS)

    def _history(self, page: Page) -> History:
        return History(self._prompter, page.names, self._observer.count_messages)

    def _before(self, page: Page) -> list[Message]:
        """The rules and the demonstrations."""
        examples = self._demos.for_form(page.url)
        before = [self._prompter.system(len(examples))]
        for number, example in enumerate(examples, start=1):
            before.append(self._prompter.form_demonstration(example.page))
            before += self._prompter.example_reply([*example.calls, ActionCall(FINISH.name, {})], number)
        return before

    def _compose(self, history: History, before: list[Message], sight: PageState) -> ComposedConversation:
        room = self._observer.room(before, self._prompter.tools)
        return history.compose(room, lambda budget: self._observer.show(sight, None, budget))


def _most_repeats(done: FinishedTurn) -> int:
    writes = all(isinstance(item.what, ActionCall) and item.what.name.startswith("modify_") for item in done.items)
    return REPEATS_OF_WRITING if writes else REPEATS
