// In the place of hooks.js, in a page that somebody else's browser shows: nothing is kept from leaving, and whether another
// page is on its way is told. No submission ends anything: the page that comes is there to be worked on.
(() => {
  "use strict";
  // Milliseconds for a frame, which a window that nobody sees never has.
  const FRAME = 100;
  /** @type {NavigateEvent | null} */
  let leaving = null;
  window.navigation?.addEventListener("navigate", (event) => {
    if (!event.destination.sameDocument && /** @type {any} */ (event).downloadRequest === null) leaving = event;
  });
  window.navigation?.addEventListener("navigateerror", () => { leaving = null; });

  harness.form.posted = async () => {
    // A script's submit() and the script of a javascript: link are tasks of their own, put off until the next frame.
    await Promise.race([harness.page.frame(), new Promise((resume) => setTimeout(resume, FRAME))]);
    await harness.page.rest();
    return false;
  };
  harness.page.isLeaving = () => leaving !== null && !leaving.defaultPrevented;
})();
