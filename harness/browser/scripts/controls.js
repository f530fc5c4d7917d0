// Where to press: the control (or option) that an action names, scrolled into view, and a point that activates it.
(() => {
  "use strict";
  const describe = (element) => {
    const id = harness.own.attribute(element, "id");
    const first = harness.own.attribute(element, "class")?.trim().split(/\s+/)[0];
    return "<" + element.localName + (id ? "#" + id : "") + (first ? "." + first : "") + ">";
  };
  const names = () => Array.from(harness.controlsByName().keys());
  const absent = () => ({ code: "no_such_field", error: "no field of this name is on the page now", names: names() });

  const outOfView = () => ({ code: "out_of_view", error: "no part of it can be brought into view" });

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

  // The middle of what a label shows to the right of its control, else to the left of it.
  const besideOf = (box, control) => {
    const own = control.getBoundingClientRect();
    const right = Math.max(own.right, box.left);
    if (box.right - right >= 4) return centre(new DOMRect(right, box.top, box.right - right, box.height));
    const left = Math.min(own.left, box.right);
    return left - box.left >= 4 ? centre(new DOMRect(box.left, box.top, left - box.left, box.height)) : null;
  };

  // The control itself is tried first, then its labels: a label around a control whose "for" names nothing toggles it only
  // by the grace of the page's script. Sticky headers and footers cover different places, so each is tried where it is, in
  // the middle, at the top and at the end of the viewport.
  const PLACES = [null, "center", "start", "end"];
  // With "beside" the text of its labels is pressed and not the control: pages undo presses of the one and take the other.
  harness.point = (control, beside = false) => {
    const labels = harness.labelsOf(control);
    const bound = Array.from(control.labels ?? []);
    let cover = null;
    for (const target of beside ? labels : [control, ...labels]) {
      const takers = target === control ? bound : labels;
      for (const place of PLACES) {
        if (place) target.scrollIntoView({ block: place, inline: "nearest", behavior: "instant" });
        for (const box of target.getClientRects()) {
          if (!place && (box.top < 0 || box.bottom > innerHeight)) continue;
          const point = beside ? besideOf(box, control) : centre(box);
          if (!point) continue;
          const hit = harness.document.elementFromPoint(point[0], point[1]);
          if (reaches(hit, control, takers)) return { x: point[0], y: point[1] };
          cover ??= hit;
        }
      }
    }
    return cover ? { code: "covered", error: "it is covered by " + describe(cover) } : outOfView();
  };

  const KIND_WORDS = { text: "text", textarea: "text", radio: "radio", checkbox: "checkbox", select: "select", range: "range" };
  // The field if an action of these kinds can work on it, else why not.
  harness.find = (name, kinds) => {
    if (harness.state.posted) return { code: "already_submitted", error: "the form was already submitted", posted: true };
    const field = harness.field(name);
    if (!field) return absent();
    if (field.kind === "hidden") {
      return { code: "hidden_field", error: "it is a hidden field: only the page's own script writes it" };
    }
    if (!kinds.includes(field.kind)) {
      return { code: "another_kind", error: "it is a " + KIND_WORDS[field.kind] + " field", kind: field.kind };
    }
    return { field };
  };

  // Where "readonly" has a meaning; browsers let boxes and sliders with it be worked.
  const WRITTEN = new Set(["text", "textarea"]);
  const refusal = (control) => {
    if (control.matches(":disabled")) return { code: "disabled", error: "it is disabled" };
    if (control.type === "file") return { code: "takes_file", error: "it takes a file, which no action gives it" };
    if (WRITTEN.has(harness.kindOf(control)) && control.readOnly) return { code: "read_only", error: "it is read-only" };
    if (!harness.isVisible(control)) {
      const why = " (something else may have to be answered or pressed first)";
      return { code: "not_visible", error: "it is not visible now" + why };
    }
    return null;
  };
  // The same of one option: that it is disabled says nothing of the others.
  const optionRefusal = (control) => {
    const refused = refusal(control);
    return refused && { code: refused.code === "disabled" ? "option_disabled" : refused.code,
      error: "its option " + JSON.stringify(control.value) + ": " + refused.error };
  };

  const usable = (field) => field.controls.find((control) => !refusal(control)) ?? field.controls[0];
  // Of several controls with one name, the one that is being changed: it is what is read back.
  let aimed = null;

  // A text, select or range control: its state and the point to press.
  harness.aim = (name, kinds) => {
    const { field, ...problem } = harness.find(name, kinds);
    if (!field) return problem;
    const control = usable(field);
    const refused = refusal(control);
    if (refused) return refused;
    const point = harness.point(control);
    if (point.error) return point;
    aimed = control;
    return { ...point, type: control.type, value: control.value, maxLength: control.maxLength ?? -1, step: control.step ?? "" };
  };

  // A slider: its scale, and the point of its track where a value lies, as far as it can be pressed there.
  const THUMB = 16; // pixels; the thumb's middle cannot reach the ends of the track
  harness.aimSlider = (name, value) => {
    const aim = harness.aim(name, ["range"]);
    if (aim.error) return aim;
    const [low, high, step] = harness.scaleOf(aimed);
    const style = getComputedStyle(aimed);
    const upright = style.writingMode !== "horizontal-tb";
    const mirrored = style.direction === "rtl";
    const box = aimed.getBoundingClientRect();
    const share = high > low ? (value - low) / (high - low) : 0;
    const along = (length) => THUMB / 2 + (mirrored ? 1 - share : share) * (length - THUMB);
    const x = upright ? aim.x : box.left + along(box.width);
    const y = upright ? box.top + along(box.height) : aim.y;
    const point = harness.document.elementFromPoint(x, y) === aimed ? { x, y } : {};
    // The browser itself rounds a value to the nearest that the slider can have; a copy tells without the page's noticing.
    const copy = aimed.cloneNode();
    copy.value = String(value);
    return { ...aim, ...point, scale: [low, high, step], nearest: Number(copy.value), upwards: !upright || mirrored };
  };

  harness.options = (name) => harness.fields().find((found) => found.name === name)?.options ?? [];

  // Lists that were there when the page's listeners for the mouse were looked up, and the elements that have some.
  const TOLD = 400; // at most; there may be more then
  let looked = new WeakSet();
  let hearing = new Set();
  harness.hearing = (...found) => {
    hearing = new Set(found);
    looked = new WeakSet(harness.document.querySelectorAll("select"));
  };
  // Whether a press of a list is something to the page: it listens on the list or on what holds it, the whole page apart.
  const isHeard = (list) => {
    if (hearing.size >= TOLD) return true;
    for (let element = list; element && element !== harness.document.body; element = harness.own.parent(element)) {
      if (hearing.has(element)) return true;
    }
    return harness.labelsOf(list).some((label) => hearing.has(label));
  };

  // The one key that chooses an option of a closed list, empty if there is none: the next or the last before, the first, the
  // last, or the next whose text begins with a character.
  const TYPED = /^[a-z0-9]$/;
  const keyTo = (list, option, reachable, presses) => {
    if (presses === 1) return "ArrowDown";
    if (presses === -1) return "ArrowUp";
    if (option === reachable[0]) return "Home";
    if (option === reachable.at(-1)) return "End";
    const first = (each) => each.label.trimStart().charAt(0).toLowerCase();
    const character = first(option);
    if (!TYPED.test(character)) return "";
    const options = Array.from(list.options);
    const after = [...options.slice(list.selectedIndex + 1), ...options.slice(0, list.selectedIndex + 1)];
    return after.find((each) => !each.disabled && first(each) === character) === option ? character : "";
  };

  // A list: how many arrow keys down (or, below zero, up) its first wanted option is, since arrow keys skip what cannot be
  // chosen; and the key that chooses it at once without opening the list, for which the list gets the focus. Opening one
  // takes the browser longer than all the rest. No key is given where the page may wait for a press; "unheard" says that
  // this is not known yet.
  harness.aimSelect = (name, values) => {
    const aim = harness.aim(name, ["select"]);
    if (aim.error) return aim;
    const reachable = Array.from(aimed.options).filter(harness.canChoose);
    const unknown = values.find((value) => !reachable.some((option) => option.value === value));
    if (unknown !== undefined) {
      const error = "no option " + JSON.stringify(unknown) + " can be chosen";
      return { code: "no_such_option", error, options: harness.options(name) };
    }
    const index = reachable.findIndex((option) => option.value === values[0]);
    const before = reachable.filter((option) => option.index < aimed.selectedIndex).length;
    const onOne = reachable.some((option) => option.index === aimed.selectedIndex);
    const presses = index - before + (!onOne && index >= before ? 1 : 0);
    const listed = aimed.multiple || aimed.size > 1;
    const chosen = harness.valuesOf("select", [aimed]);
    let key = "";
    if (!listed && values.length === 1 && chosen[0] !== values[0]) key = keyTo(aimed, reachable[index], reachable, presses);
    const unheard = Boolean(key) && !looked.has(aimed);
    if (key && !unheard) {
      if (isHeard(aimed)) key = "";
      else aimed.focus({ preventScroll: true });
    }
    return { ...aim, presses, listed, multiple: aimed.multiple, chosen, key, unheard };
  };

  // A list that shows its options: the next one to be pressed. After a press the browser scrolls the list by itself, a moment
  // later, to what it thinks is of interest: a point is good only once that is over.
  harness.aimListOption = async (values) => {
    await harness.frame();
    const wanted = new Set(values);
    const place = Array.prototype.findIndex.call(aimed.options, (option) => harness.canChoose(option) && (aimed.multiple
      ? option.selected !== wanted.has(option.value) : !option.selected && option.value === values[0]));
    const holds = harness.valuesOf("select", [aimed]);
    if (place < 0 || (!aimed.multiple && holds[0] === values[0])) return { done: true };
    const option = aimed.options[place];
    option.scrollIntoView({ block: "nearest", behavior: "instant" });
    await harness.frame();
    const point = centre(option.getBoundingClientRect());
    return point ? { x: point[0], y: point[1], place } : { code: "out_of_view", error: "its option cannot be brought into view" };
  };

  // Of several controls with one value (an example beside the question), the next attempt takes another than the last.
  const tried = new WeakMap();
  let picked = null;
  const pick = (controls, value, again = false) => {
    const same = controls.filter((control) => control.value === value);
    if (again && same.includes(picked)) return picked;
    const usable = same.filter((control) => !refusal(control));
    const times = (control) => tried.get(control) ?? 0;
    const found = usable.reduce((best, control) => (times(control) < times(best) ? control : best), usable[0]) ?? same[0];
    if (found) tried.set(found, times(found) + 1);
    picked = found;
    return found;
  };

  harness.aimRadio = (name, value, beside = false) => {
    const { field, ...problem } = harness.find(name, ["radio"]);
    if (!field) return problem;
    const control = pick(field.controls, value, beside);
    if (!control) return { code: "no_such_option", error: "no such option", options: harness.options(name) };
    if (field.controls.some((each) => each.checked && each.value === value)) return { done: true };
    const refused = optionRefusal(control);
    if (refused) return refused;
    return harness.point(control, beside);
  };

  // The next box to be pressed: first those that are ticked and shall not be, since a page can limit their number. Of several
  // boxes with one value one is enough; a disabled one sends nothing and can stay as it is.
  harness.aimBox = async (name, values, beside = false) => {
    await harness.posted(); // the press before may have submitted the form
    const { field, ...problem } = harness.find(name, ["checkbox"]);
    if (!field) return problem;
    const missing = values.filter((value) => !field.controls.some((control) => control.value === value));
    if (missing.length) {
      return { code: "no_such_option", error: "no such option: " + missing.join(", "), options: harness.options(name) };
    }
    const ticked = field.controls.filter((control) => control.checked && !control.matches(":disabled"));
    const surplus = ticked.find((control) => !values.includes(control.value));
    const lacking = values.find((value) => !ticked.some((control) => control.value === value));
    if (!surplus && lacking === undefined) return { done: true, values: ticked.map((control) => control.value) };
    const control = surplus ?? pick(field.controls, lacking, beside);
    const refused = optionRefusal(control);
    if (refused) return refused;
    return { ...harness.point(control, beside), value: control.value, place: field.controls.indexOf(control) };
  };

  // After typing: leave the field, as a worker does who goes on, so that change and blur handlers run.
  harness.leave = () => {
    const active = harness.document.activeElement;
    if (active instanceof HTMLElement && active !== harness.document.body) harness.own.blur(active);
  };
  // Whether text that is inserted may go somewhere: what has the focus can be written in, or has an inside of its own.
  harness.isWriting = () => {
    const active = harness.document.activeElement ?? harness.document.body;
    return !active || document.designMode === "on" || active.isContentEditable || active.localName.includes("-") ||
      Boolean(active.shadowRoot) || active.matches("input, textarea, iframe, frame, object, embed");
  };
  // The values of a field, null if it is gone; of several controls those of the one that was aimed at.
  harness.read = async (name) => {
    const posted = await harness.posted();
    const field = harness.field(name);
    const controls = field?.controls.includes(aimed) && field.kind !== "radio" ? [aimed] : field?.controls;
    return { values: field ? harness.valuesOf(field.kind, controls) : null, posted };
  };

  // What no pointer and no key can give a control (the colour of a colour well, a number between two pixels of a slider) is
  // set as a script of the page would set it: the events are not trusted.
  harness.setAimed = (value) => {
    aimed.value = value;
    for (const type of ["input", "change"]) aimed.dispatchEvent(new Event(type, { bubbles: true }));
  };
  harness.selectAimed = () => { aimed.select(); };

  harness.scrollTo = (name) => {
    const field = harness.field(name);
    if (!field) return absent();
    const control = field.controls.find(harness.isVisible);
    if (!control) return { code: "not_visible", error: "it is not visible now" };
    const target = [control, ...harness.labelsOf(control)].find((each) => each.getBoundingClientRect().width > 0);
    target.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const box = target.getBoundingClientRect();
    if (!centre(box)) return outOfView();
    return { box: [box.left, box.top, box.width, box.height] };
  };

  // Visible things that can be pressed and do not submit: how hidden parts of a page are brought out.
  harness.pressables = () => {
    const form = harness.answerForm();
    const submits = new Set(form ? harness.buttons(form) : []);
    const all = harness.document.querySelectorAll(
      "button, input[type=button], summary, [role=button], [onclick]:not(form, body, input, select, textarea, option)," +
      "a[href^='#'], a[href^='javascript:']");
    return Array.from(all).filter((element) =>
      !submits.has(element) && !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true }) &&
      element.getBoundingClientRect().width > 0);
  };
  harness.listPressables = () => harness.pressables().map((element) =>
    (element.innerText || element.value || describe(element)).trim().slice(0, 80));
  // A look must leave the page where it stands: what scrolls it is an action, and is to be found in the trajectory.
  harness.aimPressable = (index) => {
    const element = harness.pressables()[index];
    if (!element) return { code: "element_gone", error: "it is gone" };
    const [left, top] = [scrollX, scrollY];
    const point = harness.point(element);
    const [dx, dy] = [scrollX - left, scrollY - top];
    window.scrollTo({ left, top, behavior: "instant" });
    return { ...point, dx, dy };
  };
})();
