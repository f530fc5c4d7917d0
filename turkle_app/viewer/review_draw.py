"""A new review of a run: drawn in the background, while a page says how far that is and then leads to the review."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from harness.reports.watch.background_workers import BackgroundWorkerFailed
from harness.reports.watch.run_state import count_episodes
from turkle_app.access import staff
from turkle_app.viewer.reviewed_run import UnknownReview, reviewed_run
from turkle_app.viewer.watched import watched

_KEPT = 64
"""Draws that are remembered: whoever comes later finds the review in the list."""
_PATIENCE = 0.2
"""Seconds for which an answer waits for a draw; after that the page says how far it is."""


@dataclass
class ReviewDraw:
    """A draw that was asked for.

    Attributes:
        run: The run directory.
        episodes: Episodes that it reads.
        read: How many it has read.
        number: Will hold the number of the review, or ``BackgroundWorkerFailed``.
    """

    run: Path
    episodes: int
    read: int
    number: Future[int]

    @property
    def share(self) -> float:
        """The share of the episodes that is read."""
        return min(1.0, self.read / self.episodes) if self.episodes else 0.0


class ReviewDraws:
    """The last draws of this server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names = itertools.count(1)
        self._draws: OrderedDict[int, ReviewDraw] = OrderedDict()

    def start(self, run: Path, profile: str, fields: int, seed: int) -> int:
        """Have a review drawn; arguments as for ``harness.reports.reviews.run_reviews.start_review``.

        Returns:
            The name of the draw.
        """
        draw = ReviewDraw(run, count_episodes(run), 0, Future())

        def told(done: int) -> None:
            draw.read = done

        job = {"do": "draw", "run": str(run), "profile": profile, "fields": fields, "seed": seed}
        draw.number = watched().workers.ask(job, told=told)
        with self._lock:
            name = next(self._names)
            self._draws[name] = draw
            while len(self._draws) > _KEPT:
                self._draws.popitem(last=False)
        return name

    def find(self, run: Path, name: int) -> ReviewDraw:
        """A draw of a run.

        Raises:
            UnknownReview: If none is remembered.
        """
        with self._lock:
            draw = self._draws.get(name)
        if draw is None or draw.run != run:
            raise UnknownReview("No such review is being drawn here: if it was drawn, it is in the list of reviews.")
        return draw


DRAWS = ReviewDraws()


@require_safe
@staff
def review_draw(request: HttpRequest, run: str, draw: int) -> HttpResponseBase:
    """Say how far the draw of a review is, for staff; once it is made, lead there."""
    shown = reviewed_run(run)
    found = DRAWS.find(shown.place.folder, draw)
    try:
        return redirect("review", run, found.number.result(timeout=_PATIENCE))
    except TimeoutError:
        return render(request, "viewer/review_draw.html", {**shown.context, "draw": found})
    except BackgroundWorkerFailed as error:
        return render(request, "viewer/review_trouble.html", {**shown.context, "reason": str(error)})
