// A closer look at a page, for what no field tells: what can be pressed, where words stand, what a submit would send.
// Elements are known by numbers, which they get when they are first seen and keep.
(() => {
  "use strict";
  const numbers = new WeakMap();
  const elements = [null];
  const numberOf = (element) => {
    if (!numbers.has(element)) numbers.set(element, elements.push(element) - 1);
    return numbers.get(element);
  };
  const words = (text, length = 120) => text.trim().replace(/\s+/g, " ").slice(0, length);
  const isShown = (element) => {
    if (!element.checkVisibility?.({ visibilityProperty: true, opacityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width >= 2 && box.height >= 2;
  };

  // ---- what can be pressed --------------------------------------------------------------------------------------

  const PRESSED = "button, input[type=button], input[type=image], summary, [onclick]:not(form, body), a, img[usemap] ~ map area," +
    "[role=button], [role=tab], [role=option], [role=radio], [role=checkbox], [role=switch], [role=menuitem], [role=treeitem]," +
    "[role=link], [aria-expanded], [data-toggle], [data-bs-toggle], [tabindex]:not([tabindex='-1'])";
  const CONTROLS = "input:not([type=button], [type=image]), select, textarea, option, form, body, html, iframe";
  let listeners = new Set();
  // Elements that the page listens on; found by the debugger, since no script can ask for them.
  harness.listening = (...found) => { listeners = new Set(found); };
  harness.isListening = (element) => listeners.has(element);

  const leads = (link) => {
    const href = link.getAttribute("href");
    return href !== null && !/^\s*(#|javascript:|$)/i.test(href);
  };
  const isPressable = (element, submits) => {
    if (submits.has(element) || element.matches(CONTROLS) || element.matches(":disabled")) return false;
    if (element.localName === "a" && leads(element)) return false;
    if (element.localName === "label" && (element.control || element.querySelector("input, select, textarea"))) return false;
    return isShown(element);
  };
  // What shows a hand: the outermost element that does, since the style is inherited.
  const showsHand = (element) => getComputedStyle(element).cursor === "pointer" &&
    (!element.parentElement || getComputedStyle(element.parentElement).cursor !== "pointer");

  const describe = (element) => words(element.innerText || element.value || element.alt || element.title ||
    element.getAttribute("aria-label") || "");
  // Buttons of a form submit it unless they say so; many pages forget to, and have their script prevent it.
  const ONWARDS = /^\W*(next|prev|previous|back|continue|begin|start|show|hide|more|add|remove|proceed|go|open|ok|reveal|expand)\b/i;
  const leadsOn = (button) => button.id !== "submitButton" &&
    (ONWARDS.test(describe(button)) || (listeners.has(button) && !/submit|done|finish|send/i.test(describe(button)) &&
      button !== harness.submitControl(harness.answerForm())));
  // What can be pressed, is no field and does not submit, in page order.
  harness.things = () => {
    const form = harness.answerForm();
    const submits = new Set((form ? harness.buttons(form) : []).filter((button) => !leadsOn(button)));
    const control = harness.submitControl(form);
    if (control && !leadsOn(control)) submits.add(control);
    const found = [];
    for (const element of harness.document.querySelectorAll("body *")) {
      if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
      if (!element.matches(PRESSED) && !listeners.has(element) && !showsHand(element)) continue;
      if (isPressable(element, submits)) found.push(element);
    }
    return found.map((element) => ({
      number: numberOf(element), text: describe(element), tag: element.localName,
      classes: element.getAttribute("class") ?? "", id: element.id || "",
      listens: listeners.has(element), area: Math.round(element.getBoundingClientRect().width * element.getBoundingClientRect().height),
    }));
  };

  // ---- places ---------------------------------------------------------------------------------------------------

  // Where a part of an element is; a look must leave the page where it stands, so how far it has to be scrolled is told.
  const steady = (measure) => {
    const [left, top] = [scrollX, scrollY];
    const found = measure();
    const [dx, dy] = [scrollX - left, scrollY - top];
    window.scrollTo({ left, top, behavior: "instant" });
    return { ...found, dx, dy };
  };
  const gone = { code: "element_gone", error: "it is gone" };

  // A point that activates an element.
  harness.spot = (number) => {
    const element = elements[number];
    if (!element?.isConnected) return gone;
    return steady(() => harness.point(element));
  };
  // The element's box in the viewport, brought wholly into view if it fits.
  harness.box = (number) => {
    const element = elements[number];
    if (!element?.isConnected) return gone;
    return steady(() => {
      let box = element.getBoundingClientRect();
      if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) {
        element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
        box = element.getBoundingClientRect();
      }
      return { left: box.left, top: box.top, width: box.width, height: box.height };
    });
  };
  harness.boxNow = (number) => {
    const element = elements[number];
    if (!element?.isConnected) return gone;
    const { left, top, width, height } = element.getBoundingClientRect();
    return { left, top, width, height };
  };
  harness.select = (selector) => Array.from(harness.document.querySelectorAll(selector)).filter(isShown).map((element) => {
    const box = element.getBoundingClientRect();
    return { number: numberOf(element), tag: element.localName, text: words(element.innerText ?? element.textContent ?? "", 400),
      box: [box.left + scrollX, box.top + scrollY, box.width, box.height] };
  });

  // ---- texts ----------------------------------------------------------------------------------------------------

  // Blocks of running text that a worker could mark: the smallest elements that hold a whole text.
  const INLINE = new Set(["inline", "contents"]);
  const isBlock = (element) => !INLINE.has(getComputedStyle(element).display);
  harness.textBlocks = () => {
    const blocks = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || parent.closest("script, style, button, select, option, textarea, a, label")) continue;
      let block = parent;
      while (block.parentElement && !isBlock(block)) block = block.parentElement;
      if (isShown(block)) blocks.add(block);
    }
    return Array.from(blocks, (block) => ({
      number: numberOf(block), text: block.textContent, id: block.id,
      listens: listeners.has(block) || Boolean(block.closest("[onmouseup]")),
    }));
  };
  // Whether a point is on marked text, and a point of the screen where a press would do nothing but take the mark away.
  const isMarked = (x, y) => {
    const selection = getSelection();
    if (selection?.isCollapsed ?? true) return false;
    return Array.from({ length: selection.rangeCount }, (_, place) => Array.from(selection.getRangeAt(place).getClientRects()))
      .flat().some((box) => x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1);
  };
  harness.blank = (fromX, fromY) => {
    const selected = isMarked(fromX, fromY);
    for (let y = 4; selected && y < innerHeight; y += 16) {
      for (let x = 4; x < innerWidth; x += 16) {
        const hit = harness.document.elementFromPoint(x, y);
        if (hit && !listeners.has(hit) && (hit === document.documentElement || hit === harness.document.body || hit.localName === "form")) {
          return { selected, at: [x, y] };
        }
      }
    }
    return { selected, at: null };
  };
  // Ends of a stretch of an element's text, by characters from its start: where to press and where to let go to mark it.
  harness.stretch = (number, start, end) => {
    const element = elements[number];
    if (!element?.isConnected) return gone;
    const range = document.createRange();
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let passed = 0;
    let begun = false;
    while (walker.nextNode()) {
      const { length } = walker.currentNode.data;
      if (!begun && start < passed + length) { range.setStart(walker.currentNode, start - passed); begun = true; }
      if (begun && end <= passed + length) {
        range.setEnd(walker.currentNode, end - passed);
        return steady(() => {
          let boxes = Array.from(range.getClientRects()).filter((box) => box.width > 0);
          if (boxes.some((box) => box.top < 0 || box.bottom > innerHeight)) {
            (range.startContainer.parentElement).scrollIntoView({ block: "center", behavior: "instant" });
            boxes = Array.from(range.getClientRects()).filter((box) => box.width > 0);
          }
          if (!boxes.length) return { code: "not_visible", error: "it has no place on the page" };
          const [first, last] = [boxes[0], boxes.at(-1)];
          return { from: [first.left, first.top + first.height / 2], to: [last.right, last.top + last.height / 2],
            middle: [(first.left + first.right) / 2, first.top + first.height / 2] };
        });
      }
      passed += length;
    }
    return { code: "out_of_range", error: "its text is shorter" };
  };

  // ---- lists, grids and drawings --------------------------------------------------------------------------------

  // What an element may be called: its text, and what its attributes call it.
  const namesOf = (element) => [words(element.innerText ?? element.textContent ?? ""), element.id, element.getAttribute("value"),
    ...Object.values(element.dataset ?? {})].filter(Boolean).map(String);
  // Elements with what they are called and the number of what holds them.
  harness.named = (selector) => Array.from(harness.document.querySelectorAll(selector))
    .filter((element) => element.parentElement && isShown(element) && namesOf(element).length)
    .map((element) => ({ number: numberOf(element), names: namesOf(element), parent: numberOf(element.parentElement),
      classes: element.getAttribute("class") ?? "" }));
  // Elements that can hold others, with what their own children are called.
  harness.holders = (selector) => Array.from(harness.document.querySelectorAll(selector)).filter((element) =>
    isShown(element) && !element.matches("a, button, [role=button], input, select, textarea")).map((element) => ({
    number: numberOf(element), id: element.id, classes: Array.from(element.classList),
    names: Array.from(element.children).filter(isShown).flatMap(namesOf),
  }));
  harness.inOrder = (wanted) => wanted.filter((number) => elements[number]?.isConnected)
    .sort((a, b) => (elements[a].compareDocumentPosition(elements[b]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  // Groups of at least two things that can be pressed or dragged and have one parent, or grandparent, in page order.
  harness.rows = () => {
    const groups = new Map();
    const taken = new Set();
    const add = (holder, element) => {
      if (!groups.has(holder)) groups.set(holder, []);
      groups.get(holder).push(element);
      taken.add(element);
    };
    const all = Array.from(harness.document.querySelectorAll("body *")).filter((element) => isShown(element) &&
      !element.matches(CONTROLS) && (listeners.has(element) || element.matches("[onclick], [draggable=true], button[type=button]") ||
        showsHand(element)));
    for (const element of all) if (element.parentElement && !all.includes(element.parentElement)) add(element.parentElement, element);
    // Words of which only what holds them is listened to.
    for (const holder of listeners) {
      if (!(holder instanceof Element) || !holder.isConnected || !isShown(holder) || holder.children.length < 2) continue;
      const children = Array.from(holder.children).filter((child) => isShown(child) && !taken.has(child));
      if (children.length > 1) groups.set(holder, children);
    }
    return Array.from(groups.values()).filter((group) => group.length > 1).map((group) =>
      group.map((element) => ({ number: numberOf(element), names: namesOf(element) })));
  };
  // Tables, with the words at the head of each row and column and the numbers of the cells between.
  harness.grids = () => Array.from(harness.document.querySelectorAll("table, [role=grid]")).filter(isShown).map((table) => {
    const lines = Array.from(table.querySelectorAll("tr, [role=row]"));
    const cellsOf = (line) => Array.from(line.children);
    const isHead = (cell) => cell.localName === "th" || cell.getAttribute("role")?.endsWith("header");
    const heads = lines.length && cellsOf(lines[0]).some(isHead) && cellsOf(lines[0]).every((cell) => isHead(cell) || !words(cell.innerText))
      ? lines.shift() : null;
    const rows = lines.map((line) => cellsOf(line).filter(isHead).map((cell) => words(cell.innerText)).join(" "));
    const columns = heads ? cellsOf(heads).filter(isHead).map((cell) => words(cell.innerText)).filter(Boolean) : [];
    return { rows, columns, cells: lines.map((line) => cellsOf(line).filter((cell) => !isHead(cell)).map(numberOf)) };
  });
  // A picture, and how many pixels of the screen one of its own takes.
  harness.surface = (number) => {
    const element = elements[number];
    const box = harness.box(number);
    if (box.error) return box;
    const own = element.naturalWidth ? [element.naturalWidth, element.naturalHeight]
      : element.localName === "canvas" ? [element.width, element.height]
        : element.viewBox?.baseVal?.width ? [element.viewBox.baseVal.width, element.viewBox.baseVal.height] : [box.width, box.height];
    return { ...box, scaleX: box.width / own[0], scaleY: box.height / own[1] };
  };

  // Until told otherwise, nothing that the page sends counts as its answers.
  harness.hold = (on) => { harness.state.held = on; };

  // ---- what a submit would send ---------------------------------------------------------------------------------

  // The page's own submit handlers run, since they may write answers; nothing is sent, and the form can be sent again.
  harness.rehearse = async () => {
    const { state } = harness;
    const form = harness.answerForm();
    const control = harness.submitControl(form);
    if (state.posted || !form || !control || control.matches(":disabled")) return [];
    const before = { dialogs: state.dialogs.length, invalid: state.invalid.length, refused: state.refused.length };
    const checked = form.getAttribute("novalidate");
    harness.own.setAttribute(form, "novalidate", "");
    control.click();
    await harness.posted();
    const entries = state.posted ?? harness.entries(form, control);
    if (checked === null) form.removeAttribute("novalidate");
    state.posted = null;
    for (const [name, length] of Object.entries(before)) state[name].length = length;
    return entries;
  };
})();
