"""Django's admin at ``/admin/``: projects, batches, assignments and accounts, by the rules of staff's own pages.

Whoever comes is let in by the same audience, and logs in at the same page. What may be changed is what these pages let
staff change, by the same forms: answers, claims and times stay what they were, nothing is deleted, and nobody chooses
another's password.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, include, reverse
from django.utils.html import format_html

from turkle_app.access import staff
from turkle_app.annotation.account_pages import log_out
from turkle_app.annotation.claims import free_expired
from turkle_app.annotation.forms import ChangedAccount, ChangedBatch, ChangedProject, NewAccount, NewGroup, NewProject
from turkle_app.annotation.manage_people import with_links
from turkle_app.annotation.models import Assignment, Batch, Project
from turkle_app.annotation.people import person
from turkle_app.annotation.progress import batch_progress

if TYPE_CHECKING:  # while they run, Django's classes take no parameter
    _Admin = admin.ModelAdmin[Any]
else:
    _Admin = admin.ModelAdmin

_UNKNOWN = "unknown: the task cannot be used"


class StaffAdmin(admin.AdminSite):
    """Django's admin, which staff come to by the pages of this server for logging in, out, and choosing a password."""

    site_header = "turkbench: administration"
    site_title = "turkbench"
    index_title = "What people do by hand, and who they are"
    empty_value_display = "–"

    def get_urls(self) -> list[Any]:
        """Leave out the addresses that no part of ours uses."""
        return [
            each for each in super().get_urls() if getattr(each, "name", "") not in {"autocomplete", "view_on_site"}
        ]

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]
        """Log out as everywhere else."""
        del extra_context
        return log_out(request)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        """Lead to the page where everybody changes their own password."""
        del request, extra_context
        return redirect("change-password")


class _OfStaff(_Admin):
    """What all parts share: who is in is staff, and staff may do what the forms let them; nothing is deleted."""

    show_facets = admin.ShowFacets.NEVER

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        del obj
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        del obj
        return self.admin_site.has_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        del request, obj
        return False


class _Seen(_OfStaff):
    """A part that is looked at."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        del request, obj
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Free what has expired first, so that states are what they are now."""
        free_expired()
        return super().get_queryset(request)


class ProjectAdmin(_OfStaff):
    """Projects, by the forms of staff's pages."""

    list_display = ("title", "published_to", "created", "created_by")
    list_filter = ("groups",)
    search_fields = ("title", "batches__task")

    def get_form(
        self, request: HttpRequest, obj: Project | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm[Project]]:
        """Ask for the first batch of a new project, too."""
        return super().get_form(request, obj, change, form=ChangedProject if obj else NewProject, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Project]:
        """Read the groups of all projects at once."""
        return super().get_queryset(request).prefetch_related("groups")

    def save_model(self, request: HttpRequest, obj: Project, form: object, change: bool) -> None:
        """Keep who made it, and make its first batch."""
        if not change:
            obj.created_by = person(request)
        super().save_model(request, obj, form, change)
        if isinstance(form, NewProject):
            form.make_first_batch()

    def view_on_site(self, obj: Project) -> str:
        """The project's page: how far it is, and who has done what."""
        return reverse("project", args=[obj.pk])

    @admin.display(description="published to")
    def published_to(self, project: Project) -> str:
        """Its groups."""
        return _names(project.groups.all())


class BatchAdmin(_OfStaff):
    """The batches of all projects, and how far they are, by the form of staff's page."""

    form = ChangedBatch
    list_display = ("name", "project", "task", "state", "instances", "complete", "submitted", "in_work", "results")
    list_filter = ("state", "project")
    list_select_related = ("project",)
    search_fields = ("name", "task", "project__title")

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Lead to the projects, on whose pages a table is handed over."""
        del request, form_url, extra_context
        return redirect("manage")

    def view_on_site(self, obj: Batch) -> str:
        """The batch's page: how far it is, and who has done what."""
        return reverse("batch", args=[obj.pk])

    @admin.display
    def instances(self, batch: Batch) -> object:
        """How many rows are to be worked on."""
        return _known(batch_progress(batch).instances)

    @admin.display
    def complete(self, batch: Batch) -> object:
        """How many of them have all that was asked for."""
        return _known(batch_progress(batch).complete)

    @admin.display
    def submitted(self, batch: Batch) -> str:
        """How many assignments there are of those that are asked for."""
        progress = batch_progress(batch)
        return f"{progress.submitted} of {_known(progress.asked)}"

    @admin.display(description="in work")
    def in_work(self, batch: Batch) -> int:
        """How many are accepted and not submitted yet."""
        return batch_progress(batch).claimed

    @admin.display
    def results(self, batch: Batch) -> str:
        """A link to the table with the answers."""
        return format_html('<a href="{}">results.csv</a>', reverse("results", args=[batch.pk]))


class AssignmentAdmin(_Seen):
    """Who had which instance, and what they answered."""

    list_display = ("id", "batch", "index", "worker", "state", "claimed_at", "submitted_at", "seconds")
    list_filter = ("state", "batch__project", ("worker", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("batch__project", "worker")
    search_fields = ("worker__username", "instance_id")
    fields = (
        "batch", "index", "instance_id", "worker", "state", "claimed_at", "expires_at", "submitted_at", "seconds",
        "helped", "gold", "sent", "corrected_at", "approved_at", "approved_by", "rejected_at", "rejected_by", "reason",
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Workers make them, by accepting an instance."""
        del request
        return False

    def view_on_site(self, obj: Assignment) -> str:
        """Staff's page of it, where it can be rejected."""
        return reverse("answered", args=[obj.pk])

    @admin.display(description="answers")
    def sent(self, assignment: Assignment) -> str:
        """Its answers as the browser sent them."""
        if assignment.answers is None:
            return "none yet"
        return format_html("<pre>{}</pre>", json.dumps(assignment.answers, ensure_ascii=False, indent=1))


class AccountAdmin(_OfStaff):
    """Accounts. A new one gets a link, and so does one whose password was forgotten."""

    list_display = ("username", "in_groups", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_active", "groups")
    search_fields = ("username",)
    ordering = ("username",)
    actions = ("make_link",)

    def get_form(
        self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm[User]]:
        """Ask for the name of a new account only: it stays."""
        return super().get_form(request, obj, change, form=ChangedAccount if obj else NewAccount, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Nobody's own rights are theirs to change: nobody might be left who has them."""
        return ("is_staff", "is_active") if obj == person(request) else ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Read the groups of all accounts at once."""
        return super().get_queryset(request).prefetch_related("groups")

    def save_model(self, request: HttpRequest, obj: User, form: object, change: bool) -> None:
        """Open an account without a password."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)

    def response_add(self, request: HttpRequest, obj: User, post_url_continue: str | None = None) -> HttpResponse:
        """Show the link by which its owner chooses a password, once."""
        del post_url_continue
        return with_links(request, [obj])

    @admin.action(description="Make a link by which the password is chosen")
    def make_link(self, request: HttpRequest, chosen: QuerySet[User]) -> HttpResponse | None:
        """Show a link for one account that is open."""
        users = list(chosen.filter(is_active=True)[:2])
        if len(users) == 1:
            return with_links(request, users[:1])
        self.message_user(request, "Choose one account that is open: a link is for one.", level="warning")
        return None

    @admin.display(description="groups")
    def in_groups(self, user: User) -> str:
        """Its groups."""
        return _names(user.groups.all())


class GroupAdmin(_OfStaff):
    """Groups, to which projects are published."""

    form = NewGroup
    search_fields: ClassVar = ("name",)


def addresses() -> tuple[Any, Any, Any]:
    """The admin's addresses, each for staff, as ``path`` takes them."""
    site = StaffAdmin()
    for model, part in (
        (Project, ProjectAdmin), (Batch, BatchAdmin), (Assignment, AssignmentAdmin), (User, AccountAdmin),
        (Group, GroupAdmin),
    ):  # fmt: skip
        site.register(model, part)
    found, app, namespace = site.urls
    return include((_for_staff(found), app), namespace)


def _for_staff(patterns: Iterable[URLPattern | URLResolver]) -> list[URLPattern | URLResolver]:
    """Give every address of the admin its audience, whatever Django thinks of it."""
    found = list(patterns)
    for pattern in found:
        if isinstance(pattern, URLResolver):
            pattern.url_patterns = _for_staff(pattern.url_patterns)
        else:
            pattern.callback = _page_for_staff(pattern.callback)
    return found


def _page_for_staff(view: Any) -> Any:
    guarded = staff(view)
    guarded.__doc__ = "Show a page of Django's admin, for staff."
    return guarded


def _names(groups: Iterable[Group]) -> str:
    return ", ".join(sorted(group.name for group in groups)) or "nobody"


def _known(number: int | None) -> object:
    return _UNKNOWN if number is None else number
