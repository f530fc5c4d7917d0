"""Staff's pages about the instances of a batch: which there are, and one with all answers side by side."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from harness.catalog import Instance, Task
from harness.catalog.template.wrapping import ACCEPTED
from harness.scoring.answers.columns import is_answered
from turkle_app.access import requesters
from turkle_app.annotation.claims import AssignmentRefused, approve, free_expired
from turkle_app.annotation.gold import GoldRefused, add_question, marked
from turkle_app.annotation.instance_answers import (
    NoDecision,
    Row,
    adjudicate,
    adjudicate_as,
    adjudicated,
    all_adjudicated,
    instance_agreement,
    side_by_side,
)
from turkle_app.annotation.instances import TaskGone, task_of
from turkle_app.annotation.models import Adjudication, Assignment, Batch, State
from turkle_app.annotation.people import managed_batches, person
from turkle_app.origins import pages_origin

PAGE_SIZE = 50
SHOWN = ("all", "answered", "open", "decided", "gold")
"""What a list can show: those that two or more have answered and nobody has decided on are ``open``."""


@dataclass(frozen=True)
class ListedInstance:
    """An instance in the list of a batch.

    Attributes:
        index: Its place in the table.
        id: Its id.
        answers: How many submitted assignments it has.
        agreement: The mean over its fields of the share of pairs of workers that agree; None without a pair.
        decided: The answer that counts; None as long as nobody has decided.
        gold: Whether it is a gold question.
        reserved: The names of those for whom it is reserved.
    """

    index: int
    id: str
    answers: int
    agreement: float | None
    decided: Adjudication | None
    gold: bool
    reserved: tuple[str, ...]


@require_safe
@requesters
def instance_list(request: HttpRequest, batch_id: int) -> HttpResponse:
    """List the instances of a batch for requesters and staff: who answered, how far they agree, what counts."""
    free_expired()
    batch = _batch(request, batch_id)
    show = next((each for each in SHOWN if each == request.GET.get("show")), SHOWN[0])
    least = request.GET.get("order") == "agreement"
    context = {"batch": batch, "show": show, "shown": SHOWN, "least": least}
    try:
        found = [each for each in _listed(batch, task_of(batch.task)) if _is_shown(each, show)]
    except TaskGone as error:
        return render(request, "annotation/instances.html", context | {"problem": str(error)}, status=503)
    if least:
        found.sort(key=lambda each: (each.agreement is None, each.agreement or 0.0, each.index))
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "page_numbers": page.paginator.get_elided_page_range(page.number),
        "query": f"show={show}{'&order=agreement' if least else ''}&",
    }
    return render(request, "annotation/instances.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def one_instance(request: HttpRequest, batch_id: int, instance_id: str) -> HttpResponse:
    """Show requesters and staff what all workers answered on an instance, and let them decide which answer counts."""
    free_expired()
    batch = _batch(request, batch_id)
    try:
        task = task_of(batch.task)
    except TaskGone as error:
        told = {"what": str(error), "remedy": "The answers are kept. Then look at them again."}
        return render(request, "turkle/error.html", told, status=503)
    instance = next((each for each in task.pages if each.id == instance_id), None)
    if instance is None:
        raise Http404
    decided = adjudicated(batch, instance_id)
    given = list(_submitted(batch).filter(instance_id=instance_id))
    rows = side_by_side(task, instance, given, decided)
    if request.method == "POST":
        _act(request, batch, instance, given, rows)
        return redirect("batch-instance", batch_id=batch.pk, instance_id=instance_id)
    context = {
        "batch": batch,
        "instance": instance,
        "given": [(each, marked(each) if each.gold else None) for each in given],
        "rows": rows,
        "decided": decided,
        "gold": batch.gold_questions.filter(instance_id=instance_id).exists(),
        "labelled": is_answered(instance),
        "reserved": batch.reservations.filter(instance_id=instance_id).select_related("worker"),
        "rejected": batch.assignments.filter(instance_id=instance_id, state=State.REJECTED).count(),
        "earlier": batch.adjudications.filter(instance_id=instance_id).count() - bool(decided),
        "previous": task.pages[instance.index - 1] if instance.index else None,
        "next": task.pages[instance.index + 1] if instance.index + 1 < len(task.pages) else None,
        "page_address": pages_origin(request),
        "accepted": ACCEPTED,
    }
    return render(request, "annotation/instance_answers.html", context)


def _act(request: HttpRequest, batch: Batch, instance: Instance, given: list[Assignment], rows: list[Row]) -> None:
    """Do what a button of the page asks for, and say what came of it."""
    how, _, number = request.POST.get("how", "").partition("-")
    by, of = person(request), next((each for each in given if str(each.pk) == number), None)
    try:
        if how == "approve" and of:
            approve(of, by)
            messages.success(request, f"The answers of {of.worker.username} are approved.")
        elif how == "all" and of:
            adjudicate_as(of, by)
            messages.success(request, f"The answers of {of.worker.username} count for this instance.")
        elif how == "decide":
            adjudicate(batch, instance.id, _decision(request.POST, rows), [row.field for row in rows], by)
            messages.success(request, "The answer that counts is kept.")
        elif how == "gold":
            add_question(batch, instance, by)
            messages.success(request, "It is a gold question now.")
        elif how == "ordinary":
            batch.gold_questions.filter(instance_id=instance.id).delete()
            messages.success(request, "It is no gold question any more.")
    except (AssignmentRefused, GoldRefused, NoDecision) as error:
        messages.warning(request, str(error))


def _decision(sent: QueryDict, rows: list[Row]) -> dict[str, str]:
    """Field -> the answer that was chosen or written; a field without one is left out."""
    found = {}
    for row in rows:
        chosen = sent.get(f"choice-{row.number}", "")
        if chosen == "written":
            found[row.field.name] = sent.get(f"written-{row.number}", "").replace("\r\n", "\n")
        elif cell := next((cell for cell in row.cells if str(cell.assignment.pk) == chosen), None):
            found[row.field.name] = cell.text
    return found


def _listed(batch: Batch, task: Task) -> list[ListedInstance]:
    given: dict[str, list[Assignment]] = {}
    for each in _submitted(batch):
        given.setdefault(each.instance_id, []).append(each)
    decided, agreement = all_adjudicated(batch), instance_agreement(task, given)
    gold = set(batch.gold_questions.values_list("instance_id", flat=True))
    reserved: dict[str, list[str]] = {}
    for instance_id, name in batch.reservations.values_list("instance_id", "worker__username"):
        reserved.setdefault(instance_id, []).append(name)
    return [
        ListedInstance(
            index=each.index,
            id=each.id,
            answers=len(given.get(each.id, ())),
            agreement=agreement.get(each.id),
            decided=decided.get(each.id),
            gold=each.id in gold,
            reserved=tuple(reserved.get(each.id, ())),
        )
        for each in task.pages
    ]


def _is_shown(each: ListedInstance, show: str) -> bool:
    return {
        "answered": each.answers > 0,
        "open": each.answers > 1 and each.decided is None,
        "decided": each.decided is not None,
        "gold": each.gold,
    }.get(show, True)


def _submitted(batch: Batch) -> QuerySet[Assignment]:
    return batch.assignments.filter(state=State.SUBMITTED).select_related("worker", "batch").order_by("pk")


def _batch(request: HttpRequest, batch_id: int) -> Batch:
    return get_object_or_404(managed_batches(person(request)), pk=batch_id)
