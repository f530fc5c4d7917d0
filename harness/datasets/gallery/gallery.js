"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const cards = [...document.querySelectorAll(".card")];
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = (of) => [...document.querySelectorAll(`fieldset[data-of=${of}] input:checked`)].map((box) => box.value);

  const filter = () => {
    const sought = words(at("query").value);
    const split = at("split").value;
    const wanted = { shows: chosen("shows"), kinds: chosen("kinds") };
    let left = 0;
    for (const card of cards) {
      const fits = (!split || card.dataset.split === split) &&
        sought.every((word) => card.dataset.sought.includes(word)) &&
        Object.entries(wanted).every(([of, all]) => all.every((each) => words(card.dataset[of]).includes(each)));
      card.hidden = !fits;
      left += Number(fits);
    }
    at("result").value = left === cards.length ? `${left} tasks` : `${left} of ${cards.length} tasks`;
    at("none").hidden = left > 0;
  };

  let current = null;
  const pictured = () => cards.filter((card) => !card.hidden && card.querySelector("a.shot"));
  const enlarge = (card) => {
    const link = card.querySelector("a.shot");
    const picture = at("large-picture");
    current = card;
    at("large-name").textContent = card.querySelector("h2").textContent;
    picture.alt = link.getAttribute("aria-label");
    picture.height = Number(link.dataset.height);
    picture.src = link.getAttribute("href");
    document.querySelector(".page").scrollTop = 0;
    if (!at("large").open) at("large").showModal();
  };
  const step = (by) => {
    const all = pictured();
    const next = all[(all.indexOf(current) + by + all.length) % all.length];
    if (next) enlarge(next);
  };

  at("cards").addEventListener("click", (event) => {
    const link = event.target.closest("a.shot");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    enlarge(link.closest(".card"));
  });
  at("before").addEventListener("click", () => step(-1));
  at("after").addEventListener("click", () => step(1));
  at("close").addEventListener("click", () => at("large").close());
  at("large").addEventListener("click", (event) => { if (event.target === at("large")) at("large").close(); });
  at("large").addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  at("large").addEventListener("close", () => current?.querySelector("a.shot").focus());

  const filters = at("filters");
  filters.addEventListener("input", filter);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(filter));
  filters.hidden = false;
  filter();
})();
