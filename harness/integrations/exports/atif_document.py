"""Episodes in the Agent Trajectory Interchange Format, ATIF v1.8.

Source: https://github.com/harbor-framework/harbor/blob/main/rfcs/0001-trajectory-format.md. Before each turn with a
model stands, as a user's step, what its last message to the model held: the page, as it was sent. The turn is a step of
the agent with the actions that it led to as tool calls; an action of a solver without a model is a step of its own.
What the format has no place for stands under ``extra``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import Step
from harness.episode.library import ACTIONS
from harness.episode.pointer_actions import POINTER_ACTIONS
from harness.episode.site_actions import SITE_ACTIONS
from harness.integrations.exports.chat import PictureFile, chat_of_json, sent
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.kit.files.codec import plain
from harness.kit.files.installation import own_version
from harness.models.messages import Usage
from harness.records.turn import Turn

VERSION = "ATIF-v1.8"
KNOWN = {**SITE_ACTIONS, **ACTIONS, **POINTER_ACTIONS}
"""The actions whose text is read as a call."""
END = "finish()"
"""With this in its calls a turn ends the work on a form."""
_HELD_ELSEWHERE = ("reply", "thought", "model", "usage", "cost", "steps", "images")
"""What of a turn stands in its step's own keys."""


def atif_document(each: ExportedEpisode, picture: PictureFile) -> dict[str, Any]:
    """An episode as a trajectory of ATIF, as JSON holds it.

    Args:
        each: The episode. Its labels are left out.
        picture: Gives the paths of its pictures.

    Raises:
        NotARun: what was sent to its model is missing or damaged.
    """
    episode, score = each.episode, each.score
    steps = list(_steps(each, picture))
    models = [step["model_name"] for step in steps if "model_name" in step]
    usage = episode.usage
    scores = {"score": score.score, "ceiling": score.ceiling, "do_nothing": score.do_nothing}
    extra = {"outcome": episode.outcome, "detail": episode.detail, "answer": episode.site and episode.site.answer}
    return {
        "schema_version": VERSION,
        "session_id": each.source.name,
        "trajectory_id": f"{each.source.name}/{episode.task}/{episode.index}",
        "agent": {
            "name": each.source.solver,
            "version": own_version(),
            **({"model_name": models[-1]} if models else {}),
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
        "final_metrics": _without_unknown(
            {
                **_tokens(usage, "total_"),
                "total_cost_usd": episode.cost,
                "total_steps": len(steps),
                "extra": _without_unknown(scores),
            }
        ),
        "extra": _without_unknown({**each.place(), **extra}),
    }


def asked_of(each: ExportedEpisode) -> str:
    """What was to be done, as far as it is words."""
    site = each.episode.site
    return site.task.goal if site else f"Fill in the form of {each.episode.task!r}, instance {each.episode.index}."


def _steps(each: ExportedEpisode, picture: PictureFile) -> Iterator[dict[str, Any]]:
    """What was asked; turns with what was shown and their actions, and actions that no turn has led to, in order."""
    steps, done = each.episode.steps, 0
    if not any(turn.sent for turn in each.episode.turns):
        yield {"source": "user", "message": asked_of(each)}
    for number, turn in enumerate(each.episode.turns):
        first, after = turn.steps
        yield from (_lone(place, steps[place], picture) for place in range(done, first))
        if turn.sent:
            yield from _shown(sent(each.source, turn)["messages"], picture, is_first=number == 0)
        model = turn.model or str(each.source.config.options.get("model") or "")
        yield _of_turn(number, turn, model, list(enumerate(steps[first:after], first)), picture)
        done = max(done, after)
    yield from (_lone(place, steps[place], picture) for place in range(done, len(steps)))


def _shown(messages: Sequence[Mapping[str, Any]], picture: PictureFile, *, is_first: bool) -> Iterator[dict[str, Any]]:
    """What the model was told at the beginning, and the last message to it: the page, and what was asked of it."""
    said = chat_of_json(messages, picture)
    for message in (each for each in said if is_first and each["role"] == "system"):
        yield {"source": "system", "message": _parts(message["content"])}
    yield {"source": "user", "message": _parts(said[-1]["content"])}


def _parts(content: str | Sequence[Mapping[str, str]]) -> str | list[dict[str, Any]]:
    if isinstance(content, str):
        return content
    return [dict(part) if part["type"] == "text" else _image(part["image"]) for part in content]


def _image(path: str) -> dict[str, Any]:
    return {"type": "image", "source": {"media_type": "image/png", "path": path}}


def _of_turn(
    number: int, turn: Turn, model: str, actions: Sequence[tuple[int, Step]], picture: PictureFile
) -> dict[str, Any]:
    rest = {name: value for name, value in plain(turn).items() if name not in _HELD_ELSEWHERE}
    acted = _acted(actions, picture)
    if END in turn.calls:  # it ends the work on a form, and is no action on it
        end = {"tool_call_id": f"end-{number}", "function_name": END.removesuffix("()"), "arguments": {}}
        acted["tool_calls"] = [*acted.get("tool_calls", ()), end]
    return {
        "source": "agent",
        "message": turn.reply,
        **_without_unknown(
            {
                "model_name": model or None,
                "reasoning_content": turn.thought or None,
                "metrics": _without_unknown({**_tokens(turn.usage), "cost_usd": turn.cost}) or None,
            }
        ),
        **acted,
        "llm_call_count": 1,
        "extra": _without_unknown({"turn": number, **rest}),
    }


def _lone(place: int, step: Step, picture: PictureFile) -> dict[str, Any]:
    return {"source": "agent", "message": "", **_acted([(place, step)], picture), "llm_call_count": 0}


def _acted(actions: Sequence[tuple[int, Step]], picture: PictureFile) -> dict[str, Any]:
    """Actions as tool calls, with what they gave."""
    if not actions:
        return {}
    return {
        "tool_calls": [_call(place, step) for place, step in actions],
        "observation": {"results": [_result(place, step, picture) for place, step in actions]},
    }


def called(step: Step) -> tuple[str, dict[str, Any]]:
    """Name and arguments of an action; without arguments where its text is no call of the library."""
    read = parse(step.action, KNOWN)
    call = read[0] if len(read) == 1 and isinstance(read[0], ActionCall) else None
    return (call.name, dict(call.args)) if call else (step.action.partition("(")[0], {})


def _call(place: int, step: Step) -> dict[str, Any]:
    name, arguments = called(step)
    return {
        "tool_call_id": str(place),
        "function_name": name,
        "arguments": arguments,
        "extra": {"action": step.action, "ms": step.ms, "looked": step.looked, "rehearsed": step.rehearsed},
    }


def _result(place: int, step: Step, picture: PictureFile) -> dict[str, Any]:
    content: str | list[dict[str, Any]] = step.message
    if step.image:
        content = [{"type": "text", "text": step.message}, _image(picture(step.image))]
    extra = _without_unknown({"ok": step.ok, "code": plain(step.code)})
    return {"source_call_id": str(place), "content": content, "extra": extra}


def _tokens(usage: Usage | None, prefix: str = "") -> dict[str, int | None]:
    return {
        f"{prefix}prompt_tokens": usage.input_tokens if usage else None,
        f"{prefix}completion_tokens": usage.output_tokens if usage else None,
        f"{prefix}cached_tokens": usage.cached_input_tokens if usage else None,
    }


def _without_unknown(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of them: in this format a key that is left out is unknown."""
    return {name: value for name, value in values.items() if value is not None}
