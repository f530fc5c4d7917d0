// The questions of a review, one answer after the other: the answer is judged before the workers' answers are shown.
// Where verdicts are kept, and who knows the workers' answers, is said by a keeper. What strangers have written is only
// ever text here: nothing is put into the page as markup.
"use strict";

/** @typedef {{ task: string, index: number, id: string, field: string, kind: string, sent: string[],
 *    beside: string[], untouched: boolean, failed: string[], unread: string[] }} AskedField */
/** @typedef {{ task: string, index: number, id: string, field: string, sent: string[], answer: string,
 *    labels: string | null, note: string, at: string, seconds: number | null }} PlaceVerdict */
/** @typedef {{ text: string, beside: string, workers: number }} GivenLabel */
/** What stands now of a field, what workers answered, and what the reviewer should know; empty if nothing.
 * @typedef {{ verdict: PlaceVerdict, labels: GivenLabel[], said: string }} Standing */
/** Gives a field, with what workers answered once it has been judged; and keeps what is said.
 * @typedef {{
 *    look: (place: number) => Promise<{ field: AskedField, labels: GivenLabel[] }>,
 *    settle: (place: number, answer: string, seconds: number) => Promise<Standing>,
 *    complete: (place: number, labels: string, note: string) => Promise<Standing>,
 *    showPage: (place: number) => void }} Keeper */

/**
 * Ask of all fields.
 * @param {number} total How many there are.
 * @param {Map<number, PlaceVerdict>} verdicts Number of the field -> what was said of it.
 * @param {Keeper} keeper
 */
const askQuestions = (total, verdicts, keeper) => {
  let place = 0;
  let since = 0;
  let busy = false;

  /** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
  const get = (id, kind) => {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`there is no ${id}`);
    return found;
  };
  const work = get("work", HTMLElement), end = get("end", HTMLElement);
  const judge = get("judge", HTMLFormElement), check = get("check", HTMLFormElement);
  const answers = get("answers", HTMLFieldSetElement), labelled = get("labelled", HTMLFieldSetElement);
  const note = get("note", HTMLTextAreaElement);

  /** @param {string} tag @param {string} text @param {string} [kind] */
  const made = (tag, text, kind) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  /** @param {string} text */
  const say = (text) => {
    const said = get("said", HTMLElement);
    said.textContent = text;
    said.hidden = text === "";
  };

  /** Do one thing after the other: a key that is pressed before the last one has come to something is not counted.
   * @param {() => Promise<void>} task */
  const alone = async (task) => {
    if (busy) return;
    busy = true;
    work.setAttribute("aria-busy", "true");
    try {
      await task();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    } finally {
      busy = false;
      work.removeAttribute("aria-busy");
    }
  };

  /** @param {HTMLElement} parent @param {string} value @param {string} beside @param {number} [workers] */
  const addAnswer = (parent, value, beside, workers) => {
    const block = made("div", "", "answer");
    block.append(made("span", beside || value));
    if (beside && beside.toLowerCase() !== value.toLowerCase()) block.append(" ", made("span", `(value ${value})`, "value"));
    if (workers !== undefined) block.append("  ", made("span", `${workers} ${workers === 1 ? "worker" : "workers"}`, "workers"));
    parent.append(block);
  };

  /** @param {AskedField} field */
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

  /** @param {HTMLFormElement} form @param {string} name */
  const chosen = (form, name) => String(new FormData(form).get(name) ?? "");

  /** @param {HTMLElement} parent @param {string} value */
  const choose = (parent, value) => {
    for (const input of parent.querySelectorAll("input")) input.checked = input.value === value;
  };

  /** The second question, once the first has been answered. @param {GivenLabel[]} given */
  const showLabels = (given) => {
    const verdict = verdicts.get(place);
    answers.disabled = verdict !== undefined;
    get("settle", HTMLElement).hidden = verdict !== undefined;
    check.hidden = verdict === undefined;
    const labels = get("labels", HTMLElement);
    labels.replaceChildren();
    if (!verdict) return;
    choose(answers, verdict.answer);
    for (const each of given) addAnswer(labels, each.text, each.beside, each.workers);
    choose(labelled, verdict.labels ?? "");
    note.value = verdict.note;
  };

  const count = () => {
    const done = [...verdicts.values()].filter((verdict) => verdict.labels !== null).length;
    const progress = get("progress", HTMLProgressElement);
    progress.max = total;
    progress.value = done;
    get("count", HTMLElement).textContent = `${done} of ${total} judged`;
  };

  /** @param {number} number */
  const show = (number) => alone(async () => {
    const { field, labels } = await keeper.look(number);
    place = number;
    since = performance.now();
    end.hidden = true;
    work.hidden = false;
    say("");
    const where = get("where", HTMLElement);
    where.textContent = `${number + 1}. ${field.task}, instance ${field.index}: the field ${field.field} (${field.kind})`;
    choose(answers, "");
    choose(labelled, "");
    note.value = "";
    showAnswer(field);
    keeper.showPage(number);
    showLabels(labels);
    count();
    get("back", HTMLButtonElement).disabled = number === 0;
    get("forward", HTMLButtonElement).disabled = number === total - 1;
    where.focus();
  });

  /** The next field of which something is open to say, from behind one on; behind the last comes the first.
   * @param {number} behind */
  const showNext = (behind) => {
    const order = [...Array(total).keys()];
    const open = [...order.slice(behind + 1), ...order.slice(0, behind + 1)].find(
      (number) => (verdicts.get(number)?.labels ?? null) === null,
    );
    if (open !== undefined) return show(open);
    work.hidden = true;
    end.hidden = false;
    get("end-title", HTMLElement).focus();
    return Promise.resolve();
  };

  judge.addEventListener("submit", (event) => {
    event.preventDefault();
    const answer = chosen(judge, "answer");
    if (!answer || verdicts.has(place)) return;
    void alone(async () => {
      const standing = await keeper.settle(place, answer, Math.round((performance.now() - since) / 100) / 10);
      verdicts.set(place, standing.verdict);
      say(standing.said);
      showLabels(standing.labels);
      count();
      check.scrollIntoView({ block: "nearest" });
    });
  });

  check.addEventListener("submit", async (event) => {
    event.preventDefault();
    const labels = chosen(check, "labels");
    if (!labels || !verdicts.has(place)) return;
    let done = false;
    await alone(async () => {
      const standing = await keeper.complete(place, labels, note.value.trim());
      verdicts.set(place, standing.verdict);
      say(standing.said);
      done = standing.said === "";
      if (!done) showLabels(standing.labels);
      count();
    });
    if (done) await showNext(place);
  });

  get("back", HTMLButtonElement).addEventListener("click", () => show(place - 1));
  get("forward", HTMLButtonElement).addEventListener("click", () => show(place + 1));
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
    } else if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement)) {
      event.preventDefault();
      (check.hidden ? judge : check).requestSubmit();
    }
  });

  return { begin: () => showNext(total - 1) };
};
