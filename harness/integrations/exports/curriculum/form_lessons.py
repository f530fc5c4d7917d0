"""Lessons out of episodes on forms that are done once more: what fields are, one field, and the whole form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.integrations.exports.chat import answer, chat_of_json, pictures_of, sent
from harness.integrations.exports.curriculum.lesson import Lesson, LessonSource, Stage, prompt_of
from harness.integrations.exports.curriculum.wording import form_reason, said
from harness.integrations.exports.example_pages import NOT_OFFERED, AskedMoment, ExampleStyle, Writer
from harness.integrations.exports.examples import Spool, why_not
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.replayed import DIFFERS, ObservedEpisode, PageMoment, watch
from harness.integrations.exports.site_again import website_of
from harness.integrations.exports.site_walks import Browsers
from harness.kit.options import view
from harness.kit.text import shorten
from harness.models.asking_options import ProtocolChoice
from harness.models.messages import Message, Text
from harness.records.episode import FieldRecord
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import PageState

NOT_TEXT = "a turn with pictures or tools, which lessons do not have"


def turn_lessons(each: ExportedEpisode, licences: Mapping[str, str], left_out: Counter[str]) -> Iterator[Lesson]:
    """A lesson for each turn of an episode that can be learnt from; on a website all are of the last stage.

    Args:
        each: An episode with turns that is worth learning from.
        licences: Task -> the licence of its content.
        left_out: Counts the turns that are no lessons, by reason.

    Raises:
        NotARun: what was sent is missing from the run directory.
    """
    episode, source = each.episode, each.source
    where = LessonSource(
        source=source.name,
        kind="site" if episode.site else "form",
        site=website_of(episode.site.task) if episode.site else "",
        task=episode.task,
        index=episode.index,
        id=episode.id,
        split=episode.split,
        licence=licences.get(episode.task, ""),
        identical=tuple(source.identical.get(episode.task, ())),
    )
    stage: Stage = "simple" if view(ProtocolChoice, source.config.options).protocol == "field" else "complex"
    for turn in episode.turns:
        if reason := why_not(turn, episode.steps):
            left_out[reason] += 1
            continue
        request = sent(source, turn)
        chat = chat_of_json(request["messages"], pictures_of(source, None))
        reply = answer(source, turn)
        if request["tools"] or not all(isinstance(message["content"], str) for message in chat):
            left_out[NOT_TEXT] += 1
            continue
        prompt = tuple((message["role"], message["content"]) for message in chat)
        yield Lesson(stage, prompt, reply["content"], "\n".join(turn.calls), turn.page, where)


OPTIONS_NAMED = 12
"""Options of a field that an answer names."""


class FormTeacher:
    """Makes lessons out of episodes on forms."""

    def __init__(self, recipe: Recipe, licences: Mapping[str, str]) -> None:
        """Prepare.

        Args:
            recipe: How a model is asked; the protocol is set here.
            licences: Task -> the licence of its content.
        """
        self.left_out: Counter[str] = Counter()
        self._licences = licences
        self._single = Writer(ExampleStyle(replace(recipe, protocol="field"), Path()))
        self._whole = Writer(ExampleStyle(replace(recipe, protocol="form"), Path()))

    def teach(self, episodes: Sequence[ExportedEpisode], browsers: Browsers) -> list[Lesson]:
        """Do episodes once more, field by field and as a whole.

        Args:
            episodes: Without turns.
            browsers: What with.

        Raises:
            NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
        """
        by_field = self._watched(episodes, self._single, browsers, by_field=True)
        return by_field + self._watched(episodes, self._whole, browsers, by_field=False)

    def _watched(
        self, episodes: Sequence[ExportedEpisode], writer: Writer, browsers: Browsers, *, by_field: bool
    ) -> list[Lesson]:
        places = {(each.source.name, each.episode.task, each.episode.index): n for n, each in enumerate(episodes)}
        make = self._of_fields if by_field else self._of_form
        with Spool() as spool:

            def watched(each: ExportedEpisode, seen: ObservedEpisode[PageState]) -> None:
                if seen.differs:
                    self.left_out[DIFFERS] += 1
                    return
                self.left_out.update(seen.left_out)
                lessons = make(each, seen.moments)
                place = places[each.source.name, each.episode.task, each.episode.index]
                spool.put(place, [lesson.to_json() for lesson in lessons])

            def failed(_: ExportedEpisode, reason: str) -> None:
                self.left_out[reason] += 1

            watch(
                episodes,
                writer.observer.look,
                by_field=by_field,
                on_watched=watched,
                on_failed=failed,
                pages=browsers.pages,
                workers=browsers.workers,
                mode=browsers.mode,
            )
            return [Lesson.from_json(row) for row in spool.rows(range(len(episodes)))]

    def _of_fields(self, each: ExportedEpisode, moments: Sequence[PageMoment[PageState]]) -> list[Lesson]:
        made, fields = [], {field.name: field for field in each.episode.fields}
        for moment in moments:
            asked = self._single.asked(each, moment)
            if asked is None:
                self.left_out[NOT_OFFERED] += 1
                continue
            rules = Message("system", (Text(said("form_recognition_rules")),))
            question = Message("user", (*asked.view.page, Text(said("ask_field", field=repr(moment.field)))))
            about = replace(asked, messages=(rules, question), calls=())
            if moment.field in fields:
                made.append(self._lesson("recognition", each, about, field_words(fields[moment.field])))
            made.append(self._lesson("simple", each, asked, _text(asked)))
        return made

    def _of_form(self, each: ExportedEpisode, moments: Sequence[PageMoment[PageState]]) -> list[Lesson]:
        made = []
        names = [str(call.args["name"]) for moment in moments for call in moment.calls if "name" in call.args]
        fields = list(dict.fromkeys(names))
        for moment in moments:
            asked = self._whole.asked(each, moment)
            if asked is None:
                self.left_out[NOT_OFFERED] += 1
                continue
            name = next((str(call.args["name"]) for call in moment.calls if "name" in call.args), None)
            written = len(fields) if name is None else fields.index(name)
            made.append(self._lesson("complex", each, asked, f"{form_reason(fields, written)}\n{_text(asked)}"))
        return made

    def _lesson(self, stage: Stage, each: ExportedEpisode, asked: AskedMoment, answer: str) -> Lesson:
        episode = each.episode
        where = LessonSource(
            source=each.source.name,
            kind="form",
            site="",
            task=episode.task,
            index=episode.index,
            id=episode.id,
            split=episode.split,
            licence=self._licences.get(episode.task, ""),
            identical=tuple(each.source.identical.get(episode.task, ())),
        )
        prompt = prompt_of(asked.messages)
        assert prompt is not None  # noqa: S101 - a curriculum has no pictures
        return Lesson(stage, prompt, answer, _text(asked), asked.view.digest, where)


def field_words(field: FieldRecord) -> str:
    """What a field is, in a line.

    Args:
        field: As an episode has it.

    Returns:
        E.g. ``radio: 'yes', 'no'``; the kind alone of a field without options.
    """
    options = [repr(shorten(option, 60)) for option in field.options[:OPTIONS_NAMED]]
    more = [f"and {len(field.options) - OPTIONS_NAMED} more"] if len(field.options) > OPTIONS_NAMED else []
    return f"{field.kind}: {', '.join([*options, *more])}" if options else field.kind


def _text(asked: AskedMoment) -> str:
    return "\n".join(map(str, asked.calls))
