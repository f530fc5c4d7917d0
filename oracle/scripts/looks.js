// A closer look at a page, for what no field tells: what may do something, where words stand, what can be dragged where.
// Elements are known by the numbers of pressables.js. Loaded when it is first needed; most pages never are looked at so.
(() => {
  "use strict";
  if (harness.oracle) return;
  const looks = harness.oracle = /** @type {OracleLooks} */ ({});
  const { numberOf, measure, words, describe } = harness.pressables;
  /** @param {Element} element */
  const isShown = (element) => {
    if (!element.checkVisibility?.({ visibilityProperty: true, opacityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width >= 2 && box.height >= 2;
  };
  /** @param {Element} element */
  const isListening = (element) => harness.pressables.listening().has(element);
  /** @param {Element} element */
  const showsHand = (element) => harness.pressables.showsHand(getComputedStyle(element).cursor,
    element.parentElement ? getComputedStyle(element.parentElement).cursor : "");
  /** @param {Element} element */
  const innerText = (element) => /** @type {HTMLElement} */ (element).innerText;

  // ---- what can be pressed --------------------------------------------------------------------------------------
  // Whatever may do something: any link that stays here, and the parts of a picture that is a map.
  const SOUGHT = harness.pressables.bearing("button", "picture", "plain", "role", "reacts") + ", a, img[usemap] ~ map area";
  const CONTROLS = "input:not([type=button], [type=image]), select, textarea, option, form, body, html, iframe";

  /**
   * @param {Element} element
   * @param {Set<Element>} submits
   */
  const isPressable = (element, submits) => {
    if (submits.has(element) || element.matches(CONTROLS) || element.matches(":disabled")) return false;
    if (element.localName === "a" && harness.pressables.leadsAway(element)) return false;
    if (element instanceof HTMLLabelElement && (element.control || element.querySelector("input, select, textarea"))) return false;
    return isShown(element);
  };

  /** @param {Description} description */
  const nameOf = ({ text, alt, hint }) => words(text || alt || hint, 120);
  // Buttons of a form submit it unless they say so; many pages forget to, and have their script prevent it.
  const ONWARDS = /^\W*(next|prev|previous|back|continue|begin|start|show|hide|more|add|remove|proceed|go|open|ok|reveal|expand)\b/i;
  /** @param {Submitter} button */
  const leadsOn = (button) => {
    const name = nameOf(describe(button));
    return button.id !== "submitButton" && (ONWARDS.test(name) || (isListening(button) &&
      !/submit|done|finish|send/i.test(name) && button !== harness.form.submitControl(harness.form.element())));
  };
  // What can be pressed, is no field and does not submit, in page order.
  const pressable = () => {
    const form = harness.form.element();
    /** @type {Set<Element>} */
    const submits = new Set((form ? harness.form.submitters(form) : []).filter((button) => !leadsOn(button)));
    const control = harness.form.submitControl(form);
    if (control && !leadsOn(control)) submits.add(control);
    return [...harness.document.querySelectorAll("body *"), ...harness.pressables.all(":host *")].filter((element) =>
      (element instanceof HTMLElement || element instanceof SVGElement) &&
      (element.matches(SOUGHT) || isListening(element) || showsHand(element)) && isPressable(element, submits));
  };
  looks.pressables = () => pressable().map((element) => {
    const description = describe(element);
    const { tag, id, classes } = description;
    return { number: numberOf(element), text: nameOf(description), tag, id, classes, listens: isListening(element) };
  });

  // What the oracle's other scripts go by.
  Object.assign(looks, { isShown, isListening, innerText, pressable });

  // ---- places ---------------------------------------------------------------------------------------------------

  /**
   * @param {DOMRect} rect
   * @returns {Box}
   */
  const boxOf = ({ left, top, width, height }) => ({ left, top, width, height });
  /** @param {Element} element */
  const boxInView = (element) => {
    const box = element.getBoundingClientRect();
    if (box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth) return boxOf(box);
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    return boxOf(element.getBoundingClientRect());
  };
  // The element's box in the viewport, brought wholly into view if it fits.
  looks.box = (number) => measure(number, boxInView);
  looks.boxNow = (number) => {
    const element = harness.pressables.element(number);
    return element?.isConnected ? boxOf(element.getBoundingClientRect()) : { code: "element_gone", error: "it is gone" };
  };
  looks.select = (selector) => harness.pressables.all(selector).filter(isShown).map((element) => {
    const box = element.getBoundingClientRect();
    return { number: numberOf(element), tag: element.localName, text: words(innerText(element) ?? element.textContent ?? "", 400),
      box: { left: box.left + scrollX, top: box.top + scrollY, width: box.width, height: box.height } };
  });

  // ---- texts ----------------------------------------------------------------------------------------------------

  const INLINE = new Set(["inline", "contents"]);
  /** @param {Element} element */
  const isBlock = (element) => !INLINE.has(getComputedStyle(element).display);
  /** @param {TreeWalker} walker */
  const textsOf = function* (walker) {
    while (walker.nextNode()) yield /** @type {Text} */ (walker.currentNode);
  };
  /** @param {Element} element */
  const hearsMarks = (element) => isListening(element) || element.matches("[onmouseup]");
  // Whether the page listens on a block or on what holds it, unless that is all of the page.
  /** @param {Element} block */
  const isHeard = (block) => {
    for (let each = /** @type {Element | null} */ (block); each && !each.matches("form, body"); each = each.parentElement) {
      if (hearsMarks(each)) return true;
    }
    return false;
  };
  /**
   * Those elements of the name that most of them have: a heading is none of the paragraphs that a page numbers.
   * @param {Element[]} elements
   */
  const alike = (elements) => {
    const groups = Object.values(Object.groupBy(elements, (element) => element.localName));
    return groups.reduce((most = [], group = []) => (group.length > most.length ? group : most), []) ?? [];
  };
  /**
   * Where a part's text begins and ends in that of what holds it.
   * @param {Element} holder
   * @param {Element} part
   * @returns {[number, number]}
   */
  const stretchOf = (holder, part) => {
    const before = document.createRange();
    before.setStart(holder, 0);
    before.setEndBefore(part);
    const start = before.toString().length;
    return [start, start + (part.textContent ?? "").length];
  };
  // Blocks of running text that a worker could mark: the smallest elements that hold a whole text, then what holds
  // several of them, with the places of those in its text.
  looks.textBlocks = () => {
    /** @type {Set<Element>} */
    const blocks = new Set();
    const walker = document.createTreeWalker(harness.document.body, NodeFilter.SHOW_TEXT);
    for (const text of textsOf(walker)) {
      const parent = text.parentElement;
      if (!parent || !text.data.trim() || parent.closest("script, style, button, select, option, textarea, a, label")) continue;
      let block = parent;
      while (block.parentElement && !isBlock(block)) block = block.parentElement;
      if (isShown(block)) blocks.add(block);
    }
    /** @type {Map<Element, Element[]>} */
    const parts = new Map();
    for (const block of blocks) {
      for (let outer = block.parentElement; outer && !outer.matches("form, body"); outer = outer.parentElement) {
        parts.set(outer, [...parts.get(outer) ?? [], block]);
      }
    }
    const holders = Array.from(parts.keys()).filter((holder) => !blocks.has(holder) && (parts.get(holder)?.length ?? 0) > 1);
    return [...blocks, ...holders].map((block) => ({
      number: numberOf(block), text: block.textContent ?? "", id: block.id,
      listens: hearsMarks(block), is_heard: isHeard(block),
      parts: alike(parts.get(block) ?? []).map((part) => stretchOf(block, part)),
    }));
  };
  /**
   * @param {number} x
   * @param {number} y
   */
  const isMarked = (x, y) => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed) return false;
    return Array.from({ length: selection.rangeCount }, (_, place) => Array.from(selection.getRangeAt(place).getClientRects()))
      .flat().some((box) => x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1);
  };
  // Whether a point is on marked text, and a point of the screen where a press would do nothing but take the mark away.
  looks.blank = (fromX, fromY) => {
    const selected = isMarked(fromX, fromY);
    for (let y = 4; selected && y < innerHeight; y += 16) {
      for (let x = 4; x < innerWidth; x += 16) {
        const hit = harness.document.elementFromPoint(x, y);
        if (hit && !isListening(hit) &&
            (hit === harness.document.documentElement || hit === harness.document.body || hit.localName === "form")) {
          return { selected, at: { x, y } };
        }
      }
    }
    return { selected, at: null };
  };
  /**
   * A stretch of an element's text, by characters from its start; null if the text is shorter.
   * @param {Element} element
   * @param {number} start
   * @param {number} end
   */
  const rangeOf = (element, start, end) => {
    const range = document.createRange();
    let passed = 0;
    let begun = false;
    for (const text of textsOf(document.createTreeWalker(element, NodeFilter.SHOW_TEXT))) {
      const { length } = text.data;
      if (!begun && start < passed + length) { range.setStart(text, start - passed); begun = true; }
      if (begun && end <= passed + length) { range.setEnd(text, end - passed); return range; }
      passed += length;
    }
    return null;
  };
  // Ends of a stretch: where to press and where to let go to mark it.
  looks.stretch = (number, start, end) => measure(number, (element) => {
    const range = rangeOf(element, start, end);
    if (!range) return { code: "out_of_range", error: "its text is shorter" };
    return /** @type {ContentGroup} */ (harness.content).ends(range);
  });

  // ---- lists, grids and drawings --------------------------------------------------------------------------------

  /**
   * What an element may be called: its text, and what its attributes call it.
   * @param {Element} element
   */
  const namesOf = (element) => [words(innerText(element) ?? element.textContent ?? "", 120), element.id,
    element.getAttribute("value"), ...Object.values(/** @type {HTMLElement} */ (element).dataset ?? {})].filter(Boolean).map(String);
  // Elements with what they are called and the number of what holds them.
  looks.named = (selector) => Array.from(harness.document.querySelectorAll(selector)).flatMap((element) => {
    const parent = element.parentElement;
    if (!parent || !isShown(element) || !namesOf(element).length) return [];
    return [{ number: numberOf(element), names: namesOf(element), parent: numberOf(parent),
      classes: element.getAttribute("class") ?? "" }];
  });
  // Elements that can hold others, with what their own children are called.
  looks.holders = (selector) => Array.from(harness.document.querySelectorAll(selector)).filter((element) =>
    isShown(element) && !element.matches("a, button, [role=button], input, select, textarea")).map((element) => ({
    number: numberOf(element), id: element.id, classes: Array.from(element.classList),
    names: Array.from(element.children).filter(isShown).flatMap(namesOf),
  }));
  looks.inOrder = (wanted) => wanted.map((number) => ({ number, element: harness.pressables.element(number) }))
    .flatMap(({ number, element }) => (element?.isConnected ? [{ number, element }] : []))
    .sort((a, b) => (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .map(({ number }) => number);
  // Groups of at least two things that can be pressed or dragged and have one parent, or grandparent, in page order.
  looks.rows = () => {
    /** @type {Map<Element, Element[]>} */
    const groups = new Map();
    /** @type {Set<Element>} */
    const taken = new Set();
    /**
     * @param {Element} holder
     * @param {Element} element
     */
    const add = (holder, element) => {
      const group = groups.get(holder);
      if (group) group.push(element);
      else groups.set(holder, [element]);
      taken.add(element);
    };
    const all = Array.from(harness.document.querySelectorAll("body *")).filter((element) => isShown(element) &&
      !element.matches(CONTROLS) && (isListening(element) || element.matches("[onclick], [draggable=true], button[type=button]") ||
        showsHand(element)));
    for (const element of all) if (element.parentElement && !all.includes(element.parentElement)) add(element.parentElement, element);
    // Words of which only what holds them is listened to.
    for (const holder of harness.pressables.listening()) {
      if (!(holder instanceof Element) || !holder.isConnected || !isShown(holder) || holder.children.length < 2) continue;
      const children = Array.from(holder.children).filter((child) => isShown(child) && !taken.has(child));
      if (children.length > 1) groups.set(holder, children);
    }
    return Array.from(groups.values()).filter((group) => group.length > 1).map((group) =>
      group.map((element) => ({ number: numberOf(element), names: namesOf(element) })));
  };
  // Tables, with the words at the head of each row and column and the numbers of the cells between.
  looks.grids = () => Array.from(harness.document.querySelectorAll("table, [role=grid]")).filter(isShown).map((table) => {
    const lines = Array.from(table.querySelectorAll("tr, [role=row]"));
    /** @param {Element} line */
    const cellsOf = (line) => Array.from(line.children);
    /** @param {Element} cell */
    const wordsOf = (cell) => words(innerText(cell), 120);
    /** @param {Element} cell */
    const isHead = (cell) => cell.localName === "th" || cell.getAttribute("role")?.endsWith("header");
    const heads = lines.length && cellsOf(lines[0]).some(isHead) && cellsOf(lines[0]).every((cell) => isHead(cell) || !wordsOf(cell))
      ? lines.shift() : null;
    const rows = lines.map((line) => cellsOf(line).filter(isHead).map((cell) => wordsOf(cell)).join(" "));
    const columns = heads ? cellsOf(heads).filter(isHead).map((cell) => wordsOf(cell)).filter(Boolean) : [];
    return { rows, columns, cells: lines.map((line) => cellsOf(line).filter((cell) => !isHead(cell)).map(numberOf)) };
  });
  // Attributes in which scripts keep the place of a part.
  const PLACES = ["id", "onclick", "onmousedown", "onmouseup", "href", "name", "title"];
  /** @param {Element} element */
  const numbersOf = (element) => [...PLACES.map((name) => element.getAttribute(name)),
    ...Object.values(/** @type {HTMLElement} */ (element).dataset ?? {})]
    .map((text) => (text?.match(/\d+/g) ?? []).map(Number)).filter((each) => each.length > 0);
  const MOST_PARTS = 3000;
  // The innermost things that can be pressed, with what they are in, where they lie, and numbers that scripts know them by.
  // Where only what holds them is listened to, and nothing in it can be pressed by itself, they are its innermost elements.
  looks.parts = () => {
    /** @type {Set<Element>} */
    const found = new Set(pressable());
    for (const element of [...found]) {
      const inner = element.querySelectorAll("td, [role=gridcell]");
      const parts = Array.from(inner.length ? inner : element.querySelectorAll("*")).filter((each) =>
        isShown(each) && !each.matches(CONTROLS) && (inner.length || !each.childElementCount));
      if (parts.length > 3 && !Array.from(element.querySelectorAll("*")).some((each) => found.has(each))) {
        for (const part of parts) found.add(part);
      }
    }
    /** @type {Set<Element>} */
    const around = new Set();
    for (const element of found) {
      for (let outer = element.parentElement; outer && !around.has(outer); outer = outer.parentElement) around.add(outer);
    }
    return Array.from(found).filter((element) => !around.has(element)).slice(0, MOST_PARTS).map((element) => {
      const box = element.getBoundingClientRect();
      /** @type {Element[]} */
      const outer = [];
      for (let each = element.parentElement; each && outer.length < 4; each = each.parentElement) outer.push(each);
      return {
        number: numberOf(element), box: { left: box.left, top: box.top, width: box.width, height: box.height },
        kind: [element, ...outer.slice(0, 2)].map((each) => each.localName).join("<"), holders: outer.map(numberOf),
        numbers: [element, ...outer.slice(0, 1)].flatMap(numbersOf),
      };
    });
  };
  const BOXES = "input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch]";
  /**
   * What is written beside a box: its label, else what follows it up to the next box, else what it stands in.
   * @param {Element} box
   */
  const besideOf = (box) => {
    const label = /** @type {HTMLInputElement} */ (box).labels?.[0] ?? box.closest("label");
    if (label && innerText(label)?.trim()) return innerText(label);
    let text = innerText(box)?.trim() ?? "";
    for (let next = box.nextSibling; next && !(next instanceof Element && next.matches(BOXES)); next = next.nextSibling) {
      text += " " + (next instanceof Element ? innerText(next) : next.textContent);
    }
    return text.trim() ? text : innerText(box.parentElement ?? box);
  };
  // Boxes and buttons that are ticked, with what stands beside them, and by what a hidden one is pressed: its label.
  looks.boxes = () => harness.pressables.all(BOXES).flatMap((element) => {
    const box = /** @type {HTMLInputElement} */ (element);
    const pressed = [element, ...(box.labels ?? [])].find(isShown);
    if (!pressed || box.disabled) return [];
    const names = [words(besideOf(element) ?? "", 400), box.value, element.getAttribute("aria-label"), box.name, element.id];
    return [{
      number: numberOf(pressed), group: box.name ?? "", single: element.matches("input[type=radio], [role=radio]"),
      ticked: box.checked ?? element.getAttribute("aria-checked") === "true", names: names.filter(Boolean).map(String),
    }];
  });
  looks.choosing = () => {
    const form = harness.form.element();
    return form ? harness.form.choosing(form).map(numberOf) : [];
  };
  looks.pictures = () => {
    const form = harness.form.element();
    return (form ? harness.form.submitters(form) : []).filter((each) => each.type === "image" && isShown(each)).map((each) => {
      const [x, y] = harness.fields.placeNames(/** @type {HTMLInputElement} */ (each));
      return { number: numberOf(each), x, y };
    });
  };
  /**
   * Width and height of a picture in pixels of its own; null for what has none.
   * @param {Element} element
   */
  const sizeOf = (element) => {
    if (element instanceof HTMLImageElement) return { width: element.naturalWidth, height: element.naturalHeight };
    if (element instanceof HTMLCanvasElement) return { width: element.width, height: element.height };
    return /** @type {Partial<SVGSVGElement>} */ (element).viewBox?.baseVal ?? null;
  };
  // A picture within its border, and how many pixels of the screen one of its own takes.
  looks.surface = (number) => measure(number, (element) => {
    const { clientLeft, clientTop, clientWidth, clientHeight } = element;
    const outer = boxInView(element);
    const box = clientWidth ? { left: outer.left + clientLeft, top: outer.top + clientTop, width: clientWidth, height: clientHeight } : outer;
    const size = sizeOf(element);
    const own = size?.width ? size : box;
    return { ...box, scaleX: box.width / own.width, scaleY: box.height / own.height };
  });
})();
