// Goes through the places of an episode at which what was searched for stands: n and N, and the buttons; behind the last
// comes the next episode of the list, before the first the one before. The page of the episode shows the step of each.
(() => {
  "use strict";
  const marks = [...document.querySelectorAll("mark.hit")];
  const said = document.getElementById("hit-place");
  if (!said) return;
  const all = said.textContent;
  let at = -1;
  const say = (more) => { said.textContent = (marks.length ? `${at + 1} of ${all}` : all) + more; };

  const show = (place) => {
    at = place;
    const mark = marks[at];
    const moment = mark.closest(".moment") ?? mark.closest(".scene")?.querySelector(".moment");
    if (moment instanceof HTMLElement && moment.dataset.ident) {
      history.replaceState(null, "", `#${moment.dataset.ident}`);
      dispatchEvent(new HashChangeEvent("hashchange"));
    }
    for (let fold = mark.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    document.querySelector("mark.hit.here")?.classList.remove("here");
    mark.classList.add("here");
    mark.scrollIntoView({ block: "center" });
    history.replaceState(null, "", `#${mark.id}`);
    say("");
  };
  const toEpisode = (ident, fragment) => {
    const link = document.getElementById(ident);
    if (link instanceof HTMLAnchorElement) location.href = link.href.replace(/#.*$/, "") + fragment;
    else say(`: there is no ${ident} episode in the list`);
  };
  const go = (by) => {
    if (at + by >= marks.length) toEpisode("next", "#hit-1");
    else if (at + by < 0) toEpisode("previous", "#hit-last");
    else show(at + by);
  };
  const follow = () => {
    const name = location.hash.slice(1);
    const place = name === "hit-last" ? marks.length - 1 : marks.findIndex((mark) => mark.id === name);
    if (place >= 0) show(place);
  };

  for (const button of document.querySelectorAll("button[data-hit]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => go(Number(button.dataset.hit)));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === "n") go(1);
    if (event.key === "N") go(-1);
  });
  addEventListener("hashchange", follow);
  follow();
})();
