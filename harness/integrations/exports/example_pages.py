"""Examples to learn from out of episodes without a model, such as the oracle's: asked as a model would be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.actions.call import ActionCall
from harness.episode.library import ACTIONS
from harness.integrations.exports.chat import chat_of
from harness.integrations.exports.examples import Spool, where
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.replayed import DIFFERS, ObservedEpisode, PageMoment, watch
from harness.kit.files.writing import write_bytes
from harness.models.messages import Image, Message
from harness.models.tokens.counting import tokens_for
from harness.run.page_source import PageSource
from harness.run.progress import Mode
from harness.solvers.models.prompting import FINISH, Prompter
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer, PageState, PageView

COUNTED_AS = "gpt-4o"
"""The model whose tokens are counted; examples are for no model in particular."""
NOT_OFFERED = "the action is not among those that this protocol offers"


@dataclass(frozen=True)
class ExampleStyle:
    """How examples are asked.

    Attributes:
        recipe: Protocol, encoding, screenshot and budget of the page.
        pictures: The folder that pictures are written to.
    """

    recipe: Recipe
    pictures: Path


@dataclass(frozen=True)
class AskedMoment:
    """What a model is asked at one moment.

    Attributes:
        messages: What it is sent.
        calls: What it is to do.
        view: The page as it is shown.
    """

    messages: tuple[Message, ...]
    calls: tuple[ActionCall, ...]
    view: PageView


class Writer:
    """Writes examples in one style, as the solvers of models write their requests."""

    def __init__(self, style: ExampleStyle) -> None:
        self._style = style
        self._prompter = Prompter(style.recipe, ACTIONS)
        self.observer = Observer(self._prompter, tokens_for(COUNTED_AS))

    def asked(self, each: ExportedEpisode, moment: PageMoment[PageState]) -> AskedMoment | None:
        """What a model is asked about a page, and what it is to do; None if it could not have done it."""
        calls = moment.calls or (ActionCall(FINISH.name, {}),)
        if not all(call.name in self._prompter.specs for call in calls):
            return None
        system, field = self._prompter.system(0), moment.field or None
        names = [record.name for record in each.episode.fields if record.told]

        def asked(page: Sequence[Any]) -> Any:
            return self._prompter.field_request(page, field) if field else self._prompter.form_request(page, names)

        view = self.observer.show(moment.seen, field, self.observer.room([system, asked(())], ()))
        return AskedMoment((system, asked(view.page)), calls, view)

    def example(self, each: ExportedEpisode, moment: PageMoment[PageState]) -> dict[str, Any] | None:
        """An example of what to do with a page; None if a model could not have done it."""
        asked = self.asked(each, moment)
        if asked is None:
            return None
        for image in (image for message in asked.messages for image in message.images):
            self._keep(image)
        chat = chat_of(asked.messages, lambda name: f"{self._style.pictures.name}/{name}.png")
        answer = {"role": "assistant", "content": "\n".join(map(str, asked.calls))}
        return {"messages": [*chat, answer], **where(each, field=moment.field, page=asked.view.digest)}

    def _keep(self, image: Image) -> None:
        file = self._style.pictures / f"{image.sha256}.png"
        if not file.exists():
            write_bytes(file, image.png)


def shown(
    episodes: Sequence[ExportedEpisode],
    style: ExampleStyle,
    left_out: Counter[str],
    *,
    pages: PageSource,
    workers: int,
    mode: Mode | None,
) -> Iterator[dict[str, Any]]:
    """Examples out of what episodes did, seen by doing it again.

    Protocol ``field`` makes one of each field that an episode writes; protocol ``form`` one of each action.

    Args:
        episodes: The episodes.
        style: How to ask.
        left_out: Counts what no example is made of, by reason.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    writer = Writer(style)
    places = {(each.source.name, each.episode.task, each.episode.index): n for n, each in enumerate(episodes)}
    with Spool() as spool:

        def watched(each: ExportedEpisode, seen: ObservedEpisode[PageState]) -> None:
            if seen.differs:
                left_out[DIFFERS] += 1
                return
            left_out.update(seen.left_out)
            made = [writer.example(each, moment) for moment in seen.moments]
            left_out[NOT_OFFERED] += made.count(None)
            place = places[each.source.name, each.episode.task, each.episode.index]
            spool.put(place, filter(None, made))

        def failed(_each: ExportedEpisode, reason: str) -> None:
            left_out[reason] += 1

        watch(
            episodes,
            writer.observer.look,
            by_field=style.recipe.protocol == "field",
            on_watched=watched,
            on_failed=failed,
            pages=pages,
            workers=workers,
            mode=mode,
        )
        yield from spool.rows(range(len(episodes)))
