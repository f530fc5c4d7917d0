"""A task on a website, and the trace of how it is done."""

from __future__ import annotations

GOAL = "Put the glass kettle of Morrow into the cart"

TASK = {
    "kind": "site",
    "title": "A kettle",
    "description": "Puts a kettle into the cart.",
    "split": "test",
    "licence": "CC0-1.0",
    "goal": GOAL,
    "start": "http://shop.test/search/?q=kettle",
    "origins": ["http://shop.test"],
    "site": "shop",
    "reference_length": 2,
    "evaluators": {
        "key_nodes": [
            {"target": "url", "match": "include", "reference": "shop.test/product/", "note": "the page of the kettle"}
        ],
        "final_state": [{"at": "/cart", "how": "count", "value": 1}],
        "main": "final_state",
    },
}

TRACE = {
    "goal": GOAL,
    "start": TASK["start"],
    "steps": [{"do": "click", "element": {"css": "a[href*=morrow-glass]", "text": "Morrow"}, "note": "the golden way"}],
}
