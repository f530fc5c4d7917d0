// Playwright joins the episode's browser, fills in a field, tries a page and a context of its own, and leaves.
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

const told = JSON.parse(await text(process.stdin));
const browser = await chromium.connectOverCDP(told.devtools.http);
const page = browser.contexts().flatMap((context) => context.pages()).find((each) => each.url() === told.url);
await page.fill("[name=a]", "w");
for (const [what, attempt] of [
  ["page", () => browser.contexts()[0].newPage()],
  ["context", () => browser.newContext({ proxy: { server: "http://127.0.0.1:9" } })],
]) {
  try {
    await attempt();
    console.log(`${what}: done`);
  } catch (error) {
    console.log(`${what}: ${/is refused/.test(error.message) ? "refused" : error.message}`);
  }
}
await browser.close();
