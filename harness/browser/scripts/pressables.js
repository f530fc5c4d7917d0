// What can be pressed: what an element shows that it takes presses by, what it is called, where it is pressed, and the
// numbers by which elements are known.
//
// There is one notion, the signs below, and three who ask, each with a filter of its own:
//   - An observation (isOperable) numbers all that a model may work by number: fields and whatever submits, too.
//   - buttons() are for solvers that fill in fields by their names and only bring out what is hidden: no field, nothing that
//     submits, and nothing that merely may take presses, which would make every listed card of a page a button.
//   - The oracle (oracle/scripts) searches: everything that may do something, however faint the sign, but for fields, and
//     for what submits unless it says that it leads on.
(() => {
  "use strict";
  const { own } = harness;

  // ---- signs -----------------------------------------------------------------------------------------------------
  const SIGNS = {
    button: "button, input[type=button]",
    picture: "input[type=image]",
    here: "a[href^='#'], a[href^='javascript:']", // a link to nowhere else
    plain: "summary, [onclick], [role=button]",
    role: "[role=tab], [role=option], [role=radio], [role=checkbox], [role=switch], [role=menuitem], [role=treeitem]," +
      "[role=link]",
    reacts: "[aria-expanded], [data-toggle], [data-bs-toggle], [tabindex]:not([tabindex='-1'])",
    written: "[contenteditable]:not([contenteditable=false]), [role=slider], [role=combobox], [role=textbox]",
    area: "area",
  };
  harness.pressables.bearing = (...signs) => signs.map((sign) => SIGNS[sign]).join(", ");

  // Two signs are no markup. Elements that the page listens on are found by the debugger, since no script can ask for them;
  // and of those that show a hand the outermost counts, since the style is inherited.
  /** @type {Set<Node>} */
  let listeners = new Set();
  harness.pressables.listen = (...found) => { listeners = new Set(found); };
  harness.pressables.listening = () => listeners;
  harness.pressables.showsHand = (cursor, above) => cursor === "pointer" && above !== "pointer";

  // Not pressed for its own sake, whatever sign it bears: a link that leads to another page, which no form's page has. On
  // websites (elements.js) links are followed.
  harness.pressables.followed = false;
  harness.pressables.leadsAway = (link) => !/^\s*(#|javascript:|$)/i.test(own.attribute(link, "href") ?? "#");

  // ---- what an observation numbers -------------------------------------------------------------------------------
  const CONTROLS = new Set(["input", "select", "textarea", "button"]);
  const WHOLE = new Set(["html", "body", "form", "iframe", "option", "script", "style"]);
  const OPERABLE = harness.pressables.bearing("plain", "role", "reacts", "written", "area");
  // What listens around controls or for all of its parts is no button.
  const HELD = "input, select, textarea, button, a, [onclick], p, table, ul, ol";
  harness.pressables.isOperable = (element, tag, cursor, above) => {
    if (WHOLE.has(tag)) return false;
    if (CONTROLS.has(tag)) return !own.matches(element, ":disabled");
    if (tag === "a" && own.attribute(element, "href") !== null) return harness.pressables.followed || !harness.pressables.leadsAway(element);
    const isMarked = own.matches(element, OPERABLE) || harness.pressables.showsHand(cursor, above);
    if (!isMarked && !(listeners.has(element) && !own.find(element, HELD))) return false;
    // A label works its control, and what is in a button that button: they have numbers of their own.
    const around = own.closest(element, "label, button");
    return !around || (own.tag(around) === "label" && !(/** @type {HTMLLabelElement} */ (around)).control &&
      !own.find(around, "input, select, textarea"));
  };

  // ---- what it is called -----------------------------------------------------------------------------------------
  harness.pressables.words = (text, length) => text.trim().replace(/\s+/g, " ").slice(0, length);
  harness.pressables.describe = (element) => {
    const { innerText, value, alt, title } = /** @type {HTMLInputElement} */ (element);
    return {
      tag: own.tag(element), id: own.attribute(element, "id") ?? "", classes: own.attribute(element, "class") ?? "",
      text: String(innerText || value || ""), alt: String(alt || ""),
      hint: String(title || own.attribute(element, "aria-label") || ""),
    };
  };
  // As in a style sheet: what an element is known by that says nothing.
  harness.pressables.selectorOf = (element) => {
    const id = own.attribute(element, "id");
    const first = own.attribute(element, "class")?.trim().split(/\s+/)[0];
    return "<" + own.tag(element) + (id ? "#" + id : "") + (first ? "." + first : "") + ">";
  };

  // ---- numbers ---------------------------------------------------------------------------------------------------
  // An element keeps its number as long as the page is open. Observations count 1, 2, ... in page order, and nothing else
  // does: recorded actions name these numbers, and a replay repeats observations but no other look. What another look tells
  // of first is counted -1, -2, ...; that number stays good when an observation gives the element one of its own.
  /** @type {WeakMap<Element, number>} */
  const numbers = new WeakMap();
  /** @type {Map<number, Element>} */
  const elements = new Map();
  const last = { shown: 0, told: 0 };
  /**
   * @param {Element} element
   * @param {number} number
   */
  const enter = (element, number) => {
    numbers.set(element, number);
    elements.set(number, element);
    return number;
  };
  harness.pressables.refOf = (element) => {
    const number = numbers.get(element) ?? 0;
    return number > 0 ? number : enter(element, last.shown += 1);
  };
  harness.pressables.numberOf = (element) => numbers.get(element) ?? enter(element, last.told -= 1);
  harness.pressables.element = (number) => elements.get(number);

  // ---- where it is pressed ---------------------------------------------------------------------------------------
  // A look must leave the page where it stands: what scrolls it is an action, and is to be found in the trajectory. So how
  // far it has to be scrolled for what was measured is told.
  harness.pressables.measure = (number, measure) => {
    const element = elements.get(number);
    if (!element || !own.isConnected(element)) return { code: "element_gone", error: "it is gone" };
    const [left, top] = [scrollX, scrollY];
    const found = measure(element);
    const [dx, dy] = [scrollX - left, scrollY - top];
    window.scrollTo({ left, top, behavior: "instant" });
    return { ...found, dx, dy };
  };
  harness.pressables.locate = (number) => harness.pressables.measure(number, (element) => harness.pressables.point(element));

  // Document.elementFromPoint sees no further than the host of a shadow tree.
  /**
   * @param {ShadowRoot} root
   * @param {Element} element
   * @returns {Point | Problem}
   */
  const shadowPoint = (root, element) => {
    own.scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
    const box = own.box(element);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = root.elementFromPoint(x, y);
    const isHit = hit && (hit === element || element.contains(hit));
    return isHit ? { x, y } : { code: "covered", error: "it is covered or out of sight" };
  };
  /** @type {Record<string, Problem>} */
  const POPPED = {
    select: { code: "another_kind", error: "it is a drop-down list: use modify_select" },
    file: { code: "takes_file", error: "it takes a file, which no action gives it" },
    color: { code: "another_kind", error: "it is a colour well: use modify_text" },
  };
  // The point to press, scrolled into view.
  harness.pressables.aim = (number) => {
    if (harness.state.posted) return { code: "already_submitted", error: "the form was already submitted" };
    const element = elements.get(number);
    if (!element) {
      return { code: "no_such_element", error: "no observation of this page has shown an element of that number" };
    }
    if (!own.isConnected(element)) return { code: "element_gone", error: "it is no longer on the page; look again" };
    if (own.matches(element, ":disabled")) return { code: "disabled", error: "it is disabled" };
    const refused = POPPED[own.tag(element)] ??
      (own.tag(element) === "input" ? POPPED[/** @type {HTMLInputElement} */ (element).type] : undefined);
    if (refused) return refused;
    // What it says is recorded as it always was: by no picture's text.
    const { tag, text, hint } = harness.pressables.describe(element);
    const words = harness.pressables.words(text || hint, 60);
    return { ...harness.pressables.point(element), what: "<" + tag + ">" + (words ? " " + JSON.stringify(words) : "") };
  };
  harness.pressables.point = (element) => {
    const root = own.root(element);
    return root instanceof ShadowRoot ? shadowPoint(root, element) : harness.aim.point(element);
  };

  // ---- buttons ---------------------------------------------------------------------------------------------------
  const BUTTONS = harness.pressables.bearing("button", "here", "plain");
  const NO_BUTTONS = "form, body, input:not([type=button]), select, textarea, option";
  /**
   * @param {Element} host
   * @param {string} selector
   * @returns {Element[]}
   */
  const inside = (host, selector) => {
    const root = own.shadow(host);
    if (!root) return [];
    return [...root.querySelectorAll(selector), ...Array.from(root.querySelectorAll("*")).flatMap((each) => inside(each, selector))];
  };
  harness.pressables.all = (selector) => {
    const form = harness.form.element();
    const customs = form ? harness.form.customs(form) : [];
    return [...harness.document.querySelectorAll(selector), ...customs.flatMap((each) => inside(each, selector))];
  };
  // Visible things that can be pressed and do not submit, in page order: how hidden parts of a page are brought out.
  harness.pressables.buttons = () => {
    const form = harness.form.element();
    /** @type {Set<Element>} */
    const submits = new Set(form ? harness.form.submitters(form) : []);
    return harness.pressables.all(BUTTONS).filter((element) =>
      !submits.has(element) && !own.matches(element, NO_BUTTONS) && !own.matches(element, ":disabled") &&
      own.isRendered(element, { visibilityProperty: true }) && own.box(element).width > 0).map((element) => ({
      number: harness.pressables.numberOf(element),
      text: (harness.pressables.describe(element).text || harness.pressables.selectorOf(element)).trim().slice(0, 80),
    }));
  };
})();
