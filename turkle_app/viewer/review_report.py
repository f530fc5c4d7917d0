"""What the reviews of a run come to, as a page and as files.

Numbers with intervals need libraries that are slow to import: they are imported when somebody asks.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.kit.errors import UserError
from harness.records.directory import RunDirectory
from harness.reports.reviews.run_reviews import review_folders
from turkle_app.access import staff
from turkle_app.viewer.reviewed_run import UnknownReview, reviewed_run

_FORMS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@require_safe
@staff
def report(request: HttpRequest, run: str) -> HttpResponseBase:
    """Show how far people agree with the metric and with each other, and what was said openly, for staff."""
    from turkle_app.viewer.reported_review import MOST_EXAMPLES, reported, said_openly, threshold_of  # noqa: PLC0415

    shown = reviewed_run(run)
    threshold = threshold_of(request)
    reviews, said, trouble = [], [], ""
    if shown.record:
        reviews = [reported(shown, number, threshold) for number in review_folders(shown.place.folder)]
        try:
            said = list(said_openly(shown))
        except UserError as error:
            trouble = str(error)
    context = {
        **shown.context,
        "reviews": reviews,
        "said": said,
        "trouble": trouble,
        "threshold": 100 * threshold,
        "most": MOST_EXAMPLES,
    }
    return render(request, "viewer/review_report.html", context)


@require_safe
@staff
def verdicts(request: HttpRequest, run: str, number: int, form: str) -> HttpResponse:
    """Give every verdict of a review with the score of its answer, as CSV or JSON, for staff."""
    from harness.reports.reviews.judged_review import judged_review  # noqa: PLC0415
    from harness.reports.reviews.review_text import as_csv, as_json  # noqa: PLC0415
    from turkle_app.viewer.reported_review import threshold_of  # noqa: PLC0415

    shown = reviewed_run(run)
    folder = review_folders(shown.place.folder).get(number)
    if form not in _FORMS or folder is None:
        raise UnknownReview(f"The run {shown.place.name} has no such file of verdicts.")
    try:
        judged = judged_review(RunDirectory(shown.place.folder), folder, threshold_of(request))
    except UserError as error:
        raise Http404(str(error)) from error
    made = as_json(judged.rows, judged.results) if form == "json" else as_csv(judged.rows, judged.results.threshold)
    name = f'attachment; filename="review-{number}.{form}"'
    return HttpResponse(
        made.encode("utf-8", "replace"), content_type=_FORMS[form], headers={"Content-Disposition": name}
    )
