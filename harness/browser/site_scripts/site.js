// Runs in the harness's own world of pages of a site, at document start. A page may lead to addresses of its task; from all others
// it is kept before it would be left for the browser's own error. The browser refuses them by itself, too (flags.py).
// BINDING and ORIGINS are constants that the loader writes above this text.
(() => {
  "use strict";
  const origins = new Set(ORIGINS);
  /** @param {string} url */
  const isOpen = (url) => {
    try {
      return url === "about:blank" || origins.has(new URL(url).origin);
    } catch {
      return true; // the browser says itself that it is no address
    }
  };
  harness.tell = /** @type {any} */ (globalThis)[BINDING];
  if (window === window.top) {
    navigation.addEventListener("navigate", (event) => {
      const { destination } = event;
      if (destination.sameDocument || isOpen(destination.url) || !event.cancelable) return;
      event.preventDefault();
      harness.tell(JSON.stringify({ refused: destination.url.slice(0, 2000) }));
    });
  }

  // Nothing is handed in on a site; what a press has put off has happened, though.
  harness.form.posted = async () => {
    await harness.page.rest();
    return false;
  };
})();
