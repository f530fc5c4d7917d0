// Elements by the numbers that an observation gives them, for actions on websites: there nothing is known by a field's name.
(() => {
  "use strict";
  const { own } = harness;
  // A website is walked through: its links are followed.
  harness.pressables.followed = true;

  /** @param {Element | undefined} element */
  const controlOf = (element) => (element instanceof HTMLInputElement || element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement ? element : null);
  // By its number a control is a field of its own, "[7]", so that what aims at fields aims at it, too.
  const byName = harness.fields.named;
  const NUMBERED = /^\[(\d+)\]$/;
  harness.fields.named = (name) => {
    const number = NUMBERED.exec(name)?.[1];
    if (number === undefined) return byName(name);
    const control = controlOf(harness.pressables.element(Number(number)));
    return control && { name, kind: harness.fields.kindOf(control), controls: [control], texts: [] };
  };

  // Its tag, and what a person knows it by: a control by its label.
  /** @param {Element} element */
  const called = (element) => {
    const words = harness.pressables.words(harness.marks.text(element), 60);
    return "<" + own.tag(element) + ">" + (words ? " " + JSON.stringify(words) : "");
  };

  // ---- what can be done to an element -----------------------------------------------------------------------------
  const NO_TEXT = new Set(["checkbox", "radio", "range", "button", "submit", "reset", "image", "file", "hidden"]);
  /** @param {Element} element */
  const isEditable = (element) => element instanceof HTMLElement && element.isContentEditable;
  /** @param {Element} element */
  const isWritten = (element) => (element instanceof HTMLInputElement && !NO_TEXT.has(element.type)) ||
    element instanceof HTMLTextAreaElement || isEditable(element);
  /**
   * @param {ErrorCode} code
   * @param {string} error
   * @returns {Problem}
   */
  const problem = (code, error) => ({ code, error });
  /**
   * Which action is meant for an element instead.
   * @param {Element} element
   */
  const rather = (element) => {
    if (own.tag(element) === "select") return "use select_option";
    return isWritten(element) || /** @type {HTMLInputElement} */ (element).type === "range" ? "use fill" : "use click_element";
  };
  /**
   * @param {Element} element
   * @param {Use} use
   * @returns {Problem | null}
   */
  const refusal = (element, use) => {
    const control = controlOf(element);
    if (use !== "hover" && own.matches(element, ":disabled")) return problem("disabled", "it is disabled");
    if (control?.type === "file" && use !== "hover") return problem("takes_file", "it takes a file, which no action gives it");
    if (use === "press" && control instanceof HTMLSelectElement && !control.multiple && control.size < 2) {
      return problem("another_kind", "it is a drop-down list: use select_option");
    }
    if (use === "press" && control?.type === "color") return problem("another_kind", "it is a colour well: use fill");
    if (use === "write" && !isWritten(element)) {
      return problem("another_kind", "no text can be written into it: " + rather(element));
    }
    if (use === "write" && control && !(control instanceof HTMLSelectElement) && control.readOnly) {
      return problem("read_only", "it is read-only");
    }
    if (use === "slide" && control?.type !== "range") return problem("another_kind", "it is no slider: " + rather(element));
    if (use === "choose" && !(control instanceof HTMLSelectElement)) {
      return problem("another_kind", "it is no drop-down list: " + rather(element));
    }
    return null;
  };
  /**
   * @param {number} number
   * @param {Use} use
   * @returns {{ element: Element } | Problem}
   */
  const find = (number, use) => {
    const element = harness.pressables.element(number);
    if (!element) {
      return problem("no_such_element", "no observation of this page has shown an element of that number; look at it first");
    }
    if (!own.isConnected(element)) return problem("element_gone", "it is no longer on the page; look again");
    return refusal(element, use) ?? { element };
  };

  harness.elements = {
    aim: (number, use) => {
      const found = find(number, use);
      if (!("element" in found)) return found;
      return { ...harness.pressables.point(found.element), what: called(found.element) };
    },
    text: (number) => {
      const found = find(number, "write");
      if (!("element" in found)) {
        const control = controlOf(harness.pressables.element(number));
        return control?.type === "range" && !control.matches(":disabled") ? { ...sliderText(number, control) } : found;
      }
      const what = called(found.element);
      const control = controlOf(found.element);
      if (control) return { ...harness.aim.text("[" + number + "]"), what };
      const value = /** @type {HTMLElement} */ (found.element).innerText;
      return { ...harness.pressables.point(found.element), what, type: "editable", value, maxLength: -1, step: "" };
    },
    value: (number) => {
      const element = harness.pressables.element(number);
      if (!element || !own.isConnected(element)) return null;
      return controlOf(element)?.value ?? /** @type {HTMLElement} */ (element).innerText;
    },
    attribute: (number, name) => {
      for (let each = harness.pressables.element(number) ?? null; each; each = own.parent(each)) {
        const value = own.attribute(each, name);
        if (value !== null) return value;
      }
      return null;
    },
    selectAll: (number) => {
      const element = harness.pressables.element(number);
      const control = element && controlOf(element);
      if (control && !(control instanceof HTMLSelectElement)) control.select();
      else if (element) getSelection()?.selectAllChildren(element);
    },
    options: (number) => {
      const found = find(number, "choose");
      if (!("element" in found)) return found;
      const list = /** @type {HTMLSelectElement} */ (found.element);
      const options = Array.from(list.options, (option) => ({
        value: option.value, text: harness.pressables.words(option.text, 200), visible: harness.fields.canChoose(option),
      }));
      return { what: called(list), options, chosen: harness.fields.valuesOf("select", [list]),
        multiple: list.multiple };
    },
    found: async (css, patience) => {
      const all = () => {
        try {
          return Array.from(harness.document.querySelectorAll(css));
        } catch {
          return []; // it is no selector
        }
      };
      /** @param {Element} element */
      const isShown = (element) => own.isRendered(element, { visibilityProperty: true }) ||
        (controlOf(element) && harness.fields.labelsOf(element).some((label) => own.isRendered(label, {})));
      const start = performance.now();
      let elements = all();
      while (!elements.some(isShown) && performance.now() - start < patience) {
        await new Promise((resume) => setTimeout(resume, 20));
        elements = all();
      }
      const target = elements.find(isShown);
      const place = target ?? elements[0] ? harness.moments.place(target ?? elements[0]) : [];
      if (!target) return { number: 0, count: elements.length, place };
      for (let each = /** @type {Element | null} */ (target); each; each = own.parent(each)) {
        const number = harness.pressables.numberOf(each);
        if (number > 0) return { number, count: elements.length, place };
      }
      return { number: 0, count: elements.length, place };
    },
  };

  /**
   * A slider, as what takes a number.
   * @param {number} number
   * @param {Control} control
   */
  const sliderText = (number, control) => {
    const aim = harness.aim.slider("[" + number + "]", 0);
    const what = called(control);
    return "error" in aim ? { ...aim, what } : { x: aim.x, y: aim.y, what, type: "range", value: control.value, maxLength: -1, step: "" };
  };
})();
