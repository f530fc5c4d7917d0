"""The goods that a seed adds, of kinds that are not among the fixed ones."""

from __future__ import annotations

from random import Random

_MADE_KINDS: dict[str, tuple[str, str, str, int, int, str]] = {
    # kind: category, the thing itself, words before it, price in euros from and to, colours
    "Saucepans": ("kitchen", "Saucepan", "Copper-Base|Enamelled|Non-Stick|Cast|Steamer", 18, 95, "Steel, Red, Black"),
    "Kitchen knives": ("kitchen", "Knife", "Chef's|Bread|Paring|Santoku|Filleting", 12, 120, "Steel, Walnut"),
    "Bowls": ("kitchen", "Bowl Set", "Stoneware|Mixing|Serving|Glazed|Nesting", 9, 60, "White, Blue, Sand"),
    "Bed linen": ("bedroom", "Duvet Cover", "Linen|Flannel|Percale|Striped|Washed Cotton", 25, 140, "White, Sage, Navy"),
    "Pillows": ("bedroom", "Pillow", "Down|Buckwheat|Side-Sleeper|Memory Foam|Wool", 15, 90, "White"),
    "Blankets": ("bedroom", "Blanket", "Merino|Waffle|Fleece|Chunky Knit|Checked", 19, 130, "Grey, Rust, Sage"),
    "Notebooks": ("office", "Notebook", "Dotted|Ruled|Hardback|Pocket|Sketch", 4, 28, "Black, Red, Sand"),
    "Desk organisers": ("office", "Organiser", "Bamboo|Felt|Steel Mesh|Stacking|Cork", 8, 55, "Oak, Grey, White"),
    "Sleeping bags": ("outdoor", "Sleeping Bag", "Summer|Down|Mummy|Family|Compact", 35, 260, "Blue, Orange"),
    "Camping stoves": ("outdoor", "Camping Stove", "Gas|Spirit|Twin|Folding|Titanium", 19, 150, "Steel, Green"),
    "Socks": ("clothing", "Socks", "Hiking|Merino|Ankle|Thermal|Ribbed", 6, 28, "Grey, Navy, Rust"),
    "Scarves": ("clothing", "Scarf", "Lambswool|Cotton|Tartan|Silk|Snood", 14, 80, "Red, Navy, Sand"),
    "Speakers": ("audio", "Speaker", "Shower|Bookshelf|Pocket|Garden|Radio", 22, 240, "Black, Sand, Red"),
    "Turntables": ("audio", "Turntable", "Belt-Drive|Suitcase|Automatic|Manual|Hi-Fi", 79, 420, "Black, Walnut"),
    "Board games": ("toys", "Board Game", "Island|Railway|Castle|Mystery|Market", 12, 60, ""),
    "Building bricks": ("toys", "Brick Set", "Castle|Space|Farm|City|Bridge", 9, 110, ""),
    "Plant pots": ("garden", "Plant Pot", "Terracotta|Hanging|Glazed|Self-Watering|Zinc", 5, 48, "Terracotta, Blue, Grey"),
    "Garden tools": ("garden", "Hand Tool", "Weeding|Pruning|Planting|Raking|Bulb", 7, 52, "Ash, Green"),
    "Bird feeders": ("garden", "Bird Feeder", "Window|Hanging|Peanut|Seed|Squirrel-Proof", 8, 45, "Green, Copper"),
}  # fmt: skip
MADE_KINDS = {kind: row[0] for kind, row in _MADE_KINDS.items()}
"""Kind -> category."""
_BRANDS = ("Brookfield", "Osterby", "Linden", "Tidewell", "Morrow", "Halden", "Fernley", "Cobalt & Co", "Ashgrove")
_SERIES = ("Classic", "Plus", "Studio", "Home", "Atlas", "Nova", "Heritage", "Eco")
_FEATURES = (
    "Made to last; five years of guarantee",
    "Packed without plastic",
    "Easy to clean",
    "Designed in a small studio; made in small batches",
    "Spare parts can be ordered for ten years",
    "Comes with a bag to keep it in",
)
A_KIND = 6
"""Goods of each kind."""


def made_goods(seed: int) -> list[tuple[str, str, str, int, float, str, str, str]]:
    """Goods of a seed, with the columns of ``FIXED_GOODS``; the names of one kind differ."""
    chance = Random(f"goods {seed}")  # noqa: S311 - the same for the same seed is the point
    return [row for kind in _MADE_KINDS for row in _of_kind(kind, chance)]


def _of_kind(kind: str, chance: Random) -> list[tuple[str, str, str, int, float, str, str, str]]:
    _, thing, words, least, most, colours = _MADE_KINDS[kind]
    looks = words.split("|")
    pairs = chance.sample([(word, series) for word in looks for series in _SERIES], A_KIND)
    rows = []
    for word, series in pairs:
        brand = chance.choice(_BRANDS)
        price = chance.randint(least, most) * 100 - chance.choice((10, 5, 1, 50))
        rating = chance.randint(30, 49) / 10
        features = "; ".join(chance.sample(_FEATURES, 2))
        rows.append((kind, f"{brand} {word} {thing} {series}", brand, price, rating, colours, "", features))
    return rows
