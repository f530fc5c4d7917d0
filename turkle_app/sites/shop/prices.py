"""What things cost together: coupons, delivery, totals. All money is in cents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Delivery:
    """A way of delivery: what it is called, how long it takes, what it costs, and from which sum on nothing."""

    name: str
    title: str
    takes: str
    cost: int
    free_from: int | None = None


DELIVERIES = {
    each.name: each
    for each in (
        Delivery("standard", "Standard delivery", "3 to 5 working days", 490, 5000),
        Delivery("express", "Express delivery", "the next working day", 1290),
        Delivery("pickup", "Collect in our shop", "ready tomorrow, at 2 Harbour Street", 0),
    )
}


@dataclass(frozen=True)
class Coupon:
    """What a code takes off: so many per cent, or an amount, from a sum on."""

    code: str
    says: str
    percent: int = 0
    amount: int = 0
    least: int = 0

    def off(self, goods: int) -> int:
        """What is taken off goods of a price."""
        if goods < self.least:
            return 0
        return min(goods, self.amount) + (goods * self.percent + 50) // 100


COUPONS = {
    each.code: each
    for each in (
        Coupon("WELCOME10", "10% off everything", percent=10),
        Coupon("HILL5", "€5 off orders from €50", amount=500, least=5000),
        Coupon("TEATIME20", "20% off orders from €80", percent=20, least=8000),
    )
}


@dataclass(frozen=True)
class CartTotals:
    """What a cart comes to."""

    goods: int
    discount: int
    delivery: int

    @property
    def total(self) -> int:
        """What is to be paid."""
        return self.goods - self.discount + self.delivery


def totals(goods: int, coupon: str, delivery: str) -> CartTotals:
    """What goods come to.

    Args:
        goods: Their price.
        coupon: The code that was entered; empty for none.
        delivery: A key of ``DELIVERIES``; empty if none is chosen yet.
    """
    discount = COUPONS[coupon].off(goods) if coupon else 0
    way = DELIVERIES.get(delivery)
    is_free = way is None or (way.free_from is not None and goods - discount >= way.free_from)
    return CartTotals(goods, discount, 0 if way is None or is_free else way.cost)
