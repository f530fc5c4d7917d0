"""Pages for people who browse a task set: they show labels, and so are for staff; absent in agent mode."""

from __future__ import annotations

from bs4 import BeautifulSoup, SoupStrainer
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from harness.catalog import Instance, MalformedTask, Task
from harness.catalog.card_store import card_key, find_picture
from harness.catalog.kinds import KINDS
from harness.catalog.template.wrapping import ACCEPTED
from turkle_app import agents
from turkle_app.access import everybody, staff
from turkle_app.card_making import ask_for_cards
from turkle_app.label_counts import label_counts
from turkle_app.listing import listings
from turkle_app.marking import marked
from turkle_app.origins import pages_origin
from turkle_app.preview import previews
from turkle_app.sent_form import submission
from turkle_app.sites.goals import goal_count
from turkle_app.tasks import UnknownInstance, UnknownTask, catalog, find_instance, find_task

PAGE_SIZE = 50


@require_safe
@staff
def task_list(request: HttpRequest) -> HttpResponse:
    """List the tasks, for staff: those that match the words `q`, the split `split` and the kind of field `kind`."""
    query, split, kind = (request.GET.get(name, "").strip() for name in ("q", "split", "kind"))
    everything = listings(catalog())
    making = ask_for_cards(entry.card_key for entry in everything if entry.card is None or not entry.card.looked)
    shown = [entry for entry in everything if entry.matches(query) and split in {"", entry.split}]
    context = {
        "query": query,
        "split": split,
        "kind": kind,
        "splits": catalog().splits(),
        "kinds": [(name, sum(name in entry.kinds for entry in everything)) for name in KINDS],
        "tasks": [entry for entry in shown if not kind or kind in entry.kinds],
        "uncounted": sum(entry.card is None for entry in everything),
        "making": making,
        "count": len(everything),
        "instances": sum(entry.card.instances for entry in everything if entry.card),
        "problems": sum(not problem.is_remark for problem in catalog().problems),
        "goals": goal_count(),
    }
    return render(request, "turkle/task_list.html", context)


@require_safe
@staff
def thumbnail(request: HttpRequest, name: str) -> HttpResponse:
    """Show staff the picture of a task's first page that was made before."""
    del request
    if name not in catalog().names():
        raise UnknownTask(name)
    picture = find_picture(card_key(catalog().tasks_dir / name))
    if picture is None:
        raise Http404
    return HttpResponse(picture, content_type="image/webp", headers={"Cache-Control": "no-cache"})


@require_safe
@staff
def problem_list(request: HttpRequest) -> HttpResponse:
    """Read every task and list everything that is wrong, for staff."""
    found = catalog().check()
    context = {
        "problems": [problem for problem in found if not problem.is_remark],
        "remarks": [problem for problem in found if problem.is_remark],
    }
    return render(request, "turkle/problem_list.html", context)


@require_safe
@staff
def task(request: HttpRequest, name: str) -> HttpResponse:
    """Show a task, for staff: what is said of it, and a table of its instances."""
    try:
        found = find_task(name)
    except MalformedTask as error:
        return _malformed(request, name, error, 200)
    page = Paginator(found.instances, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "task": found,
        "title": found.facts.title or found.name,
        "instances": previews(page),
        "page": page,
        "page_numbers": page.paginator.get_elided_page_range(page.number),
        "problems": [problem for problem in catalog().problems if problem.task == name and not problem.is_remark],
    }
    return render(request, "turkle/task.html", context)


@require_safe
@staff
def instance(request: HttpRequest, name: str, index: int) -> HttpResponse:
    """Show the page of an instance in a frame, with its inputs and labels beside it, for staff."""
    try:
        found = find_task(name)
    except MalformedTask as error:
        return _malformed(request, name, error, 200)
    if "jump" in request.GET:
        return _jump(found, request.GET["jump"].strip())
    shown = find_instance(found, index)
    last = len(found.pages) - 1
    if found.site:
        return _site_instance(request, found, shown)
    answered, empty = label_counts(found, shown)
    context = {
        "task": found,
        "title": found.facts.title or found.name,
        "instance": shown,
        "last": last,
        "previous": index - 1 if index > 0 else None,
        "next": index + 1 if index < last else None,
        "ballots": answered,
        "empty": empty,
        "posts_to": _foreign_action(found.template),
        "pages_origin": pages_origin(request),
        "accepted": ACCEPTED,
    }
    return render(request, "turkle/instance.html", context)


def _site_instance(request: HttpRequest, found: Task, shown: Instance) -> HttpResponse:
    """Show what is to be done on a website, and by what it is judged."""
    facts = found.site_of(shown)
    context = {
        "task": found,
        "title": found.facts.title or found.name,
        "instance": shown,
        "facts": facts,
        "previous": shown.index - 1 if shown.index > 0 else None,
        "next": shown.index + 1 if shown.index < len(found.pages) - 1 else None,
        "trace": found.trace_of(shown),
    }
    return render(request, "turkle/site_instance.html", context)


def _jump(found: Task, wanted: str) -> HttpResponseRedirect:
    indexes = {candidate.id: candidate.index for candidate in found.pages}
    indexes |= {str(index): index for index in range(len(found.pages))}
    if wanted not in indexes:
        raise UnknownInstance(found, wanted)
    return redirect("instance", name=found.name, index=indexes[wanted])


def _foreign_action(template: str) -> str:
    """Return where the form of a template wants to go, "" if it stays on its page."""
    forms = BeautifulSoup(template, "html.parser", parse_only=SoupStrainer("form")).find_all("form", action=True)
    targets = (str(form["action"]).strip() for form in forms)
    return next((target for target in targets if target not in {"", "#"}), "")


@csrf_exempt  # a stranger's form has no token, and nothing of it is kept
@xframe_options_exempt  # a policy says who may frame it
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def page(request: HttpRequest, name: str, index: int) -> HttpResponse:
    """Show everybody the bare page of an instance, with the field `mark` framed, or what its form sent."""
    try:
        if request.method == "POST":
            found = find_task(name)
            context = {"task": found, "instance": find_instance(found, index), "sent": submission(request)}
            return render(request, "turkle/sent.html", context)
        response = agents.bare_page(name, index)
    except MalformedTask as error:
        if settings.TURKLE_ANNOTATION:  # where the files are is not for all
            return HttpResponse("The files of this task cannot be used.\n", status=500, content_type="text/plain")
        return _malformed(request, name, error, 500)
    if "mark" in request.GET:
        response.content = marked(response.content.decode(), request.GET["mark"]).encode()
    return response


def _malformed(request: HttpRequest, name: str, error: MalformedTask, status: int) -> HttpResponse:
    # Links to people's pages lead nowhere from where strangers' pages are.
    context = {"name": name, "problems": error.problems, "is_page": status == 500}
    return render(request, "turkle/malformed.html", context, status=status)
