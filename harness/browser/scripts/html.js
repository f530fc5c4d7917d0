// The page's live HTML, whole or around one field. Work is done on a copy in an inert document: the page sees nothing of it.
(() => {
  "use strict";
  harness.fullHtml = () => document.documentElement.outerHTML;

  // The grandparent's HTML of a field, with the number of the piece (the text split at ">") that opens the field.
  harness.neighbourhood = (name) => {
    const field = harness.field(name);
    if (!field) return { error: "no field of this name is on the page now", names: Array.from(harness.controlsByName().keys()) };
    const control = field.controls.find(harness.isVisible) ?? field.controls[0];
    const around = control.parentElement?.parentElement ?? control.parentElement ?? control;
    const path = [];
    for (let element = control; element !== around; element = element.parentElement) {
      path.unshift(Array.prototype.indexOf.call(element.parentElement.children, element));
    }
    const copy = document.implementation.createHTMLDocument("").importNode(around, true);
    let twin = copy;
    for (const index of path) twin = twin.children[index];
    const html = copy.outerHTML;
    twin.setAttribute("data-harness-here", "");
    const before = copy.outerHTML.split(" data-harness-here=\"\"")[0];
    const opened = before.lastIndexOf("<");
    return { html, piece: html.slice(0, opened).split(">").length - 1 };
  };
})();
