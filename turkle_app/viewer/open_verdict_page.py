"""The page on which a person says something of an episode or of its fields, with labels and scores in sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from harness.kit.cut_texts import cut_texts
from harness.kit.errors import UserError
from harness.kit.text import percent
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, FieldRecord
from harness.records.record_file import NotARun
from harness.records.run_record import RunRecord
from harness.records.verdict import AnswerVerdict, Judge, JudgedRun, PlaceVerdict
from harness.reports.reviews.judging import LONGEST_NOTE, now
from harness.reports.reviews.open_verdicts import OpenVerdicts, open_words
from harness.reports.reviews.questions import ANSWER_CHOICES
from harness.reports.reviews.review import WrongReview
from harness.reports.reviews.verdict_files import VerdictPlace
from harness.reports.reviews.web_errors import MEANINGS as ERROR_MEANINGS
from harness.reports.reviews.web_errors import WEB_ERRORS
from harness.reports.watch.episode_files import EpisodeFiles
from harness.scoring.judges.failure_kinds import FAILURE_KINDS, MEANINGS
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from turkle_app.access import may_write, staff
from turkle_app.viewer.reviewed_run import ReviewedRun, reviewed_run
from turkle_app.viewer.reviewer_name import LONGEST_NAME, is_name, remember, reviewer_of

_ELSEWHERE = "You said something else of this before, in another window: that stands, and is shown here."


@dataclass(frozen=True)
class OtherVerdict:
    """What another person says.

    Attributes:
        name: Who.
        words: What.
        note: Why.
    """

    name: str
    words: Sequence[str]
    note: str


@dataclass(frozen=True)
class OpenPlace:
    """What something can be said of: an episode, or one of its fields.

    Attributes:
        ident: Its id in the page.
        field: The field; None for the whole episode.
        labels: What workers answered, and how many did.
        score: Its score, in per cent; empty if it is not scored.
        mine: What who looks has said; None if nothing.
        others: What others have said.
    """

    ident: str
    field: FieldRecord | None
    labels: Sequence[tuple[str, int]]
    score: str
    mine: PlaceVerdict | None
    others: Sequence[OtherVerdict]


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def open_verdicts(request: HttpRequest, run: str, task: str, index: int) -> HttpResponseBase:
    """Say something openly of an episode or of its fields, and see what others have said, for staff."""
    shown = reviewed_run(run)
    context = {**shown.context, "task": task, "index": index, "longest": LONGEST_NAME, "choices": ANSWER_CHOICES}
    context["kinds"] = [(kind, kind.replace("_", " "), MEANINGS[kind]) for kind in FAILURE_KINDS]
    context["errors"] = [(kind, kind.replace("_", " "), ERROR_MEANINGS[kind]) for kind in WEB_ERRORS]
    trouble = ""
    try:
        record, episode = RunDirectory(shown.place.folder).read(), _episode(shown, task, index)
        if request.method == "POST":
            if "name" in request.POST:
                return _named(request, run, task, index)
            trouble = _say(request, shown.place.folder, JudgedRun.of(record), episode)
            if not trouble:
                return _kept(request, run, task, episode)
        places = list(_places(episode, record, OpenVerdicts.beside(shown.place.folder), reviewer_of(request)))
    except UserError as error:
        return render(request, "viewer/review_trouble.html", {**context, "reason": str(error)})
    except OSError as error:
        reason = f"This cannot be kept beside the run: {error.strerror or error}"
        return render(request, "viewer/review_trouble.html", {**context, "reason": reason})
    wanted = request.GET.get("field")
    context |= {
        "episode": cut_texts(episode),
        "places": [cut_texts(each) for each in places if wanted is None or (each.field and each.field.name == wanted)],
        "wanted": wanted,
        "trouble": trouble,
        "kept": request.GET.get("kept", ""),
        "reviewer": reviewer_of(request),
        "may_write": may_write(),
        "longest_note": LONGEST_NOTE,
    }
    return render(request, "viewer/open_verdicts.html", context)


def _episode(shown: ReviewedRun, task: str, index: int) -> Episode:
    files = EpisodeFiles(shown.place.folder)
    try:
        files.source(task, index)
    except NotARun as error:
        raise Http404(f"The run {shown.place.name} has no episode of this instance.") from error
    return files.episode(task, index)


def _kept(request: HttpRequest, run: str, task: str, episode: Episode) -> HttpResponseBase:
    """Lead back to the place of which something was said."""
    ident = _ident(episode, request.POST.get("field"))
    query = request.GET.copy()
    query["kept"] = ident
    # Not the path of the request, which is decoded: of what is encoded twice, half is left of it.
    return redirect(f"{reverse('open-verdicts', args=[run, task, episode.index])}?{query.urlencode()}#{ident}")


def _named(request: HttpRequest, run: str, task: str, index: int) -> HttpResponseBase:
    name = request.POST["name"].strip()
    if not is_name(name):
        raise WrongReview(f"A name is on one line, and has at most {LONGEST_NAME} characters")
    query = request.GET.urlencode()
    response = redirect(reverse("open-verdicts", args=[run, task, index]) + (f"?{query}" if query else ""))
    remember(response, name)
    return response


def _say(request: HttpRequest, run: Path, judged: JudgedRun, episode: Episode) -> str:
    """Keep what is said; returns what the person should know, empty if it was kept as said."""
    judge = reviewer_of(request)
    if judge is None:
        raise WrongReview("Nobody has said who judges: go back, and say who you are")
    name = request.POST.get("field")
    field = next((each for each in episode.fields if each.name == name), None)
    if name is not None and field is None:
        raise WrongReview(f"The episode has no field {name!r}")
    answer = request.POST.get("answer") or None
    if answer is not None and answer not in get_args(AnswerVerdict):
        raise WrongReview(f"{answer!r} is no verdict on an answer")
    failure = request.POST.get("failure") or None
    if failure is not None and (failure not in FAILURE_KINDS or name is not None):
        raise WrongReview(f"{failure!r} is no kind of a failure of a whole episode")
    error = request.POST.get("error") or None
    if error is not None and (error not in WEB_ERRORS or name is not None):
        raise WrongReview(f"{error!r} is no class of an error in a whole episode")
    said = PlaceVerdict(
        task=episode.task,
        index=episode.index,
        id=episode.id,
        field=name,
        sent=field.sent if field else (),
        answer=answer,  # type: ignore[arg-type]
        labels="wrong" if "label_wrong" in request.POST else None,
        note=request.POST.get("note", "").replace("\r\n", "\n").strip()[:LONGEST_NOTE],
        at=now(),
        seconds=None,
        page_broken="page_broken" in request.POST,
        blind=False,
        failure=failure,
        error=error,
    )
    found = OpenVerdicts.beside(run).say(judged, judge, said, request.POST.get("before", ""))
    return _ELSEWHERE if found.is_other else ""


def _ident(episode: Episode, name: str | None) -> str:
    """Return the id of a place in the page: names of fields hold anything."""
    names = [field.name for field in episode.fields]
    return "episode" if name is None else f"field-{names.index(name)}"


def _places(episode: Episode, record: RunRecord, kept: OpenVerdicts, judge: Judge | None) -> Iterator[OpenPlace]:
    said = kept.read(JudgedRun.of(record))
    mine = kept.said_by(judge) if judge else {}
    scored = score_episode(episode, PROFILES[record.config.metrics]).fields
    scores = {field.record.name: percent(field.score.score) for field in scored}
    others: dict[VerdictPlace, list[OtherVerdict]] = {}
    for each in said:
        if judge is None or each.judge.name != judge.name:
            for verdict in each.verdicts:
                other = OtherVerdict(each.judge.name, open_words(verdict), verdict.note)
                others.setdefault(verdict.place, []).append(other)
    for field in (None, *episode.fields):
        place = (episode.task, episode.index, field.name if field else None)
        yield OpenPlace(
            ident=_ident(episode, field.name if field else None),
            field=field,
            labels=Counter(label.strip() for label in field.labels).most_common() if field else (),
            score=scores.get(field.name, "") if field else "",
            mine=mine.get(place),
            others=others.get(place, ()),
        )
