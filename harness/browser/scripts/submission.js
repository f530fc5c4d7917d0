// Press Submit as a worker would, and take down what the form sends. "Blocked is not wrong": when nothing comes, the reason
// is kept and the data is taken by the next gentler means.
(() => {
  "use strict";
  const state = harness.state;
  // A page that answers the press later (a timer, a request that fails offline) gets this long, in milliseconds.
  const PATIENCE = 150;

  // What a button shows: not its value, unless it is an input, which says "Submit" where it is given no words.
  const says = (button) => /submit/i.test(button instanceof HTMLInputElement
    ? (button.type === "image" ? button.alt : button.getAttribute("value") ?? "Submit") : button.innerText);
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;

  harness.submitControl = (form) => {
    const byId = harness.document.getElementById("submitButton");
    if (byId && isSeen(byId)) return byId;
    const buttons = form ? harness.buttons(form) : [];
    const seen = buttons.filter(isSeen);
    return seen.findLast(says) ?? seen.at(-1) ?? byId ?? buttons.at(-1) ?? null;
  };

  // Presses, and says why nothing was sent; null if something was.
  const blockedAfter = async (press) => {
    const before = { submits: state.submitEvents, invalid: state.invalid.length };
    let clickPrevented = false;
    const watch = (event) => { clickPrevented = event.defaultPrevented; };
    window.addEventListener("click", watch, { once: true });
    press();
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

  const report = (via, entries, blocked) => ({
    via, entries, blocked, dialogs: state.dialogs, refused: state.refused,
    accepted: via === "press" || via === "solver",
  });

  harness.submit = async () => {
    harness.leave();
    if (await harness.posted()) return report("solver", state.posted, "");
    const form = harness.answerForm();
    if (!form) return report("nothing to submit", [], "the page has no form");
    const control = harness.submitControl(form);
    let blocked = "";
    let by = "";
    const attempt = async (via, press) => {
      let reason;
      try { reason = await blockedAfter(press); } catch (error) { reason = { by: "error", words: String(error) }; }
      if (!reason) return report(via, state.posted, blocked);
      blocked ||= reason.words;
      by = reason.by;
      return null;
    };
    if (!control) blocked = "the form has no submit control";
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
        () => harness.own.requestSubmit(form, harness.submitterOf(form, control)));
      if (requested) return requested;
    }
    try {
      return report("form data as it stands", harness.entries(form, control), blocked);
    } catch (error) {
      blocked += "; " + error;
    }
    const values = harness.fields().flatMap((field) => field.initial.map((value) => [field.name, value]));
    return report("values of the page", values, blocked);
  };
})();
