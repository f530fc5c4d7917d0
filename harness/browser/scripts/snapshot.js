// The page as it is now, in one answer: a flat list of nodes in document order, each with the number of its parent (trees
// deeper than JSON can nest are no trouble). Loaded when a page is first observed; the page notices nothing of it.
(() => {
  "use strict";
  if (harness.snapshot) return;
  const { own } = harness;
  const [ELEMENT, TEXT, COMMENT, DOCUMENT, FRAGMENT] = [1, 3, 8, 9, 11]; // as nodeType counts them

  // ---- bounds: a page may be larger than any model reads ---------------------------------------------------------
  const MOST_NODES = 60_000;        // beyond, only controls are taken
  const MOST_CONTROLS = 5_000;      // of those
  const MOST_CHARACTERS = 3_000_000;
  const LONGEST = 500_000;          // characters of one text
  const SHORT = 300;                // characters that each text keeps when there is no more room

  /** @type {{ place: number, element: Element }[]} */
  let observed = []; // each control and each numbered element of the last snapshot, with the place of its node

  // ---- one element -----------------------------------------------------------------------------------------------
  const CONTROLS = new Set(["input", "select", "textarea", "button"]);
  const PICTURES = new Set(["img", "canvas"]);
  /**
   * A box of the viewport as one of the page.
   * @param {Box} box
   */
  const boxOf = (box) =>
    ({ left: box.left + scrollX, top: box.top + scrollY, width: box.width, height: box.height });
  /**
   * @param {string} tag
   * @param {NodeControl} control
   */
  const isButton = (tag, control) => tag === "button" ||
    (tag === "input" && ["submit", "button", "reset", "image"].includes(control.type));
  /** @param {CSSStyleDeclaration} style */
  const displayOf = (style) => {
    if (style.display === "table-cell") return "cell";
    return /^(inline|contents|ruby)/.test(style.display) ? "inline" : "block";
  };
  const STATES = { disabled: ":disabled", readonly: "[readonly]", required: ":required" };
  /**
   * What an element of a frame is cannot be asked with "instanceof": it is of the frame's own classes.
   * @param {string} tag
   * @param {NodeControl} control
   * @param {Element | null} active
   */
  const statesOf = (tag, control, active) => {
    const states = [];
    const { type, checked, multiple } = /** @type {HTMLInputElement} */ (control);
    if ((type === "radio" || type === "checkbox") && checked) states.push("checked");
    for (const [name, selector] of Object.entries(STATES)) if (own.matches(control, selector)) states.push(name);
    if (tag === "select" && multiple) states.push("multiple");
    if (control === active) states.push("focused");
    return states;
  };

  // ---- the walk --------------------------------------------------------------------------------------------------
  const snapshot = () => {
    let room = MOST_CHARACTERS;
    let lost = 0;
    let left = 0;
    let extra = MOST_CONTROLS;
    /** @param {string} text */
    const cut = (text) => {
      const most = Math.min(LONGEST, Math.max(room, SHORT));
      const kept = text.length > most ? text.slice(0, most) : text;
      lost += text.length - kept.length;
      room -= kept.length;
      return kept.toWellFormed(); // half a character cannot be written to a file
    };
    /** @type {Set<Element>} */
    const answers = new Set(harness.form.answers());
    const active = harness.document.activeElement;
    /** @type {SnapshotNode[]} */
    const nodes = [];
    /** @type {Map<Element, number>} */
    const places = new Map(); // each element's node
    /** @type {{ held: SnapshotControl, control: NodeControl }[]} */
    const labelled = [];
    observed = [];

    /**
     * @param {Element} element
     * @param {boolean} isControl
     */
    const attributesOf = (element, isControl) => {
      /** @type {Entry[]} */
      const kept = [];
      const all = own.attributes(element);
      if (room <= 0 && !isControl) { lost += all.length; return kept; }
      for (let index = 0; index < all.length; index += 1) {
        kept.push({ name: cut(all[index].name), value: cut(all[index].value) });
      }
      return kept;
    };
    /**
     * Adds a node that cannot be operated and holds nothing; its place.
     * @param {number} type
     * @param {number} parent
     * @param {string} text
     * @param {string} display
     * @param {Entry[]} attributes
     */
    const add = (type, parent, text = "", display = "", attributes = []) =>
      nodes.push({ type, parent, text, attributes, display, ref: 0, box: null, control: null }) - 1;
    /**
     * An element: shown or not, how it flows, its number and its box, and what a control holds.
     * @param {Element} element
     * @param {Above} up
     * @returns {Above}
     */
    const take = (element, up) => {
      const tag = own.tag(element);
      const control = CONTROLS.has(tag) ? /** @type {NodeControl} */ (element) : null;
      const here = add(ELEMENT, up.place, tag, "", attributesOf(element, control !== null));
      const node = nodes[here];
      places.set(element, here);
      const style = up.live ? getComputedStyle(element) : null;
      const rendered = up.live && own.isRendered(element, { visibilityProperty: true, opacityProperty: true });
      const shown = up.live && (control && answers.has(element) ? harness.fields.isVisible(control) : rendered);
      if (style && shown) {
        node.display = rendered ? displayOf(style) : "inline";
        if (!up.framed && PICTURES.has(tag)) node.box = boxOf(own.box(element));
        if (!up.framed && harness.pressables.isOperable(element, tag, style.cursor, up.cursor)) {
          const boxed = [element, ...(control && !isButton(tag, control) ? harness.fields.labelsOf(control) : [])];
          const box = boxed.map((each) => own.box(each)).find((each) => each.width >= 1 && each.height >= 1);
          if (box) {
            node.ref = harness.pressables.refOf(element);
            node.box = boxOf(box);
          }
        }
      }
      const isField = control !== null && answers.has(element) && Boolean(control.name);
      if (control) {
        const kind = isButton(tag, control) ? "button" : tag === "input" ? harness.fields.kindOf(control) : tag;
        const value = tag === "button" || control.type === "password" ? null : cut(control.value);
        node.control = { field: isField ? cut(control.name) : null, kind, value, states: statesOf(tag, control, active), labels: [] };
        if (node.ref || (isField && shown && !up.framed)) labelled.push({ held: node.control, control });
      } else if (tag === "option" && /** @type {HTMLOptionElement} */ (element).selected) {
        node.control = { field: null, kind: "option", value: null, states: ["selected"], labels: [] };
      } else if (element === active && tag !== "body") {
        node.control = { field: null, kind: "", value: null, states: ["focused"], labels: [] };
      }
      if (node.ref || isField) observed.push({ place: here, element });
      // The text right in a closed <details> is not there to be read, though the element is.
      const reads = style && shown && !(tag === "details" && own.attribute(element, "open") === null);
      return { place: here, live: up.live, framed: up.framed, cursor: style ? style.cursor : "",
        text: reads ? (/^(pre|break-spaces)/.test(style.whiteSpace) ? "pre" : "inline") : "" };
    };
    /**
     * @param {Step[]} stack
     * @param {Node} parent
     * @param {Above} up
     */
    const push = (stack, parent, up) => {
      const children = [];
      for (let child = own.first(parent); child; child = own.next(child)) children.push(child);
      for (let index = children.length - 1; index >= 0; index -= 1) stack.push({ node: children[index], up });
    };
    /**
     * A tree within the tree: a shadow root, a frame's document, a template's content.
     * @param {Step[]} stack
     * @param {Node} root
     * @param {Above} up
     * @param {number} type
     * @param {Partial<Above>} changes
     */
    const enter = (stack, root, up, type, changes) => {
      push(stack, root, { ...up, place: add(type, up.place), ...changes });
    };
    /** @type {Step[]} */
    const stack = [{ node: harness.document.documentElement, up: { place: -1, live: true, framed: false, cursor: "", text: "" } }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      const { node, up } = step;
      const type = own.type(node);
      if (nodes.length >= MOST_NODES) {
        if (type !== ELEMENT) { left += 1; continue; }
        const wanted = answers.has(/** @type {Element} */ (node)) && extra > 0;
        if (wanted) { extra -= 1; take(/** @type {Element} */ (node), up); } else left += 1;
        push(stack, node, up);
        continue;
      }
      if (type === TEXT || type === COMMENT) {
        add(type, up.place, cut(own.data(/** @type {CharacterData} */ (node))), type === TEXT ? up.text : "");
      }
      if (type !== ELEMENT) continue;
      const element = /** @type {Element} */ (node);
      const down = take(element, up);
      if (element instanceof HTMLTemplateElement) {
        enter(stack, own.content(element), down, FRAGMENT, { live: false, text: "" });
        continue;
      }
      push(stack, element, down);
      const shadow = own.shadow(element);
      if (shadow) enter(stack, shadow, down, FRAGMENT, {});
      if (own.tag(element) === "iframe" && element instanceof HTMLIFrameElement) {
        const framed = own.framed(element); // null where it is another origin's
        if (framed) enter(stack, framed, down, DOCUMENT, { framed: true });
      }
    }
    for (const { held, control } of labelled) {
      held.labels = harness.fields.labelsOf(control).map((label) => places.get(label)).filter((place) => place !== undefined);
    }
    const all = harness.document.scrollingElement ?? harness.document.documentElement;
    return {
      title: cut(harness.document.querySelector("title")?.textContent?.trim() ?? ""),
      view: { width: innerWidth, height: innerHeight, left: Math.round(scrollX), top: Math.round(scrollY),
        pageWidth: all.scrollWidth, pageHeight: all.scrollHeight },
      nodes, lost, left,
    };
  };

  // ---- on the wire -----------------------------------------------------------------------------------------------
  // A page has thousands of nodes: their members are written in the order of Node's in snapshot.py, without their names.
  /** @param {SnapshotView} view */
  const wireView = ({ width, height, left, top, pageWidth, pageHeight }) => [width, height, left, top, pageWidth, pageHeight];
  /** @param {Box} box */
  const wireBox = ({ left, top, width, height }) => [left, top, width, height].map(Math.round);
  /** @param {SnapshotControl} control */
  const wireControl = ({ field, kind, value, states, labels }) => [field, kind, value, states, labels];
  /** @param {Entry[]} attributes */
  const wireAttributes = (attributes) => {
    const parts = [];
    for (const { name, value } of attributes) parts.push(name, value);
    return parts;
  };
  /** @param {SnapshotNode} node */
  const wireNode = ({ type, parent, text, attributes, display, ref, box, control }) =>
    [type, parent, text, wireAttributes(attributes), display, ref, box ? wireBox(box) : 0, control ? wireControl(control) : 0];

  harness.snapshot = {
    take: () => {
      const taken = snapshot();
      return JSON.stringify({ ...taken, view: wireView(taken.view), nodes: taken.nodes.map(wireNode) });
    },
    // Controls and numbered elements of the last snapshot, for what only the debugger knows of them; and their nodes.
    elements: () => observed.map(({ element }) => element),
    places: () => observed.map(({ place }) => place),
  };
})();
