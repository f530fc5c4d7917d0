// Moves through the rows of a table: j and k, Enter opens, the arrows turn pages, / goes to the search, ? lists the keys.
(() => {
  "use strict";
  const rows = () => [...document.querySelectorAll("tr[data-row]")].filter((row) => row.querySelector("a[href]"));
  const typing = (target) => target instanceof Element && target.closest("input, select, textarea, [contenteditable]");

  const step = (by) => {
    const all = rows();
    if (!all.length) return;
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
    const link = all[next].querySelector("a[href]");
    link.focus({ preventScroll: true });
    all[next].scrollIntoView({ block: "nearest" });
  };
  const keys = () => document.querySelector("dialog#keys");
  const list = () => {
    const dialog = keys();
    if (dialog && !dialog.open) dialog.showModal();
  };
  const follow = (relation) => document.querySelector(`main a[rel=${relation}]`)?.click();

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href='#keys'], dialog#keys a[href='#content']");
    if (!link) return;
    event.preventDefault();
    if (link.closest("dialog")) keys().close();
    else list();
  });
  document.addEventListener("keydown", (event) => {
    // A table that is wider than the page is moved by the arrows.
    if (event.key.startsWith("Arrow") && event.target instanceof Element && event.target.matches(".scroll")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (keys()?.open && event.key !== "?") return;
    const act = {
      "?": list,
      j: () => step(1),
      k: () => step(-1),
      ArrowLeft: () => follow("prev"),
      ArrowRight: () => follow("next"),
      "/": () => document.querySelector("[data-search]")?.focus(),
    }[event.key];
    if (!act) return;
    if (event.key === "j" || event.key === "k" || event.key === "/") event.preventDefault();
    act();
  });
})();
