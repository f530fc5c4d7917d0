// Runs in the harness's own world at document start: what the page sends is taken down, and nothing leaves the page.
// An isolated world shares the DOM and its events with the page, but none of its globals: a page that replaces
// Array.prototype.map or JSON does not reach this code.
globalThis.harness = {};
(() => {
  "use strict";
  const state = {
    held: false,         // whether what the form sends is thrown away: a press that was not meant to submit
    posted: null,        // [[name, value], ...] of the first submission that nobody prevented
    dialogs: [],         // "alert:text", "open:url", ...
    refused: [],         // addresses that the page tried to go to
    submitEvents: 0,
    invalid: [],         // names of controls that HTML validation complained about
  };
  harness.state = state;

  // A form that holds a control named "children", or a page with a form named "body", hides its own property of that name,
  // in this world too, hence the prototypes' own.
  const reader = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => get.call(object);
  };
  const method = (prototype, name) => Function.prototype.call.bind(prototype[name]);
  harness.own = {
    elements: reader(HTMLFormElement.prototype, "elements"),
    requestSubmit: method(HTMLFormElement.prototype, "requestSubmit"),
    parent: reader(Node.prototype, "parentElement"),
    children: reader(Element.prototype, "children"),
    html: reader(Element.prototype, "outerHTML"),
    attribute: method(Element.prototype, "getAttribute"),
    setAttribute: method(Element.prototype, "setAttribute"),
    blur: method(HTMLElement.prototype, "blur"),
  };
  const documents = Object.fromEntries(["forms", "body", "activeElement", "documentElement", "scrollingElement", "readyState",
    "implementation"].map((name) => [name, reader(Document.prototype, name)]));
  harness.document = Object.create(null, Object.fromEntries(Object.entries(documents).map(([name, read]) =>
    [name, { get: () => read(document) }])));
  for (const name of ["getElementById", "elementFromPoint", "querySelectorAll"]) {
    harness.document[name] = Document.prototype[name].bind(document);
  }
  let lastEntries = null; // of a FormData made by the browser or the page; GET submissions have no other trace
  let isGathered = false; // since nobody has asked, a FormData was made: perhaps to be sent, which is a later task's work

  const plain = (entries) =>
    Array.from(entries, ([name, value]) => [name, typeof value === "string" ? value.replace(/\r\n?/g, "\n") : ""]);
  // A pressed control may belong to another form, or be no submit button at all.
  harness.submitterOf = (form, control) =>
    (control && harness.buttons(form).includes(control) && !control.matches(":disabled") ? control : null);
  harness.entries = (form, control) => {
    const before = isGathered;
    const entries = plain(new FormData(form, harness.submitterOf(form, control)));
    isGathered = before;
    return entries;
  };
  const post = (entries) => { if (!state.held) state.posted ??= entries; };

  // A page that asks without end must not fill the record.
  const MOST = 100;
  const note = (list, text) => { if (list.length < MOST) list.push(text); };
  document.addEventListener(CHANNEL, (event) => { note(state.dialogs, String(event.detail)); });
  window.addEventListener("invalid", (event) => { state.invalid.push(event.target.name || ""); }, true);
  window.addEventListener("formdata", (event) => {
    lastEntries = plain(event.formData);
    isGathered = true;
  });

  window.addEventListener("submit", (event) => {
    state.submitEvents += 1;
    // Appended now, so that it runs after every listener that the page put on the window.
    window.addEventListener("submit", (bubbled) => {
      if (bubbled.defaultPrevented) return;
      post(harness.entries(bubbled.target, bubbled.submitter));
      bubbled.preventDefault();
    }, { once: true });
  }, true);

  // Whatever gets past the submit event (form.submit(), a handler that stops propagation, a link, a reload) shows up
  // as a navigation, which carries the form's data unless its method is GET.
  navigation.addEventListener("navigate", (event) => {
    if (event.destination.sameDocument) return;
    if (event.formData) post(plain(event.formData));
    else if (lastEntries && /^[^?]*\?/.test(event.destination.url)) post(lastEntries);
    else note(state.refused, event.destination.url);
    if (event.cancelable) event.preventDefault();
  });
  // A link to another window is turned into one within this window, which shows up as a navigation, too.
  window.addEventListener("click", (event) => {
    const link = event.composedPath().find((element) =>
      element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement);
    const target = link?.getAttribute("target") ?? null;
    if (!link?.href || target === "_self") return;
    link.setAttribute("target", "_self");
    setTimeout(() => (target === null ? link.removeAttribute("target") : link.setAttribute("target", target)));
  }, true);
  // A "leave this page?" dialog would hold up the next instance.
  window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true);

  // One instance's storage is no other's business.
  if (window === window.top) {
    for (const name of ["localStorage", "sessionStorage"]) {
      try { window[name].clear(); } catch { /* storage is refused to this document: nothing to clear */ }
    }
    for (const cookie of document.cookie.split(";")) {
      document.cookie = cookie.split("=")[0] + "=;expires=Thu, 01 Jan 1970 00:00:00 GMT;path=/";
    }
  }

  // Loaded, and the tasks that the load event left behind have run; the answer is the document's HTTP status.
  harness.settled = async () => {
    await new Promise((resume) => setTimeout(resume));
    return performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0;
  };
  // Elements by the numbers that the debugger has for them: "found" are those of "numbers", "all" are asked for.
  const byNumber = new Map();
  harness.nodes = (all, numbers, found) => {
    numbers.forEach((number, place) => byNumber.set(number, found[place]));
    return all.map((number) => byNumber.get(number)).filter(Boolean);
  };
  // Whether the form was submitted. A script's submit() makes the data at once and leaves the rest to a task of its own,
  // which Chromium puts off until the next frame after a press: what is queued behind it here comes after it.
  harness.posted = async () => {
    if (isGathered && !state.posted) await new Promise((resume) => setTimeout(resume));
    isGathered = false;
    return Boolean(state.posted);
  };

  // After the next frame: where a wheel or a scroll has brought the page.
  const nextFrame = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
  harness.frame = async () => {
    await nextFrame();
    const all = harness.document.scrollingElement ?? harness.document.documentElement;
    return { x: scrollX, y: scrollY, right: all.scrollWidth - innerWidth, bottom: all.scrollHeight - innerHeight };
  };

  // Loaded, and no change to the document for a while: scripts that build the form step by step are done. Bounded, since
  // some pages never rest (clocks, animations). Milliseconds.
  // What is still sliding or unfolding is not at rest either.
  const isMoving = () => document.getAnimations().some((each) => each.playState === "running" &&
    Number.isFinite(each.effect?.getComputedTiming().endTime));
  const REST = 100;
  const LONGEST = 3000;
  harness.quiet = async () => {
    if (harness.document.readyState !== "complete") {
      await new Promise((resume) => window.addEventListener("load", resume, { once: true }));
    }
    let changed = performance.now();
    const watch = new MutationObserver(() => { changed = performance.now(); });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
    const deadline = performance.now() + LONGEST;
    while ((performance.now() - changed < REST || isMoving()) && performance.now() < deadline) {
      await new Promise((resume) => setTimeout(resume, 10));
    }
    watch.disconnect();
  };
})();
