"""Runs side by side."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
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
_KEPT = 8
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
        context["compared"] = _COMPARISONS.of([run for _, run in runs])
    except BackgroundWorkerFailed as error:
        return render(request, "viewer/comparison_none.html", context | {"reason": str(error)})
    if context["compared"] is None:
        return render(request, "viewer/comparison_none.html", context | {"live": True})
    context["settings"] = differing_settings([run.record for _, run in runs if run.record])
    context["pairs"] = list(zip(runs[1:], context["compared"]["comparisons"], _with_each_first(slugs), strict=True))
    context["first"] = runs[0]
    return render(request, "viewer/comparison_page.html", context)


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

    def of(self, runs: list[ListedRun]) -> dict[str, Any] | None:
        """The comparison of runs as they are now; None while it is made.

        Raises:
            BackgroundWorkerFailed: they cannot be compared; says why.
        """
        key = tuple(
            (run.place.folder, run.record.started, run.index.newest) for run in runs if run.record and run.index
        )
        with self._lock:
            if key not in self._made:
                job = {"do": "compare", "runs": [str(run.place.folder) for run in runs]}
                self._made[key] = watched().workers.ask(job)
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
