"""From the cart to an order, in four steps: address, delivery, payment, and a last look."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.customer import COUNTRIES, MOST_ADDRESSES, PostalAddress
from turkle_app.sites.shop.entered import ADDRESS_FIELDS, address_of, card_of
from turkle_app.sites.shop.prices import DELIVERIES, totals
from turkle_app.sites.shop.shop_state import SAVED_CARD, CannotBe, ShopState

STEPS = (
    ("checkout-address", "Address"),
    ("checkout-delivery", "Delivery"),
    ("checkout-payment", "Payment"),
    ("checkout-review", "Review"),
)
_LONGEST_NOTE = 200


def _missing(state: ShopState, step: str) -> str:
    """The name of the address to go to before a step can be made; empty if it can."""
    draft = state.draft
    done = (bool(state.cart), state.address(draft.address) is not None, bool(draft.delivery), bool(draft.payment))
    before = (state.layout.cart, *(name for name, _ in STEPS))
    place = before.index(step)
    return next((name for name, is_done in zip(before[:place], done, strict=False) if not is_done), "")


def _show_step(request: HttpRequest, step: str, **context: object) -> HttpResponse:
    status = 400 if context.get("problems") else 200
    state = state_of(request, ShopState)
    common = {"steps": STEPS, "step": step, "totals": state.totals(), "problems": {}}
    return show(request, f"{step.replace('-', '_')}.html", common | context, status)


@page
def address(request: HttpRequest) -> HttpResponse:
    """Where to: one of the saved addresses, or a new one."""
    state = state_of(request, ShopState)
    if before := _missing(state, "checkout-address"):
        return redirect(before)
    sent, problems = request.POST, {}
    if request.method == "POST":
        chosen = sent.get("address", "")
        problems = _take_address(state, request, chosen)
        if not problems:
            return redirect("checkout-delivery")
    context = {
        "chosen": sent.get("address") or str(state.draft.address or state.default_address),
        "fields": [(name, words, hint, longest, sent.get(name, "")) for name, words, hint, longest in ADDRESS_FIELDS],
        "countries": COUNTRIES,
        "country": sent.get("country", "Ireland"),
        "problems": problems,
    }
    return _show_step(request, "checkout-address", **context)


def _take_address(state: ShopState, request: HttpRequest, chosen: str) -> dict[str, str]:
    """Keep the address that was chosen or entered; gives what is wrong with it."""
    if chosen != "new":
        known = next((each for each in state.addresses if str(each.number) == chosen), None)
        if known is None:
            return {"address": "Please choose an address."}
        state.draft.address = known.number
        return {}
    entered, problems = address_of(request.POST.dict(), state.next_address)
    if not problems and len(state.addresses) >= MOST_ADDRESSES:
        problems = {"label": "You have too many addresses: delete one first."}
    if not problems:
        keep_address(state, entered)
        state.draft.address = entered.number
    return problems


def keep_address(state: ShopState, entered: PostalAddress) -> None:
    """Add an address to the customer's; it has the next number."""
    state.addresses.append(entered)
    state.next_address += 1


@page
def delivery(request: HttpRequest) -> HttpResponse:
    """How, and with which words in the parcel."""
    state = state_of(request, ShopState)
    if before := _missing(state, "checkout-delivery"):
        return redirect(before)
    problems = {}
    if request.method == "POST":
        way, note = request.POST.get("delivery", ""), request.POST.get("gift_note", "").strip()
        if way not in DELIVERIES:
            problems["delivery"] = "Please choose how it is delivered."
        elif len(note) > _LONGEST_NOTE:
            problems["gift_note"] = f"At most {_LONGEST_NOTE} characters."
        else:
            state.draft.delivery = way
            state.draft.gift_note = note if request.POST.get("gift") else ""
            return redirect("checkout-payment")
    goods = state.totals().goods
    ways = [(DELIVERIES[name], totals(goods, state.coupon, name).delivery) for name in state.layout.deliveries]
    return _show_step(request, "checkout-delivery", ways=ways, problems=problems)


@page
def payment(request: HttpRequest) -> HttpResponse:
    """By what: the saved card, another one, or an invoice."""
    state = state_of(request, ShopState)
    if before := _missing(state, "checkout-payment"):
        return redirect(before)
    problems: dict[str, str] = {}
    way = request.POST.get("payment", "")
    if request.method == "POST":
        words = {"saved": SAVED_CARD, "invoice": "Invoice"}.get(way, "")
        if way == "card":
            words, problems = card_of(request.POST.dict(), state.today)
        elif not words:
            problems = {"payment": "Please choose how you pay."}
        if not problems:
            state.draft.payment = words
            return redirect("checkout-review")
    context = {"saved": SAVED_CARD, "chosen": way or "saved", "sent": request.POST, "problems": problems}
    return _show_step(request, "checkout-payment", **context)


@page
def review(request: HttpRequest) -> HttpResponse:
    """All of it once more; then it is ordered."""
    state = state_of(request, ShopState)
    if before := _missing(state, "checkout-review"):
        return redirect(before)
    problems = {}
    if request.method == "POST":
        if not state.draft.payment:
            return redirect("checkout-payment")
        if not request.POST.get("terms"):
            problems["terms"] = "Please accept the terms."
        else:
            try:
                return redirect("checkout-done", number=state.place_order().number)
            except CannotBe as error:
                problems["terms"] = str(error)
    context = {
        "address": state.address(state.draft.address),
        "delivery": DELIVERIES[state.draft.delivery],
        "problems": problems,
    }
    return _show_step(request, "checkout-review", **context)


@page
def done(request: HttpRequest, number: str) -> HttpResponse:
    """Thanks for an order."""
    order = state_of(request, ShopState).order(number)
    if order is None:
        raise Http404
    return show(request, "checkout_done.html", {"order": order})
