// Puppeteer joins the episode's browser, fills in a field, tries a file and a page of its own, and says farewell.
import { text } from "node:stream/consumers";
import puppeteer from "puppeteer-core";

const told = JSON.parse(await text(process.stdin));
const browser = await puppeteer.connect({ browserWSEndpoint: told.devtools.browser, defaultViewport: null });
const page = (await browser.pages()).find((each) => each.url() === told.url);
await page.type("[name=a]", "w");
for (const [what, attempt] of [
  ["file", async () => (await page.$("[name=file]")).uploadFile("/etc/hostname")],
  ["page", () => browser.newPage()],
  ["context", () => browser.createBrowserContext({ proxyServer: "direct://" })],
]) {
  try {
    await attempt();
    console.log(`${what}: done`);
  } catch (error) {
    console.log(`${what}: ${/is refused/.test(error.message) ? "refused" : error.message}`);
  }
}
await browser.close();
