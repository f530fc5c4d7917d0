// What a film tells of the page beside its picture: address, title, where it is scrolled to, and which element was acted on
// since the frame before, how often it was pressed, and with how many keys. Run with each frame, and loaded with the first
// of a document, or with the document; the page sees nothing of it. Only the browser's own events count: those that the page makes itself do not.
(() => {
  "use strict";
  if (harness.film) return;
  const { own } = harness;

  // ---- bounds: whatever a page holds, a frame is small, and soon made --------------------------------------------
  const LONGEST = { url: 2000, title: 300, html: 2_000_000, value: 2_000 };
  const MOST_FRAMES = 20;     // frames of the page that are listened to
  const MOST_CONTROLS = 5_000;
  /**
   * @param {string} text
   * @param {number} length
   */
  const cut = (text, length) => text.slice(0, length).toWellFormed();
  const round = (/** @type {number} */ number) => Math.round(number * 10) / 10;
  const titleOf = /** @type {() => string} */ (Object.getOwnPropertyDescriptor(Document.prototype, "title")?.get);
  const contains = Function.prototype.call.bind(/** @type {any} */ (Node.prototype.contains));

  // ---- what is acted on ------------------------------------------------------------------------------------------
  /**
   * Where it is in the page's viewport; what is in a frame is where the frame shows it.
   * @param {Element} element
   * @param {Element | null} frame
   * @returns {[number, number, number, number]}
   */
  const boxOf = (element, frame) => {
    const box = own.box(element);
    const around = frame ? own.box(frame) : { left: 0, top: 0 };
    return [round(box.left + around.left), round(box.top + around.top), round(box.width), round(box.height)];
  };
  /**
   * @param {Element} element
   * @param {Element} inner
   * @param {Element | null} frame
   * @returns {FilmTarget}
   */
  const described = (element, inner, frame) => ({
    ...harness.marks.selectors(frame ?? element), box: boxOf(inner, frame), text: harness.marks.text(inner),
  });

  let [presses, keys] = [0, 0];
  let isKeyDown = false;
  let isListOpen = false; // it takes keys of which the page hears nothing
  /** @type {Element | null} */
  let last = null;
  /** @type {FilmTarget | null} */
  let acted = null;
  /** @type {{ element: Element, frame: Element | null } | null} */
  let pointed = null;
  // What is within one of these is a part of it.
  const WHOLE = "button, a[href], summary, " + harness.pressables.bearing("role") + ", [role=button]";
  /**
   * @param {Event} event
   * @param {Element | null} frame
   */
  const note = (event, frame) => {
    const { target } = event;
    if (!target || own.type(/** @type {Node} */ (target)) !== 1) return;
    const element = own.closest(/** @type {Element} */ (target), WHOLE) ?? /** @type {Element} */ (target);
    // Of what is in a shadow tree no selector tells: its host is told, and the box of the part.
    const inner = element === target ? event.composedPath()[0] : element;
    // After a drag the browser tells of a click on what holds both ends.
    if (element === last || (event.type === "click" && last && contains(element, last))) return;
    last = element;
    acted = described(element, /** @type {Element} */ (inner), frame);
  };
  const HELD = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"]);
  /** @type {Record<string, (event: any, frame: Element | null) => void>} */
  const HEARD = {
    mousemove: (event, frame) => { pointed = { element: event.target, frame }; },
    mousedown: (event, frame) => {
      presses += 1;
      const list = /** @type {HTMLSelectElement} */ (event.target);
      if (own.tag(list) === "select" && !list.multiple && list.size <= 1) isListOpen = true;
      note(event, frame);
    },
    click: note,
    keydown: (event, frame) => {
      isKeyDown = true;
      if (!HELD.has(event.key)) keys += 1;
      note(event, frame);
    },
    keyup: () => { isKeyDown = false; },
    // A text that comes without a key was inserted.
    beforeinput: (event, frame) => {
      if (!isKeyDown) keys += 1;
      note(event, frame);
    },
    change: note,
  };
  /** @type {WeakSet<Window>} */
  const listened = new WeakSet();
  /**
   * @param {Window} place
   * @param {Element | null} frame
   */
  const listenTo = (place, frame) => {
    if (listened.has(place)) return;
    listened.add(place);
    for (const [type, hear] of Object.entries(HEARD)) {
      place.addEventListener(type, (event) => {
        if (!event.isTrusted) return;
        try {
          hear(event, frame);
        } catch { /* an error of a film is none of the page's, and is not to be told as one */ }
      }, { capture: true, passive: true });
    }
  };
  const listen = () => {
    listenTo(window, null);
    for (const frame of Array.from(harness.document.querySelectorAll("iframe")).slice(0, MOST_FRAMES)) {
      const inside = own.framed(/** @type {HTMLIFrameElement} */ (frame))?.defaultView;
      if (inside) listenTo(inside, frame);
    }
  };

  // ---- whether the page is other than it was ---------------------------------------------------------------------
  // Asked where a program runs scripts, most of which only look.
  let changes = 0;
  let held = "";
  /** @type {MutationObserver | null} */
  let watch = null;
  const hasChanged = () => {
    if (!watch) {
      watch = new MutationObserver((records) => { changes += records.length; });
      watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    changes += watch.takeRecords().length;
    let hash = 0;
    const controls = harness.document.querySelectorAll("input, select, textarea");
    for (let number = 0; number < Math.min(controls.length, MOST_CONTROLS); number += 1) {
      const { value, checked, selectedIndex } = /** @type {any} */ (controls[number]);
      const state = String(value).slice(0, 10_000) + checked + selectedIndex;
      for (let place = 0; place < state.length; place += 1) hash = (hash * 31 + state.charCodeAt(place)) | 0;
    }
    const now = [changes, hash, scrollX, scrollY].join(" ");
    const was = held;
    held = now;
    return was !== now;
  };

  // ---- what the page holds ---------------------------------------------------------------------------------------
  /** The document as HTML; behind it, as a comment, what controls hold beyond what their HTML says. */
  const htmlOf = () => {
    const changed = [];
    const controls = harness.document.querySelectorAll("input, select, textarea");
    for (let number = 0; number < Math.min(controls.length, MOST_CONTROLS); number += 1) {
      const control = /** @type {any} */ (controls[number]);
      const name = control.getAttribute("name") ?? control.getAttribute("id") ?? `control ${number + 1}`;
      if (own.tag(control) === "select") changed.push(`${name}: ${Array.from(control.selectedOptions, (each) => each.value).join(", ")}`);
      else if (control.type === "checkbox" || control.type === "radio") {
        if (control.checked !== control.defaultChecked) changed.push(`${name} ${control.value}: ${control.checked ? "checked" : "not checked"}`);
      } else if (control.value !== control.defaultValue) changed.push(`${name}: ${cut(control.value, LONGEST.value)}`);
    }
    const now = changed.length ? `\n<!-- What controls hold now:\n${changed.join("\n")}\n-->` : "";
    const [whole] = harness.document.querySelectorAll(":root"); // a page may have an element of the name `documentElement`
    return whole ? cut(whole.outerHTML, LONGEST.html) + now : "";
  };

  // ---- a frame ---------------------------------------------------------------------------------------------------
  /**
   * @param {string | null} name
   * @param {number | null} number
   */
  const meant = (name, number) => {
    if (name !== null) {
      const controls = harness.fields.named(name)?.controls ?? [];
      return controls.find(harness.fields.isVisible) ?? controls[0];
    }
    return number === null ? undefined : harness.pressables.element(number);
  };
  /**
   * @param {string | null} name
   * @param {number | null} number
   */
  const targetOf = (name, number) => {
    if (acted) return acted;
    const element = meant(name, number);
    if (element) return own.isConnected(element) ? described(element, element, null) : null;
    if (!pointed || !own.isConnected(pointed.element)) return null;
    return described(pointed.element, pointed.element, pointed.frame);
  };
  harness.film = {
    take: (name, number, watched, whole) => {
      const told = {
        url: cut(location.href, LONGEST.url), title: cut(titleOf.call(document), LONGEST.title),
        html: whole ? htmlOf() : "",
        size: /** @type {[number, number]} */ ([innerWidth, innerHeight]),
        scroll: /** @type {[number, number]} */ ([round(scrollX), round(scrollY)]),
        target: targetOf(name, number), presses, keys: isListOpen ? null : keys, changed: watched && hasChanged(),
      };
      [presses, keys, isListOpen, last, acted, pointed] = [0, 0, false, null, null, null];
      listen();
      return told;
    },
  };
  listen();
})();
