"""Protocol ``field``: one request for each field, with its name and the page (TurkingBench, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.browser.form.fields import Field
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.kit.text import counted
from harness.models.messages import Message
from harness.solvers.models.asking import Asker, NoUsableReply, text_message
from harness.solvers.models.demos import Demonstrations
from harness.solvers.models.planned_request import PlannedRequest
from harness.solvers.models.prompting import Prompter
from harness.solvers.models.view import Observer, PageView, can_be_filled


class FieldProtocol:
    """Asks for each answer field that can be seen, in page order, and again for those that answers bring out."""

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
            NoUsableReply: not one reply about any field held an action.
        """
        asked: set[str] = set()
        usable = 0
        while (field := _next(page, act, asked)) and not act.submitted:
            asked.add(field.name)
            usable += self._ask(page, act, field)
        if asked and not usable:
            raise NoUsableReply(
                f"none of the replies about {counted(len(asked), 'field')} held an action that could be done"
            )

    def first_requests(self, page: Page, act: Actions) -> Iterator[PlannedRequest]:
        """What would be sent about each field of the page as it stands, if every first reply were usable."""
        for field in act.fields():
            if field.name in page.names and can_be_filled(field):
                messages, view = self._conversation(page, act, field)
                request = self._asker.request(messages, [field], max_calls=1)
                yield PlannedRequest(field.name, request, self._observer.count_request(request), view.shrunk)

    def _ask(self, page: Page, act: Actions, field: Field) -> bool:
        """Ask for one field; whether an action was done."""
        messages, view = self._conversation(page, act, field)
        for _ in range(1 + self._prompter.recipe.retries):
            request = self._asker.request(messages, [field], max_calls=1)
            note = "; ".join(filter(None, (f"field {field.name!r}", view.note)))
            done = self._asker.ask(act, request, where=page.url, page=view.digest, note=note)
            if done.is_usable:
                return True
            replies, told, pictures = self._asker.answered(done)
            messages = [*messages, *replies, text_message("user", told, pictures)]
        return False

    def _conversation(self, page: Page, act: Actions, field: Field) -> tuple[list[Message], PageView]:
        examples = self._demos.for_field(field.kind, page.url)
        before = [self._prompter.system(len(examples))]
        for number, example in enumerate(examples, start=1):
            before.append(self._prompter.field_request(example.page, example.field))
            before += self._prompter.example_reply(example.calls, number)
        sight = self._observer.look(act.observation, field.name)
        bare = [*before, self._prompter.field_request((), field.name)]
        view = self._observer.show(sight, field.name, self._observer.room(bare, self._prompter.tools))
        return [*before, self._prompter.field_request(view.page, field.name)], view


def _next(page: Page, act: Actions, asked: set[str]) -> Field | None:
    """The first field in page order that can be asked for and was not.

    Those before it that an answer has brought out meanwhile come when the end is reached, as a worker goes back.
    """
    there = {field.name: field for field in act.fields() if can_be_filled(field)}
    names = [name for name in page.names if name in there and name not in asked]
    last = max((page.names.index(name) for name in asked), default=-1)
    return there[_first_after(page.names, names, last)] if names else None


def _first_after(order: Sequence[str], names: Sequence[str], last: int) -> str:
    return next((name for name in names if order.index(name) > last), names[0])
