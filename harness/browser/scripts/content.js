// What a page tells that is no field: words that are marked, clips that are played. Loaded when it is first asked for.
(() => {
  "use strict";
  if (harness.content) return;
  const content = harness.content = /** @type {ContentGroup} */ ({});
  const { own } = harness;
  /** @param {number} milliseconds */
  const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

  // ---- words ----------------------------------------------------------------------------------------------------

  /**
   * Whether no character stands between two places in the text.
   * @param {Range} range
   * @param {boolean} atStart
   * @param {CaretPosition | null} caret
   */
  const isAt = (range, atStart, caret) => {
    if (!caret) return false;
    const between = document.createRange();
    const [node, offset] = atStart ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
    between.setStart(node, offset);
    between.setEnd(caret.offsetNode, caret.offset); // collapses if that is before the start
    if (between.toString()) return false;
    between.setStart(caret.offsetNode, caret.offset);
    between.setEnd(node, offset);
    return !between.toString();
  };
  // Where the pointer marks from or to: within the outermost character if possible, on a whole pixel if possible. The browser
  // itself says which place in the text a point is.
  /** @type {((box: DOMRect) => number)[]} */
  const FROM = [({ left }) => Math.ceil(left + 0.25), ({ left }) => Math.ceil(left), ({ left }) => left + 0.5, ({ left }) => left,
    ({ left }) => Math.floor(left), ({ right }) => Math.floor(right - 0.25), ({ right }) => right];
  /** @type {((box: DOMRect) => number)[]} */
  const TO = [({ right }) => Math.floor(right - 0.25), ({ right }) => Math.floor(right), ({ right }) => right - 0.5,
    ({ right }) => right, ({ right }) => Math.ceil(right), ({ left }) => Math.ceil(left + 0.25), ({ left }) => left];
  /**
   * @param {Range} range
   * @param {boolean} atStart
   * @param {DOMRect} box
   */
  const pointAt = (range, atStart, box) => {
    const y = box.top + box.height / 2;
    for (const x of (atStart ? FROM : TO).map((place) => place(box))) {
      if (isAt(range, atStart, document.caretPositionFromPoint(x, y))) return { x, y };
    }
    return null;
  };
  content.ends = (range) => {
    const boxesNow = () => Array.from(range.getClientRects()).filter((box) => box.width > 0);
    /** @param {DOMRect[]} boxes */
    const isInView = (boxes) => boxes.every((box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth);
    let boxes = boxesNow();
    for (const block of /** @type {ScrollLogicalPosition[]} */ (["center", "start"])) {
      if (isInView(boxes)) break;
      range.startContainer.parentElement?.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
      boxes = boxesNow();
      if (boxes.length && !isInView(boxes)) scrollBy({ top: boxes[0].top - innerHeight / 4, behavior: "instant" });
      boxes = boxesNow();
    }
    const [first, last] = [boxes[0], boxes.at(-1)];
    if (!first || !last) return { code: "not_visible", error: "it has no place on the page" };
    if (!isInView([first, last])) return { code: "out_of_view", error: "its two ends are not on the screen together" };
    const [from, to] = [pointAt(range, true, first), pointAt(range, false, last)];
    return from && to ? { from, to } : { code: "covered", error: "something lies over its first or last character" };
  };

  const NO_TEXT = "script, style, noscript, template, select, option, textarea, iframe";
  /** @param {Element} element */
  const isShown = (element) => !own.closest(element, NO_TEXT) && own.isRendered(element, { visibilityProperty: true });
  /** @param {Element} element */
  const blockOf = (element) => {
    /** @type {Element | null} */
    let block = element;
    while (block && /^(inline|contents)$/.test(getComputedStyle(block).display)) block = block.parentElement;
    return block;
  };
  // The text that is shown, each run of white space as one blank, and where each of its characters stands.
  const shownText = () => {
    let text = "";
    /** @type {[Text, number][]} */
    const places = [];
    /** @type {Element | null} */
    let block = null;
    const walker = document.createTreeWalker(harness.document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      if (!node.parentElement || !isShown(node.parentElement)) continue;
      const around = blockOf(node.parentElement);
      const begins = around !== block;
      block = around;
      for (let offset = 0; offset < node.data.length; offset += 1) {
        const isBlank = /\s/.test(node.data[offset]);
        if (begins && !offset && !isBlank && text && !text.endsWith(" ")) { text += " "; places.push([node, offset]); }
        if (isBlank && (!text || text.endsWith(" "))) continue;
        text += isBlank ? " " : node.data[offset];
        places.push([node, offset]);
      }
    }
    return { text, places };
  };
  content.words = (words, occurrence) => {
    const wanted = words.replace(/\s+/g, " ");
    if (!wanted.trim()) return { code: "wrong_argument", error: "there are no words to select" };
    const { text, places } = shownText();
    let at = -1;
    let found = 0;
    while (found < occurrence && (at = text.indexOf(wanted, at + 1)) >= 0) found += 1;
    if (found < occurrence) {
      const times = found === 1 ? "once" : `${found} times`;
      return { code: "no_such_text", error: found ? `the page shows it ${times} only` : "the page does not show it" };
    }
    const range = document.createRange();
    range.setStart(...places[at]);
    const [node, offset] = places[at + wanted.length - 1];
    range.setEnd(node, offset + 1);
    return content.ends(range);
  };
  content.selected = () => String(getSelection() ?? "");

  // ---- clips ----------------------------------------------------------------------------------------------------

  const clips = () => /** @type {HTMLMediaElement[]} */ (Array.from(harness.document.querySelectorAll("audio, video")));
  /**
   * @param {HTMLMediaElement} clip
   * @returns {Clip}
   */
  const told = (clip) => ({
    isPlaying: !clip.paused && !clip.ended, hasEnded: clip.ended, at: clip.currentTime,
    seconds: Number.isFinite(clip.duration) ? clip.duration : null, repeats: clip.loop,
    hasControls: clip.controls && own.isRendered(clip, { visibilityProperty: true }) && own.box(clip).width > 0,
    failed: Boolean(clip.error) || clip.networkState === HTMLMediaElement.NETWORK_NO_SOURCE,
  });
  content.clips = () => clips().map(told);
  content.hold = (number) => {
    const clip = clips()[number - 1];
    if (!clip) return { code: "no_such_clip", error: `the page has ${clips().length || "none"}` };
    own.scrollIntoView(clip, { block: "center", inline: "nearest", behavior: "instant" });
    clip.focus({ preventScroll: true });
    return told(clip);
  };
  const LOOK = 20;
  content.heard = async (number, milliseconds) => {
    const until = performance.now() + milliseconds;
    const clip = clips()[number - 1];
    if (!clip) return { code: "no_such_clip", error: "it is gone" };
    const { at } = told(clip);
    while (performance.now() < until && told(clip).isPlaying && told(clip).at >= at) await pause(LOOK);
    return told(clip);
  };

  // ---- waiting --------------------------------------------------------------------------------------------------

  /** @param {string} name */
  const isOpen = (name) => harness.fields.list().some((field) => field.name === name && field.visible && !field.disabled);
  content.opened = async (name, milliseconds) => {
    const until = performance.now() + milliseconds;
    while (!isOpen(name) && performance.now() < until && !harness.state.posted) await pause(LOOK);
    return isOpen(name);
  };
  const SECOND = 1000;
  content.opensBySkipping = async (name, seconds) => {
    let left = "more";
    for (let second = 0; second < seconds && left && !isOpen(name) && !harness.state.posted; second += 1) left = await harness.page.skip(SECOND);
    await harness.page.quiet();
    const others = clips().some((clip) => told(clip).isPlaying) || harness.document.querySelector("iframe") !== null;
    return isOpen(name) || (left === "more" || others ? null : false);
  };
})();
