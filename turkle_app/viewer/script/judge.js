// A review on the server: what is judged is kept there at once, and what workers answered is told there, afterwards.
"use strict";

(() => {
  /** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
  const get = (id, kind) => {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`there is no ${id}`);
    return found;
  };
  /** @typedef {{ field: AskedField & { page: string, why: string }, verdict: PlaceVerdict | null,
   *    labels: GivenLabel[], said: string }} Told */
  const given = JSON.parse(get("data", HTMLScriptElement).text);
  const token = get("judge-page", HTMLElement).querySelector("input")?.value ?? "";
  /** @type {Map<number, PlaceVerdict>} */
  const verdicts = new Map(given.verdicts);
  /** @type {Map<number, AskedField & { page: string, why: string }>} */
  const shown = new Map();

  /** @param {string} address @param {Record<string, string>} [values] What is posted. @returns {Promise<Told>} */
  const ask = async (address, values) => {
    const body = values && new URLSearchParams({ ...values, reviewer: given.reviewer });
    let answer;
    try {
      answer = await fetch(address, { method: body ? "POST" : "GET", body, headers: { "X-CSRFToken": token } });
    } catch {
      throw new Error("The server does not answer: what you said last was not kept. Say it again when it is back.");
    }
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) {
      throw new Error("This cannot be done now: what you said last was not kept. Open the page anew.");
    }
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.said);
    return told;
  };

  /** @param {Told} told @returns {Standing} */
  const standing = (told) => {
    if (!told.verdict) throw new Error("Nothing was kept.");
    return { verdict: told.verdict, labels: told.labels, said: told.said };
  };

  /** A frame of its own for each page: so that the browser's way back leads out of the review, not through its pages.
   * @param {number} place */
  const showPage = (place) => {
    const field = shown.get(place);
    if (!field) return;
    const frame = document.createElement("iframe");
    frame.title = `The page of ${field.task}, with the field marked`;
    frame.sandbox.add("allow-scripts");
    frame.referrerPolicy = "no-referrer";
    if (field.page) frame.src = field.page;
    get("sheet", HTMLElement).replaceChildren(...(field.page ? [frame] : []));
    get("sheet", HTMLElement).hidden = !field.page;
    get("caption", HTMLElement).textContent = field.why;
  };

  // All that a stranger's page can say here is whether the field was found.
  addEventListener("message", (event) => {
    if (event.source !== get("sheet", HTMLElement).querySelector("iframe")?.contentWindow) return;
    const marked = event.data?.marked === true;
    get("caption", HTMLElement).textContent = marked ? "" : "The field cannot be seen on the page as it is: nothing is marked.";
  });

  const questions = askQuestions(given.total, verdicts, {
    look: async (place) => {
      const told = await ask(`${place}/`);
      shown.set(place, told.field);
      if (told.verdict) verdicts.set(place, told.verdict);
      return told;
    },
    settle: async (place, answer, seconds) =>
      standing(await ask(`${place}/answer/`, { answer, seconds: String(seconds) })),
    complete: async (place, labels, note) => {
      const before = verdicts.get(place);
      const seen = { before_labels: before?.labels ?? "", before_note: before?.note ?? "" };
      return standing(await ask(`${place}/labels/`, { labels, note, ...seen }));
    },
    showPage,
  });
  void questions.begin();
})();
