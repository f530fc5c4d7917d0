"""Take a snapshot: the one call to the browser that observations are made of."""

from __future__ import annotations

import json

from harness.browser.browser import Browser, PageFailed, value_of
from harness.browser.launch import in_page_script
from harness.observe.snapshot import Snapshot


def take(browser: Browser) -> Snapshot:
    """The page that a browser shows, as it is now; one call to the browser, which changes nothing on the page.

    Elements that can be operated are numbered in page order when they are first seen, and keep their numbers.

    Raises:
        harness.browser.browser.PageFailed: the page cannot be reached.
    """
    # The script defines its functions once a page; sending it along costs less than asking whether it is there.
    expression = f"{in_page_script('snapshot')}\nharness.snapshot.take()"
    channel = browser.channel
    answer = channel.call("Runtime.evaluate", expression=expression, contextId=browser.world_number, returnByValue=True)
    told = value_of(answer)
    if not isinstance(told, str):
        raise PageFailed("the page gave no snapshot")
    return Snapshot.from_json(json.loads(told))
