"""What a program that walks through the protocol gives: scripts that look for a way out, and values of every type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.browser.live_page import WORLD

EXPRESSIONS = """
window
document
navigation
globalThis
Object
Function
Object.prototype
document.forms[0]
document.querySelector('input')
frames[0]
frames[0].document
document.querySelector('iframe')
host.shadowRoot
worker
customElements
new Error('x')
(() => { throw document })()
(() => { throw new Error(x) })()
Promise.reject(window)
new Promise((yes) => setTimeout(yes, 20, window))
Promise.resolve(document)
console.log(window, document, {a: 1})
console.trace(this)
new CustomEvent('x', {detail: window})
document.dispatchEvent(new CustomEvent('x', {detail: {a: 1}}))
getEventListeners(document)
getEventListeners(window)
getEventListeners(navigation)
queryObjects(Object)
queryObjects(Function.prototype)
inspect(window)
monitorEvents(window)
debug(document.write)
$0
$_
$$('*')
keys(window)
copy(document)
[...document.querySelectorAll('*')]
new Proxy(window, {})
new Map([[window, 1]])
new WeakRef(document)
(function* () { yield this })()
Object.getOwnPropertyNames(window)
window.open('about:blank')
new MutationObserver(() => {})
performance.getEntries()
history.state
history.pushState({a: window.x}, '')
document.execCommand('selectAll')
document.querySelector('input').focus()
document.querySelector('input').blur()
document.forms[0]?.requestSubmit()
document.body.append(document.createElement('iframe'))
new AbortController().signal
new MessageChannel()
postMessage({a: 1}, '*')
CSS.paintWorklet?.addModule('data:text/javascript,0')
new Worker('data:text/javascript,0')
new SharedWorker('data:text/javascript,onconnect=()=>{}')
new AudioContext().audioWorklet.addModule('data:text/javascript,0')
new AudioContext().audioWorklet
HTMLFormElement.prototype.submit
EventTarget.prototype.addEventListener
Object.defineProperty(Object.prototype, 'then', {get() { return undefined }, configurable: true})
Array.prototype[Symbol.iterator]
import('data:text/javascript,export default window')
document.adoptNode(frames[0].document.body)
new Function('return this')()
(0, eval)('this')
a.b.c
}
""".splitlines()
"""What is evaluated; the first is empty."""
FUNCTIONS = """
function (...all) { return this }
function (...all) { return all }
function () { return this.constructor }
function () { return Object.getPrototypeOf(this) }
function () { throw this }
async function () { return this }
function () { return this.constructor.constructor('return this')() }
(...all) => all
() => document
function () { return this.constructor('return harness')() }
function () { return Object.entries(this) }
function () { this.addEventListener?.('x', () => {}); return getEventListeners }
function () { console.log(this) }
function () { return Reflect.ownKeys(this).map((key) => this[key]) }
function () { return this.caller }
""".strip().splitlines()
"""What is called on objects."""
VALUES: Mapping[str, Sequence[Any]] = {
    "boolean": (True, False, True),
    "integer": (0, 1, 2, 5, 100, 1, 2, 3, -1, 2**31, "1", 1.5, None),
    "number": (0, 1, 0.5, -1, 100, 1e9),
    "string": ("", "a", "x", "harness", "mine", "*", "document", "g", "\ud800"),
    "any": (1, "x", None, {"a": 1}),
    "object": ({}, {"a": "1"}),
}
WORDS: Mapping[str, Sequence[Any]] = {
    "objectGroup": ("g", "console", ""),
    "type": ("mousePressed", "mouseReleased", "keyDown", "keyUp", "char", "touchStart"),
    "worldName": ("mine", "", "other", "harness", WORLD),
    "executionContextName": ("mine", "", "harness", WORLD),
    "expression": EXPRESSIONS,
    "functionDeclaration": FUNCTIONS,
    "source": EXPRESSIONS,
    "name": ("mine", "harness", "a"),
    "selector": ("*", "input", "iframe"),
    "query": ("input", "//*"),
    "button": ("left", "none"),
    "depth": (-1, 0, 1, 5),
    "format": ("png",),
    "serialization": ("deep", "json", "idOnly"),
    "maxDepth": (1, 3),
    "timeout": (100,),
    "x": (5, 50),
    "y": (5, 50),
    "text": ("a", "\r"),
    "key": ("a", "Enter", "Tab"),
    "patterns": ([{"urlPattern": "*none*"}],),
    "width": (800,),
    "height": (600,),
    "deviceScaleFactor": (1,),
    "rate": (1,),
    "html": ("<p>new",),
    "outerHTML": ("<p>new",),
    "includeCommandLineAPI": (True, True, False),
    "pierce": (True,),
    "generatePreview": (True, False),
    "urls": ([],),
    "awaitPromise": (False, False, True),
}
"""What a parameter of a name is given, since with other values there is little to be had."""
