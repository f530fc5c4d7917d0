"""Workers without an account: a browser that keeps a signed cookie is one worker, in projects that allow it.

Behind the cookie stands an account without a password, a group or a right. Who deletes the cookie, or comes with
another browser, is another worker: nothing here can tell that it is the same person.
"""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from turkle_app.access import everybody
from turkle_app.annotation.login_limits import WINDOW, address_of, begin_attempt
from turkle_app.annotation.models import AnonymousWorker, BatchState, Project

MOST_NEW = 50
"""Workers without an account that may begin from one address in the time of `login_limits.WINDOW`."""
_BACKEND = "django.contrib.auth.backends.ModelBackend"
_YEAR = 365 * 24 * 3600


def make_anonymous_worker() -> User:
    """Make the account that stands for a browser whose owner has none."""
    with transaction.atomic():
        user = User(username=f"anonymous-{secrets.token_hex(6)}")
        user.set_unusable_password()
        user.save()
        AnonymousWorker.objects.create(user=user)
    return user


def is_anonymous(user: User) -> bool:
    """Return whether an account stands for a browser, and not for a person that has one."""
    return AnonymousWorker.objects.filter(user=user).exists()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def open_project(request: HttpRequest, project_id: int) -> HttpResponse:
    """Let everybody begin a project that allows work without an account."""
    offered = Project.objects.filter(anonymous=True, batches__state=BatchState.PUBLISHED).distinct()
    project = get_object_or_404(offered, pk=project_id)
    if request.user.is_authenticated:
        return redirect("preview", project_id=project.pk)
    if request.method != "POST":
        return render(request, "annotation/open_project.html", {"project": project})
    worker = _known_worker(request)
    if worker is None:
        if not begin_attempt("without an account", address_of(request), MOST_NEW):
            context = {"project": project, "wait": int(WINDOW.total_seconds()) // 60}
            return render(request, "annotation/open_project.html", context, status=429)
        worker = make_anonymous_worker()
    login(request, worker, backend=_BACKEND)
    response = redirect("preview", project_id=project.pk)
    _remember(response, worker)
    return response


def _known_worker(request: HttpRequest) -> User | None:
    """The worker that a browser has been before."""
    try:
        number = int(_signer().unsign(request.COOKIES.get(_cookie(), "")))
    except (BadSignature, ValueError):
        return None
    return User.objects.filter(pk=number, is_active=True).exclude(anonymous=None).first()


def _remember(response: HttpResponseRedirect, worker: User) -> None:
    response.set_cookie(
        _cookie(),
        _signer().sign(str(worker.pk)),
        max_age=_YEAR,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def _cookie() -> str:
    # Of the same kind as the session's: by HTTPS, of this very host alone.
    return settings.SESSION_COOKIE_NAME.replace("session", "anonymous")


def _signer() -> Signer:
    return Signer(salt="turkle_app.annotation.anonymous")
