// In the place of hooks.js, in a page that somebody else's browser shows: nothing is kept from leaving, and what leads on to
// another page is waited for. No submission ends anything: the page that comes is there to be worked on.
(() => {
  "use strict";
  // Milliseconds: for a frame, which a window that nobody sees never has, and for the page that comes.
  const FRAME = 100;
  const LONGEST = 10_000;
  /** @type {NavigateEvent | null} */
  let leaving = null;
  let stay = () => {};
  window.navigation?.addEventListener("navigate", (event) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) leaving = event;
  });
  window.navigation?.addEventListener("navigateerror", () => { leaving = null; stay(); });

  /** @param {number} milliseconds */
  const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));
  harness.form.posted = async () => {
    // A script's submit() and the script of a javascript: link are tasks of their own, put off until the next frame.
    await Promise.race([harness.page.frame(), pause(FRAME)]);
    await harness.page.rest();
    if (leaving && !leaving.defaultPrevented) {
      await Promise.race([new Promise((resume) => { stay = () => resume(null); }), pause(LONGEST)]);
    }
    leaving = null;
    return false;
  };
})();
