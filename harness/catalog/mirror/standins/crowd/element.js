// What all elements share: parts of our own inside the element, in plain sight of the page (no shadow tree), and the
// children that the page gives it, which go into one of these parts as soon as the parser or a script adds them.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});

  // An HTML element; properties that it has are set, all else becomes an attribute, null and undefined are left out.
  crowd.make = (tag, settings = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(settings)) {
      if (value === null || value === undefined) continue;
      if (name in element) element[name] = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };

  crowd.define = (name, constructor) => { if (!customElements.get(name)) customElements.define(name, constructor); };

  // Lists and objects stand in attributes as JSON, or as JavaScript with single quotes and bare keys, as AMT's own
  // examples have it. What is neither gives `otherwise`.
  crowd.parse = (text, otherwise) => {
    if (!text) return otherwise;
    const tidy = text.replace(/"(?:\\.|[^"\\])*"|'((?:\\.|[^'\\])*)'|([A-Za-z_$][\w$]*)(?=\s*:)|,(?=\s*[\]}])/g,
      (whole, quoted, key) => (key ? JSON.stringify(key)
        : quoted !== undefined ? JSON.stringify(quoted.replace(/\\(['"])/g, "$1")) : whole === "," ? "" : whole));
    for (const candidate of [text, tidy]) {
      try { return JSON.parse(candidate); } catch { /* the next way of reading it */ }
    }
    return otherwise;
  };

  // The page's own children that stand in some part.
  const adopted = (part) => Array.from(part.querySelectorAll("[data-crowd-content]")).flatMap((place) => Array.from(place.childNodes));

  // Base class. A kind of element says in frame() what is inside it, and in place(node) where a child of the page goes
  // (null: it stays where it is).
  crowd.Element = class extends HTMLElement {
    #frame = null;

    connectedCallback() {
      if (this.#frame) return;
      // In a copy of a finished element the parts of the original stand, without their behaviour.
      for (const stale of this.querySelectorAll(":scope > [data-crowd]")) {
        stale.replaceWith(...adopted(stale));
      }
      this.#frame = crowd.make("span");
      this.prepend(this.#frame);
      this.rebuild();
      new MutationObserver(() => this.#adopt()).observe(this, { childList: true });
      this.takeEarlyProperties();
    }

    // Builds the parts anew, with the page's children in them.
    rebuild() {
      if (!this.#frame) return;
      const kept = adopted(this.#frame);
      const old = this.#frame;
      this.#frame = this.frame();
      this.#frame.setAttribute("data-crowd", "");
      old.replaceWith(this.#frame);
      this.append(...kept);
      this.#adopt();
    }

    // A script may have set properties before this file was loaded; they would hide the element's own.
    takeEarlyProperties() {
      for (const name of Object.keys(this)) {
        if (!(name in Object.getPrototypeOf(this))) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }

    #adopt() {
      if (this.#frame.parentNode !== this) { // a script has replaced the content
        for (const place of this.#frame.querySelectorAll("[data-crowd-content]")) place.replaceChildren();
        this.prepend(this.#frame);
      }
      for (const node of Array.from(this.childNodes)) {
        if (node !== this.#frame) this.place(node)?.append(node);
      }
      this.adopted();
    }

    frame() { return crowd.make("span"); }
    place() { return this.content ?? null; }
    adopted() {}
  };
  crowd.content = (tag, settings = {}) => crowd.make(tag, { ...settings, "data-crowd-content": "" });

  // Attributes that a property of the same name shows. `kinds`: name -> "flag" or "text".
  crowd.reflect = (constructor, kinds) => {
    for (const [name, kind] of Object.entries(kinds)) {
      const attribute = name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
      Object.defineProperty(constructor.prototype, name, {
        configurable: true,
        get() { return kind === "flag" ? this.hasAttribute(attribute) : this.getAttribute(attribute) ?? ""; },
        set(value) {
          if (kind === "flag") this.toggleAttribute(attribute, Boolean(value));
          else this.setAttribute(attribute, value);
        },
      });
    }
  };

  // An element around one native control, which holds its state: what the page sets goes there, what it reads comes
  // from there, and the form sends it.
  crowd.Control = class extends crowd.Element {
    // Attribute of the element -> attribute of the control.
    static passed = { name: "name", disabled: "disabled", required: "required" };
    static get observedAttributes() { return [...Object.keys(this.passed), "value", "checked", "label"]; }

    constructor() {
      super();
      this.control = this.native();
      for (const type of ["input", "change"]) this.control.addEventListener(type, () => this.changed());
      this.control.addEventListener("invalid", () => this.toggleAttribute("invalid", true));
    }

    attributeChangedCallback(name, _old, value) {
      const target = this.constructor.passed[name];
      if (!target) this.show(name, value);
      else if (value === null) this.control.removeAttribute(target);
      else this.control.setAttribute(target, value);
    }

    // The attributes that are state: the start value, which a reset brings back, and the value now.
    show(name, value) {
      if (name === "value") {
        this.control.defaultValue = value ?? "";
        this.control.value = value ?? "";
      }
    }

    changed() {
      if (this.control.checkValidity()) this.removeAttribute("invalid");
      this.dispatchEvent(new CustomEvent("value-changed", { detail: { value: this.value } }));
    }

    get value() { return this.control.value; }
    set value(value) { this.control.value = value ?? ""; }
    get form() { return this.control.form; }
    get validity() { return this.control.validity; }
    get validationMessage() { return this.control.validationMessage; }
    get invalid() { return !this.control.validity.valid; }
    checkValidity() { return this.control.checkValidity(); }
    reportValidity() { return this.control.reportValidity(); }
    validate() { return this.control.checkValidity(); }
    setCustomValidity(message) { this.control.setCustomValidity(message); }
    focus(options) { this.control.focus(options); }
    blur() { this.control.blur(); }
    click() { this.control.click(); }
  };
  crowd.reflect(crowd.Control, { name: "text", disabled: "flag", required: "flag", label: "text" });

  // A box or a dot with its words beside it: the element's content.
  crowd.Choice = class extends crowd.Control {
    frame() {
      this.content = crowd.content("span");
      return crowd.make("label", { className: this.look }, this.control, this.content);
    }

    show(name, value) {
      if (name === "value") this.control.setAttribute("value", value ?? "on");
      if (name === "checked") {
        this.control.defaultChecked = value !== null;
        this.control.checked = value !== null;
      }
    }

    get look() { return "crowd-choice"; }
    get checked() { return this.control.checked; }
    set checked(checked) { this.control.checked = Boolean(checked); }

    changed() {
      super.changed();
      this.dispatchEvent(new CustomEvent("checked-changed", { detail: { value: this.checked } }));
    }
  };

  // A label of the page that names the element by its id means the control inside.
  document.addEventListener("click", (event) => {
    const label = event.target instanceof Element ? event.target.closest("label[for]") : null;
    const named = label && document.getElementById(label.htmlFor);
    if (!(named instanceof crowd.Control) || named.contains(event.target) || event.defaultPrevented) return;
    named.focus();
    if (named instanceof crowd.Choice) named.click();
  });
})();
