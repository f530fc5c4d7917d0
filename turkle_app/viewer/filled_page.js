// Fills in a form with what was sent, once its controls are there. It runs among the page's own scripts.
(() => {
  "use strict";
  const values = new Map(Object.entries(JSON.parse(VALUES)));

  function set(controls, sent) {
    const texts = [...sent];
    for (const control of controls) {
      if (control.type === "file") continue;
      if (control.type === "checkbox" || control.type === "radio") control.checked = sent.includes(control.value);
      else if (control.localName === "select") for (const option of control.options) option.selected = sent.includes(option.value);
      else if (texts.length) control.value = texts.shift();
    }
  }

  function fill() {
    for (const [name, sent] of values) {
      const controls = [...document.getElementsByName(name)].filter((each) => each.matches("input, select, textarea"));
      if (!controls.length) continue;
      values.delete(name);
      set(controls, sent);
      // Parts of the page may show themselves only now; what their scripts write is overwritten.
      for (const control of controls) {
        for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
      }
      set(controls, sent);
    }
  }

  addEventListener("load", () => {
    fill();
    new MutationObserver(fill).observe(document, { childList: true, subtree: true });
  });
})();
