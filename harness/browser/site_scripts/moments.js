// Runs in the harness's own world of pages of a site, at document start, and tells what trusted input reaches: which element, what it
// holds, and the document as it is then. It hears before the page does, and the page sees nothing of it.
// BINDING and PATIENCE (milliseconds) are constants that the loader writes above this text.
(() => {
  "use strict";
  const { own } = harness;

  // ---- the document as a tree ------------------------------------------------------------------------------------
  const MOST_NODES = 60_000;  // a larger document is not told
  const MOST_LEVELS = 400;    // what is deeper is left out: JSON nests no further
  const LONGEST = 20_000;     // characters of one text, or of what is held
  const LONGEST_ATTRIBUTE = 2_000;
  const SILENT = new Set(["script", "style"]);
  let room = 0;
  /**
   * ``[tag, {attribute: value}, [child or text, ...]]``
   * @param {Element} element
   * @param {number} level
   * @returns {unknown[]}
   */
  const treeOf = (element, level) => {
    room -= 1;
    const tag = own.tag(element);
    /** @type {Record<string, string>} */
    const attributes = {};
    const named = own.attributes(element);
    for (let number = 0; number < named.length; number += 1) {
      const { name, value } = named[number];
      attributes[name] = value.length > LONGEST_ATTRIBUTE ? value.slice(0, LONGEST_ATTRIBUTE) : value;
    }
    /** @type {unknown[]} */
    const children = [];
    if (level < MOST_LEVELS && !SILENT.has(tag)) {
      for (let node = own.first(element); node && room > 0; node = own.next(node)) {
        const type = own.type(node);
        if (type === 1) children.push(treeOf(/** @type {Element} */ (node), level + 1));
        else if (type === 3) {
          const text = own.data(/** @type {Text} */ (node));
          children.push(text.length > LONGEST ? text.slice(0, LONGEST) : text);
          room -= 1;
        }
      }
    }
    return [tag, attributes, children];
  };

  // Most events change nothing of the document: keys change what a field holds. It is told anew only where it has changed.
  let hasChanged = true;
  const watch = new MutationObserver(() => { change(); });
  const change = () => {
    hasChanged = true;
    watch.disconnect();
  };
  /** The document, if it has changed since it was told last; "" if it is too large. */
  const freshTree = () => {
    if (!hasChanged && watch.takeRecords().length) change();
    if (!hasChanged) return null;
    hasChanged = false;
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    room = MOST_NODES;
    const tree = treeOf(harness.document.documentElement, 0);
    return room > 0 ? JSON.stringify(tree) : "";
  };

  // ---- elements --------------------------------------------------------------------------------------------------
  /** @param {Element} element */
  const placeOf = (element) => {
    /** @type {number[]} */
    const place = [];
    for (let node = element, above = own.parent(node); above; node = above, above = own.parent(node)) {
      let number = 0;
      for (let other = previous(node); other; other = previous(other)) number += 1;
      place.unshift(number);
    }
    return place;
  };
  /** @type {(element: Element) => Element | null} */
  const previous = Function.prototype.call.bind(
    /** @type {any} */ (Object.getOwnPropertyDescriptor(Element.prototype, "previousElementSibling")?.get));
  /** What an element holds; null if it holds nothing. @param {Element} element */
  const heldBy = (element) => {
    const tag = own.tag(element);
    if (tag === "select" || tag === "textarea") return /** @type {Control} */ (element).value.slice(0, LONGEST);
    if (tag === "input") {
      const { type, value, checked } = /** @type {HTMLInputElement} */ (element);
      if (["button", "submit", "reset", "image", "file"].includes(type)) return null;
      if (type === "checkbox" || type === "radio") return checked ? value : "";
      return (type === "password" ? "•".repeat(value.length) : value).slice(0, LONGEST);
    }
    return element instanceof HTMLElement && element.isContentEditable
      ? (element.textContent ?? "").slice(0, LONGEST) : null;
  };

  // ---- moments ---------------------------------------------------------------------------------------------------
  let count = 0;
  /** @type {Map<number, Element>} */
  const open = new Map(); // moments since the last look, by number, whose elements may come to hold something else
  /** @type {{ element: Element, number: number } | null} */
  let typed = null; // what the last moment was an input to: a word is one moment and not as many as it has characters
  /** @param {Event} event */
  const note = (event) => {
    if (!event.isTrusted || (event.type === "keydown" && /** @type {KeyboardEvent} */ (event).key !== "Enter")) return;
    const { target } = event;
    const element = target && own.type(/** @type {Node} */ (target)) === 1
      ? /** @type {Element} */ (target) : harness.document.documentElement;
    const value = heldBy(element);
    if (event.type === "input" && typed?.element === element) {
      harness.tell(JSON.stringify({ moment: typed.number, value }));
      return;
    }
    count += 1;
    if (value !== null) open.set(count, element);
    typed = event.type === "input" ? { element, number: count } : null;
    const tree = freshTree();
    harness.tell(JSON.stringify({
      moment: count, event: event.type, place: placeOf(element), tag: own.tag(element), css: harness.marks.selectors(element).css,
      text: harness.marks.text(element), value, same: tree === null,
    }) + "\n" + (tree ?? ""));
  };
  for (const type of ["click", "input", "change", "keydown", "submit"]) {
    window.addEventListener(type, (event) => {
      try {
        note(event);
      } catch (error) {
        harness.tell(JSON.stringify({ lost: String(error).slice(0, 300) }));
      }
    }, { capture: true, passive: true });
  }

  const LONGEST_TITLE = 300;
  const titleOf = /** @type {() => string} */ (Object.getOwnPropertyDescriptor(Document.prototype, "title")?.get);
  const isLoaded = () => harness.document.readyState === "complete";
  // A server may never answer what a document embeds: an image, a frame, a script before which it goes no further. What a
  // document of such an age has not loaded is waited for no more.
  const isLate = async () => {
    const left = PATIENCE - performance.now();
    if (isLoaded() || left <= 0) return false;
    await new Promise((resume) => {
      window.addEventListener("load", resume, { once: true });
      setTimeout(resume, left);
    });
    return !isLoaded();
  };
  // Loaded, and at rest: its title, and what elements hold now, which input has reached since this was last asked; "late" if
  // it has been waited for in vain.
  harness.moments = {
    settled: async () => {
      const late = await isLate();
      await new Promise((resume) => setTimeout(resume));
      await harness.page.rest();
      const values = Array.from(open, ([number, element]) => ({ moment: number, value: heldBy(element) }));
      open.clear();
      typed = null;
      return { title: titleOf.call(document).slice(0, LONGEST_TITLE).toWellFormed(), values, late };
    },
    place: placeOf,
    tree: () => {
      room = MOST_NODES;
      const tree = treeOf(harness.document.documentElement, 0);
      return room > 0 ? JSON.stringify(tree) : "";
    },
    show: (place) => {
      /** @type {Element | undefined} */
      let element = harness.document.documentElement;
      for (const number of place) element = element && own.children(element)[number];
      if (!element) return null;
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    },
  };
})();
