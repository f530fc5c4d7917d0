"""The page on which a person reviews: one HTML file that works without a network, and saves what it is told."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from django.template import Context, Engine

from harness.files.codec import plain
from harness.reviews.answers_given import GivenAnswer, Place
from harness.reviews.page_looks import PageLook
from harness.reviews.review import DrawnField, Review

_PAGE = files(__package__) / "page"
_REPORT_CSS = files("harness.reports.html") / "templates" / "report.css"


def review_page(review: Review, answers: Mapping[Place, GivenAnswer], looks: Mapping[tuple[str, int], PageLook]) -> str:
    """The file's text; the same for the same review.

    Nothing of the metric is in it. Labels are, since they are shown once an answer has been judged: not to be read by
    the way, but no secret from who looks for them.

    Args:
        review: The draw.
        answers: What is told of each field.
        looks: The pages.
    """
    script = (_PAGE / "review.js").read_text(encoding="utf-8")
    css = (_REPORT_CSS.read_text(encoding="utf-8"), (_PAGE / "review.css").read_text(encoding="utf-8"))
    pictures = {key: _data_uri(look.png) for key, look in looks.items()}
    names = {key: f"p{number}" for number, key in enumerate(looks)}
    told = {
        "run": plain(review.run),
        # A page that is drawn anew begins anew: what was kept in the browser is of another draw.
        "key": hashlib.sha256(json.dumps(plain(review), sort_keys=True).encode()).hexdigest()[:16],
        "fields": [
            _told(field, answers[field.place], looks[field.task, field.index], names[field.task, field.index])
            for field in review.fields
        ],
        "pictures": {names[key]: picture for key, picture in pictures.items()},
    }
    engine = Engine(dirs=[str(_PAGE)])
    context = {
        "run": review.run,
        "fields": len(review.fields),
        "tasks": len({field.task for field in review.fields}),
        "css": "\n".join(css),
        "data": _in_script(told),
        "script": script,
        "hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }
    return engine.get_template("review.html").render(Context(context, use_l10n=False))


def _told(field: DrawnField, answer: GivenAnswer, look: PageLook, picture: str) -> dict[str, Any]:
    options = look.options.get(field.field, {})
    labels = [{"text": text, "beside": options.get(text, ""), "workers": workers} for text, workers in answer.labels]
    return {
        "task": field.task,
        "index": field.index,
        "id": field.id,
        "field": field.field,
        "kind": field.kind,
        "sent": list(field.sent),
        "beside": [options.get(value, "") for value in field.sent],
        "untouched": answer.untouched,
        "failed": list(answer.failed),
        "unread": list(answer.unread),
        "picture": picture,
        "box": look.boxes.get(field.field),
        "labels": base64.b64encode(json.dumps(labels).encode()).decode(),
    }


def _in_script(told: object) -> str:
    """JSON that may stand in a script element, whatever strangers have written: it holds no tag and no comment."""
    text = json.dumps(told)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data_uri(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else ""
