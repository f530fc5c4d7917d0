"""Runs as plain tables: episodes, their fields, steps and turns. Nothing that an episode's file holds is left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.episode.clock import PHASES
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.kit.files.codec import plain
from harness.kit.rows import Kind
from harness.models.messages import Usage


@dataclass(frozen=True)
class RunTable:
    """A table.

    Attributes:
        name: Its name, and its file's.
        columns: Column -> kind, in order.
        rows: Makes the rows of an episode; each has all columns.
    """

    name: str
    columns: Mapping[str, Kind]
    rows: Callable[[ExportedEpisode], Iterator[dict[str, Any]]]


_PLACE: Mapping[str, Kind] = {
    "run": "text",
    "solver": "text",
    "task": "text",
    "index": "whole",
    "id": "text",
    "split": "text",
    "held_out": "truth",
}
_USAGE: Mapping[str, Kind] = dict.fromkeys(plain(Usage()), "whole")


def _episode(each: ExportedEpisode) -> Iterator[dict[str, Any]]:
    episode, score, submission = each.episode, each.score, each.episode.submission
    yield {
        **each.place(),
        "outcome": episode.outcome,
        "detail": episode.detail,
        "score": score.score,
        "ceiling": score.ceiling,
        "do_nothing": score.do_nothing,
        "constant": score.constant,
        "untied": score.untied,
        "scored_fields": len(score.fields),
        "steps": len(episode.steps),
        "turns": len(episode.turns),
        **_tokens(episode.usage),
        "cost": episode.cost,
        "agent_report": _json(plain(episode.agent_report)) if episode.agent_report else None,
        "page": episode.page,
        "missing_media": list(episode.missing_media),
        "missing_assets": list(episode.missing_assets),
        "script_errors": list(episode.script_errors),
        "accepted": submission.accepted if submission else None,
        "via": submission.via if submission else None,
        "blocked": submission.blocked if submission else None,
        "dialogs": list(submission.dialogs) if submission else None,
        "refused": list(submission.refused) if submission else None,
        "sent": _json(submission.values) if submission else None,
        "messages": episode.messages.get("messages"),
        "waits": episode.messages.get("waits"),
        **{f"ms_{phase}": episode.timing.get(phase) for phase in PHASES},
    }


def _fields(each: ExportedEpisode) -> Iterator[dict[str, Any]]:
    scores = {field.record.name: field for field in each.score.fields}
    for field in each.episode.fields:
        found = scores.get(field.name)
        yield {
            **each.place(),
            "field": field.name,
            "kind": field.kind,
            "options": list(field.options),
            "labels": list(field.labels),
            "status": field.status,
            "told": field.told,
            "visible": field.visible,
            "sent": list(field.sent),
            "untouched": list(field.untouched),
            "constant": list(field.constant),
            "score": found.score.score if found else None,
            "ceiling": found.score.ceiling if found else None,
            "score_of_untouched": found.do_nothing.score if found else None,
            "score_of_constant": found.constant.score if found else None,
            "agreement": found.score.agreement if found else None,
            "tied": found.score.tied if found else None,
            "explanation": found.score.explanation if found else None,
        }


def _steps(each: ExportedEpisode) -> Iterator[dict[str, Any]]:
    turn_of = {
        number: place for place, turn in enumerate(each.episode.turns) for number in range(turn.steps[0], turn.steps[1])
    }
    for number, step in enumerate(each.episode.steps):
        yield {
            **each.place(),
            "step": number,
            "turn": turn_of.get(number),
            "action": step.action,
            "ok": step.ok,
            "message": step.message,
            "ms": step.ms,
            "image": step.image,
            "looked": step.looked,
            "rehearsed": step.rehearsed,
        }


def _turns(each: ExportedEpisode) -> Iterator[dict[str, Any]]:
    for number, turn in enumerate(each.episode.turns):
        yield {
            **each.place(),
            "turn": number,
            "first_step": turn.steps[0],
            "steps": turn.steps[1] - turn.steps[0],
            "sent": turn.sent,
            "images": list(turn.images),
            "reply": turn.reply,
            "whole": turn.whole,
            "tool_calls": _json(plain(turn.tool_calls)),
            "calls": list(turn.calls),
            "page": turn.page,
            **_tokens(turn.usage),
            "counted_by": turn.counted_by,
            "cost": turn.cost,
            "finish": turn.finish,
            "model": turn.model,
            "ms": turn.ms,
            "cached": turn.cached,
            "attempts": turn.attempts,
            "note": turn.note,
            "thought": turn.thought,
        }


def _tokens(usage: Usage | None) -> dict[str, int | None]:
    """Tokens by kind; those that are not known as nothing."""
    return dict.fromkeys(_USAGE) if usage is None else plain(usage)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


TABLES = (
    RunTable(
        "episodes",
        {
            **_PLACE,
            **dict.fromkeys(("outcome", "detail"), "text"),
            **dict.fromkeys(("score", "ceiling", "do_nothing", "constant", "untied"), "number"),
            **dict.fromkeys(("scored_fields", "steps", "turns"), "whole"),
            **_USAGE,
            "cost": "number",
            **dict.fromkeys(("agent_report", "page"), "text"),
            **dict.fromkeys(("missing_media", "missing_assets", "script_errors"), "texts"),
            "accepted": "truth",
            **dict.fromkeys(("via", "blocked"), "text"),
            **dict.fromkeys(("dialogs", "refused"), "texts"),
            "sent": "text",
            **dict.fromkeys(("messages", "waits"), "whole"),
            **{f"ms_{phase}": "number" for phase in PHASES},
        },
        _episode,
    ),
    RunTable(
        "fields",
        {
            **_PLACE,
            **dict.fromkeys(("field", "kind"), "text"),
            **dict.fromkeys(("options", "labels"), "texts"),
            "status": "text",
            **dict.fromkeys(("told", "visible"), "truth"),
            **dict.fromkeys(("sent", "untouched", "constant"), "texts"),
            **dict.fromkeys(("score", "ceiling", "score_of_untouched", "score_of_constant", "agreement"), "number"),
            "tied": "truth",
            "explanation": "text",
        },
        _fields,
    ),
    RunTable(
        "steps",
        {
            **_PLACE,
            **dict.fromkeys(("step", "turn"), "whole"),
            "action": "text",
            "ok": "truth",
            "message": "text",
            "ms": "number",
            "image": "text",
            "looked": "truth",
            "rehearsed": "truth",
        },
        _steps,
    ),
    RunTable(
        "turns",
        {
            **_PLACE,
            **dict.fromkeys(("turn", "first_step", "steps"), "whole"),
            "sent": "text",
            "images": "texts",
            **dict.fromkeys(("reply", "whole", "tool_calls"), "text"),
            "calls": "texts",
            "page": "text",
            **_USAGE,
            "counted_by": "text",
            "cost": "number",
            **dict.fromkeys(("finish", "model"), "text"),
            "ms": "number",
            "cached": "truth",
            "attempts": "whole",
            **dict.fromkeys(("note", "thought"), "text"),
        },
        _turns,
    ),
)
"""All tables, each with the episode's place as its first columns."""
