"""The page on which a person reviews: one HTML file that works without a network, and saves what it is told."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from harness.kit.files.codec import plain
from harness.reports.reviews.answers_given import GivenAnswer, Place
from harness.reports.reviews.asked_field import asked_field, given_labels
from harness.reports.reviews.page_pictures import FieldPicture
from harness.reports.reviews.questions import page_part, page_text
from harness.reports.reviews.review import DrawnField, Review

_REPORT_CSS = files("harness.reports.html") / "templates" / "report.css"


def review_page(
    review: Review, answers: Mapping[Place, GivenAnswer], looks: Mapping[tuple[str, int], FieldPicture]
) -> str:
    """The file's text; the same for the same review.

    Nothing of the metric is in it. Labels are, since they are shown once an answer has been judged: not to be read by
    the way, but no secret from who looks for them.

    Args:
        review: The draw.
        answers: What is told of each field.
        looks: The pages.
    """
    script = page_text("questions.js") + page_text("review.js")
    css = (_REPORT_CSS.read_text(encoding="utf-8"), page_text("review.css"), page_text("questions.css"))
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
    values = {
        "run": review.run,
        "fields": len(review.fields),
        "tasks": len({field.task for field in review.fields}),
        "before": page_part("before.html"),
        "questions": page_part("questions.html", panel=page_part("picture.html")),
        "css": "\n".join(css),
        "data": _in_script(told),
        "script": script,
        "hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }
    return page_part("review.html", **values)


def _told(field: DrawnField, answer: GivenAnswer, look: FieldPicture, picture: str) -> dict[str, Any]:
    options = look.options.get(field.field, {})
    return {
        **asked_field(field, answer, options),
        "picture": picture,
        "box": look.boxes.get(field.field),
        "labels": base64.b64encode(json.dumps(given_labels(answer, options)).encode()).decode(),
    }


def _in_script(told: object) -> str:
    """JSON that may stand in a script element, whatever strangers have written: it holds no tag and no comment."""
    text = json.dumps(told)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data_uri(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else ""
