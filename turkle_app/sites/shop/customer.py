"""What the shop keeps of its customer: addresses, lines of the cart, orders, returns, settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

COUNTRIES = ("Ireland", "United Kingdom", "Germany", "France", "Netherlands", "Denmark")
REASONS = ("Does not work", "Wrong size", "Not as described", "Arrived too late", "Changed my mind")
LANGUAGES = ("English", "Deutsch", "Français")
MOST_LINES, MOST_ADDRESSES, MOST_ORDERS, MOST_PIECES = 40, 20, 60, 20
"""An episode's state has a bound, whatever is done in it."""


@dataclass(kw_only=True)
class PostalAddress:
    """Where something is sent to."""

    label: str
    name: str
    street: str
    city: str
    postcode: str
    country: str
    number: int = 0

    def told(self) -> dict[str, Any]:
        """Without the number that only the shop's own addresses use."""
        told = asdict(self)
        del told["number"]
        return told


@dataclass(kw_only=True)
class GoodsLine:
    """Some pieces of one product, in a cart or an order."""

    product: str
    name: str
    colour: str
    size: str
    quantity: int
    price: int
    returned: int = 0

    @property
    def total(self) -> int:
        """Of all pieces, in cents."""
        return self.quantity * self.price

    @property
    def choice(self) -> str:
        """Colour and size in words; may be empty."""
        return ", ".join(filter(None, (self.colour, self.size)))

    @property
    def left(self) -> int:
        """Pieces that can still be sent back."""
        return self.quantity - self.returned


@dataclass(kw_only=True)
class ShopOrder:
    """What was bought at once."""

    number: str
    placed: str
    status: str
    lines: list[GoodsLine]
    discount: int
    coupon: str
    delivery: str
    delivery_cost: int
    payment: str
    address: PostalAddress
    gift_note: str = ""

    @property
    def goods(self) -> int:
        """The price of its goods."""
        return sum(line.total for line in self.lines)

    @property
    def total(self) -> int:
        """What was paid."""
        return self.goods - self.discount + self.delivery_cost

    def told(self) -> dict[str, Any]:
        """All of it as JSON, with what it came to."""
        return asdict(self) | {"address": self.address.told(), "total": self.total}


@dataclass(kw_only=True)
class ReturnRequest:
    """Pieces that are to go back."""

    order: str
    product: str
    quantity: int
    reason: str
    comment: str


@dataclass(kw_only=True)
class AccountSettings:
    """What a customer has chosen."""

    name: str
    email: str
    language: str = "English"
    newsletter: bool = True
    order_mails: bool = True
    remember_card: bool = True
    recommendations: bool = True


@dataclass(kw_only=True)
class CheckoutDraft:
    """What was entered in the steps of a checkout so far."""

    address: int | None = None
    delivery: str = ""
    gift_note: str = ""
    payment: str = ""
    entered: dict[str, str] = field(default_factory=dict)
