"""A floor for choices: any of a field's own options."""

from __future__ import annotations

import random

from harness.browser.form.fields import Field
from harness.catalog.kinds import VOTES
from harness.episode.assignment import Page
from harness.episode.library import Actions, fill
from harness.episode.site_actions import SiteActions
from oracle.random_walk import walk


class RandomChoice:
    """A seeded choice among each field's own options; texts are left as they are.

    A slider gets any of its steps, a lone box is ticked or not, and of several boxes each is ticked or not. On a
    website it does something to any element that the page shows, again and again.
    """

    def solve(self, page: Page, act: Actions) -> None:
        """Fill every choice and slider of the page, or walk through the website."""
        if isinstance(act, SiteActions):
            walk(page, act)
            return
        chance = random.Random(page.seed)  # noqa: S311 - a baseline, not a secret
        for field in page.fields:
            values = self._choose(field, chance)
            if values is not None and field.visible:
                fill(act, field, values)

    def _choose(self, field: Field, chance: random.Random) -> tuple[str, ...] | None:
        options = [option.value for option in field.options if option.visible]
        if field.kind == "checkbox":
            return tuple(value for value in options if chance.random() < 0.5)
        if field.kind in VOTES:
            return (chance.choice(options),) if options else None
        if field.kind == "range" and field.scale:
            low, high, step = field.scale
            if not step:
                return (f"{chance.uniform(low, high):.3g}",)
            return (f"{low + step * chance.randint(0, int((high - low) / step + 1e-9)):g}",)
        return None
