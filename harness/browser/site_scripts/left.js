// What is read on a page when an episode is over. What to read is data: no expression comes from a task.
(() => {
  "use strict";
  if (harness.left) return;
  const { own } = harness;
  const MOST = 4_000_000; // characters
  /** @param {Element} element */
  const valueOf = (element) => {
    if (element instanceof HTMLInputElement && element.type === "password") return "•".repeat(element.value.length);
    const isControl = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
      || element instanceof HTMLSelectElement || element instanceof HTMLButtonElement || element instanceof HTMLOptionElement
      || element instanceof HTMLLIElement || element instanceof HTMLMeterElement || element instanceof HTMLProgressElement
      || element instanceof HTMLOutputElement || element instanceof HTMLDataElement || element instanceof HTMLParamElement;
    return isControl ? String(element.value) : "";
  };
  /**
   * @param {Element} element
   * @param {ReadAs} reads
   * @param {string} attribute
   */
  const said = (element, reads, attribute) => {
    if (reads === "attribute") return own.attribute(element, attribute) ?? "";
    if (reads === "selected") return element instanceof HTMLSelectElement ? String(element.selectedIndex) : "";
    if (reads === "markup") return own.html(element);
    if (reads === "value") return valueOf(element);
    return element instanceof HTMLElement ? element.outerText : element.textContent ?? "";
  };
  harness.left = {
    read(css, number, reads, attribute) {
      const found = css ? [...harness.document.querySelectorAll(css)] : [harness.document.documentElement];
      const meant = number === null ? found : found.slice(number, number + 1);
      return meant.map((element) => said(element, reads, attribute)).join("\n").slice(0, MOST);
    },
  };
})();
