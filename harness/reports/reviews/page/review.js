// A review in a file: what is judged is kept in the browser, and saved to a file.
"use strict";

(() => {
  const SCHEMA = 1;
  /** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
  const get = (id, kind) => {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`there is no ${id}`);
    return found;
  };
  /** @typedef {AskedField & { picture: string, box: [number, number, number, number] | null, labels: string }} Drawn */
  const told = JSON.parse(document.getElementById("data")?.textContent ?? "");
  /** @type {Drawn[]} */
  const fields = told.fields;
  const KEY = `review ${told.key} `;

  /** @type {Map<number, PlaceVerdict>} Number of the field -> what was said of it. */
  const verdicts = new Map();
  let reviewer = "";
  let kept = true;

  const picture = get("picture", HTMLImageElement), scroll = get("scroll", HTMLElement), mark = get("mark", HTMLElement);

  /** What workers answered: base64 of JSON in UTF-8. @param {number} place @returns {GivenLabel[]} */
  const labelsOf = (place) =>
    JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(fields[place].labels), (character) => character.charCodeAt(0))),
    );

  const record = () => ({
    schema: SCHEMA,
    run: told.run,
    judge: { name: reviewer, kind: "person" },
    verdicts: [...verdicts.keys()].sort((one, other) => one - other).map((number) => verdicts.get(number)),
  });

  /** Keep it in the browser, after each judgement. */
  const keep = () => {
    try {
      localStorage.setItem(KEY + reviewer, JSON.stringify(record()));
    } catch {
      kept = false;
    }
    get("unkept", HTMLElement).hidden = kept;
  };

  const save = () => {
    const file = new Blob([JSON.stringify(record(), null, 1) + "\n"], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `verdicts-${reviewer.replace(/[^\p{L}\p{N}]+/gu, "-")}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  /** Go on from what was kept or saved; says why not, if it is no such thing. @param {string} text */
  const goOnFrom = (text) => {
    let found;
    try {
      found = JSON.parse(text);
    } catch {
      return "The file holds no judgements.";
    }
    if (found?.schema !== SCHEMA || !Array.isArray(found.verdicts) || typeof found.judge?.name !== "string") {
      return "The file holds no judgements.";
    }
    if (JSON.stringify(found.run) !== JSON.stringify(told.run)) return "The file is of another run.";
    const read = new Map();
    for (const each of found.verdicts) {
      const number = fields.findIndex(
        (field) => field.task === each.task && field.index === each.index && field.field === each.field,
      );
      if (number < 0) return "The file is of another draw.";
      read.set(number, each);
    }
    reviewer = found.judge.name;
    verdicts.clear();
    for (const [number, each] of read) verdicts.set(number, each);
    return "";
  };

  /** The picture of the page, with the field marked and in sight. @param {number} place */
  const showPage = (place) => {
    const field = fields[place];
    picture.alt = `The page of ${field.task}`;
    const caption = get("caption", HTMLElement);
    mark.hidden = true;
    caption.textContent = field.box ? "" : "The field cannot be seen on the page as it loads: nothing is marked.";
    picture.onload = () => {
      if (!field.box) {
        scroll.scrollTo(0, 0);
        return;
      }
      const [left, top, width, height] = field.box;
      const wide = picture.naturalWidth, high = picture.naturalHeight;
      mark.style.left = `calc(${(100 * left) / wide}% - 5px)`;
      mark.style.top = `calc(${(100 * top) / high}% - 5px)`;
      mark.style.width = `calc(${(100 * width) / wide}% + 10px)`;
      mark.style.height = `calc(${(100 * height) / high}% + 10px)`;
      mark.hidden = false;
      const middle = ((top + height / 2) * picture.clientHeight) / high;
      const beginning = (top * picture.clientHeight) / high;
      scroll.scrollTo(0, Math.min(middle - scroll.clientHeight / 2, beginning - 40));
    };
    picture.src = told.pictures[field.picture];
  };

  const questions = askQuestions(fields.length, verdicts, {
    look: async (place) => ({ field: fields[place], labels: verdicts.has(place) ? labelsOf(place) : [] }),
    settle: async (place, answer, seconds) => {
      const { task, index, id, field, sent } = fields[place];
      const at = new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
      const verdict = { task, index, id, field, sent, answer, labels: null, note: "", at, seconds };
      verdicts.set(place, verdict);
      keep();
      return { verdict, labels: labelsOf(place), said: "" };
    },
    complete: async (place, labels, note) => {
      const settled = verdicts.get(place);
      if (!settled) throw new Error("nothing was said of the answer");
      const verdict = { ...settled, labels, note };
      verdicts.set(place, verdict);
      keep();
      return { verdict, labels: labelsOf(place), said: "" };
    },
    showPage,
  });

  const begin = () => {
    get("start", HTMLElement).hidden = true;
    keep();
    void questions.begin();
  };

  get("who", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    reviewer = get("name", HTMLInputElement).value.trim();
    if (!reviewer) return;
    let before = null;
    try {
      before = localStorage.getItem(KEY + reviewer);
    } catch {
      kept = false;
    }
    if (before) goOnFrom(before);
    begin();
  });

  get("open", HTMLInputElement).addEventListener("change", async (event) => {
    const file = event.target instanceof HTMLInputElement ? event.target.files?.[0] : undefined;
    if (!file) return;
    const trouble = get("trouble", HTMLElement);
    trouble.textContent = goOnFrom(await file.text());
    trouble.hidden = trouble.textContent === "";
    if (trouble.hidden) begin();
  });

  get("save", HTMLButtonElement).addEventListener("click", save);
  get("save-all", HTMLButtonElement).addEventListener("click", save);

  // A tab that is closed by mistake with what only a file would hold is asked about.
  window.addEventListener("beforeunload", (event) => {
    if (!kept && verdicts.size) event.preventDefault();
  });
})();
