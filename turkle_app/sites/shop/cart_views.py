"""The cart: quantities, removing, the coupon."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import resolve

from turkle_app.sites.pages import page, show, state_of
from turkle_app.sites.shop.prices import COUPONS
from turkle_app.sites.shop.shop_state import CannotBe, ShopState


@page
def cart(request: HttpRequest) -> HttpResponse:
    """The cart, at the address that the layout has for it."""
    state = state_of(request, ShopState)
    if resolve(request.path_info, request.urlconf).url_name != state.layout.cart:
        raise Http404
    problem = ""
    if request.method == "POST":
        try:
            _change(state, request)
            return redirect(state.layout.cart)
        except CannotBe as error:
            problem = str(error)
    rows = [(number, line, state.goods.by_slug[line.product]) for number, line in enumerate(state.cart)]
    context = {"rows": rows, "totals": state.totals(), "problem": problem, "coupons": COUPONS}
    return show(request, "cart.html", context, 400 if problem else 200)


def _change(state: ShopState, request: HttpRequest) -> None:
    """Do what a form of the cart asks for; raises ``CannotBe``."""
    do, line = request.POST.get("do", ""), request.POST.get("line", "")
    if do == "coupon":
        _enter_coupon(state, request.POST.get("coupon", ""))
    elif do == "drop-coupon":
        state.coupon = ""
    elif do in {"quantity", "remove"}:
        if not (line.isascii() and line.isdecimal() and int(line[:4]) < len(state.cart)):
            raise CannotBe("This is not in your cart any more.")
        place = int(line[:4])
        if do == "remove":
            state.notice = f"{state.cart.pop(place).name} was removed."
        else:
            quantity = request.POST.get("quantity", "")
            is_number = quantity.isascii() and quantity.isdecimal() and len(quantity) < 4
            state.set_quantity(state.cart[place], int(quantity) if is_number else 0)


def _enter_coupon(state: ShopState, entered: str) -> None:
    code = entered.strip().upper()
    coupon = COUPONS.get(code)
    if coupon is None:
        raise CannotBe(f"There is no coupon “{entered.strip()[:40]}”.")
    if not coupon.off(sum(line.total for line in state.cart)):
        raise CannotBe(f"{code} cannot be used yet: {coupon.says}.")
    state.coupon = code
    state.notice = f"Coupon {code}: {coupon.says}."
