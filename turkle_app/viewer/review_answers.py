"""What the page of a review asks for and says: one field, one verdict. Labels are told once the answer is judged."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, get_args
from urllib.parse import urlencode

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from harness.catalog import MalformedTask
from harness.catalog.template.wrapping import ACCEPTED
from harness.kit.cut_texts import cut_texts
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.kit.files.writing import path_name
from harness.records.directory import RunDirectory
from harness.records.verdict import AnswerVerdict, LabelVerdict, PlaceVerdict
from harness.reports.reviews.answers_given import given_answers
from harness.reports.reviews.asked_field import asked_field, given_labels
from harness.reports.reviews.judging import LONGEST_NOTE, Reviewer, StandingVerdict
from harness.reports.reviews.option_words import option_words
from harness.reports.reviews.review import DrawnField, WrongReview
from turkle_app.access import staff
from turkle_app.origins import pages_origin
from turkle_app.tasks import UnknownInstance, UnknownTask, find_instance, find_task, page_html
from turkle_app.viewer.filled_address import filled_address
from turkle_app.viewer.reviewed_run import UnknownReview, reviewed_run
from turkle_app.viewer.reviewer_name import reviewer_of

LONGEST_LOOK = 7 * 24 * 3600.0
"""Seconds: a page that was left open longer was not looked at."""
_ELSEWHERE = "You said something else of this answer before, in another window: that stands, and is shown here."
_NO_PAGE = (
    "The page cannot be shown: this server has other tasks than the run had. Start it with --tasks-dir and --overlay "
    "as for the run."
)


class AtField:
    """A reviewer at one of the fields of a review.

    Attributes:
        reviewer: The person, and the review.
        field: The field.
    """

    def __init__(self, request: HttpRequest, run: str, number: int, place: int) -> None:
        """Find it.

        Raises:
            UnknownRunAddress, UnknownReview: there is no such run, review or field.
            UserError: it cannot be read, or nobody has said who judges.
        """
        self._request = request
        self._slug = run
        shown = reviewed_run(run)
        folder, review = shown.review(number)
        judge = reviewer_of(request)
        if judge is None:
            raise WrongReview("Nobody has said who judges: open the page of the review anew, and say who you are")
        if place >= len(review.fields):
            raise UnknownReview(f"The review has no field {place}.")
        self.reviewer = Reviewer(folder, review, judge)
        self.field: DrawnField = review.fields[place]
        self._run = RunDirectory(shown.place.folder)

    def told(self, verdict: PlaceVerdict | None, said: str = "") -> JsonResponse:
        """Tell the field, what stands, and the labels if something stands.

        Args:
            verdict: What the person has said; None if nothing: then nothing of the labels is told.
            said: What the person should know.
        """
        alone = replace(self.reviewer.review, fields=(self.field,))
        answer = given_answers(self._run, alone)[self.field.place]
        page, options = self._page()
        told: dict[str, Any] = {
            "field": {**asked_field(self.field, answer, options), "page": page, "why": "" if page else _NO_PAGE},
            "verdict": plain(verdict) if verdict else None,
            "labels": given_labels(answer, options) if verdict else [],
            "said": said,
        }
        return JsonResponse(cut_texts(told), headers={"Cache-Control": "no-store"})

    def _page(self) -> tuple[str, dict[str, str]]:
        """Return where the page is, filled in and with the field marked, and what stands beside the field's options."""
        field = self.field
        try:
            instance = find_instance(find_task(field.task), field.index)
            html = page_html(field.task, field.index)
        except (UnknownTask, UnknownInstance, MalformedTask):
            return "", {}
        if instance.id != field.id:
            return "", {}
        if self._run.episode(field.task, field.index).submission:
            marked = filled_address(self._request, self._slug, path_name(field.task), field.index, mark=field.field)
        else:
            address = reverse("page", args=[field.task, field.index])
            marked = f"{pages_origin(self._request)}{address}?{ACCEPTED}&{urlencode({'mark': field.field})}"
        return marked, dict(option_words(html, field.field))


View = Callable[[HttpRequest, AtField], JsonResponse]


def _at_field(view: View) -> Callable[[HttpRequest, str, int, int], HttpResponseBase]:
    @wraps(view)
    def answered(request: HttpRequest, run: str, number: int, place: int) -> HttpResponseBase:
        try:
            at = AtField(request, run, number, place)
            if request.method == "POST" and request.POST.get("reviewer") != at.reviewer.judge.name:
                name = at.reviewer.judge.name
                raise WrongReview(f"You are {name} here now, by what another window said: open the page anew")
            return view(request, at)
        except UserError as error:
            return JsonResponse({"said": str(error)}, status=409)
        except OSError as error:
            return JsonResponse({"said": f"This cannot be kept: {error.strerror or error}"}, status=500)

    return answered


@require_safe
@staff
@_at_field
def review_field(request: HttpRequest, at: AtField) -> JsonResponse:
    """Tell a field of a review, with the labels if who asks has judged its answer, for staff."""
    del request
    return at.told(at.reviewer.said().get(at.field.place))


@require_POST
@staff
@_at_field
def review_answer(request: HttpRequest, at: AtField) -> JsonResponse:
    """Take what is said of an answer, and tell the labels, for staff."""
    answer = request.POST.get("answer", "")
    if answer not in get_args(AnswerVerdict):
        raise WrongReview(f"{answer!r} is no verdict on an answer")
    return _standing(at, at.reviewer.settle(at.field, answer, _seconds(request)))  # type: ignore[arg-type]


@require_POST
@staff
@_at_field
def review_labels(request: HttpRequest, at: AtField) -> JsonResponse:
    """Take what is said of the labels, for staff."""
    labels, before = request.POST.get("labels", ""), request.POST.get("before_labels") or None
    if labels not in get_args(LabelVerdict):
        raise WrongReview(f"{labels!r} is no verdict on labels")
    note = request.POST.get("note", "").strip()[:LONGEST_NOTE]
    seen = (before, request.POST.get("before_note", ""))
    return _standing(at, at.reviewer.complete(at.field, labels, note, seen))  # type: ignore[arg-type]


def _standing(at: AtField, found: StandingVerdict) -> JsonResponse:
    return at.told(found.verdict, _ELSEWHERE if found.is_other else "")


def _seconds(request: HttpRequest) -> float | None:
    try:
        seconds = float(request.POST.get("seconds", ""))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and 0 <= seconds <= LONGEST_LOOK else None
