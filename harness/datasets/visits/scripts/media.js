// What a page shows beside words and controls. Loaded when a page is looked at for the statistics of its task set.
(() => {
  "use strict";
  if (harness.media) return;
  const SMALL = 32; // CSS pixels: what is known to be smaller is an icon, or counts visits

  /** @param {Element} element */
  const isIcon = (element) => {
    const box = element.getBoundingClientRect();
    const isShown = box.width > 0 && box.height > 0;
    return isShown && (box.width <= SMALL || box.height <= SMALL);
  };

  /** @param {string} selector */
  const count = (selector) =>
    Array.from(harness.document.querySelectorAll(selector)).filter((element) => !isIcon(element)).length;

  const DRAWN = 100; // what is drawn by the page itself is an icon up to a larger size
  const drawings = () => Array.from(harness.document.querySelectorAll("svg")).filter((element) => {
    const box = element.getBoundingClientRect();
    return !element.parentElement?.closest("svg") && box.width > DRAWN && box.height > DRAWN;
  }).length;

  // A picture may be the background of a box; a pattern that repeats is decoration.
  const backgrounds = () => Array.from(harness.document.body?.querySelectorAll("*") ?? []).filter((element) => {
    const style = getComputedStyle(element);
    return style.backgroundImage.includes("url(") && style.backgroundRepeat === "no-repeat" && !isIcon(element) &&
      element.getBoundingClientRect().width > 0;
  }).length;

  harness.media = {
    find: () => ({
      words: (harness.document.body?.innerText ?? "").split(/\s+/).filter(Boolean).length,
      pictures: count("img[src]:not([src='']), input[type=image], canvas, [image-src], object[type^='image/']") +
        drawings() + backgrounds(),
      videos: count("video"),
      sounds: harness.document.querySelectorAll("audio").length,
      frames: count("iframe[src]:not([src='']), iframe[srcdoc], frame, embed, object[data]:not([type^='image/'])"),
    }),
  };
})();
