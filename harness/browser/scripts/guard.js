// Runs in the page's own world before any script of the page. It keeps a page from stopping the run (dialogs,
// pop-ups, printing) and from leaving.
// CHANNEL is a constant that the loader writes above this text.
(() => {
  "use strict";
  const dispatch = EventTarget.prototype.dispatchEvent;
  const Message = CustomEvent;
  /**
   * @param {string} kind
   * @param {unknown} message
   */
  const report = (kind, message) =>
    dispatch.call(document, new Message(CHANNEL, { detail: kind + ":" + String(message ?? "") }));
  window.alert = function alert(message) { report("alert", message); };
  window.confirm = function confirm(message) { report("confirm", message); return true; };
  window.prompt = function prompt(message, value) { report("prompt", message); return value ?? ""; };
  window.open = function open(url) { report("open", url); return null; };
  window.print = function print() { report("print", ""); };
  window.close = function close() { report("close", ""); };

  // What a page sends to somewhere else by itself, in place of its form or beside it.
  const { fetch } = window;
  const { open, send } = XMLHttpRequest.prototype;
  const { sendBeacon } = Navigator.prototype;
  const { exec } = RegExp.prototype;
  /** @type {WeakMap<XMLHttpRequest, [string, string]>} */
  const opened = new WeakMap();
  /**
   * @param {unknown} method
   * @param {string} url
   */
  const reportSent = (method, url) => {
    if (exec.call(/^(get|head|options)$/i, String(method)) === null) report("send", url);
  };
  window.fetch = function (what, how) {
    reportSent(how?.method ?? (what instanceof Request ? what.method : "GET"), what instanceof Request ? what.url : String(what));
    return fetch.call(window, what, how);
  };
  XMLHttpRequest.prototype.open = function (/** @type {any[]} */ ...args) {
    opened.set(this, [args[0], String(args[1])]);
    return /** @type {any} */ (open).apply(this, args);
  };
  XMLHttpRequest.prototype.send = function (/** @type {any} */ body) {
    const request = opened.get(this);
    if (request) reportSent(...request);
    return send.call(this, body);
  };
  Navigator.prototype.sendBeacon = function (/** @type {any} */ url, /** @type {any} */ data) {
    report("send", url);
    return sendBeacon.call(this, url, data);
  };

  // A form that a script sends to another window or frame would leave no trace in this one.
  const { submit } = HTMLFormElement.prototype;
  const { getAttribute, setAttribute, removeAttribute } = Element.prototype;
  HTMLFormElement.prototype.submit = function () {
    const target = getAttribute.call(this, "target");
    setAttribute.call(this, "target", "_self");
    submit.call(this);
    if (target === null) removeAttribute.call(this, "target");
    else setAttribute.call(this, "target", target);
  };

  // The instance before this one is one step back until the loader has cleared the history, and no listener can stop a page
  // from going there. Steps within the page are its own.
  const { entries } = Navigation.prototype;
  /** @type {(this: Navigation) => NavigationHistoryEntry} */
  const here = /** @type {any} */ (Object.getOwnPropertyDescriptor(Navigation.prototype, "currentEntry")?.get);
  /** @type {(this: NavigationHistoryEntry) => boolean} */
  const isInPage = /** @type {any} */ (Object.getOwnPropertyDescriptor(NavigationHistoryEntry.prototype, "sameDocument")?.get);
  /** @param {number} distance */
  const within = (distance) => {
    const entry = entries.call(navigation)[here.call(navigation).index + distance];
    return entry !== undefined && isInPage.call(entry);
  };
  /** @type {[keyof History & ("back" | "forward" | "go"), (distance?: unknown) => number][]} */
  const STEPS = [["back", () => -1], ["forward", () => 1], ["go", (distance) => Math.trunc(Number(distance)) || 0]];
  for (const [name, steps] of STEPS) {
    const real = History.prototype[name];
    /** @param {[distance?: number]} args */
    History.prototype[name] = function (...args) {
      const distance = steps(...args);
      if (distance === 0 || within(distance)) return real.apply(this, args);
      report("history", name);
    };
  }
  for (const name of /** @type {const} */ (["back", "forward", "traverseTo"])) {
    const real = Navigation.prototype[name];
    /** @param {[key?: string]} args */
    Navigation.prototype[name] = function (...args) {
      const entry = entries.call(this).find((each) => each.key === args[0]);
      if (name === "traverseTo" ? entry && isInPage.call(entry) : within(name === "back" ? -1 : 1)) return real.apply(this, args);
      report("history", name);
      const refusal = Promise.reject(new DOMException("there is no such page", "InvalidStateError"));
      refusal.catch(() => {});
      return { committed: refusal, finished: refusal };
    };
  }
  // A window keeps its name from one page to the next.
  if (window === window.top) window.name = "";
})();
