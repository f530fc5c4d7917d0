"""Staff's page about the help that a batch gives: from which run, for how many, and what it does."""

from __future__ import annotations

import math
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from harness.catalog.annotations.help_drawing import WAYS
from turkle_app.access import staff
from turkle_app.annotation.instances import TaskGone, instance_ids
from turkle_app.annotation.models import Batch, Copilot
from turkle_app.annotation.suggested_answers import HelpPlan, HelpRefused, change_help, effect_of, has_begun


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def batch_help(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Show staff the help that workers of a batch get and what it does, and let them change or switch it."""
    batch = get_object_or_404(Batch, pk=batch_id)
    copilot = Copilot.objects.filter(batch=batch).first()
    if request.method == "POST" and copilot is not None:
        _change(request, copilot)
        return redirect("batch-help", batch_id=batch_id)
    context: dict[str, Any] = {"batch": batch, "copilot": copilot, "ways": WAYS}
    if copilot is not None:
        # Only here: it brings scipy along.
        from harness.catalog.annotations.help_text import HEADINGS, help_rows  # noqa: PLC0415

        effect = effect_of(batch)
        context |= {
            "begun": has_begun(batch),
            "suggested": _suggested(copilot),
            "percent": f"{100 * copilot.share:g}",
            "effect": effect,
            "headings": HEADINGS,
            "rows": [row.cells for row in help_rows(effect)],
        }
    return render(request, "annotation/help.html", context)


def _change(request: HttpRequest, copilot: Copilot) -> None:
    if "active" in request.POST:
        copilot.active = request.POST["active"] == "yes"
        copilot.save(update_fields=["active"])
        messages.success(request, "Help is given again." if copilot.active else "No help is given from now on.")
        return
    plan = _plan(request)
    if plan is None:
        messages.warning(request, "The share is a number from 0 to 100, and the seed a whole number from 0.")
        return
    try:
        change_help(copilot, plan)
    except HelpRefused as error:
        messages.warning(request, str(error))
        return
    messages.success(request, "The changes are kept.")


def _plan(request: HttpRequest) -> HelpPlan | None:
    """What a form asks for; None if it cannot be meant."""
    try:
        percent, seed = float(request.POST.get("percent", "")), int(request.POST.get("seed", ""))
    except ValueError:
        return None
    way = next((way for way in WAYS if way == request.POST.get("way")), None)
    usable = math.isfinite(percent) and 0 <= percent <= 100 and 0 <= seed < 2**63
    return HelpPlan(way, percent / 100, seed) if way and usable else None


def _suggested(copilot: Copilot) -> str:
    """On how many of a batch's instances there is something to help with."""
    try:
        here = set(instance_ids(copilot.batch.task))
    except TaskGone:
        return "unknown"
    found = sum(each in here and bool(sent) for each, sent in copilot.suggestions.values_list("instance_id", "answers"))
    return f"{found:,} of {len(here):,}"
