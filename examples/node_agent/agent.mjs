// An agent from outside, in Node over the Chrome DevTools Protocol: it drives the browser of the episode, and knows
// nothing of the harness.
//
//     npm install --prefix examples/node_agent
//     python -m harness.evaluate --solver command --command "node examples/node_agent/agent.mjs" --max-instances 2
//
// What to enter is decided in answering.mjs: by a model, if one is named. What it is told, and how it may end, is in
// docs/reference/program.md.

import { text } from "node:stream/consumers";
import CDP from "chrome-remote-interface";
import { answers } from "./answering.mjs";

const told = JSON.parse(await text(process.stdin));
const page = await CDP({ target: told.devtools.page, local: true });
try {
  const fields = told.fields.filter((field) => field.visible);
  const values = await answers(fields, await inPage(() => document.body.innerText));
  for (const field of fields.filter((each) => each.name in values)) {
    const value = values[field.name];
    const error = await fillIn(field, value);
    // What is printed is kept with the episode.
    if (error) console.error(`${field.name}: ${error}`);
    else console.log(`${field.name}: ${value}`);
  }
} finally {
  await page.close(); // the connection, not the page
}

// Enters it with the mouse and the keyboard, as a person would; gives what went wrong.
async function fillIn(field, value) {
  const isBox = field.kind === "radio" || field.kind === "checkbox";
  if (field.kind === "select" || field.kind === "range") return inPage(choose, field.name, value);
  const place = await inPage(aim, field.name, isBox ? value : null);
  if (typeof place === "string") return place;
  if (!place.checked) await press(place);
  if (isBox) return null;
  await page.Input.dispatchKeyEvent({ type: "keyDown", key: "a", commands: ["selectAll"] });
  await page.Input.dispatchKeyEvent({ type: "keyUp", key: "a" });
  await page.Input.insertText({ text: value });
  return null;
}

async function press({ x, y }) {
  const mouse = { x, y, button: "left", clickCount: 1 };
  await page.Input.dispatchMouseEvent({ ...mouse, type: "mousePressed" });
  await page.Input.dispatchMouseEvent({ ...mouse, type: "mouseReleased" });
}

// Calls a function in the page.
async function inPage(work, ...given) {
  const expression = `(${work})(${given.map((each) => JSON.stringify(each)).join(", ")})`;
  const { result, exceptionDetails } = await page.Runtime.evaluate({ expression, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value ?? null;
}

// ---- these run in the page ---------------------------------------------------------------------------------------

// Where to press a control.
function aim(name, value) {
  const control = [...document.getElementsByName(name)].find((each) => value === null || each.value === value);
  if (!control) return "there is no such control";
  control.scrollIntoView({ block: "center", behavior: "instant" });
  const box = control.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, checked: control.checked === true };
}

// A list or a slider: what a script enters, a page's own handlers hear of as well.
function choose(name, value) {
  const [control] = document.getElementsByName(name);
  if (!control) return "there is no such control";
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  return null;
}
