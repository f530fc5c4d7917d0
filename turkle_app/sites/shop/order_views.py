"""Orders that were placed: a look, calling one off, another address, sending something back."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.customer import REASONS, PostalAddress, ReturnRequest, ShopOrder
from turkle_app.sites.shop.prices import DELIVERIES
from turkle_app.sites.shop.shop_state import CannotBe, ShopState

_LONGEST_COMMENT = 500


@page
def orders(request: HttpRequest) -> HttpResponse:
    """All orders, the latest first."""
    return show(request, "orders.html")


@page
def order(request: HttpRequest, number: str) -> HttpResponse:
    """An order, and what can still be done about it."""
    state = state_of(request, ShopState)
    found = state.order(number)
    if found is None:
        raise Http404
    problem = ""
    if request.method == "POST":
        try:
            _change(state, found, request)
            return redirect("order", number=number)
        except CannotBe as error:
            problem = str(error)
    context = {"order": found, "delivery": DELIVERIES[found.delivery], "problem": problem}
    return show(request, "order.html", context, 400 if problem else 200)


def _change(state: ShopState, found: ShopOrder, request: HttpRequest) -> None:
    """Call an order off, or send it elsewhere; raises ``CannotBe``."""
    if found.status != "processing":
        raise CannotBe("This order cannot be changed any more.")
    if request.POST.get("do") == "cancel":
        found.status = "cancelled"
        state.notice = f"Order {found.number} is cancelled."
        return
    chosen = next((each for each in state.addresses if str(each.number) == request.POST.get("address")), None)
    if chosen is None:
        raise CannotBe("Please choose an address.")
    found.address = PostalAddress(**vars(chosen))
    state.notice = f"Order {found.number} goes to {chosen.label}."


@page
def send_back(request: HttpRequest, number: str) -> HttpResponse:
    """Send something of an order back: what, how many, and why."""
    state = state_of(request, ShopState)
    found = state.order(number)
    if found is None or found.status != "delivered":
        raise Http404
    problem = ""
    if request.method == "POST":
        try:
            _send_back(state, found, request)
            return redirect("returns")
        except CannotBe as error:
            problem = str(error)
    context = {
        "order": found,
        "lines": [line for line in found.lines if line.left],
        "reasons": REASONS,
        "problem": problem,
        "sent": request.POST,
    }
    return show(request, "send_back.html", context, 400 if problem else 200)


def _send_back(state: ShopState, found: ShopOrder, request: HttpRequest) -> None:
    line = next((each for each in found.lines if each.product == request.POST.get("product") and each.left), None)
    reason, comment = request.POST.get("reason", ""), request.POST.get("comment", "").strip()
    pieces = request.POST.get("quantity", "")
    if line is None:
        raise CannotBe("Please choose what you send back.")
    if not (pieces.isascii() and pieces.isdecimal() and 1 <= int(pieces[:4]) <= line.left):
        raise CannotBe(f"You can send back 1 to {line.left} of these.")
    if reason not in REASONS:
        raise CannotBe("Please tell us why.")
    if len(comment) > _LONGEST_COMMENT:
        raise CannotBe(f"The comment may have {_LONGEST_COMMENT} characters.")
    line.returned += int(pieces)
    state.returns.append(
        ReturnRequest(order=found.number, product=line.product, quantity=int(pieces), reason=reason, comment=comment)
    )
    state.notice = f"Your return of {line.name} is registered. The label is in your mail."


@page
def returns(request: HttpRequest) -> HttpResponse:
    """What is to go back."""
    state = state_of(request, ShopState)
    shown = [(each, state.goods.by_slug[each.product]) for each in state.returns]
    returnable = [each for each in state.orders if each.status == "delivered"]
    return show(request, "returns.html", {"shown": shown, "returnable": returnable})
