// The answer form, its controls and its fields. "Address controls by their form": a control outside it sends nothing.
(() => {
  "use strict";
  const BUTTONS = new Set(["submit", "button", "reset", "image"]);
  const isControl = (element) =>
    (element instanceof HTMLInputElement && !BUTTONS.has(element.type)) ||
    element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

  harness.controls = (form) => Array.from(harness.own.elements(form)).filter(isControl);
  harness.buttons = (form) => Array.from(harness.own.elements(form)).filter((element) =>
    (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) &&
    (element.type === "submit" || element.type === "image"));

  // Of several forms the answers are in the one with most named controls; the first of equals.
  harness.answerForm = () => {
    let best = null;
    let most = -1;
    for (const form of harness.document.forms) {
      const count = harness.controls(form).filter((control) => control.name && control.type !== "hidden").length;
      if (count > most) [best, most] = [form, count];
    }
    return best;
  };

  const hasBox = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  harness.labelsOf = (control) => {
    const labels = Array.from(control.labels ?? []);
    const around = control.closest("label"); // broken "for" attributes are common: the enclosing label still toggles
    if (around && !labels.includes(around)) labels.push(around);
    return labels;
  };
  harness.isVisible = (control) => {
    if (control.type === "hidden") return false;
    if (hasBox(control)) return true;
    const toggles = control.type === "radio" || control.type === "checkbox";
    return toggles && harness.labelsOf(control).some(hasBox);
  };

  const TYPED_AS_TEXT = "text";
  harness.kindOf = (control) => {
    if (control instanceof HTMLSelectElement) return "select";
    if (control instanceof HTMLTextAreaElement) return "textarea";
    return ["radio", "checkbox", "range", "hidden"].includes(control.type) ? control.type : TYPED_AS_TEXT;
  };

  harness.textOf = (control) => {
    const label = harness.labelsOf(control)[0];
    if (label) return label.innerText.trim().replace(/\s+/g, " ").slice(0, 200);
    const next = control.nextSibling;
    return (next?.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 200);
  };

  // Whether a person can choose an option of a list.
  harness.canChoose = (option) =>
    !option.disabled && !option.closest("optgroup:disabled") && getComputedStyle(option).display !== "none" &&
    !option.closest("optgroup[hidden]");

  const optionsOf = (kind, controls) => {
    if (kind === "select") {
      return Array.from(controls[0].options, (option) => ({
        value: option.value, text: option.text.trim(), visible: harness.canChoose(option),
      }));
    }
    if (kind !== "radio" && kind !== "checkbox") return [];
    return controls.map((control) => ({
      value: control.value, text: harness.textOf(control), visible: harness.isVisible(control),
    }));
  };

  // Controls of one name are one field. Hidden companions and a text box beside radios ("other") do not decide its kind.
  harness.controlsByName = () => {
    const groups = new Map();
    const form = harness.answerForm();
    for (const control of form ? harness.controls(form) : []) {
      if (!control.name) continue;
      if (!groups.has(control.name)) groups.set(control.name, []);
      groups.get(control.name).push(control);
    }
    return groups;
  };
  harness.mainKind = (controls) => {
    const kinds = controls.map(harness.kindOf);
    return kinds.find((kind) => kind !== "hidden") ?? "hidden";
  };
  harness.field = (name) => {
    const all = harness.controlsByName().get(name);
    if (!all) return null;
    const kind = harness.mainKind(all);
    return { name, kind, controls: all.filter((control) => harness.kindOf(control) === kind) };
  };

  harness.valuesOf = (kind, controls) => {
    if (kind === "radio" || kind === "checkbox") return controls.filter((c) => c.checked).map((c) => c.value);
    if (kind === "select") return controls.flatMap((c) => Array.from(c.selectedOptions, (option) => option.value));
    return controls.map((control) => control.value);
  };

  // Lowest and highest value and the step of a slider, by the rules of HTML (section "Range state"); any step goes where
  // it is 0.
  harness.scaleOf = (control) => {
    const number = (text, otherwise) => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : otherwise);
    const low = number(control.min, 0);
    const step = number(control.step, 1);
    return [low, Math.max(low, number(control.max, 100)), control.step.toLowerCase() === "any" ? 0 : step > 0 ? step : 1];
  };

  harness.fields = () => {
    const found = [];
    for (const [name, all] of harness.controlsByName()) {
      const kind = harness.mainKind(all);
      const controls = all.filter((control) => harness.kindOf(control) === kind);
      const type = kind === "text" ? controls[0].type : kind;
      found.push({
        name, kind, type,
        options: optionsOf(kind, controls),
        visible: controls.some(harness.isVisible),
        disabled: controls.every((control) => control.matches(":disabled")),
        multiple: kind === "select" && controls[0].multiple,
        scale: kind === "range" ? harness.scaleOf(controls[0]) : null,
        initial: harness.valuesOf(kind, controls),
      });
    }
    return found;
  };
})();
