"""Allergens on a menu: what the dishes of a day hold, told from their ingredients, in a table of boxes."""

from __future__ import annotations

from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Made, Truth
from tasks._generator.model import texts

NAME = "Allergens on a menu"
OPEN = ("sure",)

MENUS, DISHES = 20, 6
ALLERGENS = ("gluten", "milk", "egg", "nuts", "fish", "soy", "celery", "mustard", "sesame")
DIETS = ("vegan", "vegetarian", "neither")
_HOLDS = {
    "gluten": ("wheat noodles", "wheat flour", "oats", "rye bread", "barley"),
    "milk": ("cream", "butter", "milk", "hard cheese", "soft cheese", "yoghurt"),
    "egg": ("egg",),
    "nuts": ("hazelnuts", "walnuts", "almonds", "peanut butter"),
    "fish": ("cod", "herring", "salmon", "prawns", "mussels"),
    "soy": ("soy sauce", "tofu"),
    "celery": ("celery",),
    "mustard": ("mustard",),
    "sesame": ("sesame",),
}
_MEAT = ("chicken", "bacon", "beef", "minced beef", *_HOLDS["fish"])
# Names that say nothing plainly of what they hold.
_HIDDEN = {"oats", "barley", "butter", "soy sauce", "tofu", "wheat noodles", "yoghurt", "mussels", "prawns"}


def instances(crowd: Crowd) -> list[Made]:
    """Make the instances: who errs overlooks an allergen, most often where its name does not stand in the list."""
    dishes = texts("allergens_on_a_menu")
    menus = [crowd.rng.sample(dishes, DISHES) for _ in range(MENUS)]
    return [_instance(crowd, number, menu) for number, menu in enumerate(menus, 1)]


def _instance(crowd: Crowd, number: int, menu: list[dict[str, Any]]) -> Made:
    truth: dict[str, Truth] = {}
    hidden = set()
    for place, dish in enumerate(menu, 1):
        for allergen in ALLERGENS:
            found = [thing for thing in dish["of"] if thing in _HOLDS[allergen]]
            truth[f"{allergen}_{place}"] = "on" if found else ""
            if found and _HIDDEN.issuperset(found):
                hidden.add(f"{allergen}_{place}")
        truth[f"diet_{place}"] = _diet(dish["of"])

    def answers(worker: Worker) -> dict[str, str]:
        given = {}
        for name, right in truth.items():
            if name.startswith("diet"):
                given[name] = worker.choose_near(str(right), DIETS, 0.32)
            else:
                wrong = worker.errs(0.22 if name in hidden else 0.12 if right else 0.02)
                given[name] = "on" if bool(right) != wrong else ""
        return given | {"sure": worker.choose_near("4", ("1", "2", "3", "4", "5"), 0.5)}

    inputs = {"day": f"Day {number}"}
    for place, dish in enumerate(menu, 1):
        inputs |= {f"dish_{place}": dish["dish"], f"of_{place}": ", ".join(dish["of"])}
    return crowd.made(inputs, answers, truth)


def _diet(things: list[str]) -> str:
    if set(things) & set(_MEAT):
        return "neither"
    return "vegetarian" if set(things) & {*_HOLDS["milk"], *_HOLDS["egg"]} else "vegan"
