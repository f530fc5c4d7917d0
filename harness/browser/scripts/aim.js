// Where to press: the control (or option) that an action names, scrolled into view, and a point that activates it.
(() => {
  "use strict";
  const describe = harness.pressables.selectorOf;
  const names = () => Array.from(harness.fields.controlsByName().keys());
  /** @returns {Problem} */
  const absent = () => ({ code: "no_such_field", error: "no field of this name is on the page now", names: names() });
  /** @returns {Problem} */
  const outOfView = () => ({ code: "out_of_view", error: "no part of it can be brought into view" });

  /**
   * @param {DOMRect} box
   * @returns {Point | null}
   */
  const centre = (box) => {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, innerWidth);
    const bottom = Math.min(box.bottom, innerHeight);
    return right - left >= 1 && bottom - top >= 1 ? { x: (left + right) / 2, y: (top + bottom) / 2 } : null;
  };

  /**
   * A press reaches a control on itself, and inside a label unless it lands on something that takes presses itself.
   * @param {Element | null} hit
   * @param {Element} control
   * @param {Element[]} labels
   */
  const reaches = (hit, control, labels) => {
    if (!hit) return false;
    if (hit === control || control.contains(hit)) return true;
    const label = labels.find((each) => each.contains(hit));
    if (!label) return false;
    const taker = hit.closest("a[href], button, input, select, textarea");
    return !taker || taker === control || !label.contains(taker);
  };

  /**
   * The middle of what a label shows to the right of its control, else to the left of it.
   * @param {DOMRect} box
   * @param {Element} control
   */
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
  /** @type {(ScrollLogicalPosition | null)[]} */
  const PLACES = [null, "center", "start", "end"];
  // With "beside" the text of its labels is pressed and not the control: pages undo presses of the one and take the other.
  harness.aim.point = (control, beside = false) => {
    const labels = harness.fields.labelsOf(control);
    const bound = Array.from(/** @type {Partial<Control>} */ (control).labels ?? []);
    /** @type {Element | null} */
    let cover = null;
    for (const target of beside ? labels : [control, ...labels]) {
      const takers = target === control ? bound : labels;
      for (const place of PLACES) {
        if (place) target.scrollIntoView({ block: place, inline: "nearest", behavior: "instant" });
        for (const box of target.getClientRects()) {
          if (!place && (box.top < 0 || box.bottom > innerHeight)) continue;
          const point = beside ? besideOf(box, control) : centre(box);
          if (!point) continue;
          const hit = harness.document.elementFromPoint(point.x, point.y);
          if (reaches(hit, control, takers)) return point;
          cover ??= hit;
        }
      }
    }
    return cover ? { code: "covered", error: "it is covered by " + describe(cover) } : outOfView();
  };

  /** @type {Record<string, string>} */
  const KIND_WORDS = { text: "text", textarea: "text", radio: "radio", checkbox: "checkbox", select: "select", range: "range" };
  /**
   * The field if an action of these kinds can work on it, else why not.
   * @param {string} name
   * @param {Kind[]} kinds
   * @returns {{ field: Field } | Problem}
   */
  const find = (name, kinds) => {
    if (harness.state.posted) return { code: "already_submitted", error: "the form was already submitted", posted: true };
    const field = harness.fields.named(name);
    if (!field && !harness.fields.list().some((each) => each.name === name)) return absent();
    if (!field || field.kind === "hidden") {
      return { code: "hidden_field", error: "it is a hidden field: only the page's own script writes it" };
    }
    if (!kinds.includes(field.kind) && kinds.includes("text") && field.texts.length) {
      return { field: { ...field, kind: "text", controls: field.texts } };
    }
    if (!kinds.includes(field.kind)) {
      return { code: "another_kind", error: "it is a " + KIND_WORDS[field.kind] + " field", kind: field.kind };
    }
    return { field };
  };

  // Where "readonly" has a meaning; browsers let boxes and sliders with it be worked.
  const WRITTEN = new Set(["text", "textarea"]);
  /**
   * @param {Control} control
   * @returns {Problem | null}
   */
  const refusal = (control) => {
    if (control.matches(":disabled")) return { code: "disabled", error: "it is disabled" };
    if (control.type === "file") return { code: "takes_file", error: "it takes a file, which no action gives it" };
    if (WRITTEN.has(harness.fields.kindOf(control)) && /** @type {HTMLInputElement} */ (control).readOnly) {
      return { code: "read_only", error: "it is read-only" };
    }
    if (!harness.fields.isVisible(control)) {
      const why = " (something else may have to be answered or pressed first)";
      return { code: "not_visible", error: "it is not visible now" + why };
    }
    return null;
  };
  /**
   * The same of one option: that it is disabled says nothing of the others.
   * @param {Control} control
   * @returns {Problem | null}
   */
  const optionRefusal = (control) => {
    const refused = refusal(control);
    return refused && { code: refused.code === "disabled" ? "option_disabled" : refused.code,
      error: "its option " + JSON.stringify(control.value) + ": " + refused.error };
  };

  /** @param {Field} field */
  const usable = (field) => field.controls.find((control) => !refusal(control)) ?? field.controls[0];
  // Of several controls with one name, the one that is being changed: it is what is read back.
  /** @type {Control | null} */
  let aimed = null;
  /**
   * A control of one of these kinds, and the point to press; it is aimed at from now on.
   * @template {Control} T
   * @param {string} name
   * @param {Kind[]} kinds
   * @returns {(Point & { control: T }) | Problem}
   */
  const takeAim = (name, kinds) => {
    const found = find(name, kinds);
    if (!("field" in found)) return found;
    const control = usable(found.field);
    const refused = refusal(control);
    if (refused) return refused;
    const point = harness.aim.point(control);
    if ("error" in point) return point;
    aimed = control;
    return { ...point, control: /** @type {T} */ (control) };
  };

  harness.aim.text = (name) => {
    /** @type {ReturnType<typeof takeAim<HTMLInputElement>>} */
    const aim = takeAim(name, ["text", "textarea"]);
    if ("error" in aim) return aim;
    const { x, y, control } = aim;
    return { x, y, type: control.type, value: control.value, maxLength: control.maxLength ?? -1, step: control.step ?? "" };
  };

  // A slider: its scale, and the point of its track where a value lies, as far as it can be pressed there.
  const THUMB = 16; // pixels; the thumb's middle cannot reach the ends of the track
  harness.aim.slider = (name, value) => {
    /** @type {ReturnType<typeof takeAim<HTMLInputElement>>} */
    const aim = takeAim(name, ["range"]);
    if ("error" in aim) return aim;
    const { control } = aim;
    const scale = harness.fields.scaleOf(control);
    const style = getComputedStyle(control);
    const upright = style.writingMode !== "horizontal-tb";
    const mirrored = style.direction === "rtl";
    const box = control.getBoundingClientRect();
    const share = scale.high > scale.low ? (value - scale.low) / (scale.high - scale.low) : 0;
    /** @param {number} length */
    const along = (length) => THUMB / 2 + (mirrored ? 1 - share : share) * (length - THUMB);
    const x = upright ? aim.x : box.left + along(box.width);
    const y = upright ? box.top + along(box.height) : aim.y;
    const point = harness.document.elementFromPoint(x, y) === control ? { x, y } : { x: aim.x, y: aim.y };
    // The browser itself rounds a value to the nearest that the slider can have; a copy tells without the page's noticing.
    const copy = /** @type {HTMLInputElement} */ (control.cloneNode());
    copy.value = String(value);
    return { ...point, value: control.value, scale, nearest: Number(copy.value), upwards: !upright || mirrored };
  };

  // Lists that were there when the page's listeners for the mouse were looked up, and the elements that have some.
  const TOLD = 400; // at most; there may be more then
  /** @type {WeakSet<Element>} */
  let looked = new WeakSet();
  /** @type {Set<Node>} */
  let hearing = new Set();
  harness.aim.hearing = (...found) => {
    hearing = new Set(found);
    looked = new WeakSet(harness.document.querySelectorAll("select"));
  };
  /**
   * Whether a press of a list is something to the page: it listens on the list or on what holds it, the whole page apart.
   * @param {HTMLSelectElement} list
   */
  const isHeard = (list) => {
    if (hearing.size >= TOLD) return true;
    /** @type {Element | null} */
    let element = list;
    for (; element && element !== harness.document.body; element = harness.own.parent(element)) {
      if (hearing.has(element)) return true;
    }
    return harness.fields.labelsOf(list).some((label) => hearing.has(label));
  };

  const TYPED = /^[a-z0-9]$/;
  /**
   * The one key that chooses an option of a closed list, empty if there is none: the next or the last before, the first, the
   * last, or the next whose text begins with a character.
   * @param {HTMLSelectElement} list
   * @param {HTMLOptionElement} option
   * @param {HTMLOptionElement[]} reachable
   * @param {number} presses
   */
  const keyTo = (list, option, reachable, presses) => {
    if (presses === 1) return "ArrowDown";
    if (presses === -1) return "ArrowUp";
    if (option === reachable[0]) return "Home";
    if (option === reachable.at(-1)) return "End";
    /** @param {HTMLOptionElement} each */
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
  harness.aim.select = (name, values) => {
    /** @type {ReturnType<typeof takeAim<HTMLSelectElement>>} */
    const aim = takeAim(name, ["select"]);
    if ("error" in aim) return aim;
    const { x, y, control: list } = aim;
    const reachable = Array.from(list.options).filter(harness.fields.canChoose);
    const unknown = values.find((value) => !reachable.some((option) => option.value === value));
    if (unknown !== undefined) {
      const error = "no option " + JSON.stringify(unknown) + " can be chosen";
      return { code: "no_such_option", error, options: harness.fields.options(name) };
    }
    const index = reachable.findIndex((option) => option.value === values[0]);
    const before = reachable.filter((option) => option.index < list.selectedIndex).length;
    const onOne = reachable.some((option) => option.index === list.selectedIndex);
    const presses = index - before + (!onOne && index >= before ? 1 : 0);
    const listed = list.multiple || list.size > 1;
    const chosen = harness.fields.valuesOf("select", [list]);
    let key = "";
    if (!listed && values.length === 1 && chosen[0] !== values[0]) key = keyTo(list, reachable[index], reachable, presses);
    const unheard = Boolean(key) && !looked.has(list);
    if (key && !unheard) {
      if (isHeard(list)) key = "";
      else list.focus({ preventScroll: true });
    }
    return { x, y, presses, listed, multiple: list.multiple, chosen, key, unheard };
  };

  // A list that shows its options: the next one to be pressed. After a press the browser scrolls the list by itself, a moment
  // later, to what it thinks is of interest: a point is good only once that is over.
  harness.aim.listOption = async (values) => {
    await harness.page.frame();
    const list = /** @type {HTMLSelectElement} */ (aimed);
    const wanted = new Set(values);
    const place = Array.from(list.options).findIndex((option) => harness.fields.canChoose(option) && (list.multiple
      ? option.selected !== wanted.has(option.value) : !option.selected && option.value === values[0]));
    const holds = harness.fields.valuesOf("select", [list]);
    if (place < 0 || (!list.multiple && holds[0] === values[0])) return { done: true };
    const option = list.options[place];
    option.scrollIntoView({ block: "nearest", behavior: "instant" });
    await harness.page.frame();
    const point = centre(option.getBoundingClientRect());
    return point ? { ...point, place } : { code: "out_of_view", error: "its option cannot be brought into view" };
  };

  // Of several controls with one value (an example beside the question), the next attempt takes another than the last.
  /** @type {WeakMap<Control, number>} */
  const tried = new WeakMap();
  /** @type {Control | null} */
  let picked = null;
  /**
   * @param {Control[]} controls
   * @param {string} value
   * @param {boolean} again
   */
  const pick = (controls, value, again = false) => {
    const same = controls.filter((control) => control.value === value);
    if (again && picked && same.includes(picked)) return picked;
    const usable = same.filter((control) => !refusal(control));
    /** @param {Control} control */
    const times = (control) => tried.get(control) ?? 0;
    const found = usable.reduce((best, control) => (times(control) < times(best) ? control : best), usable[0]) ?? same[0];
    if (found) tried.set(found, times(found) + 1);
    picked = found;
    return found;
  };

  harness.aim.radio = (name, value, beside = false) => {
    const found = find(name, ["radio"]);
    if (!("field" in found)) return found;
    const { field } = found;
    const control = pick(field.controls, value, beside);
    const [text] = field.texts;
    if (!control) {
      // What is written belongs to the last option before the text box, as in "other: ____".
      const before = field.controls.filter((each) => text && text.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING);
      const other = text ? { other: (before.at(-1) ?? /** @type {Control} */ (field.controls.at(-1))).value } : {};
      return { code: "no_such_option", error: "no such option", options: harness.fields.options(name), ...other };
    }
    aimed = control;
    const texts = text ? { texts: harness.fields.valuesOf("text", field.texts) } : {};
    if (field.controls.some((each) => harness.fields.isChecked(each) && each.value === value)) return { done: true, ...texts };
    const refused = optionRefusal(control);
    if (refused) return refused;
    return { ...harness.aim.point(control, beside), ...texts };
  };

  // The next box to be pressed: first those that are ticked and shall not be, since a page can limit their number. Of several
  // boxes with one value one is enough; a disabled one sends nothing and can stay as it is.
  harness.aim.box = async (name, values, beside = false) => {
    await harness.form.posted(); // the press before may have submitted the form
    const found = find(name, ["checkbox"]);
    if (!("field" in found)) return found;
    const { field } = found;
    const open = field.texts.length > 0;
    const missing = values.filter((value) => !field.controls.some((control) => control.value === value));
    if (missing.length) {
      return { code: "no_such_option", error: "no such option: " + missing.join(", "), options: harness.fields.options(name), open };
    }
    const ticked = field.controls.filter((control) => harness.fields.isChecked(control) && !control.matches(":disabled"));
    const surplus = ticked.find((control) => !values.includes(control.value));
    const lacking = values.find((value) => !ticked.some((control) => control.value === value));
    if (!surplus && lacking === undefined) {
      const texts = open ? { texts: harness.fields.valuesOf("text", field.texts) } : {};
      return { done: true, values: ticked.map((control) => control.value), ...texts };
    }
    const control = surplus ?? /** @type {Control} */ (pick(field.controls, /** @type {string} */ (lacking), beside));
    const refused = optionRefusal(control);
    if (refused) return refused;
    return { ...harness.aim.point(control, beside), value: control.value, place: field.controls.indexOf(control) };
  };

  // After typing: leave the field, as a worker does who goes on, so that change and blur handlers run.
  harness.page.leave = () => {
    const active = harness.document.activeElement;
    if (active instanceof HTMLElement && active !== harness.document.body) harness.own.blur(active);
  };
  // Whether text that is inserted may go somewhere: what has the focus can be written in, or has an inside of its own.
  harness.page.isWriting = () => {
    const active = harness.document.activeElement ?? harness.document.body;
    return !active || document.designMode === "on" || /** @type {HTMLElement} */ (active).isContentEditable ||
      active.localName.includes("-") || Boolean(active.shadowRoot) || active.matches("input, textarea, iframe, frame, object, embed");
  };
  // The values of a field, null if it is gone; of several controls those of the one that was aimed at.
  harness.aim.read = async (name) => {
    const posted = await harness.form.posted();
    const field = harness.fields.named(name);
    if (!field) return { values: null, posted };
    if (aimed && field.texts.includes(aimed)) return { values: harness.fields.valuesOf("text", [aimed]), posted };
    const controls = aimed && field.controls.includes(aimed) && field.kind !== "radio" ? [aimed] : field.controls;
    return { values: harness.fields.valuesOf(field.kind, controls), posted };
  };

  // What no pointer and no key can give a control (the colour of a colour well, a number between two pixels of a slider) is
  // set as a script of the page would set it: the events are not trusted.
  harness.aim.set = (value) => {
    const control = /** @type {Control} */ (aimed);
    control.value = value;
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  };
  harness.aim.selectText = () => { /** @type {HTMLInputElement} */ (aimed).select(); };

  /** @param {Control} control */
  const shownPart = (control) => [control, ...harness.fields.labelsOf(control)].find((each) => harness.own.box(each).width > 0);
  /** @param {string} name */
  const shownPartOf = (name) => {
    const control = harness.fields.named(name)?.controls.find(harness.fields.isVisible);
    return control && shownPart(control);
  };
  /**
   * @param {DOMRect} rect
   * @returns {Box}
   */
  const boxOf = ({ left, top, width, height }) => ({ left, top, width, height });
  harness.aim.scrollTo = (name) => {
    const field = harness.fields.named(name);
    if (!field) return absent();
    const control = field.controls.find(harness.fields.isVisible);
    if (!control) return { code: "not_visible", error: "it is not visible now" };
    const target = shownPart(control) ?? control;
    target.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const box = target.getBoundingClientRect();
    if (!centre(box)) return outOfView();
    return boxOf(box);
  };
  // Whether the first visible control of a field is wholly on the screen; its box on the screen, null if it has none.
  harness.aim.isInView = (name) => {
    const part = shownPartOf(name);
    if (!part) return false;
    const box = harness.own.box(part);
    return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  };
  harness.aim.fieldBox = (name) => {
    const part = shownPartOf(name);
    return part ? boxOf(harness.own.box(part)) : null;
  };
})();
