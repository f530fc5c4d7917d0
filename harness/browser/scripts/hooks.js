// Runs in the harness's own world at document start: what the page sends is taken down, and nothing leaves the page.
// An isolated world shares the DOM and its events with the page, but none of its globals: a page that replaces
// Array.prototype.map or JSON does not reach this code.
// The library is one object of groups (types.d.ts); each script adds the functions of its group.
Object.assign(globalThis, { harness: { page: {}, form: {}, fields: {}, pressables: {}, aim: {} } });
(() => {
  "use strict";
  /** @type {State} */
  const state = { held: false, posted: null, dialogs: [], refused: [], submitEvents: 0, invalid: [] };
  harness.state = state;

  // A form that holds a control named "children", or a page with a form named "body", hides its own property of that name,
  // in this world too, hence the prototypes' own.
  /**
   * @template {object} T
   * @template {keyof T} K
   * @param {T} prototype
   * @param {K} name
   * @returns {(object: T) => T[K]}
   */
  const reader = (prototype, name) => {
    const get = /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
    return (object) => get.call(object);
  };
  /**
   * @template {object} T
   * @template {keyof T} K
   * @param {T} prototype
   * @param {K} name
   * @returns {Own<T, K>}
   */
  const method = (prototype, name) => /** @type {any} */ (Function.prototype.call.bind(/** @type {any} */ (prototype[name])));
  harness.own = {
    elements: reader(HTMLFormElement.prototype, "elements"),
    requestSubmit: method(HTMLFormElement.prototype, "requestSubmit"),
    type: reader(Node.prototype, "nodeType"),
    parent: reader(Node.prototype, "parentElement"),
    first: reader(Node.prototype, "firstChild"),
    next: reader(Node.prototype, "nextSibling"),
    isConnected: reader(Node.prototype, "isConnected"),
    root: method(Node.prototype, "getRootNode"),
    data: reader(CharacterData.prototype, "data"),
    children: reader(Element.prototype, "children"),
    html: reader(Element.prototype, "outerHTML"),
    tag: reader(Element.prototype, "localName"),
    attributes: reader(Element.prototype, "attributes"),
    attribute: method(Element.prototype, "getAttribute"),
    setAttribute: method(Element.prototype, "setAttribute"),
    matches: method(Element.prototype, "matches"),
    closest: method(Element.prototype, "closest"),
    find: method(Element.prototype, "querySelector"),
    isRendered: method(Element.prototype, "checkVisibility"),
    box: method(Element.prototype, "getBoundingClientRect"),
    scrollIntoView: method(Element.prototype, "scrollIntoView"),
    shadow: reader(Element.prototype, "shadowRoot"),
    content: reader(HTMLTemplateElement.prototype, "content"),
    framed: reader(HTMLIFrameElement.prototype, "contentDocument"),
    blur: method(HTMLElement.prototype, "blur"),
    elementAt: method(Document.prototype, "elementFromPoint"),
    listen: method(EventTarget.prototype, "addEventListener"),
    unlisten: method(EventTarget.prototype, "removeEventListener"),
  };
  const READ = /** @type {const} */ (["forms", "body", "activeElement", "documentElement", "scrollingElement", "readyState",
    "implementation"]);
  const CALLED = /** @type {const} */ (["getElementById", "elementFromPoint", "querySelector", "querySelectorAll"]);
  harness.document = Object.create(null);
  for (const name of READ) {
    const read = reader(Document.prototype, name);
    Object.defineProperty(harness.document, name, { get: () => read(document) });
  }
  for (const name of CALLED) Object.defineProperty(harness.document, name, { value: Document.prototype[name].bind(document) });
  /** @type {{ entries: Entry[], query: string } | null} */
  let lastData = null; // of a FormData made by the browser or the page; GET submissions have no other trace
  let isToRun = false; // since nobody has asked, a javascript: link was pressed, whose script is a later task's work
  let isGathered = false; // since nobody has asked, a FormData was made: perhaps to be sent, which is a later task's work

  /**
   * @param {FormData} data
   * @returns {Entry[]}
   */
  const plain = (data) =>
    Array.from(data, ([name, value]) => ({ name, value: typeof value === "string" ? value.replace(/\r\n?/g, "\n") : "" }));
  // A pressed control may belong to another form, or be no submit button at all.
  harness.form.submitterOf = (form, control) =>
    harness.form.submitters(form).find((each) => each === control && !each.matches(":disabled")) ?? null;
  harness.form.entries = (form, control) => {
    const before = isGathered;
    const entries = plain(new FormData(form, harness.form.submitterOf(form, control)));
    isGathered = before;
    return entries;
  };
  // What a GET submission writes behind the "?", however its line ends were.
  /**
   * @param {Iterable<[string, FormDataEntryValue]>} pairs
   * @returns {string}
   */
  const query = (pairs) => new URLSearchParams(Array.from(pairs, (pair) =>
    pair.map((part) => (typeof part === "string" ? part : part.name).replace(/\r\n?/g, "\n")))).toString();
  /**
   * @param {string} url
   * @param {string} sent
   */
  const isSentBy = (url, sent) => url.includes("?") && query(new URL(url).searchParams) === sent;
  /** @param {Entry[]} entries */
  const post = (entries) => { if (!state.held) state.posted ??= entries; };

  // A page that asks without end must not fill the record.
  const MOST = 100;
  /**
   * @param {string[]} list
   * @param {string} text
   */
  const note = (list, text) => { if (list.length < MOST) list.push(text); };
  document.addEventListener(CHANNEL, (event) => { note(state.dialogs, String(/** @type {CustomEvent} */ (event).detail)); });
  // Events that the page makes itself send nothing and say nothing of what is sent: only the browser's own are taken down.
  window.addEventListener("invalid", (event) => {
    if (!event.isTrusted) return;
    state.invalid.push(/** @type {HTMLInputElement} */ (event.target).name || "");
  }, true);
  window.addEventListener("formdata", (event) => {
    if (!event.isTrusted) return;
    lastData = { entries: plain(event.formData), query: query(event.formData) };
    isGathered = true;
  });

  window.addEventListener("submit", (event) => {
    if (!event.isTrusted) return;
    state.submitEvents += 1;
    // Appended now, so that it runs after every listener that the page put on the window.
    window.addEventListener("submit", (bubbled) => {
      // Where the page stopped the event on its way, the next one that comes is another.
      if (bubbled !== event || bubbled.defaultPrevented) return;
      post(harness.form.entries(/** @type {HTMLFormElement} */ (bubbled.target), bubbled.submitter));
      bubbled.preventDefault();
    }, { once: true });
  }, true);

  // Whatever gets past the submit event (form.submit(), a handler that stops propagation, a link, a reload) shows up
  // as a navigation, which carries the form's data unless its method is GET.
  navigation.addEventListener("navigate", (event) => {
    if (event.destination.sameDocument) return;
    if (event.formData) post(plain(event.formData));
    else if (lastData && isSentBy(event.destination.url, lastData.query)) post(lastData.entries);
    else note(state.refused, event.destination.url);
    if (event.cancelable) event.preventDefault();
  });
  // A link to another window is turned into one within this window, which shows up as a navigation, too.
  window.addEventListener("click", (event) => {
    const link = event.composedPath().find((element) =>
      element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement);
    if (link?.protocol === "javascript:") isToRun = true;
    const target = link?.getAttribute("target") ?? null;
    if (!link?.href || target === "_self") return;
    link.setAttribute("target", "_self");
    setTimeout(() => (target === null ? link.removeAttribute("target") : link.setAttribute("target", target)));
  }, true);

  // One instance's storage is no other's business. The browser is emptied by the harness, but for what a window keeps.
  if (window === window.top) {
    for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
      try { window[name].clear(); } catch { /* storage is refused to this document: nothing to clear */ }
    }
  }

  // What a binding by one of these names would take the place of.
  harness.page.globals = () => Object.getOwnPropertyNames(globalThis);
  // Loaded, and what scripts put off meanwhile has happened, as after an action; the answer is the document's HTTP status.
  harness.page.settled = async () => {
    await new Promise((resume) => setTimeout(resume));
    await harness.page.rest();
    return /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"))[0]?.responseStatus ?? 0;
  };
  // Elements by the numbers that the debugger has for them: "found" are those of "numbers", "all" are asked for.
  /** @type {Map<number, Node>} */
  const byNumber = new Map();
  harness.page.nodes = (all, numbers, found) => {
    numbers.forEach((number, place) => byNumber.set(number, found[place]));
    return all.map((number) => byNumber.get(number)).filter((each) => each !== undefined);
  };
  // After the next frame: where a wheel or a scroll has brought the page.
  const nextFrame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
  harness.page.frame = async () => {
    await nextFrame();
    const all = harness.document.scrollingElement ?? harness.document.documentElement;
    return { x: scrollX, y: scrollY, right: all.scrollWidth - innerWidth, bottom: all.scrollHeight - innerHeight };
  };

  // Whether the form was submitted. A script's submit() makes the data at once and leaves the rest to a task of its own,
  // which Chromium puts off until the next frame after a press: what is queued behind it here comes after it.
  // The script of a javascript: link is a task of its own, too.
  harness.form.posted = async () => {
    if (isToRun || (isGathered && !state.posted)) await new Promise((resume) => setTimeout(resume));
    isGathered = isToRun = false;
    await harness.page.rest();
    return Boolean(state.posted);
  };
})();
