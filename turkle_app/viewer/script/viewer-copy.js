// Buttons that copy a text: shown where the browser lets a page write to the clipboard.
(() => {
  "use strict";
  if (!navigator.clipboard) return;
  const show = () => document.querySelectorAll("button[data-copy][hidden]").forEach((button) => { button.hidden = false; });
  show();
  new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null;
    if (!(button instanceof HTMLButtonElement)) return;
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied: the browser refused";
    }
    setTimeout(() => { button.textContent = before; }, 2000);
  });
})();
