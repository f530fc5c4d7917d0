// An agent from outside, in Node with Playwright: it drives the browser of the episode, and knows nothing of the harness.
//
//     npm install --prefix examples/node_agent
//     python -m harness.evaluate --solver command --command "node examples/node_agent/playwright.mjs" --max-instances 2
//
// What to enter is decided in answering.mjs: by a model, if one is named. What it is told, and how it may end, is in
// docs/reference/program.md.

import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";
import { answers } from "./answering.mjs";

const PATIENCE_MS = 3_000; // how long Playwright tries to do one thing

const told = JSON.parse(await text(process.stdin));
const browser = await chromium.connectOverCDP(told.devtools.http);
// The browser may list pages of its own beside this one.
const page = browser.contexts().flatMap((context) => context.pages()).find((each) => each.url() === told.url);
page.setDefaultTimeout(PATIENCE_MS);
const fields = told.fields.filter((field) => field.visible);
const values = await answers(fields, await page.innerText("body"));
for (const field of fields.filter((each) => each.name in values)) {
  // What is printed is kept with the episode.
  try {
    await fillIn(field, values[field.name]);
    console.log(`${field.name}: ${values[field.name]}`);
  } catch (error) {
    console.error(`${field.name}: ${error.message.split("\n")[0]}`);
  }
}
await browser.close(); // the connection; the page stays open

// Enters it as a person would: with the mouse and the keyboard.
async function fillIn(field, value) {
  const controls = page.locator(`[name=${JSON.stringify(field.name)}]`);
  if (field.kind === "checkbox" && field.options.length === 1) await controls.first().check();
  else if (field.kind === "radio" || field.kind === "checkbox")
    await controls.and(page.locator(`[value=${JSON.stringify(value)}]`)).first().check();
  else if (field.kind === "select") await controls.first().selectOption(value);
  else await controls.first().fill(value);
}
