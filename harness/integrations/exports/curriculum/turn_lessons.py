"""Lessons out of what a model said: its own words, where what it did was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from harness.integrations.exports.chat import answer, chat_of_json, pictures_of, sent
from harness.integrations.exports.curriculum.lesson import Lesson, LessonSource, Stage
from harness.integrations.exports.examples import why_not
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.site_again import website_of
from harness.kit.options import view
from harness.models.asking_options import ProtocolChoice

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
