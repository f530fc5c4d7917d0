// Where to press: the control (or option) that an action names, scrolled into view, and a point that activates it.
(() => {
  "use strict";
  const describe = (element) => {
    const id = element.id ? "#" + element.id : "";
    const first = element.classList.length ? "." + element.classList[0] : "";
    return "<" + element.localName + id + first + ">";
  };

  const centre = (box) => {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth);
    const bottom = Math.min(box.bottom, innerHeight);
    return right - left >= 1 && bottom - top >= 1 ? [(left + right) / 2, (top + bottom) / 2] : null;
  };

  // A press reaches a control on itself, and inside a label unless it lands on something that takes presses itself.
  const reaches = (hit, control, labels) => {
    if (!hit) return false;
    if (hit === control || control.contains(hit)) return true;
    const label = labels.find((each) => each.contains(hit));
    if (!label) return false;
    const taker = hit.closest("a[href], button, input, select, textarea");
    return !taker || taker === control || !label.contains(taker);
  };

  // The control itself is tried first, then its labels: a label around a control whose "for" names nothing toggles it only
  // by the grace of the page's script. Sticky headers and footers cover different places, so each is tried where it is, in
  // the middle, at the top and at the end of the viewport.
  const PLACES = [null, "center", "start", "end"];
  harness.point = (control) => {
    const labels = harness.labelsOf(control);
    const bound = Array.from(control.labels ?? []);
    let cover = null;
    for (const target of [control, ...labels]) {
      const takers = target === control ? bound : labels;
      for (const place of PLACES) {
        if (place) target.scrollIntoView({ block: place, inline: "nearest", behavior: "instant" });
        for (const box of target.getClientRects()) {
          if (!place && (box.top < 0 || box.bottom > innerHeight)) continue;
          const point = centre(box);
          if (!point) continue;
          const hit = document.elementFromPoint(point[0], point[1]);
          if (reaches(hit, control, takers)) return { x: point[0], y: point[1] };
          cover ??= hit;
        }
      }
    }
    return { error: cover ? "it is covered by " + describe(cover) : "no part of it can be brought into view" };
  };

  const KIND_WORDS = { text: "text", textarea: "text", radio: "radio", checkbox: "checkbox", select: "select", range: "range" };
  // The field if an action of these kinds can work on it, else why not.
  harness.find = (name, kinds) => {
    if (harness.state.posted) return { error: "the form was already submitted" };
    const field = harness.field(name);
    if (!field) {
      const names = Array.from(harness.controlsByName().keys());
      return { error: "no field of this name is on the page now", names };
    }
    if (field.kind === "hidden") return { error: "it is a hidden field: only the page's own script writes it" };
    if (!kinds.includes(field.kind)) {
      return { error: "it is a " + KIND_WORDS[field.kind] + " field", kind: field.kind };
    }
    return { field };
  };

  const refusal = (control) => {
    if (control.matches(":disabled")) return "it is disabled";
    if (control.readOnly) return "it is read-only";
    if (!harness.isVisible(control)) return "it is not visible now (something else may have to be answered or pressed first)";
    return null;
  };

  const usable = (field) => field.controls.find((control) => !refusal(control)) ?? field.controls[0];

  // A text, select or range control: its state and the point to press.
  harness.aim = (name, kinds) => {
    const { field, ...problem } = harness.find(name, kinds);
    if (!field) return problem;
    const control = usable(field);
    const error = refusal(control);
    if (error) return { error };
    const point = harness.point(control);
    if (point.error) return point;
    const box = control.getBoundingClientRect();
    return {
      ...point, kind: field.kind, type: control.type, value: control.value, maxLength: control.maxLength,
      box: [box.left, box.top, box.width, box.height],
      min: control.min, max: control.max, step: control.step,
      rightToLeft: getComputedStyle(control).direction === "rtl",
    };
  };

  harness.options = (name) => {
    const field = harness.field(name);
    return harness.fields().find((found) => found.name === field?.name)?.options ?? [];
  };

  // A select's option by value: how far it is from the current one in key presses, since arrow keys skip what is disabled.
  harness.aimSelect = (name, value) => {
    const aim = harness.aim(name, ["select"]);
    if (aim.error) return aim;
    const control = usable(harness.field(name));
    const reachable = Array.from(control.options).filter((option) =>
      !option.disabled && !option.hidden && !option.closest("optgroup:disabled"));
    const index = reachable.findIndex((option) => option.value === value);
    if (index < 0) return { error: "no such option", options: harness.options(name), multiple: control.multiple };
    const current = reachable.indexOf(control.options[control.selectedIndex]);
    return { ...aim, index, current, size: control.size, multiple: control.multiple, chosen: harness.valuesOf("select", [control]) };
  };

  // A multiple select: the next option whose state is not as asked.
  harness.aimListOption = (name, values) => {
    const control = usable(harness.field(name));
    const wanted = new Set(values);
    const option = Array.from(control.options).find((each) => each.selected !== wanted.has(each.value));
    if (!option) return { done: true, values: harness.valuesOf("select", [control]) };
    option.scrollIntoView({ block: "nearest", behavior: "instant" });
    const point = centre(option.getBoundingClientRect());
    return point ? { x: point[0], y: point[1] } : { error: "its option cannot be brought into view" };
  };

  const pick = (controls, value) => {
    const same = controls.filter((control) => control.value === value);
    return same.find((control) => !refusal(control)) ?? same[0];
  };

  harness.aimRadio = (name, value) => {
    const { field, ...problem } = harness.find(name, ["radio"]);
    if (!field) return problem;
    const control = pick(field.controls, value);
    if (!control) return { error: "no such option", options: harness.options(name) };
    if (control.checked) return { done: true, values: [value] };
    const error = refusal(control);
    if (error) return { error: "its option: " + error };
    return harness.point(control);
  };

  // The next box whose state is not as asked: of several boxes with one value, one is meant.
  harness.aimBox = (name, values) => {
    const { field, ...problem } = harness.find(name, ["checkbox"]);
    if (!field) return problem;
    const missing = values.filter((value) => !field.controls.some((control) => control.value === value));
    if (missing.length) return { error: "no such option: " + missing.join(", "), options: harness.options(name) };
    const wanted = new Set(values.map((value) => pick(field.controls, value)));
    const control = field.controls.find((each) => each.checked !== wanted.has(each));
    if (!control) return { done: true, values: harness.valuesOf("checkbox", field.controls) };
    const error = refusal(control);
    if (error) return { error: "its option " + JSON.stringify(control.value) + ": " + error };
    return { ...harness.point(control), value: control.value, place: field.controls.indexOf(control) };
  };

  // After typing: leave the field, as a worker does who goes on, so that change and blur handlers run.
  harness.leave = () => {
    const active = document.activeElement;
    if (active && active !== document.body) active.blur();
  };
  harness.read = (name) => {
    const field = harness.field(name);
    return { values: field ? harness.valuesOf(field.kind, field.controls) : null, posted: Boolean(harness.state.posted) };
  };

  // Colour wells open a picker that no key reaches: their value is set as a script would set it, and said so.
  harness.setColour = (name, value) => {
    const control = usable(harness.field(name));
    control.value = value;
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  };

  harness.scrollTo = (name) => {
    const field = harness.field(name);
    if (!field) return { error: "no field of this name is on the page now", names: Array.from(harness.controlsByName().keys()) };
    const control = field.controls.find(harness.isVisible);
    if (!control) return { error: "it is not visible now" };
    const target = [control, ...harness.labelsOf(control)].find((each) => each.getBoundingClientRect().width > 0);
    target.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const box = target.getBoundingClientRect();
    return { box: [box.left, box.top, box.width, box.height] };
  };

  // Visible things that can be pressed and do not submit: how hidden parts of a page are brought out.
  harness.pressables = () => {
    const form = harness.answerForm();
    const submits = new Set(form ? harness.buttons(form) : []);
    const all = document.querySelectorAll("button, input[type=button], summary, [role=button], [onclick], a[href^='#'], a[href^='javascript:']");
    return Array.from(all).filter((element) =>
      !submits.has(element) && !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 0);
  };
  harness.listPressables = () => harness.pressables().map((element) => (element.innerText || element.value || describe(element)).trim().slice(0, 80));
  harness.aimPressable = (index) => {
    const element = harness.pressables()[index];
    return element ? harness.point(element) : { error: "it is gone" };
  };
})();
