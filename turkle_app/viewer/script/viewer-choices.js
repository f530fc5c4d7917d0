// What this browser keeps of choices: filters of episodes by a name, of one run or of all; and the order in which runs are
// ticked to be compared, of which the first is A.
(() => {
  "use strict";
  const KEPT = "turkbench-filters";
  const kept = () => {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
      return Array.isArray(found) ? found.filter((each) => typeof each?.name === "string" && typeof each.query === "string") : [];
    } catch { return []; }
  };
  const keep = (all) => {
    try { localStorage.setItem(KEPT, JSON.stringify(all)); return true; } catch { return false; }
  };
  const made = (name, values, ...inside) => {
    const element = Object.assign(document.createElement(name), values);
    element.append(...inside);
    return element;
  };

  const place = document.getElementById("saved-filters");
  const { run = "", query = "" } = place?.dataset ?? {};
  const draw = (said = "") => {
    const own = kept().filter((each) => !each.run || each.run === run);
    const rows = own.map((each) => made("li", {},
      made("a", { href: `?${each.query}#episodes-title`, textContent: each.name, ariaCurrent: each.query === query ? "true" : null }),
      each.run ? "" : made("span", { className: "soft small", textContent: " all runs" }),
      made("button", {
        type: "button", className: "small", textContent: "Remove", ariaLabel: `Remove the filter ${each.name}`,
        onclick: () => draw(keep(kept().filter((other) => other.name !== each.name || other.run !== each.run)) ? "" : "It cannot be removed: the browser refused."),
      })));
    const name = made("input", { id: "filter-name", maxLength: 60, autocomplete: "off", placeholder: "a name" });
    const everywhere = made("input", { id: "filter-everywhere", type: "checkbox" });
    const save = () => {
      const given = { name: name.value.trim(), query, run: everywhere.checked ? "" : run };
      if (!given.name) { name.focus(); return; }
      const others = kept().filter((each) => each.name !== given.name || each.run !== given.run);
      draw(keep([...others, given]) ? `Kept in this browser as ${given.name}.` : "It cannot be kept: the browser refused.");
    };
    // Enter in the name keeps the filter; it does not send the form around it.
    name.onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); save(); } };
    place?.replaceChildren(
      ...(rows.length ? [made("span", { className: "small", textContent: "Kept filters:" }), made("ul", {}, ...rows)] : []),
      ...(query ? [made("span", { className: "keep" },
        made("label", { htmlFor: "filter-name", className: "small", textContent: "Keep this filter as" }), name,
        made("label", { className: "small" }, everywhere, " for all runs"),
        made("button", { type: "button", textContent: "Keep", onclick: save }))] : []),
      made("span", { className: "soft small", role: "status", textContent: said }),
    );
    if (place) place.hidden = !rows.length && !query;
  };
  if (place) draw();

  // Runs that are ticked.
  const compare = document.getElementById("compare");
  if (!(compare instanceof HTMLFormElement)) return;
  const boxes = () => [...document.querySelectorAll("input[type=checkbox][name=run]")];
  let order = boxes().filter((box) => box.checked).map((box) => box.value);
  const letters = () => {
    for (const box of boxes()) {
      const at = order.indexOf(box.value);
      const letter = box.parentElement?.querySelector(".ticked") ?? made("span", { className: "ticked", ariaHidden: "true" });
      letter.textContent = at < 0 ? "" : String.fromCharCode(65 + at);
      if (!letter.isConnected) box.after(letter);
      box.setAttribute("aria-description", at < 0 ? "" : `Is ${letter.textContent} in the comparison`);
    }
  };
  document.addEventListener("change", (event) => {
    if (!(event.target instanceof HTMLInputElement) || !event.target.matches("input[type=checkbox][name=run]")) return;
    const { value, checked } = event.target;
    order = [...order.filter((each) => each !== value), ...(checked ? [value] : [])];
    letters();
  });
  compare.addEventListener("submit", (event) => {
    event.preventDefault();
    const there = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
    const chosen = new URLSearchParams(order.filter((value) => there.has(value)).map((value) => ["run", value]));
    location.href = `${compare.action}?${chosen}`;
  });
  const rows = document.getElementById("run-rows");
  if (rows) new MutationObserver(() => { if (boxes().some((box) => !box.parentElement?.querySelector(".ticked"))) letters(); }).observe(rows, { childList: true });
  letters();
})();
