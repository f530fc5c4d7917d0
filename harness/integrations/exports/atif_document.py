"""Episodes in the Agent Trajectory Interchange Format, ATIF v1.8.

Source: https://github.com/harbor-framework/harbor/blob/main/rfcs/0001-trajectory-format.md. A turn with a model is a
step of the agent with the actions that it led to as tool calls; an action of a solver without a model is one of its
own. What the format has no place for stands under ``extra``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import Step
from harness.episode.action_sets import ACTION_SETS
from harness.episode.library import ACTIONS
from harness.episode.pointer_actions import POINTER_ACTIONS
from harness.integrations.exports.chat import PictureFile
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.kit.files.codec import plain
from harness.kit.files.installation import installed_version
from harness.models.messages import Usage
from harness.records.turn import Turn

VERSION = "ATIF-v1.8"
KNOWN = {**ACTION_SETS["all"], **ACTIONS, **POINTER_ACTIONS}
"""The actions whose text is read as a call."""
_HELD_ELSEWHERE = ("reply", "thought", "model", "usage", "cost", "steps", "images")
"""What of a turn stands in its step's own keys."""


def atif_document(each: ExportedEpisode, picture: PictureFile) -> dict[str, Any]:
    """An episode as a trajectory of ATIF, as JSON holds it.

    Args:
        each: The episode. Its labels are left out.
        picture: Gives the paths of its pictures.
    """
    episode, score = each.episode, each.score
    steps = [{"source": "user", "message": asked_of(each)}, *_steps(each, picture)]
    usage = episode.usage
    scores = {"score": score.score, "ceiling": score.ceiling, "do_nothing": score.do_nothing}
    extra = {"outcome": episode.outcome, "detail": episode.detail, "answer": episode.site and episode.site.answer}
    return {
        "schema_version": VERSION,
        "session_id": each.source.name,
        "trajectory_id": f"{each.source.name}/{episode.task}/{episode.index}",
        "agent": {"name": each.source.solver, "version": installed_version() or "unknown"},
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
    """The agent's steps, in order: turns with their actions, and actions that no turn has led to."""
    steps, done = each.episode.steps, 0
    for number, turn in enumerate(each.episode.turns):
        first, after = turn.steps
        yield from (_lone(place, steps[place], picture) for place in range(done, first))
        yield _of_turn(number, turn, list(enumerate(steps[first:after], first)), picture)
        done = max(done, after)
    yield from (_lone(place, steps[place], picture) for place in range(done, len(steps)))


def _of_turn(number: int, turn: Turn, actions: Sequence[tuple[int, Step]], picture: PictureFile) -> dict[str, Any]:
    rest = {name: value for name, value in plain(turn).items() if name not in _HELD_ELSEWHERE}
    shown = [picture(name) for name in turn.images]
    return {
        "source": "agent",
        "message": turn.reply,
        **_without_unknown(
            {
                "model_name": turn.model or None,
                "reasoning_content": turn.thought or None,
                "metrics": _without_unknown({**_tokens(turn.usage), "cost_usd": turn.cost}) or None,
            }
        ),
        **_acted(actions, picture),
        "llm_call_count": 1,
        "extra": _without_unknown({"turn": number, "shown": shown, **rest}),
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
        source = {"media_type": "image/png", "path": picture(step.image)}
        content = [{"type": "text", "text": step.message}, {"type": "image", "source": source}]
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
