(/** @param {string} name */ (name) => {
  "use strict";
  const frame = document.createElement("div");
  frame.style.cssText =
    "all: initial; position: absolute; z-index: 2147483647; box-sizing: border-box; border: 3px solid #c4003c;" +
    "border-radius: 5px; pointer-events: none; box-shadow: 0 0 0 2px rgb(255 255 255 / .85)";

  /** Where a control is seen: its own place, or that of its label where the page hides the control.
   * @param {HTMLElement} control @returns {DOMRect[]} */
  const places = (control) => {
    const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
    return [control, ...labels].map((each) => each.getBoundingClientRect()).filter((box) => box.width > 1 && box.height > 1).slice(0, 1);
  };

  const mark = () => {
    const boxes = [...document.getElementsByName(name)].flatMap(places);
    if (!boxes.length) {
      frame.remove();
      return false;
    }
    const left = Math.min(...boxes.map((box) => box.left)) + scrollX, top = Math.min(...boxes.map((box) => box.top)) + scrollY;
    const right = Math.max(...boxes.map((box) => box.right)) + scrollX, bottom = Math.max(...boxes.map((box) => box.bottom)) + scrollY;
    Object.assign(frame.style, {
      left: `${left - 6}px`, top: `${top - 6}px`, width: `${right - left + 12}px`, height: `${bottom - top + 12}px`,
    });
    if (!frame.isConnected) document.documentElement.append(frame);
    return true;
  };

  /** @type {boolean | undefined} */
  let told;
  const look = () => {
    const marked = mark();
    if (marked && !told) frame.scrollIntoView({ block: "center", inline: "nearest" });
    // Whoever shows this page learns no more than that.
    if (marked !== told) parent.postMessage({ marked }, "*");
    told = marked;
  };
  const begin = () => {
    look();
    // Pages move while they load pictures, and when their window is made wider.
    new ResizeObserver(look).observe(document.documentElement);
  };
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
})
