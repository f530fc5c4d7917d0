"""Episodes as samples of a log of Inspect (https://inspect.aisi.org.uk).

What a model was shown is a user's message, its reply the assistant's with the actions that it led to as calls of tools,
and what these gave are the tools' messages. What the format has no place for stands under ``metadata``.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.actions.result import Step
from harness.catalog.tasks_folder import id_of
from harness.integrations.exports.atif_document import asked_of, called
from harness.integrations.exports.chat import chat_of_json, sent
from harness.integrations.exports.exported_runs import ExportedEpisode, ExportedRun
from harness.models.messages import Usage
from harness.records.directory import NotARun
from harness.records.episode import Episode
from harness.records.turn import Turn

SCORER = "page_score"
MEASURES = ("score", "ceiling", "do_nothing", "constant")
"""What is told of an episode, as by the scorer of ``harness.integrations.adapters.inspect``."""
MEAN = "mean_over_tasks"
"""What Inspect's logs call the mean over tasks of the means of their instances."""
UNKNOWN = "unknown"
"""A model that its provider did not name."""
_LIMITS = {"time": "time", "cost": "cost", "tokens": "token"}
_ATTACHED = "attachment://"


def inspect_sample(each: ExportedEpisode) -> dict[str, Any]:
    """An episode as a sample of Inspect, as JSON holds it.

    Args:
        each: The episode. Its labels are left out.

    Raises:
        NotARun: what was sent to its model, or a picture, is missing or damaged.
    """
    episode, pictures = each.episode, _Pictures(each.source)
    messages = [{"id": f"m{number}", **message} for number, message in enumerate(_messages(each, pictures))]
    asked = asked_of(each)
    sample: dict[str, Any] = {
        "id": sample_id(episode.task, episode.index),
        "epoch": 1,
        "input": asked,
        "target": "",
        "messages": messages,
        "output": {"model": (episode.turns[-1].model or UNKNOWN) if episode.turns else "", "choices": []},
        "metadata": {**each.place(), "outcome": episode.outcome, "cost": episode.cost},
        "model_usage": _usage(episode),
        "attachments": pictures.attached,
    }
    if episode.outcome == "harness_error":
        sample["error"] = {"message": episode.detail, "traceback": "", "traceback_ansi": ""}
    else:
        sample["scores"] = {SCORER: _score(each)}
    if episode.ended_at and episode.allowed is not None:
        kind = _LIMITS.get(episode.ended_at, "custom")
        sample["limit"] = {"type": kind, "limit": episode.allowed, "reason": episode.detail or episode.ended_at}
    return sample


def sample_id(task: str, row: int) -> str:
    """The id of an instance, in logs of runs of ours and of Inspect's own: its viewer takes no per cent sign in one."""
    return f"{id_of(task)}.{row}"


def measures_of(each: ExportedEpisode) -> Mapping[str, float | None]:
    """What is told of an episode: by ``MEASURES``, None for what is not known."""
    return {name: getattr(each.score, name) for name in MEASURES}


def _score(each: ExportedEpisode) -> dict[str, Any]:
    episode = each.episode
    fields = {field.record.name: field.score.score for field in each.score.fields}
    return {
        "value": measures_of(each),
        "answer": episode.site.answer if episode.site else None,
        "explanation": ": ".join(filter(None, (episode.outcome, episode.detail))),
        "metadata": {"outcome": episode.outcome, "limit": episode.limit, "fields": fields},
    }


def _messages(each: ExportedEpisode, pictures: _Pictures) -> Iterator[dict[str, Any]]:
    """What was asked; turns with their actions, and actions that no turn has led to, in order."""
    steps, done = each.episode.steps, 0
    if not each.episode.turns:
        yield {"role": "user", "content": asked_of(each)}
    for number, turn in enumerate(each.episode.turns):
        first, after = turn.steps
        yield from _acted(range(done, first), steps, pictures)
        yield from _shown(each, turn, pictures, is_first=number == 0)
        yield from _acted(range(first, after), steps, pictures, turn)
        done = max(done, after)
    yield from _acted(range(done, len(steps)), steps, pictures)


def _shown(each: ExportedEpisode, turn: Turn, pictures: _Pictures, *, is_first: bool) -> Iterator[dict[str, Any]]:
    """What the model was told at the beginning, and the last message to it: the page, and what was asked of it."""
    said = chat_of_json(sent(each.source, turn)["messages"], lambda name: name)
    if is_first:
        yield from ({"role": "system", "content": each["content"]} for each in said if each["role"] == "system")
    content = said[-1]["content"]
    if not isinstance(content, str):
        content = [part if part["type"] == "text" else pictures.of(part["image"]) for part in content]
    yield {"role": "user", "content": content}


def _acted(
    places: range, steps: Sequence[Step], pictures: _Pictures, turn: Turn | None = None
) -> Iterator[dict[str, Any]]:
    """Actions as calls of tools in one message, the turn's reply if there is one, and what each of them gave."""
    if not places and turn is None:
        return
    calls = []
    for place in places:
        name, arguments = called(steps[place])
        calls.append({"id": str(place), "function": name, "arguments": arguments, "type": "function"})
    said: dict[str, Any] = {"role": "assistant", "content": turn.reply if turn else "", "tool_calls": calls}
    if turn:
        said |= {"model": turn.model, "source": "generate"}
        if turn.thought:
            thought = {"type": "reasoning", "reasoning": turn.thought}
            said["content"] = [thought, {"type": "text", "text": turn.reply}]
    yield said
    for place, call in zip(places, calls, strict=True):
        yield _gave(call, steps[place], pictures)


def _gave(call: Mapping[str, Any], step: Step, pictures: _Pictures) -> dict[str, Any]:
    content: Any = step.message if step.ok else ""
    if step.image:
        content = [{"type": "text", "text": content}, pictures.of(step.image)]
    error = {} if step.ok else {"error": {"type": "unknown", "message": step.message}}
    return {"role": "tool", "content": content, "tool_call_id": call["id"], "function": call["function"], **error}


def _usage(episode: Episode) -> dict[str, dict[str, int]]:
    """Tokens by model, those of turns that nobody counted left out."""
    total: dict[str, Usage] = {}
    for turn in (*(episode.lost_turns or ()), *episode.turns):
        if turn.usage:
            model = turn.model or UNKNOWN
            total[model] = total.get(model, Usage()) + turn.usage
    return {
        model: {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
            "input_tokens_cache_read": usage.cached_input_tokens,
        }
        for model, usage in total.items()
    }


class _Pictures:
    """The pictures of a sample, each of which stands in it once.

    Attributes:
        attached: Name in the sample -> the picture as an address that holds it.
    """

    def __init__(self, source: ExportedRun) -> None:
        self.attached: dict[str, str] = {}
        self._source = source

    def of(self, name: str) -> dict[str, str]:
        """A picture by its SHA-256, as a part of a message.

        Raises:
            NotARun: it cannot be read.
        """
        short = name[:32]  # names of attachments have so many digits
        if short not in self.attached:
            file = self._source.run.image_file(name)
            try:
                png = file.read_bytes()
            except OSError as error:
                raise NotARun(f"{file} cannot be read: {error.strerror or error}") from error
            self.attached[short] = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        return {"type": "image", "image": f"{_ATTACHED}{short}"}
