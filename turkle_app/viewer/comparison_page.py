"""Runs side by side."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.reports.watch.background_workers import BackgroundWorkerFailed
from harness.reports.watch.listed_run import ListedRun, listed_run
from harness.reports.watch.run_settings import differing_settings
from turkle_app.access import staff
from turkle_app.viewer.slugs import find_run
from turkle_app.viewer.watched import watched

MOST = 6
"""Runs that are compared at a time."""
_KEPT = 24
_PAGE = 50
"""Instances on a page."""
_COUNTED = {
    "fields-both": "Instances with fields that both have right",
    "fields-only-first": "Instances with fields that only A has right",
    "fields-only-second": "Instances with fields that only B has right",
    "fields-neither": "Instances with fields that neither has right",
    "goals-both": "Instances whose goal both reached",
    "goals-only-first": "Instances whose goal only A reached",
    "goals-only-second": "Instances whose goal only B reached",
    "goals-neither": "Instances whose goal neither reached",
    "better": "Instances on which B is better",
    "equal": "Instances on which both have the same score",
    "worse": "Instances on which B is worse",
    "tasks-better": "Instances of the tasks on which B is ahead",
    "tasks-equal": "Instances of the tasks on which both are equal",
    "tasks-worse": "Instances of the tasks on which A is ahead",
}
"""As ``harness.reports.watch.compared_runs.Which`` -> what the page is called."""
_PATIENCE = 0.2
"""Seconds for which an answer waits for a comparison; after that the page says that it is being made."""


@require_safe
@staff
def comparison_page(request: HttpRequest) -> HttpResponse:
    """Compare runs with the first of them, for staff: those that are named by `run`, each by its slug.

    A run that is named by `first` stands before the others.
    """
    slugs = list(dict.fromkeys([*request.GET.getlist("first"), *request.GET.getlist("run")]))[:MOST]
    runs = [(slug, listed_run(find_run(slug), watched())) for slug in slugs]
    context: dict[str, Any] = {"runs": runs, "most": MOST, "live": False}
    context |= {"broken": [run for _, run in runs if run.record is None]}
    if len(runs) < 2 or context["broken"]:
        return render(request, "viewer/comparison_none.html", context)
    if any(not run.index or not run.index.built for _, run in runs):
        return render(request, "viewer/comparison_none.html", context | {"live": True})
    try:
        context["compared"] = _COMPARISONS.of([run for _, run in runs], do="compare")
    except BackgroundWorkerFailed as error:
        return render(request, "viewer/comparison_none.html", context | {"reason": str(error)})
    if context["compared"] is None:
        return render(request, "viewer/comparison_none.html", context | {"live": True})
    context["settings"] = differing_settings([run.record for _, run in runs if run.record])
    context["many"] = context["compared"]["many"]
    context["pairs"] = list(zip(runs[1:], context["compared"]["comparisons"], _with_each_first(slugs), strict=True))
    context["first"] = runs[0]
    return render(request, "viewer/comparison_page.html", context)


@require_safe
@staff
def shared_instances(request: HttpRequest, run: str, other: str, which: str) -> HttpResponse:
    """List the instances of two runs that a number of their comparison counts, for staff: `page` by `page`."""
    if which not in _COUNTED:
        raise Http404(f"Nothing is counted as {which}.")
    runs = [(slug, listed_run(find_run(slug), watched())) for slug in (run, other)]
    page = request.GET.get("page", "")
    number = int(page) if page.isdecimal() and 0 < len(page) < 7 and int(page) else 1
    measure = "own_left_out" if request.GET.get("measure") == "own_left_out" else "score"
    context: dict[str, Any] = {"runs": runs, "most": MOST, "live": False, "title": _COUNTED[which], "number": number}
    context |= {"broken": [each for _, each in runs if each.record is None], "measure": measure, "which": which}
    if context["broken"]:
        return render(request, "viewer/comparison_none.html", context)
    if any(not each.index or not each.index.built for _, each in runs):
        return render(request, "viewer/comparison_none.html", context | {"live": True})
    state = " ".join(f"{each.record.started} {each.index.newest}" for _, each in runs if each.record and each.index)
    job = {
        "do": "shared",
        "state": state,
        "which": which,
        "measure": measure,
        "first": _PAGE * (number - 1),
        "size": _PAGE,
    }
    try:
        found = _COMPARISONS.of([each for _, each in runs], **job)
    except BackgroundWorkerFailed as error:
        return render(request, "viewer/comparison_none.html", context | {"reason": str(error)})
    if found is None:
        return render(request, "viewer/comparison_none.html", context | {"live": True})
    pages = max(1, -(-found["count"] // _PAGE))
    context |= {"found": found, "pages": pages, "previous": number - 1, "next": number + 1 if number < pages else 0}
    return render(request, "viewer/comparison_instances.html", context)


def _with_each_first(slugs: list[str]) -> list[str]:
    """The query of the same comparison with each run but the first in the place of the first."""
    return [
        urlencode([("run", name) for name in (slug, *(each for each in slugs if each != slug))]) for slug in slugs[1:]
    ]


class _Comparisons:
    """The last comparisons, each made once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[Any, ...], Future[Any]] = OrderedDict()

    def of(self, runs: list[ListedRun], **job: Any) -> dict[str, Any] | None:
        """What a job says of runs as they are now; None while it is done.

        Args:
            runs: The runs.
            **job: What is to be done with them, and how.

        Raises:
            BackgroundWorkerFailed: they cannot be compared; says why.
        """
        now = ((run.place.folder, run.record.started, run.index.newest) for run in runs if run.record and run.index)
        key = (*now, *sorted(job.items()))
        with self._lock:
            if key not in self._made:
                self._made[key] = watched().workers.ask(job | {"runs": [str(run.place.folder) for run in runs]})
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            made = self._made[key]
        try:
            compared: dict[str, Any] = made.result(timeout=_PATIENCE)
        except TimeoutError:
            return None
        return compared


_COMPARISONS = _Comparisons()
