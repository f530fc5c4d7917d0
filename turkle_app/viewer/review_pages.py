"""Reviews of a run: which there are, a new one, and the page on which answers are judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.records.run_record import RunRecord
from harness.reports.reviews.judging import Reviewer
from harness.reports.reviews.questions import page_part, page_text
from harness.reports.reviews.review import Review, ReviewFolder
from harness.reports.reviews.run_reviews import review_folders
from harness.scoring.metrics import PROFILES
from turkle_app.access import may_write, staff
from turkle_app.viewer.review_draw import DRAWS
from turkle_app.viewer.reviewed_run import ReviewedRun, UnknownReview, reviewed_run
from turkle_app.viewer.reviewer_name import LONGEST_NAME, forget, is_name, remember, reviewer_of

FIELDS = 144
"""As many answers as the authors of TurkingBench reviewed (section 4.5)."""
MOST_FIELDS = 10_000
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class ReviewerProgress:
    """How far a person is.

    Attributes:
        name: The person.
        judged: Answers of which both questions are answered.
    """

    name: str
    judged: int


@dataclass(frozen=True)
class ListedReview:
    """A review in the list.

    Attributes:
        number: Its number.
        review: The draw; None if it cannot be read.
        reason: Why it cannot; empty if it can.
        reviewers: Those who have begun.
        mine: How far who looks is; None if not begun.
    """

    number: int
    review: Review | None
    reason: str = ""
    reviewers: tuple[ReviewerProgress, ...] = ()
    mine: ReviewerProgress | None = None

    @property
    def tasks(self) -> int:
        """Of how many tasks fields were drawn."""
        return len({field.task for field in self.review.fields}) if self.review else 0


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def review_list(request: HttpRequest, run: str) -> HttpResponseBase:
    """List the reviews of a run with who judges, and start another, for staff."""
    shown = reviewed_run(run)
    trouble = ""
    if request.method == "POST":
        try:
            return redirect("review-draw", run, _started(request, shown.place.folder))
        except UserError as error:
            trouble = str(error)
    context = {
        **shown.context,
        "reviews": list(_listed(request, shown)) if shown.record else [],
        "profiles": PROFILES,
        "profile": request.POST.get("profile") or (shown.record.config.metrics if shown.record else ""),
        "fields": request.POST.get("fields", FIELDS),
        "seed": request.POST.get("seed", "0"),
        "most_fields": MOST_FIELDS,
        "largest_seed": LARGEST_SEED,
        "trouble": trouble,
        "may_write": may_write(),
        "reviewer": reviewer_of(request),
    }
    return render(request, "viewer/review_list.html", context)


def _started(request: HttpRequest, run: Path) -> int:
    """Have a review drawn as the form says; gives the name of the draw."""
    fields = _whole(request, "fields", 1, MOST_FIELDS)
    seed = _whole(request, "seed", 0, LARGEST_SEED)
    profile = request.POST.get("profile", "")
    if profile not in PROFILES:
        raise WrongInput(f"There is no scoring profile {profile!r}")
    return DRAWS.start(run, profile, fields, seed)


class WrongInput(UserError):
    """What was filled in cannot be used; the message says why."""


def _whole(request: HttpRequest, name: str, least: int, most: int) -> int:
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most):
        raise WrongInput(f"{text!r} cannot be the {name}: a whole number from {least} to {most} is asked for")
    return int(text)


def _listed(request: HttpRequest, shown: ReviewedRun) -> Iterator[ListedReview]:
    judge = reviewer_of(request)
    for number, folder in review_folders(shown.place.folder).items():
        try:
            if shown.record:
                yield _progress(number, folder, shown.record, judge.name if judge else "")
        except UserError as error:
            yield ListedReview(number, None, str(error))


def _progress(number: int, folder: ReviewFolder, record: RunRecord, name: str) -> ListedReview:
    review = folder.read(record)
    reviewers = tuple(
        ReviewerProgress(each.judge.name, sum(verdict.labels is not None for verdict in each.verdicts))
        for each in folder.verdicts(review)
    )
    return ListedReview(
        number, review, reviewers=reviewers, mine=next((each for each in reviewers if each.name == name), None)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def review(request: HttpRequest, run: str, number: int) -> HttpResponseBase:
    """Judge the answers of a review one after the other, for staff; before, say by which name."""
    shown = reviewed_run(run)
    trouble = ""
    if request.method == "POST":
        name = request.POST.get("name", "").strip()
        response = redirect("review", run, number)
        if not name:
            forget(response)
            return response
        if is_name(name):
            remember(response, name)
            return response
        trouble = f"A name is on one line, and has at most {LONGEST_NAME} characters"
    context = {**shown.context, "number": number, "trouble": trouble, "longest": LONGEST_NAME, "may_write": may_write()}
    judge = reviewer_of(request)
    try:
        folder, drawn = shown.review(number)
        reviewer = Reviewer(folder, drawn, judge) if judge else None
        said = reviewer.said() if reviewer else {}
    except UnknownReview:
        raise
    except UserError as error:
        return render(request, "viewer/review_trouble.html", {**context, "reason": str(error)})
    context |= {
        "drawn": drawn,
        "tasks": len({field.task for field in drawn.fields}),
        "reviewer": judge,
        "before": page_part("before.html"),
        "questions_css": page_text("questions.css"),
    }
    if not reviewer or trouble or not may_write():
        return render(request, "viewer/review_begin.html", context)
    context["questions"] = page_part("questions.html", panel=page_part("frame.html"))
    context["given"] = {
        "reviewer": reviewer.judge.name,
        "by_cookie": not settings.TURKLE_ANNOTATION,
        "total": len(drawn.fields),
        "verdicts": [
            (place, plain(said[field.place])) for place, field in enumerate(drawn.fields) if field.place in said
        ],
    }
    return render(request, "viewer/review_judge.html", context)
