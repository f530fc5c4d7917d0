"""What a program may ask an episode's page, and what it is told: an allow-list of DevTools' methods and events.

It holds what clients need (Playwright, Puppeteer, Selenium's driver, browser-use) and what concerns the page alone.
Whatever is not on it is refused, or not told: files into the page, downloads, other pages and other browser contexts,
the end of the browser, the debugger and the heap, and other pages' storage. Which parameters a method takes, and which
fields an answer has, stands in ``protocol.json``; what a parameter may name, in ``session_scope``.
Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.browser.live_page import WORLD


def _named(lists: Mapping[str, str]) -> frozenset[str]:
    return frozenset(f"{domain}.{name}" for domain, names in lists.items() for name in names.split())


ALLOWED = _named(
    {
        "Accessibility": "disable enable getFullAXTree getPartialAXTree queryAXTree",
        "Animation": "disable enable getPlaybackRate setPlaybackRate",
        "Browser": "getVersion getWindowBounds getWindowForTarget",
        "CSS": """
            disable enable getComputedStyleForNode getStyleSheetText startRuleUsageTracking stopRuleUsageTracking
            takeCoverageDelta""",
        "DOM": """
            describeNode disable discardSearchResults enable focus getAttributes getBoxModel getContentQuads getDocument
            getFlattenedDocument getFrameOwner getNodeForLocation getOuterHTML getSearchResults performSearch
            pushNodesByBackendIdsToFrontend querySelector querySelectorAll removeAttribute removeNode requestChildNodes
            requestNode resolveNode scrollIntoViewIfNeeded setAttributeValue setNodeValue setOuterHTML""",
        "DOMDebugger": "getEventListeners",
        "DOMSnapshot": "captureSnapshot disable enable",
        "DOMStorage": "disable enable getDOMStorageItems",
        "Emulation": """
            clearDeviceMetricsOverride clearGeolocationOverride clearIdleOverride getScreenInfos setCPUThrottlingRate
            setDefaultBackgroundColorOverride setDeviceMetricsOverride setEmulatedMedia setEmulatedVisionDeficiency
            setFocusEmulationEnabled setGeolocationOverride setIdleOverride setLocaleOverride setScriptExecutionDisabled
            setScrollbarsHidden setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride""",
        "Fetch": """
            continueRequest continueResponse continueWithAuth disable enable failRequest fulfillRequest
            getResponseBody""",
        "IO": "close read",
        "Input": """
            cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent imeSetComposition
            insertText setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture""",
        "Log": "clear disable enable",
        "Network": """
            clearBrowserCache clearBrowserCookies deleteCookies disable emulateNetworkConditions
            emulateNetworkConditionsByRule enable getCookies getRequestPostData getResponseBody overrideNetworkState
            setBlockedURLs setBypassServiceWorker setCacheDisabled setCookie setCookies setExtraHTTPHeaders
            setUserAgentOverride""",
        "Page": """
            addScriptToEvaluateOnNewDocument bringToFront captureScreenshot createIsolatedWorld disable enable
            getFrameTree getLayoutMetrics getNavigationHistory getResourceTree handleJavaScriptDialog navigate
            navigateToHistoryEntry printToPDF reload removeScriptToEvaluateOnNewDocument screencastFrameAck setBypassCSP
            setDocumentContent setFontFamilies setInterceptFileChooserDialog setLifecycleEventsEnabled startScreencast
            stopLoading stopScreencast""",
        "Performance": "disable enable getMetrics",
        "Runtime": """
            addBinding awaitPromise callFunctionOn disable discardConsoleEntries enable evaluate getProperties
            releaseObject releaseObjectGroup removeBinding runIfWaitingForDebugger""",
        "Target": "setAutoAttach",
    }
)
"""Methods that are passed on to a page."""
EVENTS = _named(
    {
        "Animation": "animationCreated",
        "CSS": "styleSheetAdded styleSheetRemoved",
        "DOM": """
            attributeModified attributeRemoved characterDataModified childNodeCountUpdated childNodeInserted
            childNodeRemoved documentUpdated setChildNodes shadowRootPopped shadowRootPushed""",
        "Fetch": "authRequired requestPaused",
        "Input": "dragIntercepted",
        "Inspector": "workerScriptLoaded",
        "Log": "entryAdded",
        "Network": """
            dataReceived eventSourceMessageReceived loadingFailed loadingFinished requestServedFromCache
            requestWillBeSent requestWillBeSentExtraInfo responseReceived responseReceivedExtraInfo webSocketClosed
            webSocketCreated webSocketFrameError webSocketFrameReceived webSocketFrameSent
            webSocketHandshakeResponseReceived webSocketWillSendHandshakeRequest""",
        "Page": """
            documentOpened domContentEventFired fileChooserOpened frameAttached frameClearedScheduledNavigation
            frameDetached frameNavigated frameRequestedNavigation frameScheduledNavigation frameStartedLoading
            frameStartedNavigating frameStoppedLoading frameSubtreeWillBeDetached javascriptDialogClosed
            javascriptDialogOpening lifecycleEvent loadEventFired navigatedWithinDocument screencastFrame
            screencastVisibilityChanged windowOpen""",
        "Performance": "metrics",
        "Runtime": """
            bindingCalled consoleAPICalled exceptionRevoked exceptionThrown executionContextCreated
            executionContextDestroyed executionContextsCleared""",
        "Target": "attachedToTarget detachedFromTarget",
    }
)
"""What a page tells that is passed on."""
OF_BROWSER = _named(
    {
        "Browser": "close getVersion getWindowForTarget",
        "Runtime": "runIfWaitingForDebugger",
        "Target": """
            activateTarget attachToBrowserTarget attachToTarget closeTarget createTarget detachFromTarget
            getBrowserContexts getTargetInfo getTargets setAutoAttach setDiscoverTargets""",
    }
)
"""What ``browser_side`` answers in the browser's place."""
IN_VAIN = frozenset(
    {"Audits.enable", "Audits.disable", "Browser.setDownloadBehavior", "Page.setDownloadBehavior",
     "Browser.setWindowBounds", "Target.activateTarget", "Target.setRemoteLocations", "Page.setAdBlockingEnabled",
     "Inspector.enable", "Inspector.disable", "ServiceWorker.enable", "ServiceWorker.disable", "Security.enable",
     "Security.disable", "Debugger.disable", "Page.setPrerenderingAllowed", "Storage.setInterestGroupTracking",
     "WebMCP.enable", "WebMCP.disable"}
)  # fmt: skip
"""What clients send by themselves when they connect or leave: answered as if it had been done, and not passed on."""
CUT = frozenset(
    {
        # These objects can be of the harness's world.
        "DOMDebugger.EventListener.handler", "DOMDebugger.EventListener.originalHandler", "Log.LogEntry.args",
        # With this, listeners of all worlds are told, and not only those of the world of the object that is asked.
        "DOMDebugger.getEventListeners.pierce",
        # These lead to what only the debugger, or another domain that is refused, could do anything with.
        "Runtime.RemoteObject.customPreview", "Runtime.StackTrace.parentId", "DOM.Node.adProvenance",
        "Page.Frame.adFrameStatus",
        # Its scripts would have the console's functions in every page to come.
        "Page.addScriptToEvaluateOnNewDocument.includeCommandLineAPI",
    }
)  # fmt: skip
"""Parameters and fields (``METHOD.FIELD``, ``TYPE.FIELD``) of the protocol that ``protocol.json`` leaves out."""


class Refused(Exception):
    """A program asks for what it may not have; the words are the reason."""


def check(method: str, params: Mapping[str, Any]) -> None:
    """See that a program may ask this of a page.

    Args:
        method: E.g. ``Runtime.evaluate``.
        params: The method's parameters.

    Raises:
        Refused: it may not.
    """
    if method not in ALLOWED:
        raise Refused("it is not on the list of what a program may do with an episode's page")
    if (special := _SPECIAL.get(method)) and (reason := special(params)):
        raise Refused(reason)


def _no_files(params: Mapping[str, Any]) -> str:
    data = params.get("data")
    return "no files can be dropped on the page" if isinstance(data, dict) and data.get("files") else ""


def _other_world(params: Mapping[str, Any]) -> str:
    return (
        "that world is turkbench's own"
        if WORLD in (params.get("worldName"), params.get("executionContextName"))
        else ""
    )


def _flat(params: Mapping[str, Any]) -> str:
    return "" if params.get("flatten") or not params.get("autoAttach") else "sessions are flat here (flatten: true)"


_SPECIAL: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "Input.dispatchDragEvent": _no_files,
    "Page.addScriptToEvaluateOnNewDocument": _other_world,
    "Page.createIsolatedWorld": _other_world,
    "Runtime.addBinding": _other_world,
    "Target.setAutoAttach": _flat,
}
