"""A worker's place: one browser and its screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.browser.browser import Browser
from harness.browser.display import Display
from harness.browser.headless import PageDisplay
from harness.browser.launch import BrowserSettings


@dataclass(frozen=True)
class Seat:
    """A worker's browser and its screen."""

    browser: Browser
    display: Display


SeatMaker = Callable[[BrowserSettings], Seat]


def headless_seat(settings: BrowserSettings) -> Seat:
    """A browser whose screen is reached over DevTools."""
    browser = Browser(settings)
    return Seat(browser, PageDisplay(browser))
