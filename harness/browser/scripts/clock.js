// Runs in the page's own world before any script of the page. It keeps account of what the page has put off with timers and
// frames, so that an action can end when what it has set off has happened (rest.js), and so that what would happen while
// nothing is done can be had at once (content.js); and, with CLOCK, it makes chance and time the same in every run of one
// instance.
// Time is reckoned as the page has set it and not by a clock: what comes 300 ms after a press is due then, however late the
// processor is. A load that makes all slower changes nothing.
// CHANNEL and CLOCK are constants that the loader writes above this text.
(() => {
  "use strict";
  const dispatch = EventTarget.prototype.dispatchEvent;
  const Message = CustomEvent;
  const { apply } = Reflect;
  const { max } = Math;
  const Channel = MessageChannel;
  const clock = performance.now.bind(performance);

  // What goes on for longer is none of the action's doing: a countdown, say. Milliseconds.
  const LONGEST = 1500;
  // An interval that is shorter draws a movement; a longer one shows a time, or looks for something, and has no end.
  const SHORT_INTERVAL = 100;
  const FRAME = 1000 / 60;
  // What is done to a page takes its time, which is not the solver's: so many milliseconds.
  /** @type {[keyof WindowEventMap, number][]} */
  const TAKES = [["mousedown", 1000], ["touchstart", 1000], ["keydown", 100]];

  /** @typedef {{ action: number, at: number, isEndless: boolean }} Moment when it is due, and after which action it was set */
  let action = 0;
  let begun = 0;
  let reached = 0; // by what was put off since the action began
  /** @type {Moment | null} */
  let running = null; // what runs now, if it was put off
  /**
   * @typedef {{ run: (at: number) => void, cancel: () => void, period: number, when: number, isAwaited: boolean }} Pending
   *   what the page has put off until "when", by the machine's clock and what was skipped of it; a period of 0 is once
   */
  /** @type {Map<number, Pending>} */
  const timers = new Map();
  /** @type {Map<number, Pending>} */
  const frames = new Map();
  let skipped = 0;
  /** @type {number | null} */
  let skippingAt = null; // the moment that runs, while time is skipped
  const moment = () => skippingAt ?? clock() + skipped;

  /**
   * @param {number} delay
   * @param {boolean} isEndless
   * @returns {Moment}
   */
  const after = (delay, isEndless = false) => ({
    action: running ? running.action : action,
    at: (running ? running.at : reached) + delay,
    isEndless: isEndless || Boolean(running?.isEndless),
  });
  /** @param {Moment} due */
  const isAwaited = (due) => skippingAt === null && due.action === action && !due.isEndless && due.at - begun <= LONGEST;
  /**
   * @param {Moment} due
   * @param {unknown} handler a function, or the text of a script
   * @param {unknown[]} args
   */
  const run = (due, handler, args) => {
    if (due.action === action && !due.isEndless) reached = max(reached, due.at);
    const before = running;
    running = due;
    try {
      if (typeof handler === "function") apply(handler, window, args);
      else (0, eval)(String(handler));
    } finally {
      running = before;
    }
  };
  // Browsers let an interval come every four milliseconds at the most.
  const SHORTEST_INTERVAL = 4;
  /**
   * @param {unknown} delay
   * @param {number} least
   */
  const milliseconds = (delay, least = 1) => max(least, Number(delay) || 0);

  /**
   * @template {keyof Window} K
   * @param {K} name
   * @returns {Window[K]}
   */
  const bound = (name) => /** @type {any} */ (window[name]).bind(window);
  const real = {
    setTimeout: bound("setTimeout"),
    setInterval: bound("setInterval"),
    clearTimeout: bound("clearTimeout"),
    clearInterval: bound("clearInterval"),
    requestAnimationFrame: bound("requestAnimationFrame"),
    cancelAnimationFrame: bound("cancelAnimationFrame"),
  };
  /** @type {any} */
  const own = window;
  own.setTimeout = function setTimeout(/** @type {unknown} */ handler, /** @type {any} */ delay, /** @type {unknown[]} */ ...args) {
    const due = after(milliseconds(delay));
    const now = () => {
      timers.delete(id);
      run(due, handler, args);
    };
    const id = real.setTimeout(now, delay);
    const cancel = () => real.clearTimeout(id);
    timers.set(id, { run: now, cancel, period: 0, when: moment() + milliseconds(delay), isAwaited: isAwaited(due) });
    return id;
  };
  own.setInterval = function setInterval(/** @type {unknown} */ handler, /** @type {any} */ delay, /** @type {unknown[]} */ ...args) {
    const period = milliseconds(delay, SHORTEST_INTERVAL);
    let due = after(period, period >= SHORT_INTERVAL);
    const now = () => {
      const before = due;
      due = { ...before, at: before.at + period };
      pending.when = moment() + period;
      pending.isAwaited &&= isAwaited(due);
      run(before, handler, args);
    };
    const id = real.setInterval(now, delay);
    const cancel = () => real.clearInterval(id);
    /** @type {Pending} */
    const pending = { run: now, cancel, period, when: moment() + period, isAwaited: isAwaited(due) };
    timers.set(id, pending);
    return id;
  };
  own.clearTimeout = function clearTimeout(/** @type {any} */ id) {
    timers.delete(Number(id));
    real.clearTimeout(id);
  };
  own.clearInterval = function clearInterval(/** @type {any} */ id) {
    timers.delete(Number(id));
    real.clearInterval(id);
  };
  own.requestAnimationFrame = function requestAnimationFrame(/** @type {FrameRequestCallback} */ handler) {
    const due = after(FRAME);
    const now = (/** @type {number} */ time) => {
      frames.delete(id);
      run(due, handler, [time]);
    };
    const id = real.requestAnimationFrame(now);
    const cancel = () => real.cancelAnimationFrame(id);
    frames.set(id, { run: now, cancel, period: 0, when: moment() + FRAME, isAwaited: isAwaited(due) });
    return id;
  };
  own.cancelAnimationFrame = function cancelAnimationFrame(/** @type {any} */ id) {
    frames.delete(Number(id));
    real.cancelAnimationFrame(id);
  };

  // ---- time that is skipped -------------------------------------------------------------------------------------

  const all = () => [...timers.values(), ...frames.values()];
  const LONGEST_SKIP = 1000;
  /**
   * Let all that is due within so many milliseconds happen now, in order; what it sets off besides comes between.
   * @param {number} duration
   * @returns whether there was too much
   */
  const skip = async (duration) => {
    const { port1, port2 } = new Channel();
    const turn = () => new Promise((resume) => { // of the event loop: not put off as timers are
      port1.onmessage = resume;
      port2.postMessage(null);
    });
    const end = moment() + duration;
    const stuck = clock() + LONGEST_SKIP;
    while (clock() < stuck) {
      const [next] = all().filter(({ when }) => when <= end).sort((one, other) => one.when - other.when);
      if (!next) break;
      if (!next.period) next.cancel();
      skippingAt = next.when;
      try {
        next.run(next.when);
      } catch (error) {
        reportError(error); // as of a timer: the page's own handlers hear of it
      }
      await turn();
    }
    skippingAt = null;
    skipped = end - clock();
    return clock() >= stuck;
  };

  // Asked whether something is awaited; told that the action is over, since what is still to come is not the next one's
  // doing; or told to skip a time.
  document.addEventListener(CHANNEL + "-clock", (event) => {
    const words = /** @type {CustomEvent} */ (event).detail;
    if (words === "awaited?") {
      if (all().some(({ isAwaited: isIt }) => isIt)) dispatch.call(document, new Message(CHANNEL + "-awaited"));
    } else if (words === "over") {
      action += 1;
      begun = reached;
      for (const each of all()) each.isAwaited = false;
    } else {
      skip(Number(words)).then((isStuck) => {
        const isOfMachine = frames.size || !CLOCK || isStuck;
        const left = isOfMachine && all().length ? "more" : timers.size ? "timers" : "";
        dispatch.call(document, new Message(CHANNEL + "-skipped", { detail: left }));
      });
    }
  });

  if (!CLOCK) return;

  // FNV-1a over the path: an instance's address is stable, so its seed is.
  let seed = 0x811c9dc5;
  for (const character of location.pathname) {
    seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  // mulberry32, public domain (T. Ettinger, 2017)
  let state = seed;
  Math.random = function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  // The day is fixed. From there time goes on with what is done, with what was put off until it is due, and by a millisecond
  // at least whenever it is looked at, since there are pages that look until it has passed.
  for (const [type, duration] of TAKES) {
    window.addEventListener(type, (event) => {
      if (!event.isTrusted) return;
      begun += duration;
      reached += duration;
    }, true);
  }
  const RealDate = Date;
  const start = RealDate.UTC(2024, 0, 1) + (seed % (365 * 24 * 3600)) * 1000;
  let shown = 0;
  const now = () => {
    shown = max(shown + 1, Math.floor(running ? running.at : reached));
    return start + shown;
  };
  const SeededDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
  RealDate.prototype.constructor = SeededDate;
  window.Date = SeededDate;
})();
