// Press Submit as a worker would, and take down what the form sends. "Blocked is not wrong": when nothing comes, the reason
// is kept and the data is taken by the next gentler means.
(() => {
  "use strict";
  const state = harness.state;
  // A page that answers the press later (a timer, a request that fails offline) gets this long, in milliseconds.
  const PATIENCE = 150;
  // Characters of names and values: a page must not fill the memory of whoever reads it.
  const MOST = 16 * 1024 * 1024;
  const MOST_ENTRIES = 100_000;
  const MOST_REFUSALS = 1000;
  // Characters of a reason.
  const LONGEST = 10_000;

  /** @param {Element} element */
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;

  // None of the buttons that are an answer: nobody has chosen it.
  harness.form.submitControl = (form) => {
    const answers = form ? [...harness.form.answerButtons(form), ...harness.form.choosing(form)] : [];
    const known = /** @type {Submitter | null} */ (harness.document.getElementById("submitButton"));
    const byId = known && answers.includes(known) ? null : known;
    if (byId && isSeen(byId)) return byId;
    const buttons = form ? harness.form.submitters(form).filter((button) => !answers.includes(button)) : [];
    const seen = buttons.filter(isSeen);
    return seen.findLast(harness.form.says) ?? seen.at(-1) ?? byId ?? buttons.at(-1) ?? null;
  };

  /**
   * Presses, and says why nothing was sent; null if something was.
   * @param {() => void} press
   */
  const blockedAfter = async (press) => {
    const before = { submits: state.submitEvents, invalid: state.invalid.length };
    let clickPrevented = false;
    /** @param {Event} event */
    const watch = (event) => { clickPrevented = event.defaultPrevented; };
    window.addEventListener("click", watch, { once: true });
    state.aimless = true;
    try { press(); } finally { state.aimless = false; }
    window.removeEventListener("click", watch);
    if (state.posted) return null;
    if (state.invalid.length > before.invalid) {
      return { by: "validation", words: "HTML validation: " + state.invalid.slice(before.invalid).join(", ") };
    }
    const deadline = performance.now() + PATIENCE;
    while (!state.posted && performance.now() < deadline) await new Promise((resume) => setTimeout(resume, 5));
    if (state.posted) return null;
    if (state.submitEvents > before.submits) return { by: "submit", words: "submit handler of the page" };
    if (clickPrevented) return { by: "click", words: "click handler of the page" };
    return { by: "silence", words: "nothing happened when the submit control was pressed" };
  };

  /**
   * Takes hidden inputs away that a script has added for a submission that was none: it adds them again for the next.
   * @param {HTMLFormElement} form
   * @param {Set<Element>} before
   */
  const removeAdded = (form, before) => {
    for (const added of Array.from(harness.own.elements(form)).filter((each) => !before.has(each))) {
      if (added instanceof HTMLInputElement && added.type === "hidden") harness.own.remove(added);
    }
  };

  /**
   * Why a form has no control that only submits it.
   * @param {HTMLFormElement} form
   */
  const nameless = (form) => {
    const names = [...new Set(harness.form.answerButtons(form).map((button) => button.name))];
    if (names.length) return "no button was pressed, and which one is pressed is the answer: " + names.join(", ");
    return harness.form.choosing(form).length
      ? "no button was pressed, and which one is pressed may be the answer: none says that it submits"
      : "the form has no submit control";
  };

  /**
   * @param {string} via
   * @param {Entry[]} entries
   * @param {string} blocked
   * @returns {SubmissionRecord}
   */
  const report = (via, entries, blocked) => {
    const characters = entries.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    if (characters > MOST) throw new RangeError(`the form sends ${characters} characters, of which at most ${MOST} are read`);
    if (entries.length > MOST_ENTRIES) {
      throw new RangeError(`the form sends ${entries.length} values, of which at most ${MOST_ENTRIES} are read`);
    }
    return {
      via, entries, blocked: blocked.slice(0, LONGEST), dialogs: state.dialogs, refused: state.refused,
      accepted: via === "press" || via === "solver", invalid: [],
    };
  };

  // What HTML validation refuses as the form stands, each name once: its words are the browser's.
  /**
   * @param {HTMLFormElement} form
   * @param {Submitter | null} control
   * @returns {Refusal[]}
   */
  const refusedBy = (form, control) => {
    if (harness.own.attribute(form, "novalidate") !== null || control?.formNoValidate) return [];
    /** @type {Map<string, Refusal>} */
    const found = new Map();
    for (const each of harness.form.controls(form)) {
      if (!each.willValidate || each.validity.valid || found.has(each.name) || found.size >= MOST_REFUSALS) continue;
      found.set(each.name, { name: each.name, words: each.validationMessage.slice(0, LONGEST), visible: harness.fields.isVisible(each) });
    }
    return [...found.values()];
  };

  harness.form.submit = async () => {
    harness.page.leave();
    await harness.form.posted();
    if (state.posted) return report("solver", state.posted, "");
    const form = harness.form.element();
    if (!form) return report("nothing to submit", [], "the page has no form");
    const control = harness.form.submitControl(form);
    const invalid = refusedBy(form, control);
    const done = await submitted(form, control);
    return { ...done, invalid: done.accepted ? [] : invalid };
  };

  /**
   * Submits a form by the gentlest means that works.
   * @param {HTMLFormElement} form
   * @param {Submitter | null} control
   */
  const submitted = async (form, control) => {
    const before = new Set(harness.own.elements(form));
    let blocked = "";
    let by = "";
    /**
     * @param {string} via
     * @param {() => void} press
     */
    const attempt = async (via, press) => {
      let reason;
      removeAdded(form, before);
      try { reason = await blockedAfter(press); } catch (error) { reason = { by: "error", words: String(error) }; }
      if (!reason) return report(via, state.posted ?? [], blocked);
      blocked ||= reason.words;
      by = reason.by;
      return null;
    };
    if (!control) blocked = nameless(form);
    else if (control.matches(":disabled")) blocked = "the submit control is disabled";
    else {
      const sent = await attempt("press", () => control.click());
      if (sent) return sent;
      if (by === "validation") {
        harness.own.setAttribute(form, "novalidate", "");
        control.formNoValidate = true;
        const unchecked = await attempt("press without validation", () => control.click());
        if (unchecked) return unchecked;
      }
    }
    // A page whose own submit handler refused would refuse again; in every other case the handler has not been asked yet.
    if (by !== "submit") {
      harness.own.setAttribute(form, "novalidate", "");
      const requested = await attempt("request without validation",
        () => harness.own.requestSubmit(form, harness.form.submitterOf(form, control)));
      if (requested) return requested;
    }
    let standing;
    try {
      standing = harness.form.entries(form, control);
    } catch (error) {
      blocked += "; " + error;
    }
    if (standing) return report("form data as it stands", standing, blocked);
    const values = harness.fields.list().flatMap(({ name, initial }) => initial.map((value) => ({ name, value })));
    return report("values of the page", values, blocked);
  };

  // ---- before it is submitted ------------------------------------------------------------------------------------

  // Until told otherwise, nothing that the page sends counts as its answers.
  harness.form.hold = (on) => { state.held = on; };

  // What a submit would send. The page's own submit handlers run, since they may write answers; nothing is sent, and the
  // form can be sent again.
  harness.form.rehearse = async () => {
    const form = harness.form.element();
    const control = harness.form.submitControl(form);
    if (state.posted || !form || control?.matches(":disabled") ||
      (!control && !harness.form.answerButtons(form).length && !harness.form.choosing(form).length)) return [];
    const lists = [state.dialogs, state.invalid, state.refused].map((list) => ({ list, length: list.length }));
    const before = new Set(harness.own.elements(form));
    const checked = harness.own.attribute(form, "novalidate");
    harness.own.setAttribute(form, "novalidate", "");
    if (control) control.click();
    else harness.own.requestSubmit(form, null);
    await harness.form.posted();
    const entries = state.posted ?? harness.form.entries(form, control);
    if (checked === null) harness.own.removeAttribute(form, "novalidate");
    removeAdded(form, before);
    state.posted = null;
    for (const { list, length } of lists) list.length = length;
    return entries;
  };
})();
