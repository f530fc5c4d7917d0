"""An episode as spans: the episode, its turns, and in each the exchange with the model and the actions it led to.

Attributes are those of OpenTelemetry's conventions for generative AI where they fit, and else begin with ``turkbench``.
What was said, read or typed is in none: it holds texts of pages.

How long each thing took is measured. When it began is known of the episode alone; in it things are put in their order,
with what nobody measured one by one, such as looks at the page, shared out evenly before them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from harness.actions.result import Step
from harness.integrations.tracking.tracker import BegunRun, EndedEpisode
from harness.models.messages import Usage
from harness.records.episode import Episode
from harness.records.turn import Turn

Attribute = str | bool | int | float | Sequence[str]
_PROVIDERS = {"google": "gcp.gemini"}
"""Those that the conventions call otherwise than ``presets.toml``."""
_BEFORE, _WORK = ("open",), ("observe", "think", "wait", "act", "film")
"""Phases of an episode before its solver is at work, and while it is."""


@dataclass(frozen=True)
class TreeSpan:
    """A span and what is in it.

    Attributes:
        name: Its name.
        began: In milliseconds since 1970.
        ended: Likewise.
        attributes: Name -> value; what is not known is left out.
        error: What went wrong, in a word; empty if nothing did.
        remote: Whether it is a call of another system.
        parts: The spans in it.
    """

    name: str
    began: float
    ended: float
    attributes: Mapping[str, Attribute]
    error: str = ""
    remote: bool = False
    parts: tuple[TreeSpan, ...] = field(default=())


def episode_span(run: BegunRun, ended: EndedEpisode) -> TreeSpan:
    """The span of an episode.

    Args:
        run: Its run.
        ended: The episode.
    """
    episode, timing = ended.record, ended.record.timing
    blocks = list(_blocks(episode))
    known = math.fsum(_ms_of(turn, steps) for _, turn, steps in blocks)
    work = max(known, math.fsum(timing.get(phase, 0.0) for phase in _WORK))
    around = math.fsum(ms for phase, ms in timing.items() if phase not in _WORK)
    began = ended.ended * 1000 - work - around
    at = began + math.fsum(timing.get(phase, 0.0) for phase in _BEFORE)
    look, parts = (work - known) / len(blocks) if blocks else 0.0, list[TreeSpan]()
    for number, turn, steps in blocks:
        at += look
        parts += [_turn_span(run, number, turn, steps, at)] if turn else _action_spans(steps, at)
        at += _ms_of(turn, steps)
    went_wrong = episode.outcome in ("agent_error", "harness_error")
    return TreeSpan(
        name=f"invoke_agent {run.solver}",
        began=began,
        ended=ended.ended * 1000,
        attributes=_known(
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": run.solver,
                "gen_ai.request.model": run.model,
                **_tokens(episode.usage),
                "turkbench.task": episode.task,
                "turkbench.index": episode.index,
                "turkbench.instance": episode.id,
                "turkbench.split": episode.split,
                "turkbench.outcome": episode.outcome,
                "turkbench.limit": episode.ended_at,
                "turkbench.score": ended.score,
                "turkbench.cost": episode.cost,
                "turkbench.attempts": episode.attempts,
                **{f"turkbench.ms.{phase}": ms for phase, ms in timing.items()},
                "error.type": episode.outcome if went_wrong else "",
            }
        ),
        error=episode.outcome if went_wrong else "",
        parts=tuple(parts),
    )


def _blocks(episode: Episode) -> Iterator[tuple[int, Turn | None, Sequence[Step]]]:
    """Turns with their number and actions, and actions that no turn has led to, in order."""
    done = 0
    for number, turn in enumerate(episode.turns, 1):
        first, after = turn.steps
        yield from ((0, None, [step]) for step in episode.steps[done:first])
        yield number, turn, episode.steps[first:after]
        done = max(done, after)
    yield from ((0, None, [step]) for step in episode.steps[done:])


def _ms_of(turn: Turn | None, steps: Sequence[Step]) -> float:
    return math.fsum([turn.ms if turn else 0.0, *(step.ms for step in steps)])


def _turn_span(run: BegunRun, number: int, turn: Turn, steps: Sequence[Step], began: float) -> TreeSpan:
    replied = began + turn.ms
    model = turn.model or run.model
    chat = TreeSpan(
        name=f"chat {model}".rstrip(),
        began=began,
        ended=replied,
        attributes=_known(
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": _PROVIDERS.get(run.provider, run.provider),
                "gen_ai.request.model": run.model,
                "gen_ai.response.model": turn.model,
                "gen_ai.response.finish_reasons": (turn.finish,) if turn.finish else "",
                **_tokens(turn.usage),
                "turkbench.cost": turn.cost,
                "turkbench.cached": turn.cached,
                "turkbench.attempts": turn.attempts,
            }
        ),
        remote=True,
    )
    return TreeSpan(
        name=f"turn {number}",
        began=began,
        ended=began + _ms_of(turn, steps),
        attributes={"turkbench.turn": number},
        parts=(chat, *_action_spans(steps, replied)),
    )


def _action_spans(steps: Sequence[Step], began: float) -> list[TreeSpan]:
    found = []
    for step in steps:
        # Of the action's text its name alone: its arguments are what was typed.
        name = step.action.partition("(")[0]
        error = "" if step.ok else (step.code.value if step.code else "failed")
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "error.type": error,
        }
        found.append(TreeSpan(f"execute_tool {name}", began, began + step.ms, _known(attributes), error))
        began += step.ms
    return found


def _tokens(usage: Usage | None) -> Mapping[str, Attribute | None]:
    if usage is None:
        return {}
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_input_tokens,
    }


def _known(attributes: Mapping[str, Attribute | None]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if value is not None and value != ""}
