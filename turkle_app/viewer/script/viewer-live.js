// Keeps a page up with its run: the page is fetched again, and its parts marked data-live that differ are exchanged.
// data-live-every says after how many milliseconds; a page without it changes no more. data-live-until names a part
// without which the page has become another one: then it is opened anew.
(() => {
  "use strict";
  const every = () => Number(document.querySelector("[data-live-every]")?.getAttribute("data-live-every") ?? 0);
  const boxes = () => document.querySelectorAll("input[type=checkbox][name]");
  const key = (box) => `${box.name}=${box.value}`;

  // What the server sent, which other scripts change: times become local ones, buttons are shown.
  const came = new WeakMap([...document.querySelectorAll("[data-live]")].map((part) => [part, part.innerHTML]));

  // What the reader has done to a part: what is folded out, what is ticked, where the keyboard is.
  const exchange = (old, fresh) => {
    if (came.get(old) === fresh.innerHTML) return;
    came.set(old, fresh.innerHTML);
    const open = new Set([...old.querySelectorAll("details[open][data-keep]")].map((each) => each.dataset.keep));
    const ticked = new Set([...boxes()].filter((box) => box.checked).map(key));
    const here = old.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    const scrolled = [...old.querySelectorAll(".tall")].map((each) => each.scrollTop);
    old.innerHTML = fresh.innerHTML;
    for (const each of old.querySelectorAll("details[data-keep]")) each.open = open.has(each.dataset.keep);
    for (const box of boxes()) if (ticked.has(key(box))) box.checked = true;
    old.querySelectorAll(".tall").forEach((each, place) => { each.scrollTop = scrolled[place] ?? 0; });
    if (here) [...old.querySelectorAll("a[href]")].find((link) => link.getAttribute("href") === here)?.focus({ preventScroll: true });
  };

  const look = async () => {
    try {
      if (!document.hidden) {
        const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        const until = document.querySelector("[data-live-until]")?.getAttribute("data-live-until");
        if (answer.ok && until && !fresh.querySelector(until)) return location.reload();
        for (const old of document.querySelectorAll("[data-live]")) {
          const part = answer.ok && fresh.getElementById(old.id);
          if (!part) continue;
          exchange(old, part);
          const pause = part.getAttribute("data-live-every");
          if (pause) old.setAttribute("data-live-every", pause);
          else old.removeAttribute("data-live-every");
        }
      }
    } catch { /* The server is away: it is asked again. */ }
    again();
  };
  const again = () => { if (every()) setTimeout(look, every()); };
  again();
})();
