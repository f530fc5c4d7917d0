// By what an element is known again: a selector, and what it says. Of a hostile page, too, they are short, and soon made.
(() => {
  "use strict";
  if (harness.marks) return;
  const { own } = harness;
  const LONGEST = { text: 200, selector: 1000, name: 200 };
  const MOST_LEVELS = 200;    // of elements from the root to one that has neither id nor name of its own
  const MOST_SIBLINGS = 20_000;
  const MOST_NODES = 300;     // that are looked at for a text

  // ---- selectors -------------------------------------------------------------------------------------------------
  /** @param {string} text */
  const quotedForCss = (text) =>
    '"' + text.replace(/["\\\n\r\f\0]/g, (each) => "\\" + each.charCodeAt(0).toString(16) + " ") + '"';
  /** @param {string} text */
  const quotedForXpath = (text) => {
    if (!text.includes("'")) return "'" + text + "'";
    if (!text.includes('"')) return '"' + text + '"';
    return "concat(" + text.split("'").map((part) => "'" + part + "'").join(", \"'\", ") + ")";
  };
  /** @param {Element} element */
  const stepOf = (element) => element instanceof HTMLElement ? own.tag(element)
    : "*[local-name()=" + quotedForXpath(own.tag(element)) + "]";
  /**
   * @param {string} css
   * @param {Element} element
   */
  const isAlone = (css, element) => {
    const found = harness.document.querySelectorAll(css);
    return found.length === 1 && found[0] === element;
  };
  /**
   * @param {Element} element
   * @param {string} name
   */
  const shortAttribute = (element, name) => {
    const value = own.attribute(element, name);
    return value && value.length <= LONGEST.name ? value : null;
  };
  /**
   * By the element's id.
   * @param {Element} element
   * @returns {Selectors | null}
   */
  const byId = (element) => {
    const id = shortAttribute(element, "id");
    if (!id || !isAlone("#" + CSS.escape(id), element)) return null;
    return { css: "#" + CSS.escape(id), xpath: "//*[@id=" + quotedForXpath(id) + "]" };
  };
  /**
   * By its name, and by its value where several controls share the name.
   * @param {Element} element
   * @returns {Selectors | null}
   */
  const byName = (element) => {
    const name = shortAttribute(element, "name");
    if (!name) return null;
    let css = CSS.escape(own.tag(element)) + "[name=" + quotedForCss(name) + "]";
    let xpath = "//" + stepOf(element) + "[@name=" + quotedForXpath(name) + "]";
    const value = shortAttribute(element, "value");
    if (value !== null && !isAlone(css, element)) {
      css += "[value=" + quotedForCss(value) + "]";
      xpath += "[@value=" + quotedForXpath(value) + "]";
    }
    return isAlone(css, element) ? { css, xpath } : null;
  };
  /**
   * How many elements of the same tag stand before it, and whether others do at all.
   * @param {Element} element
   * @param {Element} parent
   */
  const placeOf = (element, parent) => {
    const all = own.children(parent);
    if (all.length > MOST_SIBLINGS) return null;
    let [place, count] = [0, 0];
    for (let number = 0; number < all.length; number += 1) {
      if (own.tag(all[number]) !== own.tag(element)) continue;
      count += 1;
      if (all[number] === element) place = count;
    }
    return { place, alone: count === 1 };
  };
  const NOWHERE = { css: "", xpath: "" };
  /**
   * By its place below the nearest element that has an id of its own, else below the root.
   * @param {Element} element
   * @returns {Selectors}
   */
  const byPlace = (element) => {
    let [css, xpath] = ["", ""];
    let node = element;
    for (let level = 0; level < MOST_LEVELS; level += 1) {
      const known = node === element ? null : byId(node);
      if (known) return { css: known.css + css, xpath: known.xpath + xpath };
      const parent = own.parent(node);
      if (!parent) return { css: CSS.escape(own.tag(node)) + css, xpath: "/" + stepOf(node) + xpath };
      const found = placeOf(node, parent);
      if (!found) return NOWHERE;
      css = " > " + CSS.escape(own.tag(node)) + (found.alone ? "" : ":nth-of-type(" + found.place + ")") + css;
      xpath = "/" + stepOf(node) + (found.alone ? "" : "[" + found.place + "]") + xpath;
      node = parent;
    }
    return NOWHERE;
  };
  /** @param {Element} element */
  const selectorsOf = (element) => {
    const found = byId(element) ?? byName(element) ?? byPlace(element);
    if (found.css.length > LONGEST.selector || found.xpath.length > LONGEST.selector) return NOWHERE;
    return found.css && isAlone(found.css, element) ? found : NOWHERE;
  };

  /**
   * The whole way down to it, with its place among those of its tag at each level; "" if it is too long.
   * @param {Element} element
   */
  const wayTo = (element) => {
    let way = "";
    /** @type {Element | null} */
    let node = element;
    for (let level = 0; node && level < MOST_LEVELS; level += 1) {
      /** @type {Element | null} */
      const parent = own.parent(node);
      const found = parent ? placeOf(node, parent) : { place: 1 };
      if (!found) return "";
      way = "/" + stepOf(node) + "[" + found.place + "]" + way;
      node = parent;
    }
    return node || way.length > LONGEST.selector ? "" : way;
  };

  // ---- what an element says --------------------------------------------------------------------------------------
  const SILENT = new Set(["script", "style", "noscript", "template"]);
  // What a label that stands around its control says of it is not what that holds.
  const OF_CONTROLS = new Set([...SILENT, "select", "textarea", "button"]);
  /**
   * The beginning of its text, without asking the browser to lay it out.
   * @param {Node} top
   * @param {Set<string>} silent The tags of what is passed over.
   */
  const saidBy = (top, silent = SILENT) => {
    let text = "";
    /** @type {Node | null} */
    let node = top;
    for (let looked = 0; node && looked < MOST_NODES && text.length < 2 * LONGEST.text; looked += 1) {
      if (own.type(node) === 3) text += own.data(/** @type {Text} */ (node)).slice(0, 2 * LONGEST.text);
      else if (own.type(node) === 1) text += " ";
      /** @type {boolean} */
      const isSilent = own.type(node) === 1 && silent.has(own.tag(/** @type {Element} */ (node)));
      /** @type {Node | null} */
      let next = isSilent ? null : own.first(node);
      while (!next && node && node !== top) {
        next = own.next(node);
        node = next ? node : own.parent(node);
      }
      node = next;
    }
    return text.replace(/\s+/g, " ").trim();
  };
  /** @param {Element} control */
  const labelled = (control) =>
    harness.fields.labelsOf(control).slice(0, 3).map((label) => saidBy(label, OF_CONTROLS)).join(" ");
  /** @param {Element} element */
  const textOf = (element) => {
    const tag = own.tag(element);
    const isControl = tag === "input" || tag === "select" || tag === "textarea";
    if (tag === "input" && ["submit", "button", "reset"].includes(/** @type {HTMLInputElement} */ (element).type)) {
      return own.attribute(element, "value") ?? "";
    }
    const said = isControl ? labelled(element) : saidBy(element);
    return said || (own.attribute(element, "aria-label") ?? own.attribute(element, "placeholder") ??
      own.attribute(element, "title") ?? own.attribute(element, "alt") ?? own.attribute(element, "name") ?? "");
  };

  harness.marks = {
    selectors: selectorsOf, way: wayTo, text: (element) => textOf(element).slice(0, LONGEST.text).toWellFormed(),
  };
})();
