"""The customer's addresses: new, changed, deleted, and which is the usual one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.checkout_views import keep_address
from turkle_app.sites.shop.customer import COUNTRIES, MOST_ADDRESSES, PostalAddress
from turkle_app.sites.shop.entered import ADDRESS_FIELDS, address_of
from turkle_app.sites.shop.shop_state import ShopState


@page
def addresses(request: HttpRequest) -> HttpResponse:
    """All of them; delete one, or make it the usual one."""
    state = state_of(request, ShopState)
    if request.method == "POST":
        chosen = next((each for each in state.addresses if str(each.number) == request.POST.get("address")), None)
        if chosen is not None and request.POST.get("do") == "default":
            state.default_address = chosen.number
            state.notice = f"{chosen.label} is your usual address now."
        elif chosen is not None and chosen.number == state.default_address:
            state.notice = "Your usual address cannot be deleted. Choose another one first."
        elif chosen is not None:
            state.addresses.remove(chosen)
            state.notice = f"{chosen.label} was deleted."
        return redirect("addresses")
    return show(request, "addresses.html")


@page
def new_address(request: HttpRequest) -> HttpResponse:
    """A further address."""
    state = state_of(request, ShopState)
    if len(state.addresses) >= MOST_ADDRESSES:
        state.notice = "You have too many addresses: delete one first."
        return redirect("addresses")
    return _form(request, state, None)


@page
def edit_address(request: HttpRequest, number: int) -> HttpResponse:
    """One of the addresses, to be changed."""
    state = state_of(request, ShopState)
    known = state.address(number)
    if known is None:
        raise Http404
    return _form(request, state, known)


def _form(request: HttpRequest, state: ShopState, known: PostalAddress | None) -> HttpResponse:
    problems: dict[str, str] = {}
    if request.method == "POST":
        number = known.number if known else state.next_address
        entered, problems = address_of(request.POST.dict(), number)
        if not problems:
            if known:
                vars(known).update(vars(entered))
            else:
                keep_address(state, entered)
            if request.POST.get("default"):
                state.default_address = number
            state.notice = f"{entered.label} is saved."
            return redirect("addresses")
    values = request.POST.dict() if request.method == "POST" else vars(known) if known else {}
    context = {
        "known": known,
        "fields": [(name, words, hint, longest, values.get(name, "")) for name, words, hint, longest in ADDRESS_FIELDS],
        "countries": COUNTRIES,
        "country": values.get("country", "Ireland"),
        "problems": problems,
    }
    return show(request, "address_form.html", context, 400 if problems else 200)
