// A person's review: one answer after the other, judged before the workers' answers are shown. What strangers have
// written is only ever text here: nothing is put into the page as markup.
"use strict";

(() => {
  const SCHEMA = 1;
  /** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
  const get = (id, kind) => {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`there is no ${id}`);
    return found;
  };
  const told = JSON.parse(document.getElementById("data")?.textContent ?? "");
  /** @type {Drawn[]} */
  const fields = told.fields;
  const KEY = `review ${told.key} `;

  /** @typedef {{ task: string, index: number, id: string, field: string, kind: string, sent: string[],
   *    beside: string[], untouched: boolean, failed: string[], unread: string[], picture: string,
   *    box: [number, number, number, number] | null, labels: string }} Drawn */
  /** @typedef {{ task: string, index: number, id: string, field: string, sent: string[], answer: string,
   *    labels: string | null, note: string, at: string, seconds: number | null }} Verdict */

  /** @type {Map<number, Verdict>} Number of the field -> what was said of it. */
  const verdicts = new Map();
  let reviewer = "";
  let place = 0;
  let since = 0;
  let kept = true;

  const work = get("work", HTMLElement), start = get("start", HTMLElement), end = get("end", HTMLElement);
  const judge = get("judge", HTMLFormElement), check = get("check", HTMLFormElement);
  const answers = get("answers", HTMLFieldSetElement), labelled = get("labelled", HTMLFieldSetElement);
  const note = get("note", HTMLTextAreaElement), picture = get("picture", HTMLImageElement);
  const scroll = get("scroll", HTMLElement), mark = get("mark", HTMLElement);

  /** @param {string} tag @param {string} text @param {string} [kind] */
  const made = (tag, text, kind) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  /** The text of base64 in UTF-8. @param {string} packed */
  const unpacked = (packed) =>
    new TextDecoder().decode(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0)));

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

  /** @param {HTMLElement} parent @param {string} value @param {string} beside @param {number} [workers] */
  const addAnswer = (parent, value, beside, workers) => {
    const block = made("div", "", "answer");
    block.append(made("span", beside || value));
    if (beside && beside.toLowerCase() !== value.toLowerCase()) block.append(" ", made("span", `(value ${value})`, "value"));
    if (workers !== undefined) block.append("  ", made("span", `${workers} ${workers === 1 ? "worker" : "workers"}`, "workers"));
    parent.append(block);
  };

  /** @param {Drawn} field */
  const showAnswer = (field) => {
    const sent = get("sent", HTMLElement), tried = get("tried", HTMLElement);
    sent.replaceChildren();
    tried.replaceChildren();
    field.sent.forEach((value, number) => {
      if (value === "") sent.append(made("div", "An empty text was sent.", "answer none"));
      else addAnswer(sent, value, field.beside[number]);
    });
    if (!field.sent.length) sent.append(made("div", "Nothing was sent.", "answer none"));
    get("untouched", HTMLElement).hidden = !field.untouched;
    if (field.failed.length) {
      tried.append(made("p", "What was tried on the field, and was not done:", "more"));
      for (const each of field.failed) tried.append(made("pre", each, "reply"));
    }
    if (field.unread.length) {
      tried.append(made("p", "What was replied, of which no action could be read:", "more"));
      for (const each of field.unread) tried.append(made("pre", each, "reply"));
    }
  };

  /** @param {Drawn} field */
  const showPage = (field) => {
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

  /** @param {HTMLFormElement} form @param {string} name */
  const chosen = (form, name) => String(new FormData(form).get(name) ?? "");

  /** @param {HTMLElement} parent @param {string} value */
  const choose = (parent, value) => {
    for (const input of parent.querySelectorAll("input")) input.checked = input.value === value;
  };

  const showSecond = () => {
    const field = fields[place], verdict = verdicts.get(place);
    answers.disabled = verdict !== undefined;
    get("settle", HTMLElement).hidden = verdict !== undefined;
    check.hidden = verdict === undefined;
    if (!verdict) return;
    choose(answers, verdict.answer);
    const labels = get("labels", HTMLElement);
    labels.replaceChildren();
    for (const each of JSON.parse(unpacked(field.labels))) addAnswer(labels, each.text, each.beside, each.workers);
    choose(labelled, verdict.labels ?? "");
    note.value = verdict.note;
  };

  const count = () => {
    const done = [...verdicts.values()].filter((verdict) => verdict.labels !== null).length;
    const progress = get("progress", HTMLProgressElement);
    progress.max = fields.length;
    progress.value = done;
    get("count", HTMLElement).textContent = `${done} of ${fields.length} judged`;
    return done;
  };

  /** @param {number} number */
  const show = (number) => {
    place = number;
    since = performance.now();
    const field = fields[number];
    start.hidden = end.hidden = true;
    work.hidden = false;
    const where = get("where", HTMLElement);
    where.textContent = `${number + 1}. ${field.task}, instance ${field.index}: the field ${field.field} (${field.kind})`;
    choose(answers, "");
    choose(labelled, "");
    note.value = "";
    showAnswer(field);
    showPage(field);
    showSecond();
    count();
    get("back", HTMLButtonElement).disabled = number === 0;
    get("forward", HTMLButtonElement).disabled = number === fields.length - 1;
    where.focus();
  };

  const showNext = () => {
    const order = [...fields.keys()];
    const open = [...order.slice(place + 1), ...order.slice(0, place + 1)].find(
      (number) => (verdicts.get(number)?.labels ?? null) === null,
    );
    if (open !== undefined) {
      show(open);
      return;
    }
    work.hidden = true;
    end.hidden = false;
    get("end-title", HTMLElement).focus();
  };

  const begin = () => {
    place = fields.length - 1;
    keep();
    showNext();
  };

  judge.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = chosen(judge, "answer");
    if (!answer || verdicts.has(place)) return;
    const { task, index, id, field, sent } = fields[place];
    const seconds = Math.round((performance.now() - since) / 100) / 10;
    const at = new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
    verdicts.set(place, { task, index, id, field, sent, answer, labels: null, note: "", at, seconds });
    keep();
    showSecond();
    check.scrollIntoView({ block: "nearest" });
  });

  check.addEventListener("submit", (event) => {
    event.preventDefault();
    const labels = chosen(check, "labels"), verdict = verdicts.get(place);
    if (!labels || !verdict) return;
    verdicts.set(place, { ...verdict, labels, note: note.value.trim() });
    keep();
    showNext();
  });

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

  get("back", HTMLButtonElement).addEventListener("click", () => show(place - 1));
  get("forward", HTMLButtonElement).addEventListener("click", () => show(place + 1));
  get("save", HTMLButtonElement).addEventListener("click", save);
  get("save-all", HTMLButtonElement).addEventListener("click", save);
  get("again", HTMLButtonElement).addEventListener("click", () => show(0));

  document.addEventListener("keydown", (event) => {
    if (work.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLTextAreaElement) {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        check.requestSubmit();
      }
      return;
    }
    const inputs = (check.hidden ? answers : labelled).querySelectorAll("input");
    const input = /^[1-9]$/.test(event.key) ? inputs[Number(event.key) - 1] : undefined;
    if (input) {
      input.checked = true;
      input.focus();
    } else if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      (check.hidden ? judge : check).requestSubmit();
    }
  });

  // A tab that is closed by mistake with what only a file would hold is asked about.
  window.addEventListener("beforeunload", (event) => {
    if (!kept && verdicts.size) event.preventDefault();
  });
})();
