"""What a page of MiniWoB++ tells of its episode: what it asks for, whether it is over, and its reward."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from harness.browser.channel import CommandFailed
from harness.browser.tab import Tab

LONGEST_INSTRUCTION = 2_000
"""Characters of what a page asks for."""
# As the package's own environment reads them, in the page's own world. The raw reward is the one without a penalty for
# the time that was taken.
_ASKED = "typeof core === 'object' && core && String(core.getUtterance())"
_ENDED = "typeof WOB_DONE_GLOBAL !== 'undefined' && WOB_DONE_GLOBAL === true ? Number(WOB_RAW_REWARD_GLOBAL) : null"


class Rewarding(Protocol):
    """Who tells what is to be done in an episode, when that is over, and what it was worth."""

    def instruction(self, tab: Tab) -> str:
        """What is to be done, asked once, when the first page is open in ``tab``; empty if it tells nothing."""

    def reward(self, tabs: tuple[Tab, ...]) -> float | None:
        """What it was worth, from -1 to 1; None while it is not over."""

    def final(self, tabs: tuple[Tab, ...]) -> float | None:
        """What it was worth as it was left, over or not; None if nothing was given."""


@dataclass(frozen=True)
class RewardingPage:
    """The page that an episode is about.

    Attributes:
        url: Its address. Others of its site have rewards, too, which are not this episode's.
    """

    url: str

    def instruction(self, tab: Tab) -> str:
        """What the page of a tab asks for; empty if it tells nothing."""
        asked = _value(tab, _ASKED)
        return asked.strip()[:LONGEST_INSTRUCTION] if isinstance(asked, str) else ""

    def reward(self, tabs: tuple[Tab, ...]) -> float | None:
        """The raw reward, from -1 to 1, of the first tab in which the page says that its episode is over; else None."""
        for tab in tabs:
            if _without_fragment(tab.url) == _without_fragment(self.url):
                reward = _value(tab, _ENDED)
                if isinstance(reward, int | float) and math.isfinite(reward):
                    return min(1.0, max(-1.0, float(reward)))
        return None

    def final(self, tabs: tuple[Tab, ...]) -> float | None:
        """As ``reward``: a page gives none before it says that its episode is over."""
        return self.reward(tabs)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _value(tab: Tab, expression: str) -> object:
    """The value of an expression in the page's own world; None if it has none, or another page is on its way."""
    try:
        answer = tab.channel.call("Runtime.evaluate", expression=expression, returnByValue=True)
    except CommandFailed:
        return None
    return answer["result"].get("value") if "exceptionDetails" not in answer else None
