"""What a program may ask an episode's page: an allow-list of DevTools' domains and methods.

Whatever is not on it is refused: files into the page, downloads, other pages and other browser contexts, the end of the
browser, and whatever could look into the world in which the harness reads the form, or into other pages' storage.
Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.browser.wire import Message

WHOLE = frozenset(
    {"Accessibility", "Animation", "CSS", "Console", "DOMSnapshot", "DOMStorage", "Emulation", "Fetch", "LayerTree",
     "Log", "Overlay", "Performance", "PerformanceTimeline", "Schema"}
)  # fmt: skip
"""Domains that concern the page alone, and its harness's world not at all."""
ALLOWED: Mapping[str, frozenset[str]] = {
    domain: frozenset(methods.split())
    for domain, methods in {
        "Audits": "enable disable",
        "Browser": "getVersion getWindowForTarget getWindowBounds",
        "DOM": """
            collectClassNamesFromSubtree copyTo describeNode disable discardSearchResults enable focus forceShowPopover
            getAnchorElement getAttributes getBoxModel getContainerForNode getContentQuads getDetachedDomNodes
            getDocument getElementByRelation getFlattenedDocument getFrameOwner getNodeForLocation
            getNodesForSubtreeByStyle getNodeStackTraces getOuterHTML getQueryingDescendantsForContainer
            getRelayoutBoundary getSearchResults getTopLayerElements hideHighlight highlightNode highlightRect
            markUndoableState moveTo performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend
            querySelector querySelectorAll redo removeAttribute removeNode requestChildNodes requestNode resolveNode
            scrollIntoViewIfNeeded setAttributeValue setAttributesAsText setInspectedNode setNodeName
            setNodeStackTracesEnabled setNodeValue setOuterHTML undo""",
        "DOMDebugger": "getEventListeners",
        "Input": """
            cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent
            emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags
            synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture""",
        "IO": "read close resolveBlob",
        "Network": """
            clearBrowserCache clearBrowserCookies deleteCookies disable emulateNetworkConditions
            emulateNetworkConditionsByRule enable getAllCookies getCertificate getCookies getRequestPostData
            getResponseBody overrideNetworkState searchInResponseBody setBlockedURLs setBypassServiceWorker
            setCacheDisabled setCookie setCookies setExtraHTTPHeaders setUserAgentOverride""",
        "Page": """
            addScriptToEvaluateOnNewDocument bringToFront captureScreenshot captureSnapshot createIsolatedWorld disable
            enable getAppManifest getFrameTree getLayoutMetrics getNavigationHistory getResourceContent getResourceTree
            handleJavaScriptDialog navigate navigateToHistoryEntry printToPDF reload removeScriptToEvaluateOnNewDocument
            resetNavigationHistory screencastFrameAck searchInResource setBypassCSP setDocumentContent
            setFontFamilies setFontSizes setInterceptFileChooserDialog setLifecycleEventsEnabled startScreencast
            stopLoading stopScreencast""",
        "Runtime": """
            addBinding awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate
            getExceptionDetails getHeapUsage getIsolateId getProperties globalLexicalScopeNames releaseObject
            releaseObjectGroup removeBinding runIfWaitingForDebugger runScript setAsyncCallStackDepth
            setMaxCallStackSizeToCapture terminateExecution""",
        "Target": "setAutoAttach",
    }.items()
}
"""Methods that are passed on, of domains of which some are not."""
IN_VAIN = frozenset(
    {"Browser.setDownloadBehavior", "Page.setDownloadBehavior", "Browser.setWindowBounds", "Target.activateTarget",
     "Target.setRemoteLocations", "Page.setAdBlockingEnabled", "Inspector.enable", "Inspector.disable",
     "ServiceWorker.enable", "ServiceWorker.disable", "Security.enable", "Security.disable", "Debugger.disable",
     "Page.setPrerenderingAllowed", "Storage.setInterestGroupTracking", "WebMCP.enable", "WebMCP.disable"}
)  # fmt: skip
"""What clients send by themselves when they connect or leave: answered as if it had been done, and not passed on."""

_CONTEXTS = frozenset({"contextId", "executionContextId", "uniqueContextId"})
_OBJECT = re.compile(r"-?\d+\.(\d+)\.\d+")
"""An object's id: of the browser's process, of the context that it is in, and its own."""


@dataclass
class OwnWorld:
    """What is kept from programs: the world in the page's frames in which the harness reads the form.

    Attributes:
        name: Of the world.
        numbers: DevTools' numbers of its contexts.
        globals: Names in it that no binding may take.
    """

    name: str
    numbers: set[int] = field(default_factory=set)
    globals: frozenset[str] = frozenset()


@dataclass
class Sight:
    """What one session of a program may refer to.

    Attributes:
        own: What it must not reach.
        told: The contexts that it was told of, by number and by unique id. Another may be the harness's, though nobody
            has said so yet.
    """

    own: OwnWorld
    told: set[object] = field(default_factory=set)


def reason_against(method: str, params: Mapping[str, Any], sight: Sight) -> str:
    """Why a program may not ask this of a page; empty if it may.

    Args:
        method: E.g. ``Runtime.evaluate``.
        params: The method's parameters.
        sight: Of the session in which it asks.
    """
    domain, _, name = method.partition(".")
    if domain not in WHOLE and name not in ALLOWED.get(domain, ()):
        return "it is not on the list of what a program may do with an episode's page"
    special = _SPECIAL.get(method)
    if special and (reason := special(params, sight.own)):
        return reason
    return _reaches(params, sight)


def _no_files(params: Mapping[str, Any], _: OwnWorld) -> str:
    data = params.get("data")
    return "no files can be dropped on the page" if isinstance(data, dict) and data.get("files") else ""


def _other_world(params: Mapping[str, Any], own: OwnWorld) -> str:
    return f"the world {own.name!r} is the harness's own" if params.get("worldName") == own.name else ""


def _free_name(params: Mapping[str, Any], own: OwnWorld) -> str:
    if params.get("executionContextName") == own.name:
        return f"the world {own.name!r} is the harness's own"
    return f"the name {params.get('name')!r} is taken" if params.get("name") in own.globals else ""


def _flat(params: Mapping[str, Any], _: OwnWorld) -> str:
    return "" if params.get("flatten") or not params.get("autoAttach") else "sessions are flat here (flatten: true)"


_SPECIAL: Mapping[str, Callable[[Mapping[str, Any], OwnWorld], str]] = {
    "Input.dispatchDragEvent": _no_files,
    "Page.addScriptToEvaluateOnNewDocument": _other_world,
    "Page.createIsolatedWorld": _other_world,
    "Runtime.addBinding": _free_name,
    "Target.setAutoAttach": _flat,
}


def _reaches(params: Mapping[str, Any], sight: Sight) -> str:
    """Whether parameters name what is, or may be, in the harness's world."""
    for key, value in _parts(params):
        if key in _CONTEXTS and value not in sight.told:
            return f"there is no context {value!r} that it was told of"
        if key == "objectId" and isinstance(value, str):
            found = _OBJECT.fullmatch(value)
            if found and int(found[1]) in sight.own.numbers:
                return "that object is in the harness's own world"
    return ""


def _parts(value: object) -> Iterator[tuple[str, object]]:
    """All keys with their values, however deep."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield from each.items()
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def is_to_be_told(event: Message, sight: Sight) -> bool:
    """Whether an event is a program's business: not if it is of the harness's own world."""
    method, params = event["method"], event.get("params", {})
    if method == "Runtime.executionContextCreated":
        context = params["context"]
        if context["name"] == sight.own.name:
            return False
        sight.told |= {context["id"], context["uniqueId"]}
        return True
    if method == "Runtime.executionContextDestroyed":
        sight.told -= {params["executionContextId"], params.get("executionContextUniqueId")}
    if method == "Runtime.executionContextsCleared":
        sight.told.clear()
    number = params["exceptionDetails"] if method == "Runtime.exceptionThrown" else params
    return not method.startswith("Runtime.") or number.get("executionContextId") not in sight.own.numbers
