// Runs in the harness's own world at document start: what the page sends is taken down, and nothing leaves the page.
// CHANNEL is a constant that the loader writes above this text.
(() => {
  "use strict";
  const { state } = harness;
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

  // A page that asks without end, or at length, must not fill the record.
  const MOST = 100;
  const LONGEST = 10_000;
  /**
   * @param {string[]} list
   * @param {string} text
   */
  const note = (list, text) => { if (list.length < MOST) list.push(text.slice(0, LONGEST)); };
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

  // A picture sends where it was pressed: nowhere, when no pointer has done it.
  /** @param {HTMLElement | null} button */
  const chosen = (button) => (state.aimless && button instanceof HTMLInputElement && button.type === "image" ? null : button);
  window.addEventListener("submit", (event) => {
    if (!event.isTrusted) return;
    state.submitEvents += 1;
    // Appended now, so that it runs after every listener that the page put on the window.
    window.addEventListener("submit", (bubbled) => {
      // Where the page stopped the event on its way, the next one that comes is another.
      if (bubbled !== event || bubbled.defaultPrevented) return;
      post(harness.form.entries(/** @type {HTMLFormElement} */ (bubbled.target), chosen(bubbled.submitter)));
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
