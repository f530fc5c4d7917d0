"use strict";
// The page of an episode: one moment at a time, by keys; folds that are remembered; long texts when they are looked at.
// What comes from the run is put in as text only.
(() => {
  const root = document.documentElement;
  const moments = [...document.querySelectorAll(".moment")];
  // Taken from the elements, so that the browser does not scroll to a moment before all of its scene is to be seen.
  const places = new Map();
  moments.forEach((moment, place) => { moment.dataset.ident = moment.id; places.set(moment.id, place); moment.removeAttribute("id"); });
  for (const scene of document.querySelectorAll(".scene[id]")) {
    places.set(scene.id, moments.indexOf(scene.querySelector(".moment")));
    scene.removeAttribute("id");
  }
  const KEPT = "turkbench-episode-";
  const CLOSED_AT_FIRST = new Set(["metadata"]);

  const kept = {
    read(name) {
      try { return localStorage.getItem(KEPT + name); } catch { return null; }
    },
    write(name, value) {
      try { localStorage.setItem(KEPT + name, value); } catch { /* A browser that keeps nothing shows all the same. */ }
    },
  };

  let current = 0;

  function show(place, { follow = true } = {}) {
    if (!moments.length) return;
    current = Math.max(0, Math.min(moments.length - 1, place));
    const moment = moments[current];
    const scene = moment.closest(".scene");
    for (const each of document.querySelectorAll(".current")) each.classList.remove("current");
    scene.classList.add("current");
    moment.classList.add("current");
    for (const figure of scene.querySelectorAll("figure[data-of]")) figure.classList.toggle("current", figure.dataset.of === moment.dataset.ident);
    for (const link of document.querySelectorAll(".strip a")) {
      const here = link.dataset.to === moment.dataset.ident;
      if (here) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current");
      if (here) keepInSight(link.parentElement);
    }
    document.getElementById("where").textContent = `${moment.getAttribute("aria-label")} · ${current + 1} of ${moments.length}`;
    if (follow) {
      history.replaceState(null, "", `#${moment.dataset.ident}`);
      if (root.classList.contains("view-all")) moment.scrollIntoView({ block: "nearest" });
    }
  }

  function keepInSight(item) {
    const strip = item.parentElement;
    const left = item.offsetLeft - strip.offsetLeft;
    if (left < strip.scrollLeft || left + item.offsetWidth > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = left - strip.clientWidth / 3;
  }

  function goToFragment() {
    const place = places.get(decodeURIComponent(location.hash.slice(1)));
    if (place === undefined) return false;
    show(place, { follow: false });
    document.getElementById("story").scrollIntoView();
    return true;
  }

  // Folds.
  function setFold(kind, open) {
    for (const fold of document.querySelectorAll(`details[data-fold="${kind}"]`)) fold.open = open;
    for (const button of document.querySelectorAll(`[data-fold-all="${kind}"]`)) button.setAttribute("aria-pressed", String(open));
    kept.write(`fold-${kind}`, open ? "open" : "closed");
  }
  const isOpen = (kind) => (kept.read(`fold-${kind}`) ?? (CLOSED_AT_FIRST.has(kind) ? "closed" : "open")) === "open";
  const turnFold = (kind) => setFold(kind, !isOpen(kind));

  function setView(name, on) {
    root.classList.toggle(`view-${name}`, on);
    for (const button of document.querySelectorAll(`[data-view="${name}"]`)) button.setAttribute("aria-pressed", String(on));
    kept.write(`view-${name}`, on ? "on" : "off");
  }
  const turnView = (name) => setView(name, !root.classList.contains(`view-${name}`));

  // Long texts (`textAt` is that of copy.js).
  const MOST_SHOWN = Number(document.getElementById("story").dataset.mostShown);
  const isHere = (address) => address.startsWith("#");
  // What cannot be seen has a sign, as in the texts that the server writes.
  const UNSEEN = /([^\P{Cc}\t\n]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs})/u;
  function signed(text) {
    return text.replaceAll("\r\n", "\n").split(UNSEEN).map((piece, place) => {
      if (!(place % 2)) return piece;
      const sign = document.createElement("span");
      sign.className = "sign";
      sign.dataset.code = piece.codePointAt(0).toString(16);
      sign.textContent = `U+${sign.dataset.code.toUpperCase().padStart(4, "0")}`;
      return sign;
    });
  }
  async function unfold(link) {
    const place = link.parentElement;
    if (place.dataset.asked) return;
    place.dataset.asked = "yes";
    try {
      const text = document.createElement("pre");
      text.className = "said";
      text.tabIndex = 0;
      const whole = await textAt(link.dataset.text);
      const shown = isHere(link.dataset.text) ? whole : whole.slice(0, MOST_SHOWN);
      text.append(...signed(shown));
      place.append(text);
      link.hidden = shown === whole;
      link.textContent = `The first ${shown.length} of ${whole.length} characters are shown: open the whole`;
      delete link.dataset.text; // from now on it leads there
    } catch (error) {
      delete place.dataset.asked;
      const said = document.createElement("p");
      said.className = "note bad small";
      said.textContent = `It cannot be loaded: ${error.message}.`;
      place.querySelector(".note")?.remove();
      place.append(said);
    }
  }
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) unfold(entry.target);
  }, { rootMargin: "200px" });

  const keys = document.getElementById("keys");
  const KEYS = {
    "?": () => { if (!keys.open) keys.showModal(); },
    ArrowRight: () => show(current + 1), j: () => show(current + 1),
    ArrowLeft: () => show(current - 1), k: () => show(current - 1),
    Home: () => show(0), End: () => show(moments.length - 1),
    o: () => turnFold("observations"), t: () => turnFold("thoughts"), c: () => turnFold("calls"), m: () => turnFold("metadata"),
    a: () => turnView("all"), z: () => turnView("full"),
    f: () => document.querySelector("#form, #judged").scrollIntoView(),
    "[": () => document.getElementById("previous")?.click(), "]": () => document.getElementById("next")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    if (keys?.open && event.key !== "?") return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const act = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  document.addEventListener("click", (event) => {
    const listed = event.target.closest("a[href='#keys'], dialog a");
    if (listed) {
      event.preventDefault();
      if (listed.closest("dialog")) keys.close(); else keys.showModal();
    }
    const target = event.target.closest("[data-go], [data-fold-all], [data-view], [data-to], [data-text], summary");
    if (!target) return;
    if (target.dataset.go) show(current + Number(target.dataset.go));
    if (target.dataset.foldAll) turnFold(target.dataset.foldAll);
    if (target.dataset.view) turnView(target.dataset.view);
    if (target.dataset.to) { event.preventDefault(); show(places.get(target.dataset.to)); }
    if (target.dataset.text) { event.preventDefault(); unfold(target); }
    const fold = target.matches("summary") && target.parentElement.dataset.fold;
    if (fold) { event.preventDefault(); setFold(fold, !target.parentElement.open); }
  });
  addEventListener("hashchange", goToFragment);
  // Replies in the other form, at the same moment.
  document.getElementById("replies")?.addEventListener("click", (event) => {
    if (location.hash) event.currentTarget.hash = location.hash;
  });

  root.classList.add("scripted");
  for (const kind of ["observations", "thoughts", "calls", "metadata"]) setFold(kind, isOpen(kind));
  for (const name of ["all", "full"]) setView(name, kept.read(`view-${name}`) === "on");
  // In a single file each picture stands once.
  const sources = new Map();
  for (const image of document.querySelectorAll("img[data-picture][src]")) sources.set(image.dataset.picture, image.src);
  for (const image of document.querySelectorAll("img[data-picture]:not([src])")) if (sources.has(image.dataset.picture)) image.src = sources.get(image.dataset.picture);
  for (const link of document.querySelectorAll(".whole:not([data-closed]) [data-text]")) seen.observe(link);
  if (!goToFragment()) show(0, { follow: false });
})();
