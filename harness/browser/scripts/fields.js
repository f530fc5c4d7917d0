// The answer form, its controls and its fields. "Address controls by their form": a control outside it sends nothing.
(() => {
  "use strict";
  const BUTTONS = new Set(["submit", "button", "reset", "image"]);
  /**
   * @param {Element} element
   * @returns {element is Control}
   */
  harness.form.isControl = (element) =>
    (element instanceof HTMLInputElement && !BUTTONS.has(element.type)) ||
    element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

  /**
   * @param {Element} element
   * @returns {element is Submitter}
   */
  const isSubmitter = (element) => (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) &&
    (element.type === "submit" || element.type === "image");
  /** @param {HTMLFormElement} form */
  const picturesOf = (form) => /** @type {HTMLInputElement[]} */ (Array.from(
    harness.document.querySelectorAll("input[type=image]"))).filter((picture) => picture.form === form);
  harness.fields.placeNames = ({ name }) => (name ? [name + ".x", name + ".y"] : ["x", "y"]);
  // For historical reasons pictures that submit are no elements of their form.
  harness.form.submitters = (form) => {
    const pictures = picturesOf(form);
    const all = [...harness.own.elements(form), ...pictures].filter(isSubmitter);
    if (pictures.length) all.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return all;
  };

  // Buttons that are an answer by being pressed: the form sends the name and value of the one that submits it. Several
  // values of one name are a choice. Of names with one value each is one, too, unless a button is there that only submits.
  harness.form.answerButtons = (form) => {
    const all = harness.form.submitters(form);
    const named = all.filter((button) => button.type === "submit" && button.name);
    /** @param {Submitter} button */
    const isChoice = (button) => named.some(({ name, value }) => name === button.name && value !== button.value);
    const isPlain = all.some((button) => !isChoice(button) && (!named.includes(button) || harness.form.says(button)));
    const isOne = all.every(({ name, value }) => name === all[0].name && value === all[0].value);
    return named.filter((button) => isChoice(button) || !(isPlain || isOne));
  };
  // Buttons that say different things and none that it submits: a script may take for the answer which one is pressed. A
  // field without a control that can be worked is what it would write.
  const ENDS = /submit|send|save|done|finish|continue|next|confirm|ready|\bok\b/i;
  harness.form.choosing = (form) => {
    const answers = harness.form.answerButtons(form);
    const plain = harness.form.submitters(form).filter((button) =>
      button.type === "submit" && !answers.includes(button) && hasBox(button) && !button.matches(":disabled"));
    const words = plain.map((button) => harness.fields.textOf(button));
    const writes = Array.from(harness.own.elements(form)).some((each) =>
      each instanceof HTMLInputElement && each.type === "hidden" && each.name);
    return writes && new Set(words).size > 1 && !words.some((each) => ENDS.test(each)) ? plain : [];
  };
  // Whether a button says that it submits: not by its value, unless it is an input, which says "Submit" where it is given no
  // words.
  harness.form.says = (button) => /submit/i.test(button instanceof HTMLInputElement
    ? (button.type === "image" ? button.alt : button.getAttribute("value") ?? "Submit") : button.innerText);

  // Answers that are buttons come last, wherever they stand: to press one submits the form.
  harness.form.controls = (form) => [...Array.from(harness.own.elements(form)).filter(harness.form.isControl), ...harness.form.answerButtons(form)];
  /** @type {(control: Control) => control is Submitter} */
  harness.fields.isButton = isSubmitter;

  // Of several forms the answers are in the one with most named controls; the first of equals.
  harness.form.element = () => {
    let best = null;
    let most = -1;
    for (const form of harness.document.forms) {
      const count = harness.form.controls(form).filter((control) => control.name && control.type !== "hidden").length;
      if (count > most) [best, most] = [form, count];
    }
    return best;
  };
  harness.form.answers = () => {
    const form = harness.form.element();
    return form ? harness.form.controls(form) : [];
  };

  /** @param {Element} element */
  const hasBox = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  harness.fields.labelsOf = (element) => {
    const labels = Array.from(/** @type {Partial<Control>} */ (element).labels ?? []);
    const around = element.closest("label"); // broken "for" attributes are common: the enclosing label still toggles
    if (around && !labels.includes(around)) labels.push(around);
    return labels;
  };
  harness.fields.isVisible = (control) => {
    if (control.type === "hidden") return false;
    if (hasBox(control)) return true;
    const toggles = control.type === "radio" || control.type === "checkbox";
    return toggles && harness.fields.labelsOf(control).some(hasBox);
  };

  /** @type {Map<string, Kind>} */
  const KINDS = new Map([["radio", "radio"], ["checkbox", "checkbox"], ["range", "range"], ["hidden", "hidden"]]);
  // A button is chosen once it has submitted the form.
  harness.fields.isChecked = (control) => (harness.fields.isButton(control)
    ? Boolean(harness.state.posted?.some(({ name, value }) => name === control.name && value === control.value))
    : control instanceof HTMLInputElement && control.checked);

  const TYPED_AS_TEXT = "text";
  /** @param {Submitter} button */
  const isAlone = ({ form, name, value }) => !form || !harness.form.submitters(form).some((each) =>
    each.type === "submit" && each.name === name && each.value !== value);
  harness.fields.kindOf = (control) => {
    if (control instanceof HTMLSelectElement) return "select";
    if (control instanceof HTMLTextAreaElement) return "textarea";
    if (harness.fields.isButton(control)) return isAlone(control) ? "checkbox" : "radio";
    return KINDS.get(/** @type {HTMLInputElement} */ (control).type) ?? TYPED_AS_TEXT;
  };

  harness.fields.textOf = (control) => {
    if (control instanceof HTMLButtonElement) return harness.pressables.words(control.innerText, 200);
    if (harness.fields.isButton(control)) return /** @type {HTMLInputElement} */ (control).value;
    const label = harness.fields.labelsOf(control)[0];
    if (label) return label.innerText.trim().replace(/\s+/g, " ").slice(0, 200);
    const next = control.nextSibling;
    return (next?.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 200);
  };

  // Whether a person can choose an option of a list.
  harness.fields.canChoose = (option) =>
    !option.disabled && !option.closest("optgroup:disabled") && getComputedStyle(option).display !== "none" &&
    !option.closest("optgroup[hidden]");

  /**
   * @param {Kind} kind
   * @param {Control[]} controls
   * @returns {Option[]}
   */
  const optionsOf = (kind, controls) => {
    const [list] = controls;
    if (list instanceof HTMLSelectElement) {
      return Array.from(list.options, (option) => ({
        value: option.value, text: option.text.trim(), visible: harness.fields.canChoose(option),
      }));
    }
    if (kind !== "radio" && kind !== "checkbox") return [];
    return controls.map((control) => ({
      value: control.value, text: harness.fields.textOf(control), visible: harness.fields.isVisible(control),
    }));
  };

  // Controls of one name are one field. Hidden companions and a text box beside radios ("other") do not decide its kind.
  harness.fields.controlsByName = () => {
    /** @type {Map<string, Control[]>} */
    const groups = new Map();
    for (const control of harness.form.answers()) {
      if (!control.name) continue;
      const group = groups.get(control.name);
      if (group) group.push(control);
      else groups.set(control.name, [control]);
    }
    return groups;
  };
  // A text box beside boxes or radio buttons of its name, "other: which?", takes what is none of them: the field is both.
  const TYPED = ["text", "textarea"];
  /** @param {Control[]} controls */
  const hasRadio = (controls) => controls.some((control) => control.type === "radio");
  harness.fields.mainKind = (controls) => {
    const kinds = controls.map(harness.fields.kindOf);
    if (kinds.includes("checkbox")) return "checkbox";
    const first = kinds.find((kind) => kind !== "hidden") ?? "hidden";
    return TYPED.includes(first) && hasRadio(controls) ? "radio" : first;
  };
  harness.fields.named = (name) => {
    const all = harness.fields.controlsByName().get(name);
    if (!all) return null;
    const kind = harness.fields.mainKind(all);
    return { name, kind, controls: all.filter((control) => harness.fields.kindOf(control) === kind), texts: textsOf(kind, all) };
  };
  /**
   * @param {Kind} kind
   * @param {Control[]} controls
   */
  const textsOf = (kind, controls) => (kind === "checkbox" || (kind === "radio" && hasRadio(controls))
    ? controls.filter((control) => TYPED.includes(harness.fields.kindOf(control))) : []);

  harness.fields.valuesOf = (kind, controls) => {
    if (kind === "radio" || kind === "checkbox") {
      const values = controls.filter((control) => harness.fields.isChecked(control)).map((control) => control.value);
      return harness.fields.isButton(controls[0]) ? [...new Set(values)] : values;
    }
    return controls.flatMap((control) => (control instanceof HTMLSelectElement
      ? Array.from(control.selectedOptions, (option) => option.value) : control.value));
  };

  // Lowest and highest value and the step of a slider, by the rules of HTML (section "Range state"); any step goes where
  // it is 0.
  harness.fields.scaleOf = (control) => {
    /**
     * @param {string} text
     * @param {number} otherwise
     */
    const number = (text, otherwise) => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : otherwise);
    const low = number(control.min, 0);
    const step = number(control.step, 1);
    const high = Math.max(low, number(control.max, 100));
    return { low, high, step: control.step.toLowerCase() === "any" ? 0 : step > 0 ? step : 1 };
  };

  // What is told of fields is bounded, so that no page fills the memory of whoever reads it, nor the record.
  const MOST_PARTS = 100_000; // controls and options
  const MOST_CHARACTERS = 16 * 1024 * 1024; // of names and values

  /** @param {FieldRecord[]} fields */
  const bounded = (fields) => {
    let characters = 0;
    for (const { name, options, initial } of fields) {
      characters += name.length;
      for (const { value, text } of options) characters += value.length + text.length;
      for (const value of initial) characters += value.length;
    }
    if (characters > MOST_CHARACTERS) {
      throw new RangeError(`the fields have ${characters} characters, of which at most ${MOST_CHARACTERS} are read`);
    }
    return fields;
  };

  // A picture that submits sends where it was pressed, under two names.
  /**
   * @param {HTMLFormElement} form
   * @returns {FieldRecord[]}
   */
  const placesOf = (form) => {
    const names = picturesOf(form).flatMap(harness.fields.placeNames);
    const taken = harness.fields.controlsByName();
    return [...new Set(names)].filter((name) => !taken.has(name)).map((name) => written(name, harness.state.posted ?? []));
  };
  /**
   * A field that no control holds.
   * @param {string} name
   * @param {Entry[]} entries
   * @returns {FieldRecord}
   */
  const written = (name, entries) => ({
    name, kind: "hidden", type: "hidden", options: [], visible: false, disabled: false, multiple: false, scale: null, open: false,
    initial: entries.filter((entry) => entry.name === name).map((entry) => entry.value),
  });

  // Custom elements that take part in the form tell nobody but the form what they hold.
  harness.form.customs = (form) => Array.from(harness.own.elements(form)).filter((element) => harness.own.tag(element).includes("-"));
  // What the form sends beside its controls: what custom elements hold, and what listeners of the page add to its data.
  /**
   * @param {HTMLFormElement} form
   * @returns {FieldRecord[]}
   */
  const addedTo = (form) => {
    /** @type {Entry[]} */
    let entries = [];
    try { entries = harness.state.posted ?? harness.form.entries?.(form, null) ?? []; } catch { /* a listener of the page fails */ }
    const own = new Map(harness.form.customs(form).map((element) =>
      [harness.own.attribute(element, "name") ?? "", harness.own.tag(element)]));
    const taken = new Set([...harness.fields.controlsByName().keys(), ...harness.form.buttonNames(),
      ...picturesOf(form).flatMap(harness.fields.placeNames)]);
    const names = new Set([...own.keys(), ...entries.map((entry) => entry.name)].filter((name) => name && !taken.has(name)));
    return [...names].map((name) => ({ ...written(name, entries), type: own.get(name) ?? "hidden" }));
  };
  // What the form sends under these names says by which button it was sent.
  harness.form.buttonNames = () => {
    const form = harness.form.element();
    return form ? harness.form.submitters(form).map((button) => button.name).filter(Boolean) : [];
  };

  harness.fields.list = () => {
    /** @type {FieldRecord[]} */
    const found = [];
    const form = harness.form.element();
    const parts = harness.form.answers().reduce((sum, control) =>
      sum + (control instanceof HTMLSelectElement ? control.length : 1), 0);
    if (parts > MOST_PARTS) {
      throw new RangeError(`the page has ${parts} controls and options, of which at most ${MOST_PARTS} are read`);
    }
    for (const [name, all] of harness.fields.controlsByName()) {
      const kind = harness.fields.mainKind(all);
      const controls = all.filter((control) => harness.fields.kindOf(control) === kind);
      const [first] = controls;
      const type = kind === "text" || harness.fields.isButton(first) ? first.type : kind;
      const written = harness.fields.valuesOf("text", textsOf(kind, all)).filter(Boolean);
      found.push({
        name, kind, type,
        options: optionsOf(kind, controls),
        visible: controls.some(harness.fields.isVisible),
        disabled: controls.every((control) => control.matches(":disabled")),
        multiple: first instanceof HTMLSelectElement && first.multiple,
        scale: kind === "range" && first instanceof HTMLInputElement ? harness.fields.scaleOf(first) : null,
        initial: kind === "radio" && written.length ? written : [...harness.fields.valuesOf(kind, controls), ...written],
        open: textsOf(kind, all).length > 0,
      });
    }
    return bounded([...found, ...(form ? [...placesOf(form), ...addedTo(form)] : [])]);
  };
  harness.fields.options = (name) => harness.fields.list().find((found) => found.name === name)?.options ?? [];
})();
