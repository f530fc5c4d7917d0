// An agent from outside, in Node with Puppeteer: it drives the browser of the episode, and knows nothing of the harness.
//
//     npm install --prefix examples/node_agent
//     python -m harness.evaluate --solver command --command "node examples/node_agent/puppeteer.mjs" --max-instances 2
//
// What to enter is decided in answering.mjs: by a model, if one is named. What it is told, and how it may end, is in
// docs/reference/program.md.

import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";
import { answers } from "./answering.mjs";

const PATIENCE_MS = 3_000; // how long Puppeteer tries to do one thing

const told = JSON.parse(await text(process.stdin));
const browser = await puppeteer.connect({ browserWSEndpoint: told.devtools.browser, defaultViewport: null });
const page = (await browser.pages()).find((each) => each.url() === told.url);
page.setDefaultTimeout(PATIENCE_MS);
const fields = told.fields.filter((field) => field.visible);
const values = await answers(fields, await page.$eval("body", (body) => body.innerText));
for (const field of fields.filter((each) => each.name in values)) {
  // What is printed is kept with the episode.
  try {
    await fillIn(field, values[field.name]);
    console.log(`${field.name}: ${values[field.name]}`);
  } catch (error) {
    console.error(`${field.name}: ${error.message.split("\n")[0]}`);
  }
}
await browser.disconnect(); // the page stays open

// Enters it as a person would: with the mouse and the keyboard.
async function fillIn(field, value) {
  const named = `[name=${JSON.stringify(field.name)}]`;
  if (field.kind === "select") await page.select(named, value);
  else if (field.kind === "radio" || field.kind === "checkbox") {
    const only = field.kind === "checkbox" && field.options.length === 1;
    const box = await page.waitForSelector(only ? named : `${named}[value=${JSON.stringify(value)}]`);
    if (!(await box.evaluate((each) => each.checked))) await box.click();
  } else await page.locator(named).fill(value);
}
