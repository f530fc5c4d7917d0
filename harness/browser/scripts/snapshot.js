// The page as it is now, in one answer: a flat list of nodes in document order, each with the number of its parent (trees
// deeper than JSON can nest are no trouble). Loaded when a page is first observed; the page notices nothing of it.
// Elements that can be operated get numbers when they are first seen, and keep them as long as the page is open.
(() => {
  "use strict";
  if (harness.snapshot) return;

  // ---- what a form's controls cannot hide (see hooks.js) ---------------------------------------------------------
  const reader = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const method = (prototype, name) => Function.prototype.call.bind(prototype[name]);
  const own = {
    ...harness.own,
    type: reader(Node.prototype, "nodeType"), first: reader(Node.prototype, "firstChild"),
    next: reader(Node.prototype, "nextSibling"), isConnected: reader(Node.prototype, "isConnected"),
    root: method(Node.prototype, "getRootNode"), data: reader(CharacterData.prototype, "data"),
    tag: reader(Element.prototype, "localName"), attributes: reader(Element.prototype, "attributes"),
    shadow: reader(Element.prototype, "shadowRoot"), box: method(Element.prototype, "getBoundingClientRect"),
    matches: method(Element.prototype, "matches"), closest: method(Element.prototype, "closest"),
    isRendered: method(Element.prototype, "checkVisibility"), find: method(Element.prototype, "querySelector"),
    content: reader(HTMLTemplateElement.prototype, "content"),
    framed: reader(HTMLIFrameElement.prototype, "contentDocument"),
    scrollIntoView: method(Element.prototype, "scrollIntoView"),
  };
  const [ELEMENT, TEXT, COMMENT, DOCUMENT, FRAGMENT] = [1, 3, 8, 9, 11]; // as nodeType counts them

  // ---- bounds: a page may be larger than any model reads ---------------------------------------------------------
  const MOST_NODES = 60_000;        // beyond, only controls are taken
  const MOST_CONTROLS = 5_000;      // of those
  const MOST_CHARACTERS = 3_000_000;
  const LONGEST = 500_000;          // characters of one text
  const SHORT = 300;                // characters that each text keeps when there is no more room

  const numbers = new WeakMap();
  const elements = [null];
  const numberOf = (element) => {
    if (!numbers.has(element)) numbers.set(element, elements.push(element) - 1);
    return numbers.get(element);
  };
  let observed = []; // [number of the node, element] of each control and each numbered element of the last snapshot

  // ---- one element -----------------------------------------------------------------------------------------------
  const CONTROLS = new Set(["input", "select", "textarea", "button"]);
  const PRESSED = "summary, [onclick], [contenteditable]:not([contenteditable=false]), [role=button], [role=tab]," +
    "[role=option], [role=radio], [role=checkbox], [role=switch], [role=menuitem], [role=treeitem], [role=link]," +
    "[role=slider], [role=combobox], [role=textbox], [aria-expanded], [data-toggle], [data-bs-toggle]," +
    "[tabindex]:not([tabindex='-1']), area";
  const WHOLE = new Set(["html", "body", "form", "iframe", "option", "script", "style"]);
  const leadsAway = (link) => !/^\s*(#|javascript:|$)/i.test(own.attribute(link, "href") ?? "#");
  const isButton = (tag, control) => tag === "button" ||
    (tag === "input" && ["submit", "button", "reset", "image"].includes(control.type));

  // Whether the page listens for presses on it, as far as looking.js was told. What listens around controls or for all of
  // its parts is no button.
  const listens = (element) => Boolean(harness.isListening?.(element)) && !own.find(element, HELD);
  const HELD = "input, select, textarea, button, a, [onclick], p, table, ul, ol";
  // Whether it takes presses: by what it is and says, or because it is the outermost that shows a hand.
  const isOperable = (element, tag, style, above) => {
    if (WHOLE.has(tag)) return false;
    if (CONTROLS.has(tag)) return !own.matches(element, ":disabled");
    if (tag === "a" && own.attribute(element, "href") !== null) return !leadsAway(element);
    const isTold = own.matches(element, PRESSED) || (style.cursor === "pointer" && above !== "pointer");
    if (!isTold && !listens(element)) return false;
    // A label works its control, and what is in a button that button: they have numbers of their own.
    const around = own.closest(element, "label, button");
    return !around || (own.tag(around) === "label" && !around.control && !own.find(around, "input, select, textarea"));
  };
  const displayOf = (style) => {
    if (style.display === "table-cell") return "cell";
    return /^(inline|contents|ruby)/.test(style.display) ? "inline" : "block";
  };
  const STATES = { disabled: ":disabled", readonly: "[readonly]", required: ":required" };
  const statesOf = (tag, control, active) => {
    const states = [];
    if ((control.type === "radio" || control.type === "checkbox") && control.checked) states.push("checked");
    for (const [name, selector] of Object.entries(STATES)) if (own.matches(control, selector)) states.push(name);
    if (tag === "select" && control.multiple) states.push("multiple");
    if (control === active) states.push("focused");
    return states;
  };

  // ---- the walk --------------------------------------------------------------------------------------------------
  const snapshot = () => {
    let room = MOST_CHARACTERS;
    let lost = 0;
    let left = 0;
    let extra = MOST_CONTROLS;
    const cut = (text) => {
      const most = Math.min(LONGEST, Math.max(room, SHORT));
      const kept = text.length > most ? text.slice(0, most) : text;
      lost += text.length - kept.length;
      room -= kept.length;
      return kept.toWellFormed(); // half a character cannot be written to a file
    };
    const form = harness.answerForm();
    const answers = new Set(form ? harness.controls(form) : []);
    const active = harness.document.activeElement;
    const nodes = [];
    const places = new Map(); // element -> number of its node
    const labelled = [];
    observed = [];

    const attributesOf = (element, isControl) => {
      const pairs = [];
      const all = own.attributes(element);
      if (room <= 0 && !isControl) { lost += all.length; return pairs; }
      for (let index = 0; index < all.length; index += 1) pairs.push(cut(all[index].name), cut(all[index].value));
      return pairs;
    };
    // An element: shown or not, how it flows, its number and its box, and what a control holds.
    const take = (element, up) => {
      const tag = own.tag(element);
      const here = nodes.length;
      const isControl = CONTROLS.has(tag);
      const record = [ELEMENT, up.place, tag, attributesOf(element, isControl), "", 0, 0, 0];
      nodes.push(record);
      places.set(element, here);
      const style = up.live ? getComputedStyle(element) : null;
      const rendered = up.live && own.isRendered(element, { visibilityProperty: true, opacityProperty: true });
      const shown = up.live && (isControl && answers.has(element) ? harness.isVisible(element) : rendered);
      if (shown) record[4] = rendered ? displayOf(style) : "inline";
      let pressable = shown && !up.framed && isOperable(element, tag, style, up.cursor);
      if (pressable) {
        const boxed = [element, ...(isControl && !isButton(tag, element) ? harness.labelsOf(element) : [])];
        const box = boxed.map((each) => own.box(each)).find((each) => each.width >= 1 && each.height >= 1);
        pressable = Boolean(box);
        if (box) {
          record[5] = numberOf(element);
          record[6] = [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round);
        }
      }
      if (isControl) {
        const isField = answers.has(element) && Boolean(element.name);
        const kind = isButton(tag, element) ? "button" : tag === "input" ? harness.kindOf(element) : tag;
        const value = tag === "button" || element.type === "password" ? null : cut(element.value);
        record[7] = [isField ? cut(element.name) : null, kind, value, statesOf(tag, element, active), []];
        if (isField && shown && !up.framed) labelled.push([record[7], element]);
      } else if (tag === "option" && element.selected) {
        record[7] = [null, "option", null, ["selected"], []];
      } else if (element === active && tag !== "body") {
        record[7] = [null, "", null, ["focused"], []];
      }
      if (record[5] || record[7]?.[0]) observed.push([here, element]);
      // The text right in a closed <details> is not there to be read, though the element is.
      const reads = shown && !(tag === "details" && own.attribute(element, "open") === null);
      return { place: here, live: up.live, framed: up.framed, cursor: style ? style.cursor : "",
        text: reads ? (/^(pre|break-spaces)/.test(style.whiteSpace) ? "pre" : "inline") : "" };
    };
    const push = (stack, parent, down) => {
      const children = [];
      for (let child = own.first(parent); child; child = own.next(child)) children.push(child);
      for (let index = children.length - 1; index >= 0; index -= 1) stack.push([children[index], down]);
    };
    // A tree within the tree: a shadow root, a frame's document, a template's content.
    const enter = (stack, root, down, type, changes) => {
      nodes.push([type, down.place, "", [], "", 0, 0, 0]);
      push(stack, root, { ...down, place: nodes.length - 1, ...changes });
    };
    const stack = [[harness.document.documentElement, { place: -1, live: true, framed: false, cursor: "", text: "" }]];
    while (stack.length) {
      const [node, up] = stack.pop();
      const type = own.type(node);
      if (nodes.length >= MOST_NODES) {
        if (type !== ELEMENT) { left += 1; continue; }
        const wanted = answers.has(node) && extra > 0;
        if (wanted) { extra -= 1; take(node, up); } else left += 1;
        push(stack, node, up);
        continue;
      }
      if (type === TEXT || type === COMMENT) {
        nodes.push([type, up.place, cut(own.data(node)), [], type === TEXT ? up.text : "", 0, 0, 0]);
      }
      if (type !== ELEMENT) continue;
      const down = take(node, up);
      const tag = own.tag(node);
      if (node instanceof HTMLTemplateElement) {
        enter(stack, own.content(node), down, FRAGMENT, { live: false, text: "" });
        continue;
      }
      push(stack, node, down);
      const shadow = own.shadow(node);
      if (shadow) enter(stack, shadow, down, FRAGMENT, {});
      if (tag === "iframe" && node instanceof HTMLIFrameElement) {
        const framed = own.framed(node); // null where it is another origin's
        if (framed) enter(stack, framed, down, DOCUMENT, { framed: true });
      }
    }
    for (const [record, element] of labelled) {
      record[4] = harness.labelsOf(element).map((label) => places.get(label)).filter((place) => place !== undefined);
    }
    const all = harness.document.scrollingElement ?? harness.document.documentElement;
    return JSON.stringify({
      title: cut(Document.prototype.querySelector.call(document, "title")?.textContent.trim() ?? ""),
      view: [innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), all.scrollWidth, all.scrollHeight],
      nodes, lost, left,
    });
  };
  harness.snapshot = snapshot;

  // Controls and numbered elements of the last snapshot, for what only the debugger knows of them; and their nodes.
  harness.observed = () => observed.map(([, element]) => element);
  harness.observedNodes = () => observed.map(([place]) => place);

  // ---- places ----------------------------------------------------------------------------------------------------
  const shownPart = (name) => {
    const control = harness.field(name)?.controls.find(harness.isVisible);
    return control && [control, ...harness.labelsOf(control)].find((each) => own.box(each).width > 0);
  };
  // Whether the first visible control of a field is wholly on the screen; its box on the screen, null if it has none.
  harness.isInView = (name) => {
    const part = shownPart(name);
    if (!part) return false;
    const box = own.box(part);
    return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  };
  harness.fieldBox = (name) => {
    const part = shownPart(name);
    if (!part) return null;
    const box = own.box(part);
    return [box.left, box.top, box.width, box.height];
  };

  // ---- pressing --------------------------------------------------------------------------------------------------
  const describe = (element) => {
    const text = (element.innerText || element.value || element.title || own.attribute(element, "aria-label") || "");
    const shown = String(text).trim().replace(/\s+/g, " ").slice(0, 60);
    return "<" + own.tag(element) + ">" + (shown ? " " + JSON.stringify(shown) : "");
  };
  // Document.elementFromPoint sees no further than the host of a shadow tree.
  const shadowPoint = (root, element) => {
    own.scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
    const box = own.box(element);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = root.elementFromPoint(x, y);
    const isHit = hit && (hit === element || element.contains(hit));
    return isHit ? { x, y } : { code: "covered", error: "it is covered or out of sight" };
  };
  const POPPED = {
    select: { code: "another_kind", error: "it is a drop-down list: use modify_select" },
    file: { code: "takes_file", error: "it takes a file, which no action gives it" },
    color: { code: "another_kind", error: "it is a colour well: use modify_text" },
  };

  // The point to press for a number, scrolled into view.
  harness.aimNumber = (number) => {
    if (harness.state.posted) return { code: "already_submitted", error: "the form was already submitted" };
    const element = elements[number];
    if (!element) {
      return { code: "no_such_element", error: "no observation of this page has shown an element of that number" };
    }
    if (!own.isConnected(element)) return { code: "element_gone", error: "it is no longer on the page; look again" };
    if (own.matches(element, ":disabled")) return { code: "disabled", error: "it is disabled" };
    const refused = POPPED[own.tag(element)] ?? (own.tag(element) === "input" ? POPPED[element.type] : undefined);
    if (refused) return refused;
    const root = own.root(element);
    const point = root instanceof ShadowRoot ? shadowPoint(root, element) : harness.point(element);
    return { ...point, what: describe(element) };
  };
})();
