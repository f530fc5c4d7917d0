// Controls that scripts draw: sliders, what opens beside a field, calendars. Loaded after looks.js.
(() => {
  "use strict";
  const looks = /** @type {OracleLooks} */ (harness.oracle);
  const { isShown, isListening, innerText, pressable } = looks;
  const { numberOf, words } = harness.pressables;

  // ---- sliders --------------------------------------------------------------------------------------------------

  const TRACKS = ".ui-slider, .noUi-target, .irs, .slider-track, .rangeslider, .rc-slider, .vue-slider";
  const HANDLES = "[role=slider], .ui-slider-handle, .noUi-handle, .irs-handle, .slider-handle, .rc-slider-handle";
  const HELD_BY = new Set(["pointer", "grab", "grabbing", "move", "ew-resize", "ns-resize", "col-resize", "row-resize"]);
  const LARGEST_HANDLE = 60;
  const NO_HANDLES = "input, select, textarea, option, form, iframe, button, a";
  const LEAST_RATIO = 3;
  /**
   * Something small that is placed by the page's script and shows that it can be taken hold of.
   * @param {Element} element
   */
  const isHandle = (element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width > LARGEST_HANDLE || height > LARGEST_HANDLE || element.matches(NO_HANDLES)) return false;
    const { position, cursor } = getComputedStyle(element);
    return position === "absolute" && (isListening(element) || HELD_BY.has(cursor));
  };
  /**
   * What a handle moves along: the innermost thing around it that is longer by far, and itself if it is as long as that.
   * @param {Element} handle
   */
  const trackOf = (handle) => {
    const known = handle.closest(TRACKS);
    if (known) return known;
    const own = handle.getBoundingClientRect();
    for (let outer = handle.parentElement; outer && outer !== harness.document.body; outer = outer.parentElement) {
      const { width, height } = outer.getBoundingClientRect();
      if (Math.min(width, height) >= 2 && Math.max(width / own.width, height / own.height) >= LEAST_RATIO) return outer;
    }
    return null;
  };
  // Tracks of sliders with the handles on them, in page order.
  looks.rails = () => {
    /** @type {Map<Element, Element[]>} */
    const rails = new Map();
    for (const element of Array.from(harness.document.querySelectorAll("body *"))) {
      if (!isShown(element)) continue;
      if (element.matches(TRACKS)) { if (!rails.has(element)) rails.set(element, []); continue; }
      const isMarked = element.matches(HANDLES);
      if (!isMarked && !isHandle(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      const isTrack = isMarked && Math.max(width, height) > LARGEST_HANDLE;
      const track = isTrack ? element : trackOf(element);
      if (!track) continue;
      const handles = rails.get(track) ?? [];
      if (!isTrack && !handles.some((each) => each.contains(element))) handles.push(element);
      rails.set(track, handles);
    }
    return Array.from(rails, ([track, handles]) => ({ track: numberOf(track), handles: handles.map(numberOf) }));
  };
  // An element and all that is in it.
  looks.within = (number) => {
    const element = harness.pressables.element(number);
    return element ? [element, ...Array.from(element.querySelectorAll("*"))].map(numberOf) : [];
  };

  // ---- what opens beside a field --------------------------------------------------------------------------------

  /**
   * By what an element tells what it does: its words, and those of its attributes and of the icon in it.
   * @param {Element} element
   */
  const hintOf = (element) => words([innerText(element) ?? element.textContent ?? "", element.id,
    ...[element, ...Array.from(element.querySelectorAll("*")).slice(0, 3)].flatMap((each) =>
      ["class", "title", "aria-label", "placeholder", "alt", "role", "data-handler", "data-action"].map((name) => each.getAttribute(name)))]
    .filter(Boolean).join(" "), 200);
  const UNNAMED = "input:not([name]), input[name='']";
  const OPENS = UNNAMED + ", [role=combobox], [aria-haspopup], [aria-expanded]";
  const MOST_OPENERS = 12;
  // What may open something to choose from for a field, its own control first, then the nearest in page order.
  looks.openers = (name) => {
    const controls = harness.fields.controlsByName().get(name) ?? [];
    const all = Array.from(harness.document.querySelectorAll("body *"));
    const place = controls.length ? all.indexOf(controls[0]) : 0;
    const found = new Set([...pressable(), ...Array.from(harness.document.querySelectorAll(OPENS)).filter(isShown)]);
    /** @param {Element} element */
    const distance = (element) => {
      const steps = all.indexOf(element) - place;
      return steps < 0 ? -1.5 * steps : steps;
    };
    const answers = all.filter((element) => element.matches("input[name]:not([name='']), select[name], textarea[name]") &&
      !controls.includes(/** @type {Control} */ (element))).map((element) => all.indexOf(element));
    /** @param {Element} element */
    const isBeside = (element) => {
      const [low, high] = [all.indexOf(element), place].sort((a, b) => a - b);
      return !answers.some((each) => each > low && each < high);
    };
    const others = Array.from(found).filter((element) => !controls.includes(/** @type {Control} */ (element)) &&
      !element.querySelector("input[name], select[name], textarea[name]"));
    return [...controls.filter(isShown), ...others.sort((a, b) => distance(a) - distance(b)).slice(0, MOST_OPENERS)]
      .map((element) => ({ number: numberOf(element), hint: hintOf(element),
        own: controls.includes(/** @type {Control} */ (element)), beside: isBeside(element), written: element.matches(UNNAMED) }));
  };
  // The innermost shown elements that say just this, letter case and white space apart.
  looks.saying = (text) => {
    const wanted = words(text, 400).toLowerCase();
    const found = Array.from(harness.document.querySelectorAll("body *")).filter((element) =>
      !element.matches("script, style, option") && isShown(element) &&
      words(innerText(element) ?? element.textContent ?? "", 401).toLowerCase() === wanted);
    return found.filter((element) => !found.some((each) => each !== element && element.contains(each))).map(numberOf);
  };

  // ---- frames ---------------------------------------------------------------------------------------------------

  const OWN_FRAMES = "iframe[srcdoc], iframe:not([src]), iframe[src=''], iframe[src^='about:'], iframe[src^='data:'], iframe[src^='blob:']";
  // Frames whose pages the page itself has made; and whether the focus is in one.
  looks.ownFrames = () => Array.from(harness.document.querySelectorAll(OWN_FRAMES)).filter(isShown).map(numberOf);
  looks.hasFocus = (number) => harness.document.activeElement === harness.pressables.element(number);

  // ---- calendars ------------------------------------------------------------------------------------------------

  const FEWEST_DAYS = 28;
  const MOST_LEVELS = 7;
  /** @param {Element} element */
  const dayOf = (element) => {
    const text = (element.textContent ?? "").trim();
    if (!/^\d{1,2}$/.test(text) || Array.from(element.children).some((child) => (child.textContent ?? "").trim() === text)) return 0;
    const called = element.getAttribute("class") ?? "";
    const countsWeeks = /week/i.test(called) && !/week-?(day|end)/i.test(called);
    return countsWeeks || element.closest("select") ? 0 : Number(text);
  };
  /** @param {Element[]} elements */
  const holderOf = (elements) => {
    /** @type {Element | null} */
    let holder = elements[0];
    while (holder && !elements.every((each) => holder?.contains(each))) holder = holder.parentElement;
    return holder ?? harness.document.body;
  };
  const LEADS = /prev|next|back|forward|[<>‹›«»←→◀▶❮❯]/i;
  /**
   * What is around the days of a month and may lead to other months, the nearest first.
   * @param {Element[]} days
   */
  const controlsAround = (days) => {
    /** @type {Set<Element>} */
    const found = new Set();
    const presses = new Set(pressable());
    let outer = holderOf(days);
    for (let level = 0; level < MOST_LEVELS && outer.parentElement && !outer.matches("body, form"); level += 1) {
      for (const element of Array.from(outer.querySelectorAll("*"))) {
        if (found.has(element) || !isShown(element) || dayOf(element)) continue;
        if (days.some((day) => element.contains(day) || day.contains(element))) continue;
        if (element.matches("select, input") || presses.has(element) || LEADS.test(hintOf(element))) found.add(element);
      }
      outer = outer.parentElement;
    }
    const all = Array.from(found);
    return all.filter((element) => !all.some((each) => each !== element && element.contains(each)));
  };
  /**
   * The words around the days, with what lists and inputs among them show.
   * @param {Element} outer
   * @param {Element[]} days
   */
  const captionOf = (outer, days) => {
    /** @type {string[]} */
    const parts = [];
    const walker = document.createTreeWalker(outer, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      if (node instanceof HTMLSelectElement && isShown(node)) parts.push(node.selectedOptions[0]?.text ?? "");
      else if (node instanceof HTMLInputElement && isShown(node)) parts.push(node.value);
      else if (node.nodeType === Node.TEXT_NODE && parent && !parent.closest("select, script, style") && isShown(parent) &&
        !dayOf(parent) && !days.includes(parent)) parts.push(node.nodeValue ?? "");
    }
    return words(parts.join(" "), 400);
  };
  // Months whose days are shown one by one, with what is written around these, the nearest first, and what can be worked there.
  looks.calendars = () => {
    /** @type {Element[][]} */
    const months = [];
    /** @type {Element[]} */
    let days = [];
    const close = () => { if (days.length >= FEWEST_DAYS) months.push(days); days = []; };
    for (const element of Array.from(harness.document.querySelectorAll("body *"))) {
      const day = dayOf(element);
      if (!day || !isShown(element)) continue;
      if (day === days.length + 1) days.push(element);
      else if (day === 1) { close(); days = [element]; }
    }
    close();
    return months.map((each) => {
      /** @type {Element[]} */
      const around = [];
      for (let outer = holderOf(each); !outer.matches("body, form") && outer.parentElement; outer = outer.parentElement) around.push(outer);
      return {
        days: each.map(numberOf), around: around.map(numberOf),
        captions: around.slice(0, MOST_LEVELS).map((outer) => captionOf(outer, each)),
        controls: controlsAround(each).map((element) => ({
          number: numberOf(element), tag: element.localName, hint: hintOf(element),
          value: /** @type {HTMLInputElement} */ (element).value ?? "",
          options: element instanceof HTMLSelectElement ? Array.from(element.options, (option) => option.text.trim()) : [],
        })),
      };
    });
  };
})();
