"""Household survey: an interviewer's notes are entered into a form with skip logic."""

from __future__ import annotations

import html
import random
from typing import Any

from tasks._generator.crowd import Crowd, Worker
from tasks._generator.made import Close, Made, Truth
from tasks._generator.model import texts

NAME = "Household survey"

HOMES = ("flat", "terraced house", "detached house", "farmhouse", "houseboat")
HEATINGS = ("gas", "oil", "wood or pellets", "heat pump", "district heating")
TRIPS = ("on foot", "bicycle", "bus or train", "car")
FUELS = ("petrol", "diesel", "electricity", "hybrid")
NEIGHBOURS = ("very well", "well", "hardly know them", "badly")


_HEATED = {
    "gas": ("Gas boiler.", "Heated with gas."),
    "oil": ("Oil tank in the cellar, so oil heating.", "They heat with oil."),
    "wood or pellets": ("A pellet stove heats the lot.", "Heating: wood."),
    "heat pump": ("Heat pump, put in lately.", "A heat pump does the heating."),
    "district heating": ("On the district heating network.", "District heating."),
}
_TRIP = {
    "on foot": ("They walk to school.", "School is a short walk."),
    "bicycle": ("To school they mostly cycle.", "School run by bicycle."),
    "bus or train": ("The school bus picks them up.", "They take the bus to school."),
    "car": ("Somebody drives them to school.", "School run by car, every day."),
}
_FUEL = {
    "petrol": ("One car, petrol.", "They run an old petrol car."),
    "diesel": ("A diesel van stands outside.", "Car: diesel."),
    "electricity": ("They drive an electric car.", "One car, all-electric."),
    "hybrid": ("The car is a hybrid.", "They own a hybrid car."),
}
_MOOD = (
    ("Cannot stand it there, and says so.", "Wants out, the sooner the better."),
    ("Puts up with it, not much more.", "Complained a good deal."),
    ("So-so about living there.", "Neither happy nor unhappy there, it seems."),
    ("Quite content on the whole.", "Likes it there, with a few grumbles."),
    ("Could not be happier there.", "Loves the place."),
)
_NEIGHBOURS = {
    "very well": ("The neighbours are like family.", "Best of friends with the neighbours."),
    "well": ("Gets on with the neighbours.", "Good neighbours, no trouble."),
    "hardly know them": (
        "Would not recognise the neighbours in the street.",
        "Hardly ever sees the neighbours.",
    ),
    "badly": ("There is a quarrel with the neighbours.", "At odds with the neighbours for years."),
}


FREE = ("remarks",)
OPEN = ("wish", "move-reason")


def instances(crowd: Crowd) -> list[Made]:
    """Make all instances.

    The answers that reveal further questions (tenure, children, has-car, move) are the same for all workers
    of an instance. Otherwise a label could stand in a field that the majority's answer keeps hidden.
    Everything else is noisy.
    """
    rng, made = crowd.rng, []
    for number, home in enumerate(texts("household_survey")):
        inputs = {
            "interview": f"H-{1042 + 7 * number}",
            "place": home["place"],
            "notes": html.escape(_notes(home, rng)),
        }
        made.append(crowd.made(inputs, lambda worker, home=home: _answers(home, worker), _truth(home), most=5))
    return made


def _notes(home: dict[str, Any], rng: random.Random) -> str:
    said = [
        rng.choice(_HEATED[home["heating"]]),
        _residents(home, rng),
        _tenure(home, rng),
        rng.choice(_FUEL[home["fuel"]] if "fuel" in home else ("No car.", "Does without a car.")),
        rng.choice(_MOOD[min(4, home["content"] // 2)]),
        f"The one thing to change: “{home['wish'][0]}”.",
        f"At this address for {home['years']} {'year' if home['years'] == 1 else 'years'}.",
        rng.choice(_NEIGHBOURS[home["neighbours"]]),
        *home.get("extra", ())[:1],
    ]
    if "garden" in home:
        said.append(rng.choice(("There is a garden.", "Grows vegetables on a plot behind it.")))
    if "office" in home:
        said.append("Works from home two or three days a week.")
    if "leaving" in home:
        reason = home["leaving"][0]
        said.append(f"Plans to move next year. Reason given: {reason[0].lower()}{reason[1:]}.")
    else:
        said.append(rng.choice(("Not planning to move.", "Moving? No plans at all.")))
    rng.shuffle(said)
    return " ".join((f"{home['who']}.", f"{home['described']}.", *said))


def _tenure(home: dict[str, Any], rng: random.Random) -> str:
    if "rent" in home:
        heat = "heating included" if "warm" in home else "heating comes on top"
        return f"Rented, {home['rent']} a month, {heat}."
    if "free" in home:
        return "Lives there free of charge, no rent."
    return rng.choice(("Their own property.", "They own it, paid off long ago.", "Owned, with a mortgage."))


def _residents(home: dict[str, Any], rng: random.Random) -> str:
    people = "One person" if home["people"] == 1 else f"{home['people']} people"
    if "children" not in home:
        return f"{people} in the household, no children under 16."
    young = f"{home['children']} of them under 16" if home["children"] > 1 else "one of them under 16"
    return f"{people} live there, {young}. {rng.choice(_TRIP[home['trip']])}"


def _truth(home: dict[str, Any]) -> dict[str, Truth]:
    rented = "rent" in home
    return {
        "home-type": home["home"],
        "tenure": "rents" if rented else "neither" if "free" in home else "owns",
        "rent-month": str(home.get("rent", "")),
        "heating-included": "on" if rented and "warm" in home else "",
        "main-heating": home["heating"],
        "people": str(home["people"]),
        "children": "yes" if "children" in home else "no",
        "children-count": str(home.get("children", "")),
        "school-trip": home["trip"] if "children" in home else "",
        "has-garden": "on" if "garden" in home else "",
        "works-from-home": "on" if "office" in home else "",
        "has-car": "on" if "fuel" in home else "",
        "fuel": home.get("fuel", ""),
        "satisfaction": Close(home["content"], 1.8),
        "years-here": str(home["years"]),
        "neighbours": home["neighbours"],
        "move": "yes" if "leaving" in home else "no",
    }


def _answers(home: dict[str, Any], worker: Worker) -> dict[str, str]:
    children, rented = "children" in home, "rent" in home
    tenure = "rents" if rented else "neither" if "free" in home else "owns"
    return {
        "home-type": worker.choose(home["home"], HOMES, 0.25),
        "tenure": tenure,
        "rent-month": str(home["rent"]) if rented else "",
        "heating-included": _ticked("warm" in home, worker) if rented else "",
        "main-heating": worker.choose(home["heating"], HEATINGS, 0.2),
        "people": _count(home["people"], worker),
        "children": "yes" if children else "no",
        "children-count": _count(home["children"], worker) if children else "",
        "school-trip": worker.choose(home["trip"], TRIPS, 0.25) if children else "",
        "has-garden": _ticked("garden" in home, worker),
        "works-from-home": _ticked("office" in home, worker),
        "has-car": "on" if "fuel" in home else "",
        "fuel": worker.choose(home["fuel"], FUELS, 0.25) if "fuel" in home else "",
        "satisfaction": str(worker.rate(home["content"], 0, 10, 5)),
        "wish": worker.copy(home["wish"], 0.1),
        "years-here": str(home["years"]),
        "neighbours": worker.choose_near(home["neighbours"], NEIGHBOURS, 0.35),
        "move": "yes" if "leaving" in home else "no",
        "move-reason": worker.copy(home["leaving"], 0.1) if "leaving" in home else "",
        "remarks": worker.say(home["extra"], talk=False) if "extra" in home and not worker.skips(0.3) else "",
    }


def _ticked(right: bool, worker: Worker) -> str:
    return "on" if right != worker.errs(0.25 if right else 0.1) else ""


def _count(right: int, worker: Worker) -> str:
    near = [str(number) for number in range(max(1, right - 1), right + 2)]
    return worker.choose(str(right), near, 0.1)
