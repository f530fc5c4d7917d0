// When a page is at rest: what an action has set in motion has happened, and what scripts build is built.
// CHANNEL is a constant that the loader writes above this text.
(() => {
  "use strict";
  const state = harness.state;
  /** @param {number} milliseconds */
  const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

  // What slides, unfolds or fades is not at rest; what only changes its colour is.
  const COLOUR = /colou?r|shadow|outline|filter|fill|stroke|background/i;
  const NO_PROPERTY = new Set(["offset", "computedOffset", "easing", "composite"]);
  /** @param {Animation} animation */
  const isOfColour = (animation) => {
    const properties = animation instanceof CSSTransition ? [animation.transitionProperty]
      : /** @type {KeyframeEffect | null} */ (animation.effect)?.getKeyframes().flatMap(Object.keys) ?? [];
    return properties.every((name) => COLOUR.test(name) || NO_PROPERTY.has(name));
  };
  const moving = () => document.getAnimations().filter((each) => each.playState === "running" && !isOfColour(each));

  // Where the next action finds a movement would be a matter of the processor's speed, so that it ends before. All is bounded
  // in the time that the page itself has set, which is the same at any load; the clock only ends what never ends. What takes
  // longer is none of the action's doing: a countdown, say. Milliseconds.
  const LONGEST_MOVE = 1500;
  const LONGEST_CHAIN = 3000; // of movements that set off one another
  const STUCK = 5000;
  const LOOK = 5;
  const isStyleMoving = () => {
    /** @type {WeakMap<Animation, boolean>} */
    const isAwaited = new WeakMap();
    let spent = 0;
    return () => {
      const all = moving();
      let longest = 0;
      for (const each of all) {
        if (isAwaited.has(each)) continue;
        const length = Number(each.effect?.getComputedTiming().endTime);
        isAwaited.set(each, length <= LONGEST_MOVE && spent + length <= LONGEST_CHAIN);
        if (length <= LONGEST_MOVE) longest = Math.max(longest, length);
      }
      spent += longest;
      return all.some((each) => isAwaited.get(each));
    };
  };
  // Of the timers and frames of the page's scripts, clock.js keeps account.
  let isAnyDue = false;
  document.addEventListener(CHANNEL + "-awaited", () => { isAnyDue = true; });
  /** @param {string} words */
  const tellClock = (words) => document.dispatchEvent(new CustomEvent(CHANNEL + "-clock", { detail: words }));
  const isScriptAwaited = () => {
    isAnyDue = false;
    tellClock("awaited?");
    return isAnyDue;
  };
  // Of a movement's end the page is told in the frame after it.
  const nextFrame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
  harness.page.rest = async () => {
    const stuck = performance.now() + STUCK;
    const isMoving = isStyleMoving();
    let hasMoved = false;
    while (!state.posted && performance.now() < stuck) {
      const moves = isMoving();
      if (moves || isScriptAwaited()) await pause(LOOK);
      else if (hasMoved) await nextFrame();
      else break;
      hasMoved = moves;
    }
    tellClock("over");
  };
  harness.page.skip = (milliseconds) => new Promise((resume) => {
    document.addEventListener(CHANNEL + "-skipped", (event) => resume(/** @type {CustomEvent} */ (event).detail), { once: true });
    tellClock(String(milliseconds));
    setTimeout(resume, STUCK, "more"); // a page may break what clock.js goes by
  });

  // Loaded, and no change to the document for a while: scripts that build the form step by step are done. Bounded, since
  // some pages never rest (clocks, animations). Milliseconds.
  const REST = 100;
  const LONGEST = 3000;
  harness.page.quiet = async () => {
    if (harness.document.readyState !== "complete") {
      await new Promise((resume) => window.addEventListener("load", resume, { once: true }));
    }
    await harness.page.rest();
    let changed = performance.now();
    const watch = new MutationObserver(() => { changed = performance.now(); });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
    const deadline = performance.now() + LONGEST;
    while ((performance.now() - changed < REST || moving().length) && performance.now() < deadline) await pause(10);
    watch.disconnect();
  };
})();
