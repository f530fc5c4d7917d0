"""The layouts of the shop: the usual one, and one in which things are called otherwise and stand elsewhere.

``CHANGES`` lists every difference, as data; templates ask ``ShopLayout`` and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from turkle_app.sites.site import PlantedChange


@dataclass(frozen=True, kw_only=True)
class ShopLayout:
    """How pages are laid out.

    Attributes:
        ids: What elements are called in the page, by what they are.
        words: What they say.
        cart: The name of the cart's address.
        filters: In their order.
        deliveries: In their order.
        menu: The account's pages in their order: name of the address, words.
        moved: Whether the search stands in the menu, the coupon beside the total, and the newsletter on the account's
            first page.
    """

    ids: Mapping[str, str]
    words: Mapping[str, str]
    cart: str
    filters: tuple[str, ...]
    deliveries: tuple[str, ...]
    menu: tuple[tuple[str, str], ...]
    moved: bool = False


_MENU = (
    ("orders", "Orders"),
    ("wish-list", "Wish list"),
    ("addresses", "Addresses"),
    ("returns", "Returns"),
    ("settings", "Settings"),
)
_USUAL = ShopLayout(
    ids={"add": "add-to-cart", "quantity": "quantity", "results": "results", "card": "card-number"},
    words={"wish": "Add to wish list", "checkout": "Go to checkout"},
    cart="cart",
    filters=("kind", "brand", "colour"),
    deliveries=("standard", "express", "pickup"),
    menu=_MENU,
)
_MOVED = ShopLayout(
    ids={"add": "buy-box-submit", "quantity": "amount", "results": "hits", "card": "pan"},
    words={"wish": "Save for later", "checkout": "Continue to payment"},
    cart="basket",
    filters=("brand", "colour", "kind"),
    deliveries=("pickup", "express", "standard"),
    menu=(*_MENU[1:], _MENU[0]),
    moved=True,
)
LAYOUTS = {"": _USUAL, "moved": _MOVED}
"""Variant -> layout."""

_PRODUCT = "/product/brookfield-electric-kettle-1-7-l/"
_MENU_ITEM = "#account-menu li:nth-child({}) a[href='/account/orders/']"
CHANGES: dict[str, tuple[PlantedChange, ...]] = {
    "moved": (
        PlantedChange(kind="renamed", page=_PRODUCT, before="#add-to-cart", after="#buy-box-submit"),
        PlantedChange(kind="renamed", page=_PRODUCT, before="select#quantity", after="select#amount"),
        PlantedChange(kind="renamed", page="/search/?q=kettle", before="#results", after="#hits"),
        PlantedChange(kind="renamed", page="/checkout/payment/", before="input#card-number", after="input#pan"),
        PlantedChange(
            kind="relabelled",
            page=_PRODUCT,
            before="button[value='wish']",
            after="button[value='wish']",
            text="Save for later",
        ),
        PlantedChange(
            kind="readdressed",
            page="/cart/",
            page_after="/basket/",
            before="a#go-to-checkout",
            after="a#go-to-checkout",
            text="Continue to payment",
        ),
        PlantedChange(kind="readdressed", page="/", before="a[href='/cart/']", after="a[href='/basket/']"),
        PlantedChange(
            kind="moved",
            page="/cart/",
            page_after="/basket/",
            before="#cart-lines #coupon-code",
            after="#cart-summary #coupon-code",
        ),
        PlantedChange(kind="moved", page="/", before="#top-bar input[name='q']", after="#main-menu input[name='q']"),
        PlantedChange(
            kind="moved",
            page="/account/settings/",
            page_after="/account/",
            before="input[name='newsletter']",
            after="input[name='newsletter']",
        ),
        PlantedChange(
            kind="reordered",
            page="/search/?q=kettle",
            before="#filters fieldset:nth-of-type(1)[data-filter='kind']",
            after="#filters fieldset:nth-of-type(3)[data-filter='kind']",
        ),
        PlantedChange(kind="reordered", page="/account/", before=_MENU_ITEM.format(1), after=_MENU_ITEM.format(5)),
        PlantedChange(
            kind="reordered",
            page="/checkout/delivery/",
            before="label.choice:nth-of-type(1) input[value='standard']",
            after="label.choice:nth-of-type(3) input[value='standard']",
        ),
    )
}
"""Variant -> every planted difference. The pages of cart and checkout show them once something is in the cart."""
