"""The in-page library for pages that were there before it, as texts of scripts."""

from __future__ import annotations

from functools import cache

from harness.browser.browser import scoped
from harness.browser.launch import in_page_script

_NAMES = ("base", "foreign", "rest", "fields", "anywhere", "pressables", "aim", "html", "wheel", "snapshot")
_CONSTANTS = {"CHANNEL": "harness-foreign"}
KEY = "harness.foreign"
"""The symbol by which a document has the library where it runs among the page's own scripts."""
_AMONG_OTHERS = """
const scope = {};
scope.globalThis = scope;
with (scope) {
%s
}
Object.defineProperty(document, Symbol.for(%r), { value: scope.harness, configurable: true });
"""
"""What keeps the library's one global name from the page, which may have one like it."""
CALL = f"""
const [path, given] = arguments;
const library = document[Symbol.for({KEY!r})];
if (!library) return {{ absent: true }};
const [group, name] = path;
const work = Promise.resolve().then(() => library[group][name](...given)).then(
  (value) => ({{ value: value === undefined ? null : value }}), (error) => ({{ error: String(error) }}));
let leave;
const left = new Promise((resume) => {{ leave = () => resume({{ left: true }}); }});
addEventListener("pagehide", leave);
return Promise.race([left, work]).finally(() => removeEventListener("pagehide", leave));
"""
"""Calls a function of the library among the page's own scripts; arguments: group and name, and what it is given. Gives
a promise, which the driver waits for: chromedriver asks a script that calls back only every 100 ms. A document that is
left may be kept, standing still, for the way back: it says so before, or its caller would wait."""

LEFT = {"left": True}
"""What that gives where the document goes meanwhile."""
SETTLED, IS_LEAVING = "form.posted", "page.isLeaving"
"""What waits until an action is over, and what says whether another document is on its way then."""
ARRIVAL_SECONDS = 10.0
"""For a document that is on its way to take the place of the present one."""
ATTEMPTS = 5
"""Documents that may come one after another while something is asked."""


@cache
def in_own_world() -> str:
    """The library for a world of its own."""
    return scoped(_CONSTANTS, map(in_page_script, _NAMES))


@cache
def among_others() -> str:
    """The library for the world that the page's own scripts run in."""
    return _AMONG_OTHERS % (in_own_world(), KEY)
