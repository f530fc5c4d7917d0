"""Staff's pages about accounts and groups. Nobody is ever told a password: its owner chooses it by a link."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from harness.kit.text import counted
from turkle_app.access import staff
from turkle_app.annotation.account_table import COLUMNS, MOST_ACCOUNTS, UnusableAccounts, read_accounts
from turkle_app.annotation.forms import ChangedAccount, NewAccount, NewGroup
from turkle_app.annotation.models import State
from turkle_app.annotation.password_links import password_path
from turkle_app.annotation.people import person


@require_safe
@staff
def people(request: HttpRequest) -> HttpResponse:
    """List the accounts for staff, with what each has submitted."""
    submitted = Count("assignments", filter=Q(assignments__state=State.SUBMITTED))
    requests = Exists(Permission.objects.filter(user=OuterRef("pk"), codename="add_project"))
    users = User.objects.filter(anonymous=None).prefetch_related("groups")
    users = users.annotate(submitted=submitted, requests=requests).order_by("username")
    return render(request, "annotation/people.html", {"users": users})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@staff
def new_account(request: HttpRequest) -> HttpResponse:
    """Let staff open an account; the answer shows the link by which its owner chooses a password, once."""
    form = NewAccount(request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.instance.set_unusable_password()
        return with_links(request, [form.save()])
    return render(request, "annotation/account_form.html", {"form": form, "title": "New account"})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@staff
def new_accounts(request: HttpRequest) -> HttpResponse:
    """Let staff open the accounts of a table, all or none; the answer shows their links, once."""
    context: dict[str, object] = {"columns": COLUMNS, "most": MOST_ACCOUNTS, "problems": []}
    status = 200
    if request.method == "POST":
        table = request.FILES.get("table")
        try:
            opened = read_accounts(table.read() if table else b"").open()
            messages.success(request, f"{counted(len(opened), 'account')} opened.")
            without = [user for user in opened if not user.has_usable_password()]
            return with_links(request, without) if without else redirect("people")
        except UnusableAccounts as error:
            context["problems"], status = error.problems, 422
    return render(request, "annotation/accounts_table.html", context, status=status)


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
    return with_links(request, [get_object_or_404(User, pk=number, is_active=True)])


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


def with_links(request: HttpRequest, users: Sequence[User]) -> HttpResponse:
    """Show links, once, by which the owners of accounts choose their passwords; of those that have none yet."""
    accounts = [(user, request.build_absolute_uri(password_path(user))) for user in users]
    table = "".join(f"{user.username},{link}\r\n" for user, link in accounts)
    context = {"accounts": accounts, "table": f"username,link\r\n{table}"}
    return render(request, "annotation/link.html", context)
