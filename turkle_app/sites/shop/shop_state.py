"""What one episode has made of the shop: the cart and the account of one customer."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from turkle_app.sites.shop.assortment import CATEGORIES, Assortment, Product, assortment
from turkle_app.sites.shop.customer import (
    MOST_LINES,
    MOST_ORDERS,
    MOST_PIECES,
    AccountSettings,
    CheckoutDraft,
    GoodsLine,
    PostalAddress,
    ReturnRequest,
    ShopOrder,
)
from turkle_app.sites.shop.layouts import LAYOUTS, ShopLayout
from turkle_app.sites.shop.prices import CartTotals, totals

SAVED_CARD = "Card ending in 4242"
_FIRST_NEW = 10461
"""The number of the first order that an episode places."""


class CannotBe(ValueError):
    """What a customer asked for cannot be done; says why, in words for them."""


@dataclass(kw_only=True)
class ShopState:
    """See above.

    Attributes:
        goods: What is sold, shared with other episodes and never changed.
        layout: Of the pages.
        today: The shop's own clock stands still.
        orders: The latest first.
        wish_list: Slugs, in the order in which they came.
        notice: Said once, at the top of the next page.
    """

    goods: Assortment
    layout: ShopLayout
    today: date
    settings: AccountSettings
    addresses: list[PostalAddress]
    default_address: int
    orders: list[ShopOrder]
    wish_list: list[str]
    cart: list[GoodsLine] = field(default_factory=list)
    coupon: str = ""
    returns: list[ReturnRequest] = field(default_factory=list)
    draft: CheckoutDraft = field(default_factory=CheckoutDraft)
    notice: str = ""
    next_address: int = 3

    def told(self) -> dict[str, Any]:
        """Cart, orders (latest first), addresses, wish list, returns and settings, as JSON."""
        return {
            "today": self.today.isoformat(),
            "cart": [asdict(line) for line in self.cart],
            "coupon": self.coupon,
            "orders": [order.told() for order in self.orders],
            "addresses": [
                each.told() | {"default": each.number == self.default_address} for each in self._default_first()
            ],
            "wish_list": list(self.wish_list),
            "returns": [asdict(each) for each in self.returns],
            "settings": asdict(self.settings),
        }

    def _default_first(self) -> list[PostalAddress]:
        return sorted(self.addresses, key=lambda each: each.number != self.default_address)

    @property
    def categories(self) -> list[tuple[str, str]]:
        """Slug and name of each, for the menu of every page."""
        return list(CATEGORIES.items())

    @property
    def pieces(self) -> int:
        """How many pieces are in the cart."""
        return sum(line.quantity for line in self.cart)

    def totals(self) -> CartTotals:
        """What the cart comes to, with the delivery that is chosen so far."""
        return totals(sum(line.total for line in self.cart), self.coupon, self.draft.delivery)

    def say_once(self) -> str:
        """What is to be said at the top of this page, and no other."""
        notice, self.notice = self.notice, ""
        return notice

    def add(self, product: Product, colour: str, size: str, quantity: int) -> None:
        """Put pieces of a product into the cart.

        Raises:
            CannotBe: a choice is missing, or there would be too many.
        """
        if product.colours and colour not in product.colours:
            raise CannotBe("Please choose a colour.")
        if product.sizes and size not in product.sizes:
            raise CannotBe("Please choose a size.")
        colour, size = colour if product.colours else "", size if product.sizes else ""
        for line in self.cart:
            if (line.product, line.colour, line.size) == (product.slug, colour, size):
                self.set_quantity(line, line.quantity + quantity)
                return
        if len(self.cart) >= MOST_LINES:
            raise CannotBe("The cart is full.")
        line = GoodsLine(
            product=product.slug, name=product.name, colour=colour, size=size, quantity=0, price=product.price
        )
        self.set_quantity(line, quantity)
        self.cart.append(line)

    @staticmethod
    def set_quantity(line: GoodsLine, quantity: int) -> None:
        """Change how many pieces are wanted.

        Raises:
            CannotBe: none, or more than one customer gets.
        """
        if not 1 <= quantity <= MOST_PIECES:
            raise CannotBe(f"You can order 1 to {MOST_PIECES} pieces of a product.")
        line.quantity = quantity

    def address(self, number: int | None) -> PostalAddress | None:
        """One of the addresses, by its number."""
        return next((each for each in self.addresses if each.number == number), None)

    def order(self, number: str) -> ShopOrder | None:
        """One of the orders, by its number."""
        return next((each for each in self.orders if each.number == number), None)

    def place_order(self) -> ShopOrder:
        """Make an order of the cart and of what was entered in the steps of the checkout.

        Raises:
            CannotBe: a step is missing.
        """
        address, draft = self.address(self.draft.address), self.draft
        if not self.cart or address is None or not draft.delivery or not draft.payment:
            raise CannotBe("Something is missing: please go through the steps of the checkout.")
        if len(self.orders) >= MOST_ORDERS:
            raise CannotBe("You have placed too many orders. Please call us.")
        sums = self.totals()
        order = ShopOrder(
            number=f"HH-{_FIRST_NEW + len(self.orders)}",
            placed=self.today.isoformat(),
            status="processing",
            lines=self.cart,
            discount=sums.discount,
            coupon=self.coupon,
            delivery=draft.delivery,
            delivery_cost=sums.delivery,
            payment=draft.payment,
            address=PostalAddress(**asdict(address)),
            gift_note=draft.gift_note,
        )
        self.orders.insert(0, order)
        self.cart, self.coupon, self.draft = [], "", CheckoutDraft()
        return order


_FIRST_NAMES = ("Mara", "Jonas", "Elif", "Noel", "Priya", "Tomas", "Ines", "Arvid")
_LAST_NAMES = ("Keller", "Osei", "Lindqvist", "Byrne", "Marchetti", "Novak", "Haddad", "Willems")
_STREETS = ("Quay Road", "Alder Lane", "Station Street", "Mill Hill", "Chapel Row", "Orchard Way", "Castle Square")
_CITIES = (("Kilmarra", "KM4 2RD"), ("Westport Bay", "WB1 7LA"), ("Ardenne", "AR9 3QT"), ("Dunhaven", "DH2 5MN"))


def make_state(seed: int, variant: str) -> ShopState:
    """The state of a new episode: a customer with two addresses, three orders, and two things on the wish list."""
    chance = Random(f"customer {seed}")  # noqa: S311 - the same for the same seed is the point
    goods, today = assortment(seed), date(2026, 1, 5) + timedelta(days=seed % 300)
    first, last = chance.choice(_FIRST_NAMES), chance.choice(_LAST_NAMES)
    addresses = [_address(number, label, f"{first} {last}", chance) for number, label in ((1, "Home"), (2, "Office"))]
    email = f"{first}.{last}@mail.example".lower()
    return ShopState(
        goods=goods,
        layout=LAYOUTS[variant],
        today=today,
        settings=AccountSettings(name=f"{first} {last}", email=email),
        addresses=addresses,
        default_address=1,
        orders=_history(goods, today, addresses[0]),
        wish_list=["kestrel-roll-top-backpack", "osterby-french-press-1-0-l"],
    )


def _address(number: int, label: str, name: str, chance: Random) -> PostalAddress:
    city, postcode = chance.choice(_CITIES)
    street = f"{chance.randint(2, 90)} {chance.choice(_STREETS)}"
    return PostalAddress(
        number=number, label=label, name=name, street=street, city=city, postcode=postcode, country="Ireland"
    )


_COAT, _CAN = ("norrland-town-coat", "Navy", "M", 1), ("tidewell-watering-can-10-l", "Green", "", 1)
_HEADPHONES, _PUZZLE = ("aria-wireless-headphones", "Black", "", 1), ("farm-animals-24-pieces", "", "", 1)
_HISTORY = (
    ("HH-10447", 2, "processing", (_COAT, _CAN)),
    ("HH-10433", 19, "delivered", (("halden-clip-lamp", "White", "", 2),)),
    ("HH-10418", 43, "delivered", (_HEADPHONES, _PUZZLE)),
)
"""Orders from before: number, days ago, status, lines."""


def _history(goods: Assortment, today: date, address: PostalAddress) -> list[ShopOrder]:
    orders = []
    for number, days, status, rows in _HISTORY:
        lines = [
            GoodsLine(
                product=slug,
                name=goods.by_slug[slug].name,
                colour=colour,
                size=size,
                quantity=quantity,
                price=goods.by_slug[slug].price,
            )
            for slug, colour, size, quantity in rows
        ]
        sums = totals(sum(line.total for line in lines), "", "standard")
        order = ShopOrder(
            number=number,
            placed=(today - timedelta(days=days)).isoformat(),
            status=status,
            lines=lines,
            discount=0,
            coupon="",
            delivery="standard",
            delivery_cost=sums.delivery,
            payment=SAVED_CARD,
            address=PostalAddress(**asdict(address)),
        )
        orders.append(order)
    return orders
