"""Staff's pages about accounts and groups. Nobody is ever told a password: its owner chooses it by a link."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import Group, User
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from turkle_app.access import staff
from turkle_app.annotation.forms import ChangedAccount, NewAccount, NewGroup
from turkle_app.annotation.models import State
from turkle_app.annotation.password_links import password_path
from turkle_app.annotation.people import person


@require_safe
@staff
def people(request: HttpRequest) -> HttpResponse:
    """List the accounts for staff, with what each has submitted."""
    submitted = Count("assignments", filter=Q(assignments__state=State.SUBMITTED))
    users = User.objects.prefetch_related("groups").annotate(submitted=submitted).order_by("username")
    return render(request, "annotation/people.html", {"users": users})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@staff
def new_account(request: HttpRequest) -> HttpResponse:
    """Let staff open an account; the answer shows the link by which its owner chooses a password, once."""
    form = NewAccount(request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.instance.set_unusable_password()
        return with_link(request, form.save())
    return render(request, "annotation/account_form.html", {"form": form, "title": "New account"})


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def account(request: HttpRequest, number: int) -> HttpResponse:
    """Let staff change the groups and rights of an account, and close it; not their own rights."""
    found = get_object_or_404(User, pk=number)
    form = ChangedAccount(request.POST if request.method == "POST" else None, instance=found)
    if found == person(request):  # else nobody might be left who can
        del form.fields["is_staff"], form.fields["is_active"]
    if form.is_valid():
        form.save()
        messages.success(request, f"The changes of {found.username} are kept.")
        return redirect("people")
    return render(request, "annotation/account_form.html", {"form": form, "title": found.username, "account": found})


@never_cache
@require_POST
@staff
def new_link(request: HttpRequest, number: int) -> HttpResponse:
    """Show staff a link, once, by which the owner of an account chooses a new password."""
    return with_link(request, get_object_or_404(User, pk=number, is_active=True))


@require_http_methods(["GET", "HEAD", "POST"])
@staff
def groups(request: HttpRequest) -> HttpResponse:
    """List the groups for staff, and let them make new ones."""
    form = NewGroup(request.POST if request.method == "POST" else None)
    if form.is_valid():
        messages.success(request, f"The group {form.save().name} is made.")
        return redirect("groups")
    members = Count("user", distinct=True)
    found = Group.objects.annotate(members=members, published=Count("projects", distinct=True)).order_by("name")
    return render(request, "annotation/groups.html", {"groups": found, "form": form})


def with_link(request: HttpRequest, user: User) -> HttpResponse:
    """Show a link, once, by which the owner of an account chooses its password."""
    link = request.build_absolute_uri(password_path(user))
    return render(request, "annotation/link.html", {"account": user, "link": link})
