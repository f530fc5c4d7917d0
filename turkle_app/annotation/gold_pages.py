"""Staff's page about the gold questions of a batch: which there are, how they are given, and how good workers are."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from harness.scoring.answers.columns import is_answered
from turkle_app.access import requesters
from turkle_app.annotation.claims import free_expired
from turkle_app.annotation.forms import GoldForm
from turkle_app.annotation.gold import add_labelled, set_up_gold, worker_accuracy
from turkle_app.annotation.instance_answers import all_adjudicated
from turkle_app.annotation.instances import TaskGone, task_of
from turkle_app.annotation.models import Batch, GoldPlan, State
from turkle_app.annotation.people import managed_batches, person


@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def batch_gold(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Show requesters and staff the gold questions of a batch and how good workers are, and let them set them up."""
    free_expired()
    batch = get_object_or_404(managed_batches(person(request)), pk=batch_id)
    plan = GoldPlan.objects.filter(batch=batch).first()
    form = GoldForm(request.POST if request.method == "POST" else None, initial=_initial(plan))
    if request.method == "POST" and "remove" in request.POST:
        removed, _ = batch.gold_questions.filter(instance_id=request.POST["remove"]).delete()
        if removed:
            messages.success(request, "It is no gold question any more. Answers to it stay what they were.")
        return redirect("batch-gold", batch_id=batch_id)
    if form.is_valid():
        _set_up(request, batch, form)
        return redirect("batch-gold", batch_id=batch_id)
    context: dict[str, Any] = {"batch": batch, "plan": plan, "form": form}
    try:
        context |= _known(batch)
    except TaskGone as error:
        context["problem"] = str(error)
    return render(request, "annotation/gold.html", context)


def _initial(plan: GoldPlan | None) -> dict[str, object]:
    found = plan or GoldPlan()
    return {"percent": round(100 * found.share, 6), "feedback": found.feedback, "seed": found.seed, "labelled": 0}


def _set_up(request: HttpRequest, batch: Batch, form: GoldForm) -> None:
    told = form.cleaned_data
    set_up_gold(batch, told["percent"] / 100, feedback=told["feedback"], seed=told["seed"])
    messages.success(request, "How gold questions are given is kept.")
    if wanted := told["labelled"]:
        try:
            added = add_labelled(batch, wanted, person(request), told["seed"])
        except TaskGone as error:
            messages.warning(request, str(error))
            return
        short = "" if added == wanted else f", not {wanted}: no other instance has labels"
        messages.success(request, f"Added {added} gold question{'' if added == 1 else 's'}{short}.")


def _known(batch: Batch) -> dict[str, Any]:
    """What is known of the questions and of the workers."""
    task = task_of(batch.task)
    by_id, decided = {each.id: each for each in task.pages}, all_adjudicated(batch)
    given = batch.assignments.exclude(gold="").filter(state__in=(State.SUBMITTED, State.REJECTED)).order_by()
    counts = dict(given.values_list("instance_id").annotate(Count("pk")))
    questions = [
        {
            "id": each.instance_id,
            "instance": by_id.get(each.instance_id),
            "decided": decided.get(each.instance_id),
            "by": each.by,
            "answers": counts.get(each.instance_id, 0),
        }
        for each in batch.gold_questions.select_related("by")
    ]
    modes = batch.assignments.aggregate(
        secret=Count("pk", filter=Q(gold="secret")), feedback=Count("pk", filter=Q(gold="feedback"))
    )
    labelled = sum(is_answered(each) for each in task.instances)
    return {"questions": questions, "accuracy": worker_accuracy(batch), "labelled": labelled, "modes": modes}
