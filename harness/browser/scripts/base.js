// Runs in the harness's own world at document start, before the rest of the library: the browser's own properties, whatever a
// page calls its controls, and looks at the page. An isolated world shares the DOM and its events with the page, but none of its
// globals: a page that replaces Array.prototype.map or JSON does not reach this code.
// The library is one object of groups (types.d.ts); each script adds the functions of its group.
Object.assign(globalThis, { harness: { page: {}, form: {}, fields: {}, pressables: {}, aim: {} } });
(() => {
  "use strict";
  /** @type {State} */
  const state = { held: false, aimless: false, posted: null, dialogs: [], refused: [], submitEvents: 0, invalid: [] };
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
    remove: method(Element.prototype, "remove"),
    removeAttribute: method(Element.prototype, "removeAttribute"),
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
  // Of the present document: a window that was opened keeps this world when its first one takes the empty one's place.
  for (const name of CALLED) {
    const call = /** @type {any} */ (method(Document.prototype, name));
    Object.defineProperty(harness.document, name, { value: (/** @type {any[]} */ ...given) => call(document, ...given) });
  }

  // What a binding by one of these names would take the place of, or stand before.
  harness.page.globals = () => {
    /** @type {string[]} */
    const names = [];
    for (let each = globalThis; each; each = Object.getPrototypeOf(each)) names.push(...Object.getOwnPropertyNames(each));
    return names;
  };
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
  const nextFrame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
  // As large as that: of two changes of its size the browser tells a page the second when it has drawn the first.
  harness.page.sized = async (width, height) => {
    while (innerWidth !== width || innerHeight !== height) await nextFrame();
  };
  // When the page has noticed that the pointer is at a point; or after so many frames, if something else has it.
  const PATIENT_FRAMES = 60;
  harness.page.pointed = async (x, y) => {
    for (let frames = 0; frames < PATIENT_FRAMES && !harness.document.elementFromPoint(x, y)?.matches(":hover"); frames++) {
      await nextFrame();
    }
  };
  // After the next frame: where a wheel or a scroll has brought the page.
  harness.page.frame = async () => {
    await nextFrame();
    const all = harness.document.scrollingElement ?? harness.document.documentElement;
    return { x: scrollX, y: scrollY, right: all.scrollWidth - innerWidth, bottom: all.scrollHeight - innerHeight };
  };
})();
