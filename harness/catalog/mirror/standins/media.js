// Shows placeholders (the server's /media/ route) for pictures, sound, films and frames at outside addresses that a
// page's scripts ask for. To the page it is as if they had arrived: it sees them load, and reads the address that it
// gave them.
(() => {
  "use strict";
  const MEDIA = location.origin + "/media/";
  const { setAttribute, getAttribute, removeAttribute, hasAttribute } = Element.prototype;
  const asked = new WeakMap(); // element -> attribute -> { shown, address }

  // The whole address if it is on another host.
  const outside = (address) => {
    let url;
    try { url = new URL(address, document.baseURI); } catch { return null; }
    return /^https?:$/.test(url.protocol) && url.origin !== location.origin ? url.href : null;
  };

  const pixels = (element, side) => /^\s*(\d+)(?:\.\d*)?(?:px)?\s*$/.exec(
    element.style?.[side] || getAttribute.call(element, side) || "")?.[1];
  const placeholder = (kind, address, element) => {
    const query = new URLSearchParams({ url: address });
    const said = { w: pixels(element, "width"), h: pixels(element, "height"), alt: getAttribute.call(element, "alt") };
    for (const [key, value] of Object.entries(said)) if (value) query.set(key, value);
    return MEDIA + kind + "?" + query;
  };

  const kindOf = (element, attribute) => {
    const name = element.localName === "source" ? element.parentNode?.localName : element.localName;
    if (name === "img" || name === "picture" || attribute === "poster") return "image";
    return name === "iframe" || name === "audio" ? name : "video";
  };

  // Shows a placeholder if the address is outside; whether it did.
  const show = (element, attribute, value) => {
    const address = outside(value);
    if (!address) return false;
    const shown = placeholder(kindOf(element, attribute), address, element);
    asked.set(element, { ...asked.get(element), [attribute]: { shown, address } });
    setAttribute.call(element, attribute, shown);
    if (attribute === "src" && element instanceof HTMLVideoElement && !hasAttribute.call(element, "poster")) {
      setAttribute.call(element, "poster", placeholder("image", address, element));
    }
    return true;
  };

  const WATCHED = [
    [HTMLImageElement, "src"], [HTMLIFrameElement, "src"], [HTMLMediaElement, "src"], [HTMLSourceElement, "src"],
    [HTMLVideoElement, "poster"],
  ];
  for (const [{ prototype }, attribute] of WATCHED) {
    const { get, set, ...rest } = Object.getOwnPropertyDescriptor(prototype, attribute);
    Object.defineProperty(prototype, attribute, {
      ...rest,
      get() {
        const known = asked.get(this)?.[attribute];
        return known && getAttribute.call(this, attribute) === known.shown ? known.address : get.call(this);
      },
      set(value) { if (!show(this, attribute, String(value))) set.call(this, value); },
    });
  }
  Element.prototype.setAttribute = function (name, value) {
    const attribute = String(name).toLowerCase();
    const watched = WATCHED.some(([kind, each]) => each === attribute && this instanceof kind);
    if (!watched || !show(this, attribute, String(value))) setAttribute.call(this, name, value);
  };

  // What comes into the page as text (innerHTML, document.write) asks by itself, and fails.
  const replace = (element) => {
    if (element instanceof HTMLImageElement) {
      const address = element.currentSrc || getAttribute.call(element, "src") || "";
      if (outside(address)) removeAttribute.call(element, "srcset");
      return show(element, "src", address);
    }
    if (element instanceof HTMLMediaElement) return show(element, "src", getAttribute.call(element, "src") ?? "");
    if (element instanceof HTMLSourceElement) {
      const shown = show(element, "src", getAttribute.call(element, "src") ?? "");
      if (shown) element.parentNode?.load?.();
      return shown;
    }
    const address = element instanceof SVGImageElement && outside(element.href.baseVal);
    if (address) setAttribute.call(element, "href", placeholder("image", address, element));
    return Boolean(address);
  };
  window.addEventListener("error", (event) => { if (replace(event.target)) event.stopImmediatePropagation(); }, true);
  // A frame that fails says nothing.
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => Array.from(change.addedNodes))) {
      if (!(node instanceof Element)) continue;
      for (const frame of node.matches("iframe") ? [node] : node.querySelectorAll("iframe[src]")) {
        show(frame, "src", getAttribute.call(frame, "src") ?? "");
      }
    }
  }).observe(document, { childList: true, subtree: true });
})();
