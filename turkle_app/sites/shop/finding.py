"""Search in the goods: words by relevance, filters, their counts, and the order of what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from django.http import QueryDict

from turkle_app.sites.shop.assortment import CATEGORIES, Product, words_of

SORTS: dict[str, tuple[str, Callable[[Product], object]]] = {
    "price": ("Price: low to high", lambda product: product.price),
    "price-down": ("Price: high to low", lambda product: -product.price),
    "rating": ("Customer rating", lambda product: -product.rating),
    "name": ("Name", lambda product: product.name),
}
"""Beside relevance: name in addresses -> words, and by what."""
PAGE_SIZE = 12
_MOST_WORDS = 8


@dataclass(frozen=True)
class Wish:
    """What somebody looks for.

    Attributes:
        words: In any of a product's texts; all of them.
        category: A category's slug; empty for any.
        chosen: Of ``kind``, ``brand`` and ``colour``: the values that will do; any if there are none.
        least: In euros.
        most: In euros.
        stars: The lowest rating.
        sort: A key of ``SORTS``; empty for relevance.
    """

    words: str = ""
    category: str = ""
    chosen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    least: float | None = None
    most: float | None = None
    stars: float | None = None
    sort: str = ""

    @classmethod
    def read(cls, query: QueryDict, category: str = "") -> Wish:
        """The wish of an address; what makes no sense in it is passed over."""
        wanted = category or query.get("category", "")
        return cls(
            words=query.get("q", "").strip()[:200],
            category=wanted if wanted in CATEGORIES else "",
            chosen={name: tuple(filter(None, query.getlist(name)[:50])) for name in _FACETS},
            least=_number(query.get("min", "")),
            most=_number(query.get("max", "")),
            stars=_number(query.get("rating", "")),
            sort=query.get("sort", "") if query.get("sort") in SORTS else "",
        )


@dataclass(frozen=True)
class FacetValue:
    """One value of a filter, how many it would leave, and whether it is chosen."""

    value: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class Facet:
    """One filter: its name in addresses, its words, its values by frequency."""

    name: str
    title: str
    values: tuple[FacetValue, ...]


_FACETS: dict[str, tuple[str, Callable[[Product], tuple[str, ...]]]] = {
    "kind": ("Type", lambda product: (product.kind,)),
    "brand": ("Brand", lambda product: (product.brand,)),
    "colour": ("Colour", lambda product: product.colours),
}


def found(goods: Sequence[Product], wish: Wish) -> list[Product]:
    """The goods that a wish is about, best first."""
    words = words_of(wish.words)[:_MOST_WORDS]
    fitting = [product for product in goods if _fits(product, wish)]
    scored = [(_relevance(product, words), product) for product in fitting]
    hits = [(score, product) for score, product in scored if score]
    if wish.sort:
        return sorted((product for _, product in hits), key=SORTS[wish.sort][1])  # type: ignore[arg-type]
    return [product for _, product in sorted(hits, key=lambda hit: -hit[0])]


def facets(goods: Sequence[Product], wish: Wish) -> list[Facet]:
    """The filters, each with what is left by the others: what is chosen in one hides no value of the same."""
    words = words_of(wish.words)[:_MOST_WORDS]
    made = []
    for name, (title, values_of) in _FACETS.items():
        rest = [each for each in goods if _fits(each, wish, without=name) and _relevance(each, words)]
        counts = Counter(value for product in rest for value in values_of(product))
        chosen = wish.chosen.get(name, ())
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        made.append(Facet(name, title, tuple(FacetValue(value, count, value in chosen) for value, count in ordered)))
    return made


def related(goods: Iterable[Product], product: Product, most: int = 4) -> list[Product]:
    """Other goods of the same kind, then of the same category."""
    others = [other for other in goods if other is not product and other.category == product.category]
    return sorted(others, key=lambda other: other.kind != product.kind)[:most]


def _fits(product: Product, wish: Wish, without: str = "") -> bool:
    if wish.category and product.category != wish.category:
        return False
    for name, (_, values_of) in _FACETS.items():
        chosen = wish.chosen.get(name, ())
        if name != without and chosen and not set(chosen) & set(values_of(product)):
            return False
    price = product.price / 100
    dear_enough = wish.least is None or price >= wish.least
    cheap_enough = wish.most is None or price <= wish.most
    return dear_enough and cheap_enough and (wish.stars is None or product.rating >= wish.stars)


def _relevance(product: Product, words: Sequence[str]) -> int:
    """How well a product fits words: 0 if one of them stands nowhere; the name counts most."""
    if not words:
        return 1
    total = 0
    for word in words:
        best = max(
            (weight for weight, known in product.searched if any(_is_word(word, each) for each in known)), default=0
        )
        if not best:
            return 0
        total += best
    return total


def _is_word(wanted: str, known: str) -> bool:
    """Whether a word is meant: its beginning, or its plural."""
    return known.startswith(wanted) or (len(wanted) > 3 and wanted.endswith("s") and known.startswith(wanted[:-1]))


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if 0 <= number < 1e6 else None
