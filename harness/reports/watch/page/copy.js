"use strict";
// Buttons that copy a text, shown where the browser lets a page write to the clipboard: the text in `data-copy`, or all
// texts in the nearest element that `data-copy-from` selects, as they were before signs were put for what cannot be seen.

/** A long text: its address is a page of the server, which has it whole, or a part of this file. */
const textAt = async (address) => {
  if (address.startsWith("#")) return JSON.parse(document.getElementById(address.slice(1)).textContent);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.text();
};
(() => {
  if (!navigator.clipboard) return;
  const show = () => document.querySelectorAll("button:is([data-copy], [data-copy-from])[hidden]").forEach((button) => { button.hidden = false; });
  show();
  new MutationObserver(show).observe(document.body, { childList: true, subtree: true });
  const plain = (element) => {
    const copy = element.cloneNode(true);
    for (const sign of copy.querySelectorAll(".sign[data-code]")) sign.replaceWith(String.fromCodePoint(parseInt(sign.dataset.code, 16)));
    return copy.textContent;
  };
  const textOf = async (button) => {
    if (button.dataset.copy !== undefined) return button.dataset.copy;
    const texts = [];
    for (const each of button.closest(button.dataset.copyFrom).querySelectorAll("pre.said, .whole:not([data-closed]) [data-text], .role")) {
      texts.push(each.matches("[data-text]") ? await textAt(each.dataset.text) : each.matches(".role") ? `\n[${plain(each)}]` : plain(each));
    }
    return texts.join("\n").trim();
  };
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("button:is([data-copy], [data-copy-from])") : null;
    if (!(button instanceof HTMLButtonElement)) return;
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(await textOf(button));
      button.textContent = "Copied";
    } catch (error) {
      button.textContent = error instanceof DOMException ? "Not copied: the browser refused" : `Not copied: ${error.message}`;
    }
    setTimeout(() => { button.textContent = before; }, 2000);
  });
})();
