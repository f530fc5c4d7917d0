"""The customer's account: overview, wish list, settings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.customer import LANGUAGES
from turkle_app.sites.shop.shop_state import CannotBe, ShopState

_SWITCHES = (
    ("newsletter", "Newsletter", "News and offers, once a week"),
    ("order_mails", "Mails about orders", "When something is sent, and when it arrives"),
    ("recommendations", "Recommendations", "Goods that fit what you have bought"),
    ("remember_card", "Remember my card", "So that you need not enter it again"),
)
"""Of the settings: attribute, words, what it is."""
_LONGEST = 80


@page
def account(request: HttpRequest) -> HttpResponse:
    """The account's first page; in the other layout, with the newsletter on it."""
    state = state_of(request, ShopState)
    if request.method == "POST" and state.layout.moved:
        state.settings.newsletter = bool(request.POST.get("newsletter"))
        state.notice = "Your choice is saved."
        return redirect("account")
    return show(request, "account.html", {"newsletter": _SWITCHES[0]})


@page
def settings(request: HttpRequest) -> HttpResponse:
    """Name, mail address, language, and what the shop may send and keep."""
    state = state_of(request, ShopState)
    kept, problems = state.settings, {}
    switches = [each for each in _SWITCHES if not (state.layout.moved and each[0] == "newsletter")]
    if request.method == "POST":
        texts = {name: request.POST.get(name, "").strip() for name in ("name", "email", "language")}
        problems = _wrong(texts)
        if not problems:
            kept.name, kept.email, kept.language = texts["name"], texts["email"], texts["language"]
            for name, _, _ in switches:
                setattr(kept, name, bool(request.POST.get(name)))
            state.notice = "Your settings are saved."
            return redirect("settings")
    shown = [(name, words, about, getattr(kept, name)) for name, words, about in switches]
    context = {"switches": shown, "languages": LANGUAGES, "problems": problems, "sent": request.POST}
    return show(request, "settings.html", context, 400 if problems else 200)


def _wrong(texts: dict[str, str]) -> dict[str, str]:
    """What is wrong with the texts of the settings, by field."""
    problems = {name: "Please fill this in." for name in ("name", "email") if not texts[name]}
    problems |= {name: f"At most {_LONGEST} characters." for name in texts if len(texts[name]) > _LONGEST}
    if "email" not in problems and "@" not in texts["email"][1:-1]:
        problems["email"] = "This is no mail address."
    if texts["language"] not in LANGUAGES:
        problems["language"] = "Please choose a language."
    return problems


@page
def wish_list(request: HttpRequest) -> HttpResponse:
    """What was put aside: to the cart with it, or away."""
    state = state_of(request, ShopState)
    if request.method == "POST":
        slug = request.POST.get("product", "")
        if slug in state.wish_list and request.POST.get("do") == "remove":
            state.wish_list.remove(slug)
            state.notice = f"{state.goods.by_slug[slug].name} was removed."
        elif slug in state.wish_list:
            thing = state.goods.by_slug[slug]
            try:
                state.add(thing, request.POST.get("colour", ""), request.POST.get("size", ""), 1)
                state.wish_list.remove(slug)
                state.notice = f"{thing.name} was moved to your cart."
            except CannotBe as error:
                state.notice = str(error)
        return redirect("wish-list")
    return show(request, "wish_list.html", {"wished": [state.goods.by_slug[slug] for slug in state.wish_list]})
