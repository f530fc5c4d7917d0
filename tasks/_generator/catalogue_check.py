"""Catalogue check: names and values full of quotes, brackets, dots, spaces and angle brackets."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made
from tasks._generator.model import joined, texts

NAME = 'Catalogue check [A+B] "new" (50%)'

ODDITIES = {
    "none": "nothing's odd",
    "cheap": '"too cheap"',
    "size": "size A <> B",
    "brand": "brand isn't A's",
}
CONDITIONS = {"new": "new", "like": "like new", "used": "used (50%)", "broken": 'sold "as is"'}
TAGS = {
    "fragile": "fragile",
    "kids": "kids' stuff",
    "long": '20" & longer',
    "power": "needs mains/battery",
    "outdoor": "<outdoor>",
}

_CONDITION_SAID = {
    "new": ("Unused.", "Brand-new, never unpacked."),
    "like": ("As good as new.", "Used once or twice, you would not notice."),
    "used": ("Used, in working order.", "Shows its years but does its job."),
    "broken": ("Faulty, for tinkerers.", "Not complete or not working, see below."),
}
_TAG_SAID = {
    "fragile": "Breaks easily, collect in person.",
    "kids": "Great for children.",
    "long": "",  # the size says it
    "power": "Runs on electricity.",
    "outdoor": "For outside.",
}
# The last one looks like a variable of the template, as names do that an import has left behind.
_SHOPS = ("attic & cellar", "Second <Spring>", "the 50% corner", "Hand-to-Hand", "shop ${record}")


OPEN = ("seller's note",)


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: noisy choices, prices and sizes in the browser's number form."""
    rng, made = crowd.rng, []
    for number, item in enumerate(texts("catalogue_check")):
        inputs = {
            "record": f"{number + 1:02d}/{rng.randint(100, 999)}",
            "title_a": f"{item['brand']}: {item['thing']}",
            "text_a": _listing_a(item, rng),
            "title_b": f"{item['thing']}, {'no-name' if item['odd'] == 'brand' else item['brand']}",
            "text_b": _listing_b(item, rng),
        }
        escaped = {name: html.escape(text) for name, text in inputs.items()}
        made.append(crowd.made(escaped, lambda worker, item=item: _answers(item, worker), _truth(item)))
    return made


def _listing_a(item: dict[str, Any], rng: random.Random) -> str:
    said = [
        rng.choice(_CONDITION_SAID[item["condition"]]),
        *(_TAG_SAID[tag] for tag in item["tags"] if _TAG_SAID[tag]),
        f"Longest side {item['size']} mm.",
        f"€{item['price'] / 100:.2f}.",
        f"Seller: “{item['notes'][0]}”",
    ]
    return " ".join(said)


def _listing_b(item: dict[str, Any], rng: random.Random) -> str:
    size = item["size"] * (0.6 if item["odd"] == "size" else 1)
    price = item["price"] * (rng.uniform(0.2, 0.4) if item["odd"] == "cheap" else rng.uniform(0.9, 1.15))
    return f"From {rng.choice(_SHOPS)}. About {size / 10:.0f} cm. Price: {price / 100:.0f} euros, or best offer."


def _truth(item: dict[str, Any]) -> dict[str, str]:
    return {
        'it\'s "odd"': ODDITIES[item["odd"]],
        'brand "as printed"': item["brand"],
        "size-in-cm": _number(item["size"], 10),
        "price.eur": _number(item["price"], 100),
        "Answer.condition": CONDITIONS[item["condition"]],
        "tags[]": joined({TAGS[tag] for tag in item["tags"]}, list(TAGS.values())),
    }


def _answers(item: dict[str, Any], worker: Worker) -> dict[str, str]:
    size, price = _number(item["size"], 10), _number(item["price"], 100)
    right = {TAGS[tag] for tag in item["tags"]}
    tags = list(TAGS.values())
    return {
        'it\'s "odd"': worker.choose(
            ODDITIES[item["odd"]], list(ODDITIES.values()), 0.3, [ODDITIES["none"], ODDITIES["size"]]
        ),
        'brand "as printed"': worker.copy(item["brand"], 0.12),
        # The usual slip is to leave the millimetres as they are.
        "size-in-cm": worker.choose(size, [size, str(item["size"])], 0.12),
        "price.eur": worker.choose(price, [price, str(item["price"] // 100)], 0.12),
        "Answer.condition": worker.choose_near(CONDITIONS[item["condition"]], list(CONDITIONS.values()), 0.3),
        "seller's note": worker.copy(item["notes"], 0.1),
        "tags[]": joined(worker.tick(right, tags, 0.25), tags),
    }


def _number(value: int, unit: int) -> str:
    return f"{value / unit:.2f}".rstrip("0").rstrip(".")
