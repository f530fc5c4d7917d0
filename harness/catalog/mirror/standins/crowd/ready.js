// The page has loaded: controls of crowd-form and of the elements that are in no form (the page has one around a part
// of them, or a stray end tag) are tied to crowd-form's, and the event that page scripts wait for is sent.
(() => {
  "use strict";
  const crowd = (globalThis[Symbol.for("crowd-html-elements")] ??= {});
  if (crowd.announced) return;
  crowd.announced = true;

  const CONTROLS = ":is(crowd-form, [data-crowd]) :is(input, select, textarea, button), button[data-crowd]";
  const ready = () => {
    const form = document.querySelector("crowd-form")?.form;
    if (form) {
      for (const control of document.querySelectorAll(CONTROLS)) {
        if (control.form) continue;
        form.id ||= "crowd_form";
        control.setAttribute("form", form.getAttribute("id"));
      }
    }
    document.dispatchEvent(new Event("all-crowd-elements-ready", { bubbles: true }));
  };
  // One step later, so that what listens from the load event on hears it, too.
  if (document.readyState === "complete") setTimeout(ready);
  else window.addEventListener("load", () => setTimeout(ready), { once: true });
})();
