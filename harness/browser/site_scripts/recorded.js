// Runs in the harness's own world of the pages of a site that a person is recorded on: tells what the person does, to which
// element, and by what that is known again. It hears before the page does, and the page sees nothing of it.
(() => {
  "use strict";
  if (harness.recorded) return;
  const { own, fields, marks } = harness;
  const LONGEST = { text: 200, value: 20_000 };
  const NAMED = ["id", "name", "type", "value", "href", "role", "aria-label", "placeholder", "title"];
  // What is within one of these is a part of it.
  const WHOLE = "button, a[href], summary, select, option, [onclick], [role=button], " + harness.pressables.bearing("role");
  const NO_TEXT = new Set(["checkbox", "radio", "range", "button", "submit", "reset", "image", "file", "hidden", "color"]);
  // Keys that do something to a page beside writing; those that only write or walk are told by what they bring about.
  const KEYS = new Set(["Enter", "Escape", "ArrowUp", "ArrowDown"]);

  /** @param {Element} element @returns {RecordedControl} */
  const controlOf = (element) => {
    const tag = own.tag(element);
    if (tag === "select") return "list";
    if (tag === "textarea") return "text";
    if (tag === "input") {
      const { type } = /** @type {HTMLInputElement} */ (element);
      if (type === "range" || type === "color") return "slider";
      return NO_TEXT.has(type) ? "other" : "text";
    }
    return element instanceof HTMLElement && element.isContentEditable ? "text" : "other";
  };
  /** Fields that held a password stay secret, whatever the page makes of them. @type {WeakSet<Element>} */
  const secrets = new WeakSet();
  /** @param {Element} element */
  const isSecret = (element) => {
    if (own.tag(element) === "input" && /** @type {HTMLInputElement} */ (element).type === "password") secrets.add(element);
    return secrets.has(element);
  };

  // ---- by what an element is known again --------------------------------------------------------------------------
  /** @param {string} text */
  const quoted = (text) => '"' + text.replace(/["\\\n\r\f\0]/g, (each) => "\\" + each.charCodeAt(0).toString(16) + " ") + '"';
  /**
   * By where a link leads or how it is called, which stays when other elements come before it; "" if others are called so.
   * @param {Element} element
   */
  const byAttribute = (element) => {
    for (const name of ["href", "aria-label"]) {
      const value = own.attribute(element, name);
      if (!value || value.length > LONGEST.text) continue;
      const css = CSS.escape(own.tag(element)) + "[" + name + "=" + quoted(value) + "]";
      const found = harness.document.querySelectorAll(css);
      if (found.length === 1 && found[0] === element) return css;
    }
    return "";
  };
  /** @param {Element} element @returns {RecordedMark} */
  const markOf = (element) => {
    const found = marks.selectors(element);
    const isPlaced = !found.css || found.css.includes(" > ");
    /** @type {Record<string, string>} */
    const attributes = {};
    for (const name of NAMED) {
      const value = own.attribute(element, name);
      if (value !== null && !(name === "value" && isSecret(element))) attributes[name] = value.slice(0, LONGEST.text).toWellFormed();
    }
    const type = own.tag(element) === "input" ? /** @type {HTMLInputElement} */ (element).type : "";
    const isField = ["select", "textarea"].includes(own.tag(element)) ||
      (type !== "" && !["submit", "button", "reset"].includes(type));
    const label = marks.text(element);
    return {
      css: (isPlaced && byAttribute(element)) || found.css, xpath: marks.way(element) || found.xpath, tag: own.tag(element),
      text: isField ? "" : label, label, attributes,
    };
  };

  // ---- what is told -----------------------------------------------------------------------------------------------
  /** @param {Element} element */
  const heldBy = (element) => {
    const control = controlOf(element);
    if (control === "list") {
      const list = /** @type {HTMLSelectElement} */ (element);
      return (list.selectedOptions[0]?.text ?? "").replace(/\s+/g, " ").trim();
    }
    if (control === "other") {
      const { type, checked, value } = /** @type {HTMLInputElement} */ (element);
      return type === "checkbox" || type === "radio" ? (checked ? value : "") : null;
    }
    if (own.tag(element) === "input" || own.tag(element) === "textarea") return /** @type {Control} */ (element).value;
    return /** @type {HTMLElement} */ (element).innerText;
  };
  /** Whether nothing says that an element is there to be pressed. @param {Element} element */
  const isIdle = (element) => controlOf(element) === "other" && own.tag(element) !== "input" &&
    !own.closest(element, WHOLE) && !own.closest(element, "label") && getComputedStyle(element).cursor !== "pointer";
  /** @type {Element | null} */
  let keyed = null; // where Enter was pressed and not let go yet: a form answers that with a press of its button
  /**
   * @param {RecordedEvent} event
   * @param {Element} element
   * @param {string} [key]
   */
  const tell = (event, element, key = "") => {
    const held = heldBy(element);
    harness.tell(JSON.stringify({ recorded: {
      event, key, mark: markOf(element), control: controlOf(element), secret: isSecret(element),
      value: held === null ? null : held.slice(0, LONGEST.value).toWellFormed(),
      idle: event === "click" && isIdle(element), framed: window !== window.top,
    } }));
  };
  /** @param {Event} event */
  const elementOf = (event) => {
    const { target } = event;
    return target && own.type(/** @type {Node} */ (target)) === 1 ? /** @type {Element} */ (target) : null;
  };
  /** @type {Record<string, (event: any, element: Element) => void>} */
  const HEARD = {
    click: (event, element) => {
      if (keyed && event.detail === 0 && keyed !== element && controlOf(keyed) === "text") return;
      const label = /** @type {HTMLLabelElement | null} */ (own.closest(element, "label"));
      const control = label?.control;
      // The browser presses what a label belongs to, and that is heard of, too.
      if (control && control !== element && !own.closest(element, WHOLE)) return;
      const whole = controlOf(element) === "other" ? own.closest(element, WHOLE) ?? element : element;
      if (controlOf(whole) !== "list" && own.tag(whole) !== "option" && controlOf(whole) !== "slider") tell("click", whole);
    },
    input: (_, element) => { if (["text", "slider"].includes(controlOf(element))) tell("input", element); },
    change: (_, element) => { if (controlOf(element) === "list") tell("change", element); },
    keydown: (event, element) => {
      const control = controlOf(element);
      keyed = event.key === "Enter" ? element : null;
      if (!KEYS.has(event.key) || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const isLine = control === "text" && own.tag(element) === "input";
      const isWidget = isLine || (control === "other" && element !== document.body && !own.matches(element, WHOLE) &&
        own.tag(element) !== "input");
      if (event.key === "Escape" || isWidget) tell("key", element, event.key);
    },
    keyup: (event) => { if (event.key === "Enter") keyed = null; },
  };
  for (const [type, hear] of Object.entries(HEARD)) {
    window.addEventListener(type, (event) => {
      const element = event.isTrusted ? elementOf(event) : null;
      if (element) hear(event, element);
    }, { capture: true, passive: true });
  }

  harness.recorded = {
    at: (x, y) => {
      const found = own.elementAt(document, x, y);
      if (!found) return null;
      const element = own.closest(found, WHOLE) ?? found;
      const list = own.tag(element) === "select" ? /** @type {HTMLSelectElement} */ (element) : null;
      const isOpen = list && (list.multiple || list.size > 1);
      const able = list && !isOpen && !own.matches(list, ":disabled") ? Array.from(list.options) : [];
      return {
        mark: markOf(element),
        options: able.filter(fields.canChoose).slice(0, 500).map((each) => harness.pressables.words(each.text, 200)),
      };
    },
  };
})();
