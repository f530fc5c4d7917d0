// Runs in the page's own world before any script of the page. It keeps a page from stopping the run (dialogs,
// pop-ups, printing) and, with CLOCK, makes chance and time the same in every run of one instance.
// CHANNEL and CLOCK are constants that the loader writes above this text.
(() => {
  "use strict";
  const report = (kind, message) =>
    document.dispatchEvent(new CustomEvent(CHANNEL, { detail: kind + ":" + String(message ?? "") }));
  window.alert = function alert(message) { report("alert", message); };
  window.confirm = function confirm(message) { report("confirm", message); return true; };
  window.prompt = function prompt(message, value) { report("prompt", message); return value ?? ""; };
  window.open = function open(url) { report("open", url); return null; };
  window.print = function print() { report("print", ""); };
  window.close = function close() { report("close", ""); };

  if (!CLOCK) return;

  // FNV-1a over the path: an instance's address is stable, so its seed is.
  let seed = 0x811c9dc5;
  for (const character of location.pathname) {
    seed = Math.imul(seed ^ character.codePointAt(0), 0x01000193) >>> 0;
  }
  // mulberry32, public domain (T. Ettinger, 2017)
  let state = seed;
  Math.random = function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  // The day is fixed and time runs on from there at its natural speed, since pages wait by looking at the clock.
  const RealDate = Date;
  const start = RealDate.UTC(2024, 0, 1) + (seed % (365 * 24 * 3600)) * 1000;
  const loaded = performance.now();
  const now = () => start + Math.floor(performance.now() - loaded);
  const SeededDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
  RealDate.prototype.constructor = SeededDate;
  window.Date = SeededDate;
})();
