"""Logging in and out, choosing a password, and tokens for programs."""

from __future__ import annotations

from smtplib import SMTPException

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from turkle_app.access import everybody, requesters, workers
from turkle_app.annotation.login_limits import WINDOW, address_of, begin_attempt, forget
from turkle_app.annotation.models import Token
from turkle_app.annotation.password_links import accounts_of, password_path, user_of
from turkle_app.annotation.people import person
from turkle_app.annotation.tokens import make_token


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def log_in(request: HttpRequest) -> HttpResponse:
    """Let everybody log in who has an account; after too many failures only when some time has passed."""
    if request.user.is_authenticated and request.method != "POST":
        return redirect(_destination(request))
    form, status = AuthenticationForm(request), 200
    if request.method == "POST":
        form, status = AuthenticationForm(request, data=request.POST), 403
        name = request.POST.get("username", "")
        address = address_of(request)
        if not begin_attempt(name, address):
            minutes = int(WINDOW.total_seconds()) // 60
            context = {"form": AuthenticationForm(request), "next": request.POST.get("next", ""), "wait": minutes}
            return render(request, "annotation/log_in.html", context | {"mail": settings.TURKLE_MAIL}, status=429)
        if form.is_valid():
            forget(name, address)
            login(request, form.get_user())
            return redirect(_destination(request))
    context = {
        "form": form,
        "next": request.POST.get("next", request.GET.get("next", "")),
        "mail": settings.TURKLE_MAIL,
    }
    return render(request, "annotation/log_in.html", context, status=status)


@require_POST
@workers
def log_out(request: HttpRequest) -> HttpResponse:
    """Log workers and staff out."""
    logout(request)
    return redirect("login")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def choose_password(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """Let everybody who has a link that still works choose the password of its account."""
    user = user_of(name, token)
    if user is None:
        what = "This link does not work any more."
        remedy = "It works once, and for three days. Ask whoever gave it to you for a new one."
        return render(request, "turkle/error.html", {"what": what, "remedy": remedy}, status=410)
    form = SetPasswordForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.save()
        messages.success(request, "Your password is set. Log in with it.")
        return redirect("login")
    context = {"form": form, "account": user, "title": "Choose a password", "button": "Set the password"}
    return render(request, "annotation/password.html", context)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@workers
def change_password(request: HttpRequest) -> HttpResponse:
    """Let workers and staff change their own password."""
    form = PasswordChangeForm(person(request), request.POST if request.method == "POST" else None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, "Your password is changed. You are logged out everywhere else.")
        return redirect("work")
    context = {"form": form, "account": request.user, "title": "Change your password", "button": "Change the password"}
    return render(request, "annotation/password.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@everybody
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send everybody who asks for it a link to the address of their account, where mail is configured.

    The answer is the same whether there is an account of this address or not.
    """
    context: dict[str, object] = {"mail": settings.TURKLE_MAIL, "sent": False}
    if request.method != "POST" or not settings.TURKLE_MAIL:
        return render(request, "annotation/forgotten.html", context)
    email = request.POST.get("email", "").strip()[:254]
    if not begin_attempt(f"link for {email}", address_of(request)):
        context["wait"] = int(WINDOW.total_seconds()) // 60
        return render(request, "annotation/forgotten.html", context, status=429)
    try:
        for user in accounts_of(email):
            link = request.build_absolute_uri(password_path(user))
            text = (
                f"Choose a new password for the account {user.username} at:\n\n{link}\n\n"
                "The link works once, and for three days. If you did not ask for it, nothing has changed.\n"
            )
            # To the address that is kept, not to the one that was typed: the two can look alike and differ.
            send_mail(f"A new password for {user.username}", text, None, [user.email])
    except (OSError, SMTPException):
        what = "The mail server of this server takes no mail at the moment."
        remedy = "Try again later, or ask whoever runs this server for a link."
        return render(request, "turkle/error.html", {"what": what, "remedy": remedy}, status=503)
    return render(request, "annotation/forgotten.html", context | {"sent": True})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requesters
def tokens(request: HttpRequest) -> HttpResponse:
    """Show requesters and staff their tokens for the API, and make a new one, which is shown once."""
    owner, made = person(request), ""
    if name := request.POST.get("name", "").strip()[:100]:
        made = make_token(owner, name)
    context = {"tokens": owner.tokens.all(), "made": made, "made_name": name, "server": request.build_absolute_uri("/")}
    return render(request, "annotation/tokens.html", context)


@require_POST
@requesters
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token of requesters' and staff's own."""
    token = get_object_or_404(Token, pk=number, user=person(request))
    token.delete()
    messages.success(request, f"The token “{token.name}” is revoked.")
    return redirect("tokens")


def _destination(request: HttpRequest) -> str:
    """Where somebody wanted to go who had to log in first, if it is a page of ours."""
    wanted = request.POST.get("next", request.GET.get("next", ""))
    # A path and nothing else: `redirect` takes another word for the name of a view. The first page of all is of staff.
    if not wanted.startswith("/") or wanted == "/" or not url_has_allowed_host_and_scheme(wanted, None):
        return "work"
    return wanted
