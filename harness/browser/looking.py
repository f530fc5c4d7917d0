"""A closer look at the open page: functions that few pages need, and on which elements the page's scripts listen.

Listeners are what only the debugger can tell, no script of a page.
Protocol: https://chromedevtools.github.io/devtools-protocol/tot/DOMDebugger/#method-getEventListeners
"""

from __future__ import annotations

from collections.abc import Collection

from harness.browser.browser import Browser
from harness.browser.channel import CommandFailed
from harness.browser.launch import in_page_script

MOST_ELEMENTS = 400
"""Elements that are told of, in page order; a page that listens on each of its words has more."""


def load(browser: Browser, script: str) -> None:
    """Add an in-page script to the in-page library of the open page.

    Args:
        browser: With the page open.
        script: Its name in ``browser/scripts``, without the ending.
    """
    browser.channel.call("Runtime.evaluate", expression=in_page_script(script), contextId=browser.world_number)


def find_listeners(browser: Browser, types: Collection[str]) -> None:
    """Tell the in-page library (``looking.js``) which elements have a listener for one of the event ``types``."""
    channel, world = browser.channel, browser.world_number
    # Asked in the page's own world: with "pierce", which asks all worlds, Chromium 156 crashes at a later page.
    document = channel.call("Runtime.evaluate", expression="document")["result"]["objectId"]
    found = channel.call("DOMDebugger.getEventListeners", objectId=document, depth=-1)["listeners"]
    nodes = dict.fromkeys(each["backendNodeId"] for each in found if each["type"] in types and "backendNodeId" in each)
    objects = []
    numbers = [
        channel.send("DOM.resolveNode", backendNodeId=node, executionContextId=world)
        for node in list(nodes)[:MOST_ELEMENTS]
    ]
    for number in numbers:
        try:
            objects.append(channel.results([number])[0]["object"]["objectId"])
        except CommandFailed:  # it left the page meanwhile
            continue
    channel.call(
        "Runtime.callFunctionOn",
        functionDeclaration="(...found) => harness.listening(...found)",
        executionContextId=world,
        arguments=[{"objectId": each} for each in objects],
    )
