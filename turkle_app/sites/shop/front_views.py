"""The shop's front page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.shop_state import ShopState


@page
def home(request: HttpRequest) -> HttpResponse:
    """The front page."""
    return show(request, "home.html", {"lines": len(state_of(request, ShopState).cart)})
