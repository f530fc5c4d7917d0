// The page's live HTML, whole or around one field. Work is done on a copy in an inert document: the page sees nothing of it.
(() => {
  "use strict";
  harness.page.html = () => harness.own.html(harness.document.documentElement);

  // The grandparent's HTML of a field, with the number of the piece (the text split at ">") that opens the field.
  harness.page.neighbourhood = (name) => {
    const field = harness.fields.named(name);
    if (!field) {
      const names = Array.from(harness.fields.controlsByName().keys());
      return { code: "no_such_field", error: "no field of this name is on the page now", names };
    }
    const control = field.controls.find(harness.fields.isVisible) ?? field.controls[0];
    const { parent, children } = harness.own;
    const around = parent(parent(control) ?? control) ?? parent(control) ?? control;
    const path = [];
    for (let element = /** @type {Element} */ (control); element !== around;) {
      const holder = /** @type {Element} */ (parent(element));
      path.unshift(Array.from(children(holder)).indexOf(element));
      element = holder;
    }
    const copy = harness.document.implementation.createHTMLDocument("").importNode(around, true);
    /** @type {Element} */
    let twin = copy;
    for (const index of path) twin = children(twin)[index];
    const html = harness.own.html(copy);
    twin.setAttribute("data-harness-here", "");
    const before = harness.own.html(copy).split(" data-harness-here=\"\"")[0];
    const opened = before.lastIndexOf("<");
    return { html, piece: html.slice(0, opened).split(">").length - 1 };
  };
})();
