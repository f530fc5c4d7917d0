// Runs in the harness's own world: how far the wheel was turned over the page, as the page's own listeners are told.
(() => {
  "use strict";
  const { own } = harness;
  const turned = { right: 0, down: 0 };
  /** @type {Document | null} */
  let watched = null;
  let told = () => {};

  /** @param {WheelEvent} event */
  const add = (event) => {
    if (!event.isTrusted) return;
    turned.right += event.deltaX;
    turned.down += event.deltaY;
    told();
  };
  const unwatch = () => {
    if (watched) own.unlisten(watched, "wheel", /** @type {EventListener} */ (add), true);
    watched = null;
    told = () => {};
  };
  // The document of the innermost frame at a point; none if that is another site's, which is out of reach.
  /**
   * @param {Document} of
   * @param {number} x
   * @param {number} y
   * @returns {Document | null}
   */
  const documentAt = (of, x, y) => {
    const element = own.elementAt(of, x, y);
    if (!element || own.tag(element) !== "iframe") return of;
    const inner = own.framed(/** @type {HTMLIFrameElement} */ (element)), { left, top } = own.box(element);
    return inner && documentAt(inner, x - left - element.clientLeft, y - top - element.clientTop);
  };

  // Whether turns over a point will be seen from now on. The compositor tells a page of turns only where it listens, and
  // knows that it does two frames later.
  harness.page.watchWheel = async (x, y) => {
    unwatch();
    watched = documentAt(document, x, y);
    if (!watched) return false;
    Object.assign(turned, { right: 0, down: 0 });
    own.listen(watched, "wheel", /** @type {EventListener} */ (add), { capture: true, passive: true });
    await harness.page.frame();
    await harness.page.frame();
    return true;
  };
  // When it has been turned that far, or no further for a while: whether it was.
  harness.page.wheelTurned = (right, down, patience) => new Promise((resolve) => {
    const isThere = () => Math.abs(turned.right) >= Math.abs(right) && Math.abs(turned.down) >= Math.abs(down);
    const end = () => { unwatch(); resolve(isThere()); };
    let timer = setTimeout(end, patience);
    told = () => {
      clearTimeout(timer);
      if (isThere()) end();
      else timer = setTimeout(end, patience);
    };
    told();
  });
})();
